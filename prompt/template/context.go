package template

import (
	"slices"
	"strings"

	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/prompt/card"
	"github.com/talewright/talewright/worldbook"
)

// contextName returns a name of a value of the build.
func (f *frame) contextName(name string) (value, bool) {
	env := &f.build.env
	switch name {
	case "userName":
		return text(clean(env.User)), true
	case "charName", "assistantName":
		return text(clean(env.Char)), true
	case "lastUserMessage":
		return text(f.messageText(f.last(true))), true
	case "lastCharMessage":
		return text(f.messageText(f.last(false))), true
	case "lastMessageId":
		return number(float64(env.Chat.Len() - 1)), true
	case "lastUserMessageId":
		return number(float64(f.last(true))), true
	case "lastCharMessageId":
		return number(float64(f.last(false))), true
	case "chatId":
		return text(clean(env.ChatID)), true
	case "variables":
		return fromTree(f.build.stores[cacheScope]), true
	case "runType":
		return text("generate"), true
	case "generateType":
		if env.GenerateType == "" {
			return text("normal"), true
		}
		return text(clean(env.GenerateType)), true
	case "isDryRun":
		return boolean(env.DryRun), true
	case "generateBuffer":
		return text(f.build.generated), true
	case "world_info":
		if book, e := f.source(); e != nil {
			return f.entryValue(book, e), true
		}
	}
	return value{}, false
}

func clean(s string) string { return strings.ToValidUTF8(s, "\uFFFD") }

// last returns the place of the last message of the user, or of any other speaker, or -1 if not
// found.
func (f *frame) last(user bool) int {
	chat := f.build.env.Chat
	for i := chat.Len() - 1; i >= 0; i-- {
		f.step()
		if (chat.Message(i).Role == "user") == user {
			return i
		}
	}
	return -1
}

func (f *frame) messageText(i int) string {
	if chat := f.build.env.Chat; i >= 0 && i < chat.Len() {
		m := chat.Message(i)
		f.work(len(m.Text))
		return clean(m.Text)
	}
	return ""
}

// contextFunctions are the functions for definitions, characters, prompts and messages.
func contextFunctions() map[string]native {
	return map[string]native{
		"define":  (*frame).defineName,
		"getchar": (*frame).character, "getchr": (*frame).character, "getChara": (*frame).character,
		"getCharData": (*frame).characterData, "getCharaData": (*frame).characterData,
		"getpreset": (*frame).presetPrompt, "getprp": (*frame).presetPrompt, "getPresetPrompt": (*frame).presetPrompt,
		"evalTemplate": func(f *frame, args []value) value {
			return text(f.inner(f.text(arg(args, 0)), f.dataOf(arg(args, 1)), nil))
		},
		"getChatMessage": func(f *frame, args []value) value {
			i := f.whole(args, 0, -1)
			if i < 0 {
				i += float64(f.build.env.Chat.Len())
			}
			return text(f.messageText(int(max(min(i, 1<<30), -1))))
		},
		"matchChatMessages": (*frame).matchMessages,
		"getChatMessages": func(f *frame, args []value) value {
			n := f.build.env.Chat.Len()
			from, to := f.position(args, 0, 0, n), n
			if len(args) > 1 {
				to = f.position(args, 1, n, n)
			} else if count := f.whole(args, 0, float64(n)); count >= 0 {
				from, to = 0, int(min(count, float64(n)))
			}
			var list []value
			for i := from; i < to; i++ {
				list = append(list, text(f.messageText(i)))
			}
			return f.newList(list)
		},
	}
}

// matchMessages is matchChatMessages: it reports whether one of some texts or patterns, or with the
// option and each of them, is in a message. The messages are the last two, or from the option start up
// to end, and of the option role.
func (f *frame) matchMessages(args []value) value {
	sought := []value{arg(args, 0)}
	if sought[0].kind == listKind {
		sought = sought[0].ref.(*list).elements(f)
	}
	option := func(name string) value {
		if o := arg(args, 1); o.kind == objectKind {
			return f.memberOf(o, text(name))
		}
		return value{}
	}
	n, bounds := f.build.env.Chat.Len(), []value{number(-2), option("end")}
	if v := option("start"); !v.isNullish() {
		bounds[0] = v
	}
	if bounds[1].kind == nullKind {
		bounds[1] = value{}
	}
	from, to, role := f.position(bounds, 0, 0, n), f.position(bounds, 1, n, n), option("role")
	found := func(p value) bool {
		for i := from; i < to; i++ {
			f.step()
			if user := f.build.env.Chat.Message(i).Role == "user"; role.kind == textKind && role.text != "any" && (role.text == "user") != user {
				continue
			}
			s := f.messageText(i)
			if p.kind == patternKind {
				if _, matches := f.search(s, p, false); len(matches) > 0 {
					return true
				}
			} else if strings.Contains(s, f.text(p)) {
				return true
			}
		}
		return false
	}
	if option("and").truth() {
		return boolean(!slices.ContainsFunc(sought, func(p value) bool { return !found(p) }))
	}
	return boolean(slices.ContainsFunc(sought, found))
}

// inner runs a text within the present one.
func (f *frame) inner(written string, data map[string]value, cache *Cache) string {
	f.work(16 * len(written))
	t, err := f.build.compiled(cache, clean(written))
	if err != nil {
		panic(err)
	}
	book, e := f.source()
	return f.build.run(t, data, book, e)
}

// dataOf returns the names for an inner text: the names of this text, and the members of an object.
func (f *frame) dataOf(v value) map[string]value {
	if v.kind != objectKind {
		return f.data
	}
	f.keepItems(len(f.data))
	data := make(map[string]value, len(f.data))
	for name, v := range f.data {
		data[name] = v
	}
	o := v.ref.(*object)
	for _, i := range o.order(f) {
		f.keepItems(1)
		data[o.keys[i]] = o.vals[i]
	}
	return data
}

// defineName is define: it returns the value that the name had.
func (f *frame) defineName(args []value) value {
	name, v := f.text(arg(args, 0)), arg(args, 1)
	if why := refusal(name); why != "" {
		f.refuse(name)
	}
	old := f.build.defined[name]
	if arg(args, 2).truth() {
		switch {
		case old.kind == listKind && v.kind == listKind:
			v = f.newList(append(append([]value(nil), old.ref.(*list).elements(f)...), v.ref.(*list).elements(f)...))
		case old.kind == objectKind && v.kind == objectKind:
			v = f.mergeObjects(old, v, 0)
		}
	}
	f.keepItems(1)
	f.build.define(name, v)
	return old
}

// mergeObjects joins two objects member by member.
func (f *frame) mergeObjects(a, b value, level int) value {
	o := &object{}
	f.spreadInto(o, a)
	from := b.ref.(*object)
	for _, i := range from.order(f) {
		v := from.vals[i]
		if old, ok := o.get(f, from.keys[i]); ok && old.kind == objectKind && v.kind == objectKind && level < maxLevels {
			v = f.mergeObjects(old, v, level+1)
		}
		o.put(from.keys[i], v)
	}
	return objectOf(o)
}

// character is getchar: the description of a character by its name.
func (f *frame) character(args []value) value {
	c := f.cardOf(arg(args, 0))
	if c == nil {
		return text("")
	}
	form := arg(args, 1)
	if form.kind != textKind {
		written := characterText(c)
		f.work(16 * len(written))
		return f.made(f.build.expand(written, c.CharName()))
	}
	data := f.dataOf(arg(args, 2))
	f.keepItems(len(data))
	all := make(map[string]value, len(data)+16)
	for name, v := range data {
		all[name] = v
	}
	depth, _ := c.DepthPrompt()
	for name, s := range map[string]string{
		"name": c.CharName(), "description": c.Description, "personality": c.Personality, "scenario": c.Scenario,
		"first_message": c.FirstMes, "message_example": c.MesExample, "system_prompt": c.SystemPrompt,
		"depth_prompt": depth.Prompt, "creator_notes": c.CreatorNotes, "post_history_instructions": c.PostHistoryInstructions,
	} {
		f.work(len(s))
		all[name] = text(clean(s))
	}
	return f.made(f.build.expand(f.inner(form.text, all, nil), c.CharName()))
}

// cardOf returns the card of a character by its name, nil if not found. No name means the first.
func (f *frame) cardOf(name value) *card.Card {
	for i := range f.build.env.Cards {
		c := &f.build.env.Cards[i]
		if f.step(); name.isNullish() || f.named(c.CharName(), name) {
			return c
		}
	}
	return nil
}

// characterData is getCharData: the fields of a card as an object, which are also in its member data.
func (f *frame) characterData(args []value) value {
	c := f.cardOf(arg(args, 0))
	if c == nil {
		return null
	}
	o := &object{}
	for _, field := range [...][2]string{
		{"name", c.Name}, {"description", c.Description}, {"personality", c.Personality}, {"scenario", c.Scenario}, {"first_mes", c.FirstMes},
		{"mes_example", c.MesExample}, {"creator_notes", c.CreatorNotes}, {"system_prompt", c.SystemPrompt},
		{"post_history_instructions", c.PostHistoryInstructions}, {"creator", c.Creator}, {"character_version", c.CharacterVersion},
	} {
		f.keep(len(field[1]))
		o.put(field[0], text(clean(field[1])))
	}
	o.put("tags", listOf(textsOf(c.Tags)...))
	o.put("alternate_greetings", listOf(textsOf(c.AlternateGreetings)...))
	f.keepItems(len(o.keys) + len(c.Tags) + len(c.AlternateGreetings))
	data := &object{}
	f.spreadInto(data, objectOf(o))
	o.put("data", objectOf(data))
	return objectOf(o)
}

// named reports whether a name is the sought one: the same text, or a match of a pattern.
func (f *frame) named(name string, sought value) bool {
	if sought.kind == patternKind {
		_, matches := f.search(name, sought, false)
		return len(matches) > 0
	}
	return name == f.text(sought)
}

// characterText is the description of a character without a form of its own.
func characterText(c *card.Card) string {
	name := c.CharName()
	var b strings.Builder
	b.WriteString("<" + name + ">\nname: " + name + "\n")
	for _, line := range [...]struct{ label, text string }{
		{"personality: ", c.Personality}, {"description: ", c.Description},
		{"example:\n", strings.ReplaceAll(c.MesExample, "<START>\n", "")},
	} {
		if line.text != "" {
			b.WriteString(line.label + line.text + "\n")
		}
	}
	b.WriteString("</" + name + ">")
	return clean(b.String())
}

// presetPrompt is getpreset: a prompt of the preset by its name, evaluated.
func (f *frame) presetPrompt(args []value) value {
	if f.build.env.Prompt == nil {
		return text("")
	}
	written, ok := f.build.env.Prompt(f.text(arg(args, 0)))
	if !ok {
		return text("")
	}
	return text(f.inner(written, f.dataOf(arg(args, 2)), f.build.env.Cache))
}

// entryValue returns an entry as an object.
func (f *frame) entryValue(book *worldbook.Book, e *worldbook.Entry) value {
	o := &object{}
	uid := text(e.UID)
	if n, ok := tree.Index(e.UID); ok {
		uid = number(float64(n))
	}
	o.put("uid", uid)
	o.put("comment", text(clean(e.Comment)))
	if book != nil {
		o.put("world", text(clean(book.Name)))
	}
	o.put("content", text(clean(e.Content)))
	o.put("key", listOf(textsOf(e.Keys)...))
	o.put("keysecondary", listOf(textsOf(e.SecondaryKeys)...))
	o.put("constant", boolean(e.Constant))
	o.put("disable", boolean(e.Disable))
	o.put("order", number(e.Order))
	o.put("position", number(float64(e.Position)))
	o.put("depth", number(float64(depthOf(e))))
	f.work(len(e.Content))
	f.keepItems(len(o.keys) + len(e.Keys) + len(e.SecondaryKeys))
	return objectOf(o)
}

func depthOf(e *worldbook.Entry) int {
	if e.Depth == worldbook.NoDepth {
		return 4
	}
	return e.Depth
}

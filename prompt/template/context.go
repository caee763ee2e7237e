package template

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/prompt/card"
	"github.com/talewright/talewright/worldbook"
)

// contextNames are the names of values of the build. A name whose value is undefined does not exist.
var contextNames = map[string]func(f *frame) value{
	"userName":          func(f *frame) value { return text(clean(f.build.env.User)) },
	"charName":          func(f *frame) value { return text(clean(f.build.env.Char)) },
	"assistantName":     func(f *frame) value { return text(clean(f.build.env.Char)) },
	"lastUserMessage":   func(f *frame) value { return text(f.messageText(f.lastMessage(true))) },
	"lastCharMessage":   func(f *frame) value { return text(f.messageText(f.lastMessage(false))) },
	"lastMessageId":     func(f *frame) value { return number(float64(f.build.env.Chat.Len() - 1)) },
	"lastUserMessageId": func(f *frame) value { return number(float64(f.lastMessage(true))) },
	"lastCharMessageId": func(f *frame) value { return number(float64(f.lastMessage(false))) },
	"chatId":            func(f *frame) value { return text(clean(f.build.env.ChatID)) },
	"variables":         func(f *frame) value { return fromTree(f.build.stores[cacheScope]) },
	"runType":           func(*frame) value { return text("generate") },
	"generateType":      func(f *frame) value { return text(cmp.Or(clean(f.build.env.GenerateType), "normal")) },
	"isDryRun":          func(f *frame) value { return boolean(f.build.env.DryRun) },
	"generateBuffer":    func(f *frame) value { return text(f.build.generateBuffer) },
	"world_info": func(f *frame) value {
		if book, e := f.currentEntry(); e != nil {
			return f.entryValue(book, e)
		}
		return value{}
	},
}

// lastMessage returns the place of the last message with a text of the user, or of any other speaker, or
// -1 if not found. A message that the reader of the prompt did not hear has no text.
func (f *frame) lastMessage(user bool) int {
	chat := f.build.env.Chat
	for i := chat.Len() - 1; i >= 0; i-- {
		f.step()
		if m := chat.Message(i); m.Text != "" && (m.Role == "user") == user {
			return i
		}
	}
	return -1
}

// messageText returns the text of a message by its index, "" if there is none.
func (f *frame) messageText(i int) string {
	if chat := f.build.env.Chat; i >= 0 && i < chat.Len() {
		m := chat.Message(i)
		f.chargeBytes(len(m.Text))
		return clean(m.Text)
	}
	return ""
}

// contextFunctions are the functions for definitions, characters, prompts and messages.
func contextFunctions() map[string]native {
	return map[string]native{
		"define":  (*frame).defineName,
		"getchar": (*frame).characterText, "getchr": (*frame).characterText, "getChara": (*frame).characterText,
		"getCharData": (*frame).characterData, "getCharaData": (*frame).characterData,
		"getpreset": (*frame).presetPrompt, "getprp": (*frame).presetPrompt, "getPresetPrompt": (*frame).presetPrompt,
		"evalTemplate": func(f *frame, args []value) value {
			return text(f.runText(f.toText(arg(args, 0)), f.namesWith(arg(args, 1)), nil))
		},
		"getChatMessage": func(f *frame, args []value) value {
			i := f.wholeArg(args, 0, -1)
			if i < 0 {
				i += float64(f.build.env.Chat.Len())
			}
			return text(f.messageText(int(max(min(i, 1<<30), -1))))
		},
		"matchChatMessages": (*frame).matchMessages,
		"getChatMessages": func(f *frame, args []value) value {
			n := f.build.env.Chat.Len()
			from, to := f.positionArg(args, 0, 0, n), n
			if len(args) > 1 {
				to = f.positionArg(args, 1, n, n)
			} else if count := f.wholeArg(args, 0, float64(n)); count >= 0 {
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
// option and each of them, is in a message.
func (f *frame) matchMessages(args []value) value {
	sought, options := []value{arg(args, 0)}, arg(args, 1)
	if sought[0].kind == listKind {
		sought = sought[0].ref.(*list).elements(f)
	}
	from, to := f.messageRange(options)
	isFound := func(p value) bool {
		for i := from; i < to; i++ {
			if f.step(); f.hasRole(i, f.optionOf(options, "role")) && f.textContains(f.messageText(i), p) {
				return true
			}
		}
		return false
	}
	if f.optionOf(options, "and").isTrue() {
		return boolean(!slices.ContainsFunc(sought, func(p value) bool { return !isFound(p) }))
	}
	return boolean(slices.ContainsFunc(sought, isFound))
}

// messageRange returns the range of messages from the option start up to end: the last two without these
// options.
func (f *frame) messageRange(options value) (from, to int) {
	n := f.build.env.Chat.Len()
	start, end := f.optionOf(options, "start"), f.optionOf(options, "end")
	if start.isNullish() {
		start = number(-2)
	}
	if end.kind == nullKind {
		end = value{}
	}
	bounds := []value{start, end}
	return f.positionArg(bounds, 0, 0, n), f.positionArg(bounds, 1, n, n)
}

// hasRole reports whether the speaker of a message has a role: "user", or any other text for all others.
func (f *frame) hasRole(message int, role value) bool {
	if role.kind != textKind || role.text == "any" {
		return true
	}
	return (role.text == "user") == (f.build.env.Chat.Message(message).Role == "user")
}

// textContains reports whether a text contains a different text or a match of a pattern.
func (f *frame) textContains(s string, p value) bool {
	if p.kind == patternKind {
		_, matches := f.search(s, p, false)
		return len(matches) > 0
	}
	return strings.Contains(s, f.toText(p))
}

// runText runs a text within the present one. names are known in it.
func (f *frame) runText(written string, names map[string]value, cache *Cache) string {
	f.chargeBytes(16 * len(written))
	t, err := f.build.compiled(cache, clean(written))
	if err != nil {
		panic(err)
	}
	book, e := f.currentEntry()
	return f.build.run(t, names, origin{book, e})
}

// namesWith returns the names for an inner text: the names of this text, and the members of an object.
func (f *frame) namesWith(v value) map[string]value {
	if v.kind != objectKind {
		return f.names
	}
	f.chargeItems(len(f.names))
	names := make(map[string]value, len(f.names))
	maps.Copy(names, f.names)
	o := v.ref.(*object)
	for _, i := range o.order(f) {
		f.chargeItems(1)
		names[o.keys[i]] = o.vals[i]
	}
	return names
}

// defineName is define: it returns the value that the name had.
func (f *frame) defineName(args []value) value {
	name, v := f.toText(arg(args, 0)), arg(args, 1)
	if why := refusal(name); why != "" {
		f.refuse(name)
	}
	old := f.build.defined[name]
	if arg(args, 2).isTrue() {
		switch {
		case old.kind == listKind && v.kind == listKind:
			v = f.newList(append(append([]value(nil), old.ref.(*list).elements(f)...), v.ref.(*list).elements(f)...))
		case old.kind == objectKind && v.kind == objectKind:
			v = f.mergeObjects(old, v, 0)
		}
	}
	f.chargeItems(1)
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

// characterText is getchar: the description of a character by its name.
func (f *frame) characterText(args []value) value {
	c := f.cardOf(arg(args, 0))
	if c == nil {
		return text("")
	}
	form := arg(args, 1)
	if form.kind != textKind {
		written := cardSummary(c)
		f.chargeBytes(16 * len(written))
		return f.newText(f.build.expand(written, c.CharName()))
	}
	given := f.namesWith(arg(args, 2))
	f.chargeItems(len(given))
	names := make(map[string]value, len(given)+16)
	maps.Copy(names, given)
	depth, _ := c.DepthPrompt()
	for name, s := range map[string]string{
		"name": c.CharName(), "description": c.Description, "personality": c.Personality, "scenario": c.Scenario,
		"first_message": c.FirstMes, "message_example": c.MesExample, "system_prompt": c.SystemPrompt,
		"depth_prompt": depth.Prompt, "creator_notes": c.CreatorNotes, "post_history_instructions": c.PostHistoryInstructions,
	} {
		f.chargeBytes(len(s))
		names[name] = text(clean(s))
	}
	return f.newText(f.build.expand(f.runText(form.text, names, nil), c.CharName()))
}

// cardOf returns the card of a character by its name, nil if not found. No name means the first.
func (f *frame) cardOf(name value) *card.Card {
	for i := range f.build.env.Cards {
		c := &f.build.env.Cards[i]
		if f.step(); name.isNullish() || f.nameMatches(c.CharName(), name) {
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
		{"name", c.Name}, {"description", c.Description}, {"personality", c.Personality}, {"scenario", c.Scenario},
		{"first_mes", c.FirstMes}, {"mes_example", c.MesExample}, {"creator_notes", c.CreatorNotes},
		{"system_prompt", c.SystemPrompt}, {"post_history_instructions", c.PostHistoryInstructions},
		{"creator", c.Creator}, {"character_version", c.CharacterVersion},
	} {
		f.chargeMemory(len(field[1]))
		o.put(field[0], text(clean(field[1])))
	}
	o.put("tags", listOf(textsOf(c.Tags)...))
	o.put("alternate_greetings", listOf(textsOf(c.AlternateGreetings)...))
	f.chargeItems(len(o.keys) + len(c.Tags) + len(c.AlternateGreetings))
	data := &object{}
	f.spreadInto(data, objectOf(o))
	o.put("data", objectOf(data))
	return objectOf(o)
}

// nameMatches reports whether a name is the sought one: the same text, or a match of a pattern.
func (f *frame) nameMatches(name string, sought value) bool {
	if sought.kind == patternKind {
		return f.textContains(name, sought)
	}
	return name == f.toText(sought)
}

// cardSummary is the text of getchar without a template.
func cardSummary(c *card.Card) string {
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
	written, ok := f.build.env.Prompt(f.toText(arg(args, 0)))
	if !ok {
		return text("")
	}
	return text(f.runText(written, f.namesWith(arg(args, 2)), f.build.env.Cache))
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
	f.chargeBytes(len(e.Content))
	f.chargeItems(len(o.keys) + len(e.Keys) + len(e.SecondaryKeys))
	return objectOf(o)
}

// depthOf returns the depth of an entry; the default of SillyTavern is 4.
func depthOf(e *worldbook.Entry) int {
	if e.Depth == worldbook.NoDepth {
		return 4
	}
	return e.Depth
}

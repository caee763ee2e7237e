package tavern

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/talewright/talewright/internal/keyindex"
	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/prompt"
	"github.com/talewright/talewright/prompt/macro"
	"github.com/talewright/talewright/worldbook"
)

// writer renders messages with a template, or as a transcript without one.
type writer struct {
	context  ContextTemplate
	template *InstructTemplate
	in       *prompt.Input
	env      prompt.Env
	expanded map[expansion]string // texts of the presets, each expanded once
	draws    []macro.Draw
}

// expansion is a text of a preset for a speaker.
type expansion struct{ text, name string }

// joinLines joins two texts by a newline, if neither is empty.
func joinLines(a, b string) string {
	if a == "" {
		return b
	}
	return a + "\n" + b
}

// expand expands a text of a preset once; {{name}} is the speaker.
func (w *writer) expand(text, name string) string {
	key := expansion{text, name}
	out, ok := w.expanded[key]
	if !ok {
		out = w.expandWith(map[string]string{"name": name}, text)
		w.expanded[key] = out
	}
	return out
}

// systemName is the value of {{name}} for a message without a speaker.
const systemName = "System"

// frameText returns a text of the template; {{name}} is the speaker.
func (w *writer) frameText(text, name string) string {
	if !isOn(w.template.Macros) {
		return text
	}
	return w.expand(text, cmp.Or(name, systemName))
}

// expandWith expands a text with additional macros.
func (w *writer) expandWith(macros map[string]string, text string) string {
	env := w.env
	env.Macros = make(map[string]string, len(w.env.Macros)+len(macros))
	maps.Copy(env.Macros, w.env.Macros)
	maps.Copy(env.Macros, macros)
	run := macro.NewRun(env)
	text = run.Expand(text, macro.Full)
	w.draws = append(w.draws, run.Trace().Draws...)
	return text
}

// fillStory fills the story string. Texts whose places it does not name are put before and after it.
func (w *writer) fillStory(parts map[string]string) string {
	macros := map[string]string{"loreBefore": parts["wiBefore"], "loreAfter": parts["wiAfter"]}
	maps.Copy(macros, parts)
	text := w.expandWith(macros, w.context.Story)
	if before := parts["anchorBefore"]; before != "" && !mentions(w.context.Story, "anchorBefore") {
		text = joinLines(before, text)
	}
	if after := parts["anchorAfter"]; after != "" && !mentions(w.context.Story, "anchorAfter") {
		text = joinLines(text, after)
	}
	return text
}

// mentions reports whether a story string places a part.
func mentions(story, name string) bool {
	return strings.Contains(strings.ToLower(story), strings.ToLower(name))
}

// framedStory returns the story string with the texts of the template around it.
func (w *writer) framedStory(story string) string {
	t := w.template
	suffix := ""
	if t != nil {
		suffix = w.frameText(t.StorySuffix, "")
	}
	if suffix == "" && (t == nil || t.Wrap) && !strings.HasSuffix(story, "\n") {
		suffix = "\n"
	}
	if t == nil {
		return story + suffix
	}
	return w.prefix(t.StoryPrefix, "") + story + suffix
}

// prefix returns the text before a message, with the newline of the template.
func (w *writer) prefix(text, name string) string {
	text = w.frameText(text, name)
	if text != "" && w.template.Wrap {
		text += "\n"
	}
	return text
}

// messageVariant says which texts of the template are put around a message.
type messageVariant struct {
	first bool // the first message of the chat
	last  bool // the last user message, the reply or the continued message
	open  bool // the reply continues this message: no suffix follows
}

// renderMessage renders one message.
func (w *writer) renderMessage(p textMessage, v messageVariant) string {
	text := p.text
	if !p.isHistoryLine { // lines already have their names
		text = w.withName(p)
	}
	if w.template == nil {
		return text + "\n"
	}
	prefix, suffix := w.frame(p.role, v)
	suffix = w.frameText(suffix, p.label)
	if suffix == "" && w.template.Wrap {
		suffix = "\n"
	}
	if v.open {
		suffix = ""
	}
	return w.prefix(prefix, p.label) + text + suffix
}

// withName puts the name before a text if names are always shown.
func (w *writer) withName(p textMessage) string {
	always := w.template == nil || w.template.Names == instructNamesAlways
	if !always || p.role == llm.System || p.name == "" ||
		strings.HasPrefix(p.text, p.name+":") || strings.HasPrefix(p.text, p.name+"：") {
		return p.text
	}
	return p.name + ": " + p.text
}

// frame returns the texts before and after a message of a role.
func (w *writer) frame(role llm.Role, v messageVariant) (prefix, suffix string) {
	t := w.template
	first, last := "", ""
	switch {
	case role == llm.Assistant:
		prefix, suffix = t.AssistantPrefix, t.AssistantSuffix
		first, last = t.FirstAssistantPrefix, t.LastAssistantPrefix
	case role != llm.User && !t.SystemSameAsUser:
		return t.SystemPrefix, t.SystemSuffix
	default:
		prefix, suffix = t.UserPrefix, t.UserSuffix
		if role == llm.User {
			first, last = t.FirstUserPrefix, t.LastUserPrefix
		}
	}
	switch {
	case v.last:
		return cmp.Or(last, prefix), suffix
	case v.first:
		return cmp.Or(first, prefix), suffix
	}
	return prefix, suffix
}

// renderExamples renders the parts of the examples. As turns they look like the chat itself; as text,
// after separators, they look like a quotation.
func (w *writer) renderExamples(parts [][]textMessage) string {
	var b strings.Builder
	for _, part := range parts {
		asText := w.template == nil || w.template.SkipExamples
		prose := !asText && part[0].role == llm.System // lore among the dialogues
		if w.context.ExampleSeparator != "" && !prose {
			b.WriteString(w.expand(w.context.ExampleSeparator, "") + "\n")
		}
		for _, p := range part {
			if asText {
				b.WriteString(p.text + "\n")
			} else {
				b.WriteString(w.renderMessage(p, messageVariant{}))
			}
		}
	}
	return b.String()
}

// renderChat renders the history and the texts after it, one text for each message. whole says that the
// history is complete at its beginning.
func (w *writer) renderChat(chat []textMessage, complete bool) []string {
	var list []string
	if w.needsAlignment(chat) {
		text := w.expand(w.template.UserAlignment, "")
		p := textMessage{role: llm.User, name: w.env.User, label: w.env.User, text: text}
		list = append(list, w.renderMessage(p, messageVariant{first: true}))
	}
	lastUser := -1
	for i, p := range chat {
		if p.isInChat && p.role == llm.User {
			lastUser = i
		}
	}
	for i, p := range chat {
		open := w.isContinue() && p.isHistoryLine && i == len(chat)-1
		list = append(list, w.renderMessage(p, messageVariant{
			first: i == 0 && p.isInChat && complete, last: i == lastUser || open, open: open,
		}))
	}
	return list
}

// needsAlignment reports whether the alignment message is sent. It is sent only if the oldest message of
// the chat is not a user message; texts at a depth and the story string count as messages.
func (w *writer) needsAlignment(chat []textMessage) bool {
	if w.template == nil || w.template.UserAlignment == "" {
		return false
	}
	i := slices.IndexFunc(chat, func(p textMessage) bool { return p.isInChat })
	return i < 0 || chat[i].role != llm.User
}

// isOn returns the value of a switch; nil means true.
func isOn(b *bool) bool { return b == nil || *b }

// stopTexts lists the texts that end a reply, each once. A model either ends its message or begins a
// message for a different speaker.
func (w *writer) stopTexts() []string {
	var list []string
	seen := map[string]bool{}
	add := func(text string) {
		if keyindex.TrimSpace(text) != "" && !seen[text] {
			seen[text] = true
			list = append(list, text)
		}
	}
	_, name, other := w.nextSpeaker()
	if t := w.template; t != nil {
		add(w.frameText(t.Stop, name))
		next := t.UserPrefix
		if w.in.Generation == worldbook.Impersonate {
			next = t.AssistantPrefix
		}
		if isOn(t.StopAtPrefix) {
			add(strings.TrimRight(w.frameText(next, other), " \n"))
		}
	}
	if w.context.StopAtSeparators {
		for _, text := range [...]string{w.context.ExampleSeparator, w.context.ChatStart} {
			if text != "" {
				add("\n" + w.expand(text, ""))
			}
		}
	}
	if !isOn(w.context.StopAtNames) {
		return list
	}
	add("\n" + other + ":")
	for i := range w.in.History {
		l := &w.in.History[i]
		if l.Name != "" && l.Name != name && !l.Hidden && l.Role != llm.System {
			add("\n" + l.Name + ":")
		}
	}
	return list
}

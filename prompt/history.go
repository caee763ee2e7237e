package prompt

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/talewright/talewright/internal/keyindex"
	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/prompt/macro"
)

const (
	noContent   = "[No content]" // shown for an empty result of a tool
	maxNameSize = 64             // of the name field, in bytes
	keyPrefix   = "history."     // of the keys of lines
	roundPrefix = "tools."       // of the keys of tool rounds that are left out
)

// linesChat is the history as the chat macros see it.
type linesChat []Line

// Len counts hidden lines too: the chat macros number all messages.
func (c linesChat) Len() int { return len(c) }

// Message is a line as a message. Tool rounds count as hidden: nobody has said
// them.
func (c linesChat) Message(i int) macro.Message {
	l := &c[i]
	return macro.Message{
		Role: string(l.Role), Text: l.Text, Time: l.Time,
		Hidden: l.Hidden || len(l.Calls) > 0, Swipes: l.Swipes, Swipe: l.Swipe,
	}
}

// leaveOut reports a line that is not used.
func (b *build) leaveOut(l *Line, key, reason string) {
	b.apart = append(b.apart, &item{
		block: &Block{Key: key, Role: l.Role, Source: Source{Kind: KindHistory}},
		key:   key, slot: b.history, depth: -1, status: Disabled, reason: reason, message: -1,
	})
}

func lineKey(index int) string { return keyPrefix + strconv.Itoa(index) }

// id is the key of the line in report and origins.
func (l *line) id() string {
	if l.key == "" {
		l.key = lineKey(l.index)
	}
	return l.key
}

// expandLines expands the whole history, oldest first, for layouts in which its
// macros count. Only texts that change take memory.
func (b *build) expandLines() {
	b.expanded = map[int]string{}
	index := 0
	for i := 0; index < b.said; i++ {
		src := &b.in.History[i]
		if !b.shown(src) {
			continue
		}
		if text := b.expandLine(src, index); text != src.Text {
			b.expanded[index] = text
		}
		index++
	}
	if b.replaced != nil {
		b.expanded[index] = b.expandLine(b.replaced, index)
	}
}

// expandLine gives the text of a line, without carriage returns.
func (b *build) expandLine(src *Line, index int) string {
	text := src.Text
	if src == b.replaced { // nobody's text: it is sent as it is
		return text
	}
	if strings.IndexByte(text, '\r') >= 0 {
		text = strings.ReplaceAll(text, "\r", "")
	}
	text = b.run.Expand(text, cmp.Or(b.layout.HistoryMacros, macro.Names))
	b.attribute(func() string { return lineKey(index) })
	return text
}

// prepare expands a line and puts the name where it belongs.
func (b *build) prepare(l *line) {
	if l.ready {
		return
	}
	l.ready = true
	// Lines are expanded on first use, or all of them before anything else.
	text, done := b.expanded[l.index]
	switch {
	case done:
		l.text = text
	case b.expanded != nil && l != b.tail.continued:
		l.text = l.src.Text
	default:
		l.text = b.expandLine(l.src, l.index)
	}
	if len(l.src.Calls) > 0 || l.src == b.replaced {
		return
	}
	switch speaker := b.speaker(l.src); b.layout.Names {
	case NamesContent:
		if l.src.Role != llm.System {
			l.text = withName(speaker, l.text)
		}
	case NamesField:
		if l != b.tail.continued || b.in.ContinueByPrefill {
			l.name = fieldName(speaker)
		}
	case "", NamesForced:
		if l.src.Role == llm.Assistant && l.src.Forced && speaker != b.env.Char {
			l.text = withName(speaker, l.text)
		}
	}
}

// speaker is the name of who says a line; a narrator has none of its own.
func (b *build) speaker(l *Line) string {
	if l.Name != "" {
		return l.Name
	}
	switch l.Role {
	case llm.User:
		return b.env.User
	case llm.Assistant:
		return b.env.Char
	}
	return ""
}

// withName puts "Name: " before a text that does not begin with it, be the colon
// plain or full-width.
func withName(name, text string) string {
	if _, named := spokenBy(text, name); named || name == "" {
		return text
	}
	return name + ": " + text
}

// fieldName is a name as the providers' name fields take it.
func fieldName(name string) string {
	out := []byte(strings.Map(func(r rune) rune {
		if r < 0x80 && (r == '_' || r == '-' || '0' <= r && r <= '9' ||
			'a' <= r|0x20 && r|0x20 <= 'z') {
			return r
		}
		return '_'
	}, name))
	return string(out[:min(len(out), maxNameSize)])
}

// measureLine gives the whole cost of a line as messages.
func (b *build) measureLine(l *line) int {
	if l.tokens > 0 {
		return l.tokens
	}
	b.prepare(l)
	if len(l.src.Calls) == 0 {
		if b.blank(l.text) {
			return 0
		}
		l.tokens = b.overhead + b.count(l.text) + b.count(l.name)
		return l.tokens
	}
	l.tokens = b.overhead + b.count(l.text)
	for i, c := range l.src.Calls {
		l.tokens += b.count(c.Name) + b.count(c.Arguments)
		l.tokens += b.overhead + b.count(toolResult(l.src, i))
	}
	return l.tokens
}

// toolResult is the result of call i. Providers refuse a call without one.
func toolResult(l *Line, i int) string {
	if i >= len(l.Results) || keyindex.TrimSpace(l.Results[i]) == "" {
		return noContent
	}
	return l.Results[i]
}

// messages writes a line as messages.
func (b *build) lineMessages(l *line) (out []llm.Message) {
	if len(l.src.Calls) == 0 {
		if b.blank(l.text) {
			return out
		}
		return append(out, llm.Message{Role: l.src.role(), Name: l.name, Text: l.text})
	}
	calls := llm.Message{Role: llm.Assistant, Text: l.text, ToolCalls: l.src.Calls}
	out = append(out, calls.Clone())
	for i, c := range l.src.Calls {
		out = append(out, llm.Message{Role: llm.Tool, Text: toolResult(l.src, i), ToolCallID: c.ID})
	}
	return out
}

// count asks the counter; an empty text costs nothing, whatever the counter says.
func (b *build) count(text string) int {
	if text == "" {
		return 0
	}
	return b.counter.Count(text)
}

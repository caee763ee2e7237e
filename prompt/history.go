package prompt

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/prompt/macro"
)

const (
	noContent   = "[No content]" // shown for an empty result of a tool
	maxNameSize = 64             // of the name field, in bytes
	keyPrefix   = "history."     // of the keys of lines
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

// collectLines finds the visible history and what the kind of generation does
// to it.
func (b *build) collectLines() {
	b.lines = make([]line, 0, len(b.in.History)+1)
	for i := range b.in.History {
		l := &b.in.History[i]
		if l.Hidden {
			continue
		}
		if len(l.Calls) > 0 && !b.in.Tools {
			b.leaveOut(l, "tools."+strconv.Itoa(i), ReasonNoTools)
			continue
		}
		b.lines = append(b.lines, line{src: l, index: len(b.lines), message: -1})
	}
	b.generation()
	recent := cmp.Or(b.layout.Recent, defaultRecent)
	for i := range b.lines {
		l := &b.lines[i]
		l.keep = cmp.Or(b.layout.OlderKeep, olderKeep)
		if len(b.lines)-i <= recent {
			l.keep = cmp.Or(b.layout.RecentKeep, recentKeep)
		}
		if l.src.Keep != nil {
			l.keep = *l.src.Keep
		}
		l.required = l.src.Required || i == len(b.lines)-1
	}
}

// generation adds or takes away the newest line.
func (b *build) generation() {
	b.depths = len(b.lines)
	if len(b.lines) == 0 || b.history < 0 {
		return
	}
	newest := &b.lines[len(b.lines)-1]
	spoken := newest.src.Role == llm.Assistant && len(newest.src.Calls) == 0
	switch b.in.Generation {
	case "", Normal:
		if spoken && strings.TrimSpace(b.in.Replacement) != "" {
			b.lines = append(b.lines, line{
				src:   &Line{Role: llm.User, Text: b.in.Replacement},
				index: newest.index + 1, message: -1,
			})
			b.depths++
		}
	case Swipe:
		if spoken {
			b.leaveOut(newest.src, lineKey(newest.index), string(Swipe))
			b.lines = b.lines[:len(b.lines)-1]
			b.depths--
		}
	case Continue:
		continued := *newest
		b.tail.continued = &continued
		b.lines = b.lines[:len(b.lines)-1]
		if b.in.ContinueByPrefill {
			b.depths--
		}
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

// lineIndex is the number in the key of a line.
func lineIndex(key string) (int, bool) {
	number, ok := strings.CutPrefix(key, keyPrefix)
	if !ok {
		return 0, false
	}
	index, err := strconv.Atoi(number)
	return index, err == nil
}

// id is the key of the line in report and origins.
func (l *line) id() string {
	if l.key == "" {
		l.key = lineKey(l.index)
	}
	return l.key
}

// prepare expands a line and puts the name where it belongs.
func (b *build) prepare(l *line) {
	if l.ready {
		return
	}
	l.ready = true
	l.text = l.src.Text
	if strings.IndexByte(l.text, '\r') >= 0 {
		l.text = strings.ReplaceAll(l.text, "\r", "")
	}
	// Lines are expanded on first use: of a long history most never are.
	mode := cmp.Or(b.layout.HistoryMacros, macro.Names)
	l.text = b.run.Expand(l.text, mode)
	b.attribute(l.id)
	if len(l.src.Calls) > 0 {
		return
	}
	switch speaker := b.speaker(l.src); b.layout.Names {
	case NamesContent:
		if l.src.Role != llm.System {
			l.text = withName(speaker, l.text)
		}
	case NamesField:
		l.name = fieldName(speaker)
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

// withName puts "Name: " before a text that does not begin with it.
func withName(name, text string) string {
	if name == "" || strings.HasPrefix(text, name+":") {
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
		if strings.TrimSpace(l.text) == "" {
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
	if i >= len(l.Results) || strings.TrimSpace(l.Results[i]) == "" {
		return noContent
	}
	return l.Results[i]
}

// messages writes a line as messages.
func (l *line) messages(out []llm.Message) []llm.Message {
	if len(l.src.Calls) == 0 {
		if strings.TrimSpace(l.text) == "" {
			return out
		}
		role := cmp.Or(l.src.Role, llm.User)
		return append(out, llm.Message{Role: role, Name: l.name, Text: l.text})
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

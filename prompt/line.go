package prompt

import (
	"strconv"
	"strings"

	"github.com/talewright/talewright/internal/keyindex"
	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/prompt/macro"
)

const (
	noContent   = "[No content]" // shown for an empty result of a tool
	maxNameSize = 64             // of the name field, in bytes
	keyPrefix   = "history."     // prefix of the keys of lines
	roundPrefix = "tools."       // prefix of the keys of tool rounds that are left out
)

// line is a visible element of the history that was read.
type line struct {
	src      *Line
	index    int    // index among the visible lines; the number in its key
	key      string // see id
	text     string // expanded, with the name before it where needed
	name     string // name field of the message
	prepared bool   // expanded
	tokens   int    // whole cost; 0 if not measured yet
	keep     int

	required   bool
	status     Status
	reason     string
	freeTokens int
	message    int
}

// id returns the key of the line in report and origins.
func (l *line) id() string {
	if l.key == "" {
		l.key = lineKey(l.index)
	}
	return l.key
}

func lineKey(index int) string { return keyPrefix + strconv.Itoa(index) }

// messages writes the line. A blank line gives no message.
func (l *line) messages(layout *Layout) (out []llm.Message) {
	if len(l.src.Calls) == 0 {
		if layout.blank(l.text) {
			return nil
		}
		return append(out, llm.Message{Role: l.src.role(), Name: l.name, Text: l.text})
	}
	calls := llm.Message{Role: llm.Assistant, Text: l.text, ToolCalls: l.src.Calls}
	out = append(out, calls.Clone())
	for i, c := range l.src.Calls {
		out = append(out, llm.Message{Role: llm.Tool, Text: l.src.result(i), ToolCallID: c.ID})
	}
	return out
}

// role returns the role of the message of a line.
func (l *Line) role() llm.Role {
	switch l.Role {
	case llm.System, llm.Assistant:
		return l.Role
	}
	return llm.User
}

// spoken reports whether the character said the line.
func (l *Line) spoken() bool { return l.Role == llm.Assistant && len(l.Calls) == 0 }

// result returns the result of call i. Providers refuse a call without a result.
func (l *Line) result(i int) string {
	if i >= len(l.Results) || keyindex.TrimSpace(l.Results[i]) == "" {
		return noContent
	}
	return l.Results[i]
}

// linesChat is the history in the form that the chat macros use.
type linesChat []Line

// Len counts hidden lines too: the chat macros number all messages.
func (c linesChat) Len() int { return len(c) }

// Message returns a line as a message.
func (c linesChat) Message(i int) macro.Message { return c[i].Message() }

// Message returns the line in the form that the chat macros use. Tool rounds count as hidden,
// because they have no speaker.
func (l *Line) Message() macro.Message {
	return macro.Message{
		Role: string(l.Role), Text: l.Text, Time: l.Time,
		Hidden: l.Hidden || len(l.Calls) > 0, Swipes: l.Swipes, Swipe: l.Swipe,
	}
}

// withName puts "Name: " before a text unless the text already begins with it. The colon may be
// ASCII or full-width.
func withName(name, text string) string {
	if _, named := spokenBy(text, name); named || name == "" {
		return text
	}
	return name + ": " + text
}

// fieldName returns a name in a form that the providers' name fields accept.
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

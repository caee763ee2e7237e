package draft

import (
	"slices"

	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/prompt"
	"github.com/talewright/talewright/prompt/macro"
	"github.com/talewright/talewright/worldbook"
)

// Shown is a conversation that ends with the running turn. It is what macros see of the
// history, however much of that the prompt has room for.
type Shown struct {
	Messages []worldbook.Message
	Said     []Said
	Hidden   int // messages of the whole conversation before these
	Now      int // the first message of the running turn
}

// From is the conversation from a message on.
func (c Shown) From(i int) Shown {
	return Shown{c.Messages[i:], c.Said[i:], c.Hidden + i, c.Now - i}
}

// Len is the number of messages.
func (c Shown) Len() int { return len(c.Messages) }

// Message returns one of them.
func (c Shown) Message(i int) macro.Message {
	return macro.Message{Role: string(c.Said[i].Role), Text: c.Messages[i].Text}
}

// Macro is what macros see of the history, however much of that the prompt has room for.
// Messages that are not at hand have no text.
type Macro struct {
	Shown
	Earlier int
}

// Len is the number of messages.
func (c Macro) Len() int { return c.Earlier + c.Shown.Len() }

// Message returns one of them.
func (c Macro) Message(i int) macro.Message {
	if i < c.Earlier {
		return macro.Message{Role: string(llm.Assistant)}
	}
	return c.Shown.Message(i - c.Earlier)
}

// Lines are the newest of the messages, from the given one on, as a prompt takes them.
func (c Shown) Lines(from int) []prompt.Line {
	out := make([]prompt.Line, 0, c.Len()-from)
	for i := from; i < c.Len(); i++ {
		out = append(out, c.Line(i))
	}
	return out
}

// Line is one of the messages as a prompt takes it. What is said in the running turn is
// required. Members of a cast are told apart by their names.
func (c Shown) Line(i int) prompt.Line {
	by := c.Said[i]
	line := prompt.Line{Role: by.Role, Text: c.Messages[i].Text, Required: i >= c.Now}
	if by.Role == llm.User || by.Speaker != "" {
		line.Name, line.Forced = c.Messages[i].Name, by.Speaker != ""
	}
	return line
}

// Heard are the messages without those that the viewer did not hear.
func (c Shown) Heard() []worldbook.Message {
	if !slices.ContainsFunc(c.Said, func(s Said) bool { return s.Withheld }) {
		return c.Messages
	}
	out := make([]worldbook.Message, 0, len(c.Messages))
	for i, m := range c.Messages {
		if !c.Said[i].Withheld {
			out = append(out, m)
		}
	}
	return out
}

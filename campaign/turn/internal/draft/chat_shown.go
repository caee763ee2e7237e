package draft

import (
	"slices"

	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/prompt"
	"github.com/talewright/talewright/prompt/macro"
	"github.com/talewright/talewright/worldbook"
)

// Shown is a conversation that ends with the running turn.
type Shown struct {
	Messages []worldbook.Message
	Sources  []MessageSource
	Hidden   int // number of messages of the whole conversation before these
	Now      int // the index of the first message of the running turn
}

// From returns the conversation from message i on.
func (c Shown) From(i int) Shown {
	return Shown{c.Messages[i:], c.Sources[i:], c.Hidden + i, c.Now - i}
}

// Len returns the number of messages.
func (c Shown) Len() int { return len(c.Messages) }

// Message returns message i for macros.
func (c Shown) Message(i int) macro.Message {
	return macro.Message{Role: string(c.Sources[i].Role), Text: c.Messages[i].Text, Time: c.Sources[i].At}
}

// Macro is the history that macros see, even if not all of it fits into the prompt. Messages that
// are not in memory have no text.
type Macro struct {
	Shown
	Earlier int
}

// Len returns the number of messages.
func (c Macro) Len() int { return c.Earlier + c.Shown.Len() }

// Message returns message i.
func (c Macro) Message(i int) macro.Message {
	if i < c.Earlier {
		return macro.Message{Role: string(llm.Assistant)}
	}
	return c.Shown.Message(i - c.Earlier)
}

// Lines returns the messages from the given one on, as lines of a prompt.
func (c Shown) Lines(from int) []prompt.Line {
	out := make([]prompt.Line, 0, c.Len()-from)
	for i := from; i < c.Len(); i++ {
		out = append(out, c.Line(i))
	}
	return out
}

// Line returns message i as a line of a prompt. Lines of the running turn are required. Names
// distinguish the members of a cast.
func (c Shown) Line(i int) prompt.Line {
	by := c.Sources[i]
	line := prompt.Line{Role: by.Role, Text: c.Messages[i].Text, Required: i >= c.Now}
	if by.Role == llm.User || by.Speaker != "" {
		line.Name, line.Forced = c.Messages[i].Name, by.Speaker != ""
	}
	return line
}

// Heard returns the messages that the viewer heard.
func (c Shown) Heard() []worldbook.Message {
	if !slices.ContainsFunc(c.Sources, func(s MessageSource) bool { return s.Withheld }) {
		return c.Messages
	}
	out := make([]worldbook.Message, 0, len(c.Messages))
	for i, m := range c.Messages {
		if !c.Sources[i].Withheld {
			out = append(out, m)
		}
	}
	return out
}

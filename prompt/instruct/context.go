package instruct

import (
	"encoding/json"

	"github.com/talewright/talewright"
	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/prompt/internal/presetfile"
)

// StoryPosition says where the story string stands.
type StoryPosition int

// The positions.
const (
	InFront StoryPosition = 0 // before the chat
	InChat  StoryPosition = 1 // in the chat at a depth
)

// StoryRole is whose message the story string in the chat is.
type StoryRole int

// The roles, as the files number them. Others count as the system's.
const (
	StorySystem    StoryRole = 0
	StoryUser      StoryRole = 1
	StoryAssistant StoryRole = 2
)

// role is the role of a message.
func (r StoryRole) role() llm.Role {
	switch r {
	case StoryUser:
		return llm.User
	case StoryAssistant:
		return llm.Assistant
	}
	return llm.System
}

// Context is a context preset: the frame of the text. The tags are the names in
// SillyTavern's files.
type Context struct {
	Name string `json:"name,omitempty"`
	// Story is the template in front of the chat. Its macros are system,
	// wiBefore, wiAfter, description, personality, scenario, persona,
	// anchorBefore and anchorAfter, beside all others; {{#if name}}…{{/if}}
	// writes a part only if it is there.
	Story      string        `json:"story_string"`
	Position   StoryPosition `json:"story_string_position,omitempty"`
	StoryDepth *int          `json:"story_string_depth,omitempty"` // nil: 1
	StoryRole  StoryRole     `json:"story_string_role,omitempty"`

	// ExampleSeparator stands before each part of the examples, ChatStart
	// before the chat, each on a line of its own; empty is none.
	ExampleSeparator string `json:"example_separator"`
	ChatStart        string `json:"chat_start"`
	// ForceName begins the reply of a plain transcript with the name.
	ForceName bool `json:"always_force_name2,omitempty"`
	// StopAtSeparators says that ExampleSeparator and ChatStart end the reply,
	// StopAtNames whether the names of the other speakers do; nil: they do.
	StopAtSeparators bool  `json:"use_stop_strings,omitempty"`
	StopAtNames      *bool `json:"names_as_stop_strings,omitempty"`

	Extra map[string]json.RawMessage `json:"-"` // unknown JSON members, kept
	read  presetfile.Members         // known ones as they were
}

// DefaultContext returns a context with every part of the story on lines of its
// own.
func DefaultContext() Context {
	part := func(name string) string { return "{{#if " + name + "}}{{" + name + "}}\n{{/if}}" }
	story := ""
	for _, name := range [...]string{
		"anchorBefore", "system", "wiBefore", "description", "personality", "scenario",
		"wiAfter", "persona", "anchorAfter",
	} {
		story += part(name)
	}
	return Context{Story: story + "{{trim}}", ExampleSeparator: "***", ChatStart: "***"}
}

// ParseContext reads a context preset. A member of a wrong type refuses nothing, see [Context.Vet]. The
// error, for what is no JSON object, wraps [talewright.Problems].
func ParseContext(data []byte) (Context, error) {
	var c Context
	if err := presetfile.Parse("instruct: context", data, &c); err != nil {
		return Context{}, err
	}
	return c, nil
}

// Vet returns a problem for each member of another type than it has in a file that the preset was read
// from: what was left out is an error, what was read as its field has it a warning.
func (c Context) Vet() talewright.Problems { return presetfile.Vet(Context{}, c.read) }

// MarshalJSON writes the preset: members that were read and not changed as they
// were, unknown ones last.
func (c Context) MarshalJSON() ([]byte, error) {
	type plain Context
	return presetfile.Encode(plain(c), plain{}, c.Extra, c.read)
}

// UnmarshalJSON reads a preset as [ParseContext] does. On an error the receiver
// stays as it was.
func (c *Context) UnmarshalJSON(data []byte) error {
	type plain Context
	return presetfile.Read(data, (*plain)(c), &c.Extra, &c.read)
}

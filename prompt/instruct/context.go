package instruct

import (
	"encoding/json"
	"fmt"

	"github.com/talewright/talewright/internal/openjson"
)

// StoryPosition says where the story string stands.
type StoryPosition int

// The positions.
const (
	InFront StoryPosition = 0 // before the chat
	InChat  StoryPosition = 1 // in the chat at a depth
)

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

	// ExampleSeparator stands before each part of the examples, ChatStart
	// before the chat, each on a line of its own; empty is none.
	ExampleSeparator string `json:"example_separator"`
	ChatStart        string `json:"chat_start"`
	// ForceName begins the reply of a plain transcript with the name.
	ForceName bool `json:"always_force_name2,omitempty"`

	Extra map[string]json.RawMessage `json:"-"` // unknown JSON members, kept
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

// ParseContext reads a context preset.
func ParseContext(data []byte) (Context, error) {
	var c Context
	if err := json.Unmarshal(data, &c); err != nil {
		return Context{}, fmt.Errorf("instruct: context: %w", err)
	}
	return c, nil
}

// MarshalJSON writes the known fields and then the unknown ones.
func (c Context) MarshalJSON() ([]byte, error) {
	type plain Context
	return openjson.Encode(plain(c), c.Extra)
}

// UnmarshalJSON keeps members that it does not know in Extra. On an error the
// receiver stays as it was.
func (c *Context) UnmarshalJSON(data []byte) error {
	type plain Context
	var read plain
	extra, err := openjson.Decode(data, &read)
	if err != nil {
		return err
	}
	*c = Context(read)
	c.Extra = extra
	return nil
}

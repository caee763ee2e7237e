package tavern

import (
	"encoding/json"

	"github.com/talewright/talewright"
	"github.com/talewright/talewright/llm"
)

// The instruct part renders a prompt as one text, for models without a chat
// interface.
//
// A [InstructTemplate] has the texts around each message: ChatML, Llama 3, Alpaca,
// Mistral and others, built in or from SillyTavern's instruct presets. A
// [ContextTemplate] has the story string in front of the chat and the separators, as in
// SillyTavern's context presets. Both kinds of files load as they are:
//
//	template, err := tavern.ParseInstruct(data)
//	context, err := tavern.ParseContext(data)
//	text, err := tavern.Render(scene, input, env, budget, context, &template)
//
// # Preset files
//
// There are three kinds: instruct presets ([ParseInstruct]), context presets
// ([ParseContext]) and system prompts ([ParseSystemPrompt]). A master export has all three in
// one file ([ParseMaster]). Presets of older
// versions are read under their old names. A file that cannot be read is an error
// with all mistakes and their places ([talewright.Problems]); numbers in quotes and nulls,
// which some programs write, are no mistakes.
//
// Written back, a preset is the file that it was, but for what was changed: what
// this package does not know is in Extra and stays. That are, among others,
// activation_regex and bind_to_context, by which a program chooses its presets,
// and trim_sentences and single_line, which act on the reply and not on the prompt.
//
// # Names
//
// A template says whether lines carry the name of the speaker: never, always, or
// only those of others than the main character. In a transcript without
// a template every line does. A name that is already there is not doubled, and
// narrators and system texts have none. {{name}} in a prefix is the speaker; where
// nobody speaks, it is the character among the lines, else System.
//
// # Departures
//
// Example turns carry names only if all lines do; SillyTavern puts them on the
// player's side alone. A message without a suffix ends in a newline if the
// template wraps, or messages would run into one another. An impersonation
// without a template ends in the player's name, the only sign of what is wanted.
//
// [Render] assembles with prompt.Assemble and writes the result as text; without
// a template it writes a plain transcript.

// StoryPosition says where the story string stands.
type StoryPosition int

// The positions.
const (
	StoryInFront StoryPosition = 0 // before the chat
	StoryInChat  StoryPosition = 1 // in the chat at a depth
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

// ContextTemplate is a context preset: the frame of the text. The tags are the names in
// SillyTavern's files.
type ContextTemplate struct {
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
	read  presetfileMembers          // known ones as they were
}

// DefaultContext returns a context with every part of the story on lines of its
// own.
func DefaultContext() ContextTemplate {
	part := func(name string) string { return "{{#if " + name + "}}{{" + name + "}}\n{{/if}}" }
	story := ""
	for _, name := range [...]string{
		"anchorBefore", "system", "wiBefore", "description", "personality", "scenario",
		"wiAfter", "persona", "anchorAfter",
	} {
		story += part(name)
	}
	return ContextTemplate{Story: story + "{{trim}}", ExampleSeparator: "***", ChatStart: "***"}
}

// ParseContext reads a context preset. A member of a wrong type refuses nothing, see [ContextTemplate.Vet]. The
// error, for what is no JSON object, wraps [talewright.Problems].
func ParseContext(data []byte) (ContextTemplate, error) {
	var c ContextTemplate
	if err := parse("instruct: context", data, &c); err != nil {
		return ContextTemplate{}, err
	}
	return c, nil
}

// Vet returns a problem for each member of another type than it has in a file that the preset was read
// from: what was left out is an error, what was read as its field has it a warning.
func (c ContextTemplate) Vet() talewright.Problems { return vet(ContextTemplate{}, c.read) }

// MarshalJSON writes the preset: members that were read and not changed as they
// were, unknown ones last.
func (c ContextTemplate) MarshalJSON() ([]byte, error) {
	type plain ContextTemplate
	return encode(plain(c), plain{}, c.Extra, c.read)
}

// UnmarshalJSON reads a preset as [ParseContext] does. On an error the receiver
// stays as it was.
func (c *ContextTemplate) UnmarshalJSON(data []byte) error {
	type plain ContextTemplate
	return presetfileRead(data, (*plain)(c), &c.Extra, &c.read)
}

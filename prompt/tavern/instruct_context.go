package tavern

import (
	"encoding/json"

	"github.com/talewright/talewright"
	"github.com/talewright/talewright/llm"
)

// The instruct files render a prompt as one text, for models without a chat interface.
//
// An [InstructTemplate] has the texts around each message: ChatML, Llama 3, Alpaca, Mistral and
// others, built in or from SillyTavern's instruct presets. A [ContextTemplate] has the story string
// before the chat and the separators, as in SillyTavern's context presets. Both kinds of files load
// unchanged:
//
//	template, problems := tavern.ParseInstruct(data)
//	context, problems := tavern.ParseContext(data)
//	text, err := tavern.Render(scene, input, env, budget, context, &template)
//
// # Preset files
//
// There are three kinds: instruct presets ([ParseInstruct]), context presets ([ParseContext]) and
// system prompts ([ParseSystemPrompt]). A master export has all three in one file ([ParseMaster]).
// Presets of older versions are read under their old names. A reader returns all mistakes of a file
// and their places ([talewright.Problems]). Numbers in quotes and nulls, which some
// programs write, are not mistakes.
//
// An unchanged preset is written back as the same file: unknown members are in Extra and stay.
// Examples are activation_regex and bind_to_context, which choose presets, and trim_sentences and
// single_line, which change the reply and not the prompt.
//
// # Names
//
// A template says whether lines have the name of the speaker: never, always, or only lines of
// speakers other than the main character. In a transcript without a template every line has it. An
// existing name is not repeated. Narrators and system texts have no name. {{name}} in a prefix is
// the speaker; without a speaker, it is the character among the lines, else System.
//
// # Differences from SillyTavern
//
// Example turns have names only if all lines do; SillyTavern puts names only on the player's turns.
// If the template wraps, a message without a suffix ends in a newline; otherwise messages would run
// together. An impersonation without a template ends in the player's name, because nothing else
// shows what is expected.
//
// [Render] assembles with prompt.Assemble and writes the result as text. Without a template it
// writes a plain transcript.

// StoryPosition is the place of the story string.
type StoryPosition int

// The positions.
const (
	StoryInFront StoryPosition = 0 // before the chat
	StoryInChat  StoryPosition = 1 // in the chat at a depth
)

// StoryRole is the role of the story string in the chat.
type StoryRole int

// The roles, as numbered in the files. Other numbers mean system.
const (
	StorySystem    StoryRole = 0
	StoryUser      StoryRole = 1
	StoryAssistant StoryRole = 2
)

// role returns the role of a message.
func (r StoryRole) role() llm.Role {
	switch r {
	case StoryUser:
		return llm.User
	case StoryAssistant:
		return llm.Assistant
	}
	return llm.System
}

// ContextTemplate is a context preset: the texts around the prompt. The tags are the names in
// SillyTavern's files.
type ContextTemplate struct {
	Name string `json:"name,omitempty"`
	// Story is the template before the chat. In addition to all other macros it may use system,
	// wiBefore, wiAfter, description, personality, scenario, persona, anchorBefore and anchorAfter.
	// {{#if name}}…{{/if}} writes a part only if it is not empty.
	Story      string        `json:"story_string"`
	Position   StoryPosition `json:"story_string_position,omitempty"`
	StoryDepth *int          `json:"story_string_depth,omitempty"` // nil: 1
	StoryRole  StoryRole     `json:"story_string_role,omitempty"`

	// ExampleSeparator is put before each part of the examples, ChatStart before the chat, each on
	// its own line. Empty means none.
	ExampleSeparator string `json:"example_separator"`
	ChatStart        string `json:"chat_start"`
	// ForceName begins the reply of a plain transcript with the name.
	ForceName bool `json:"always_force_name2,omitempty"`
	// StopAtSeparators says that ExampleSeparator and ChatStart end the reply. StopAtNames says
	// whether the names of the other speakers end it; nil means true.
	StopAtSeparators bool  `json:"use_stop_strings,omitempty"`
	StopAtNames      *bool `json:"names_as_stop_strings,omitempty"`

	Extra map[string]json.RawMessage `json:"-"` // unknown JSON members
	read  presetfileMembers          // known members as they were read
}

// DefaultContext returns a context with every part of the story on its own lines.
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

// ParseContext reads a context preset. It returns the problems of [ContextTemplate.Vet], or one
// fatal problem if data is not a JSON object.
func ParseContext(data []byte) (ContextTemplate, talewright.Problems) {
	return parse(data, ContextTemplate{})
}

// Vet returns a problem for each member that had a wrong type in the file. A value that was left
// out is an error, a converted value a warning.
func (c ContextTemplate) Vet() talewright.Problems { return vet(ContextTemplate{}, c.read) }

// MarshalJSON writes the preset. Unchanged members are written as they were read; unknown members
// come last.
func (c ContextTemplate) MarshalJSON() ([]byte, error) {
	return encode(c, ContextTemplate{}, c.Extra, c.read)
}

// UnmarshalJSON reads a preset as [ParseContext] does. On an error the receiver does not change.
func (c *ContextTemplate) UnmarshalJSON(data []byte) error {
	return presetfileRead(data, c, &c.Extra, &c.read)
}

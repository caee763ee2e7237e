package tavern

import (
	"encoding/json"

	"github.com/talewright/talewright"
)

// InstructNames says which messages carry the name of the speaker.
//
// Its values:
//
//   - force: lines of speakers other than the main character
//   - always: every line of a user or an assistant
//   - none
type InstructNames string

// The modes; the empty one is force.
const (
	instructNamesForce  InstructNames = "force"
	instructNamesAlways InstructNames = "always"
	instructNamesNone   InstructNames = "none"
)

// InstructTemplate is an instruct template: the texts around each message, by role. The tags are
// the names in SillyTavern's files. {{name}} in a prefix is the speaker; other macros are expanded
// too. It is a plain value. The zero value joins messages with nothing between them.
type InstructTemplate struct {
	Name string `json:"name,omitempty"`

	UserPrefix      string `json:"input_sequence"`
	UserSuffix      string `json:"input_suffix"`
	AssistantPrefix string `json:"output_sequence"`
	AssistantSuffix string `json:"output_suffix"`
	SystemPrefix    string `json:"system_sequence"`
	SystemSuffix    string `json:"system_suffix"`
	StoryPrefix     string `json:"story_string_prefix"`
	StorySuffix     string `json:"story_string_suffix"`

	// Variants for the first message of the chat, the last user message, and the reply or the
	// continued message. Empty: the usual prefix.
	FirstUserPrefix      string `json:"first_input_sequence,omitempty"`
	LastUserPrefix       string `json:"last_input_sequence,omitempty"`
	FirstAssistantPrefix string `json:"first_output_sequence,omitempty"`
	LastAssistantPrefix  string `json:"last_output_sequence,omitempty"`

	// LastSystemPrefix begins the reply to a [worldbook.Quiet] request, in which no character speaks.
	// Empty: AssistantPrefix.
	LastSystemPrefix string `json:"last_system_sequence,omitempty"`

	Stop string `json:"stop_sequence,omitempty"`
	// StopAtPrefix says whether the prefix of the next speaker ends the reply; nil means true.
	StopAtPrefix *bool `json:"sequences_as_stop_strings,omitempty"`
	// Wrap puts a newline after each prefix, and after a message without a suffix.
	Wrap bool `json:"wrap"`
	// Macros says whether macros in the texts above are expanded, {{name}} included; nil means
	// true.
	Macros *bool         `json:"macro,omitempty"`
	Names  InstructNames `json:"names_behavior,omitempty"`
	// SkipExamples writes examples as text, not as turns.
	SkipExamples bool `json:"skip_examples,omitempty"`
	// SystemSameAsUser writes system messages like the user's.
	SystemSameAsUser bool `json:"system_same_as_user,omitempty"`
	// UserAlignment, if not empty, is a user message before a chat that does not begin with a user
	// message.
	UserAlignment string `json:"user_alignment_message,omitempty"`

	Extra map[string]json.RawMessage `json:"-"` // unknown JSON members
	read  presetfileMembers          // known members as they were read
}

// ParseInstruct reads an instruct preset. It also reads presets of older versions. There, names and
// names_force_groups are the style of names, and separator_sequence is the suffix of the assistant.
// The texts around the story are system_sequence_prefix and system_sequence_suffix. It returns the
// problems of [InstructTemplate.Vet], or one fatal problem if data is not a JSON object.
func ParseInstruct(data []byte) (InstructTemplate, talewright.Problems) {
	return parse(data, InstructTemplate{})
}

// Vet returns a problem for each member that had a wrong type in the file. A value that was left
// out is an error, a converted value a warning.
func (t InstructTemplate) Vet() talewright.Problems { return vet(InstructTemplate{}, t.read) }

// upgrade reads members under their names in older presets. The old members stay.
func (t *InstructTemplate) upgrade() {
	var names, groups bool
	t.readOldMember("names", &names)
	t.readOldMember("names_force_groups", &groups)
	if !t.has("names_behavior") {
		switch {
		case names:
			t.Names = instructNamesAlways
		case groups:
			t.Names = instructNamesForce
		case t.Extra["names"] != nil:
			t.Names = instructNamesNone
		}
	}
	if !t.has("story_string_prefix") && !t.has("story_string_suffix") {
		t.readOldMember("system_sequence_prefix", &t.StoryPrefix)
		t.readOldMember("system_sequence_suffix", &t.StorySuffix)
	}
	if !t.has("output_suffix") {
		t.readOldMember("separator_sequence", &t.AssistantSuffix)
	}
}

// has reports whether the file has a member that is not null.
func (t *InstructTemplate) has(name string) bool {
	raw, ok := t.read[name]
	return ok && string(raw) != "null"
}

// readOldMember reads a member that no longer exists; a value of a wrong type is ignored.
func (t *InstructTemplate) readOldMember(name string, dst any) {
	if raw := t.Extra[name]; raw != nil {
		_ = json.Unmarshal(raw, dst)
	}
}

// MarshalJSON writes the preset. Unchanged members are written as they were read; unknown members
// come last.
func (t InstructTemplate) MarshalJSON() ([]byte, error) {
	missing := InstructTemplate{Extra: t.Extra, read: t.read}
	missing.upgrade()
	return encode(t, missing, t.Extra, t.read)
}

// UnmarshalJSON reads a preset as [ParseInstruct] does. On an error the receiver does not change.
func (t *InstructTemplate) UnmarshalJSON(data []byte) error {
	if err := presetfileRead(data, t, &t.Extra, &t.read); err != nil {
		return err
	}
	t.upgrade()
	return nil
}

// ChatML returns the template of ChatML.
func ChatML() InstructTemplate {
	const end = "<|im_end|>\n"
	return InstructTemplate{
		Name:       "ChatML",
		UserPrefix: "<|im_start|>user", UserSuffix: end,
		AssistantPrefix: "<|im_start|>assistant", AssistantSuffix: end,
		SystemPrefix: "<|im_start|>system", SystemSuffix: end,
		StoryPrefix: "<|im_start|>system", StorySuffix: end,
		Stop: "<|im_end|>", Wrap: true,
	}
}

// Llama3 returns the template of Llama 3.
func Llama3() InstructTemplate {
	const end = "<|eot_id|>"
	head := func(role string) string {
		return "<|start_header_id|>" + role + "<|end_header_id|>\n\n"
	}
	return InstructTemplate{
		Name:       "Llama 3",
		UserPrefix: head("user"), UserSuffix: end,
		AssistantPrefix: head("assistant"), AssistantSuffix: end,
		SystemPrefix: head("system"), SystemSuffix: end,
		StoryPrefix: head("system"), StorySuffix: end,
		Stop: end,
	}
}

// Alpaca returns the template of Alpaca.
func Alpaca() InstructTemplate {
	const end = "\n\n"
	return InstructTemplate{
		Name:       "Alpaca",
		UserPrefix: "### Instruction:", UserSuffix: end,
		AssistantPrefix: "### Response:", AssistantSuffix: end,
		SystemPrefix: "### Input:", SystemSuffix: end,
		StoryPrefix: "### Input:", StorySuffix: end,
		Stop: "### Instruction:", Wrap: true,
	}
}

// Mistral returns the template of Mistral, version 7.
func Mistral() InstructTemplate {
	return InstructTemplate{
		Name:       "Mistral V7",
		UserPrefix: "[INST] ", UserSuffix: "[/INST]",
		AssistantPrefix: " ", AssistantSuffix: "</s>",
		SystemPrefix: "[SYSTEM_PROMPT] ", SystemSuffix: "[/SYSTEM_PROMPT]",
		StoryPrefix: "[SYSTEM_PROMPT] ", StorySuffix: "[/SYSTEM_PROMPT]",
		Stop: "</s>",
	}
}

package instruct

import (
	"encoding/json"
	"fmt"

	"github.com/talewright/talewright/internal/openjson"
)

// Names says which messages carry the name of the speaker.
type Names string

// The modes; the empty one is [NamesForce].
const (
	NamesForce  Names = "force"  // lines of others than the main character
	NamesAlways Names = "always" // every line of a user or an assistant
	NamesNone   Names = "none"
)

// Template is an instruct template. The tags are the names in SillyTavern's
// files. {{name}} in a prefix is the speaker; other macros are expanded too.
type Template struct {
	Name string `json:"name,omitempty"`

	UserPrefix      string `json:"input_sequence"`
	UserSuffix      string `json:"input_suffix"`
	AssistantPrefix string `json:"output_sequence"`
	AssistantSuffix string `json:"output_suffix"`
	SystemPrefix    string `json:"system_sequence"`
	SystemSuffix    string `json:"system_suffix"`
	StoryPrefix     string `json:"story_string_prefix"`
	StorySuffix     string `json:"story_string_suffix"`

	// Variants for the first message of a role, the last of the user, and the
	// reply to be made. Empty: the usual prefix.
	FirstUserPrefix      string `json:"first_input_sequence,omitempty"`
	LastUserPrefix       string `json:"last_input_sequence,omitempty"`
	FirstAssistantPrefix string `json:"first_output_sequence,omitempty"`
	LastAssistantPrefix  string `json:"last_output_sequence,omitempty"`

	Stop string `json:"stop_sequence,omitempty"`
	// Wrap puts a newline behind each prefix, and behind a message without a
	// suffix.
	Wrap  bool  `json:"wrap"`
	Names Names `json:"names_behavior,omitempty"`
	// SkipExamples writes examples as text, not as turns.
	SkipExamples bool `json:"skip_examples,omitempty"`
	// SystemSameAsUser writes system messages like the user's.
	SystemSameAsUser bool `json:"system_same_as_user,omitempty"`
	// UserAlignment, if not empty, is a user message before the chat.
	UserAlignment string `json:"user_alignment_message,omitempty"`

	Extra map[string]json.RawMessage `json:"-"` // unknown JSON members, kept
}

// ParseTemplate reads an instruct preset. Presets of older versions, which have
// their names and story fields under other names, are understood as well.
func ParseTemplate(data []byte) (Template, error) {
	var t Template
	if err := json.Unmarshal(data, &t); err != nil {
		return Template{}, fmt.Errorf("instruct: template: %w", err)
	}
	t.upgrade()
	return t, nil
}

// upgrade reads what older presets call otherwise. The old members stay.
func (t *Template) upgrade() {
	var names, groups bool
	t.old("names", &names)
	t.old("names_force_groups", &groups)
	if t.Names == "" {
		switch {
		case names:
			t.Names = NamesAlways
		case groups:
			t.Names = NamesForce
		case t.Extra["names"] != nil:
			t.Names = NamesNone
		}
	}
	if t.StoryPrefix == "" && t.StorySuffix == "" {
		t.old("system_sequence_prefix", &t.StoryPrefix)
		t.old("system_sequence_suffix", &t.StorySuffix)
	}
}

// old reads a member that has gone; one of another type is passed over.
func (t *Template) old(name string, dst any) {
	if raw := t.Extra[name]; raw != nil {
		_ = json.Unmarshal(raw, dst)
	}
}

// MarshalJSON writes the known fields and then the unknown ones.
func (t Template) MarshalJSON() ([]byte, error) {
	type plain Template
	return openjson.Encode(plain(t), t.Extra)
}

// UnmarshalJSON keeps members that it does not know in Extra. On an error the
// receiver stays as it was.
func (t *Template) UnmarshalJSON(data []byte) error {
	type plain Template
	var read plain
	extra, err := openjson.Decode(data, &read)
	if err != nil {
		return err
	}
	*t = Template(read)
	t.Extra = extra
	return nil
}

// ChatML returns the template of ChatML.
func ChatML() Template {
	const end = "<|im_end|>\n"
	return Template{
		Name:       "ChatML",
		UserPrefix: "<|im_start|>user", UserSuffix: end,
		AssistantPrefix: "<|im_start|>assistant", AssistantSuffix: end,
		SystemPrefix: "<|im_start|>system", SystemSuffix: end,
		StoryPrefix: "<|im_start|>system", StorySuffix: end,
		Stop: "<|im_end|>", Wrap: true,
	}
}

// Llama3 returns the template of Llama 3.
func Llama3() Template {
	const end = "<|eot_id|>"
	head := func(role string) string {
		return "<|start_header_id|>" + role + "<|end_header_id|>\n\n"
	}
	return Template{
		Name:       "Llama 3",
		UserPrefix: head("user"), UserSuffix: end,
		AssistantPrefix: head("assistant"), AssistantSuffix: end,
		SystemPrefix: head("system"), SystemSuffix: end,
		StoryPrefix: head("system"), StorySuffix: end,
		Stop: end,
	}
}

// Alpaca returns the template of Alpaca.
func Alpaca() Template {
	const end = "\n\n"
	return Template{
		Name:       "Alpaca",
		UserPrefix: "### Instruction:", UserSuffix: end,
		AssistantPrefix: "### Response:", AssistantSuffix: end,
		SystemPrefix: "### Input:", SystemSuffix: end,
		StoryPrefix: "### Input:", StorySuffix: end,
		Stop: "### Instruction:", Wrap: true,
	}
}

// Mistral returns the template of Mistral, version 7.
func Mistral() Template {
	return Template{
		Name:       "Mistral V7",
		UserPrefix: "[INST] ", UserSuffix: "[/INST]",
		AssistantPrefix: " ", AssistantSuffix: "</s>",
		SystemPrefix: "[SYSTEM_PROMPT] ", SystemSuffix: "[/SYSTEM_PROMPT]",
		StoryPrefix: "[SYSTEM_PROMPT] ", StorySuffix: "[/SYSTEM_PROMPT]",
		Stop: "</s>",
	}
}

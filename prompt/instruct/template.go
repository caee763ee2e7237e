package instruct

import (
	"encoding/json"

	"github.com/talewright/talewright"
	"github.com/talewright/talewright/prompt/internal/presetfile"
)

// Names says which messages carry the name of the speaker.
type Names string

// The modes; the empty one is [NamesForce].
const (
	NamesForce  Names = "force"  // lines of others than the main character
	NamesAlways Names = "always" // every line of a user or an assistant
	NamesNone   Names = "none"
)

// Template is an instruct template: the texts around each message, by role. The
// tags are the names in SillyTavern's files. {{name}} in a prefix is the speaker;
// other macros are expanded too. It is a plain value; the zero Template puts
// messages behind one another with nothing between them.
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

	// Variants for the very first message of the chat, the last of the user, and the
	// reply to be made, or the message that goes on. Empty: the usual prefix.
	FirstUserPrefix      string `json:"first_input_sequence,omitempty"`
	LastUserPrefix       string `json:"last_input_sequence,omitempty"`
	FirstAssistantPrefix string `json:"first_output_sequence,omitempty"`
	LastAssistantPrefix  string `json:"last_output_sequence,omitempty"`

	// LastSystemPrefix begins the reply to a [prompt.Quiet] request, in which
	// nobody of the story speaks. Empty: AssistantPrefix.
	LastSystemPrefix string `json:"last_system_sequence,omitempty"`

	Stop string `json:"stop_sequence,omitempty"`
	// StopAtPrefix says whether the prefix of the next speaker ends the reply;
	// nil: it does.
	StopAtPrefix *bool `json:"sequences_as_stop_strings,omitempty"`
	// Wrap puts a newline behind each prefix, and behind a message without a
	// suffix.
	Wrap bool `json:"wrap"`
	// Macros says whether macros in the texts above are expanded, {{name}}
	// included; nil: they are.
	Macros *bool `json:"macro,omitempty"`
	Names  Names `json:"names_behavior,omitempty"`
	// SkipExamples writes examples as text, not as turns.
	SkipExamples bool `json:"skip_examples,omitempty"`
	// SystemSameAsUser writes system messages like the user's.
	SystemSameAsUser bool `json:"system_same_as_user,omitempty"`
	// UserAlignment, if not empty, is a user message before a chat in which the user
	// has not the first word.
	UserAlignment string `json:"user_alignment_message,omitempty"`

	Extra map[string]json.RawMessage `json:"-"` // unknown JSON members, kept
	read  presetfile.Members         // known ones as they were
}

// ParseTemplate reads an instruct preset. Presets of older versions are understood
// as well: names and names_force_groups are the style of names,
// separator_sequence is the suffix of the assistant, system_sequence_prefix and
// system_sequence_suffix stand around the story. A member of a wrong type refuses nothing, see
// [Template.Vet]. The error, for what is no JSON object, wraps [talewright.Problems].
func ParseTemplate(data []byte) (Template, error) {
	var t Template
	if err := presetfile.Parse("instruct: template", data, &t); err != nil {
		return Template{}, err
	}
	return t, nil
}

// Vet returns a problem for each member of another type than it has in a file that the preset was read
// from: what was left out is an error, what was read as its field has it a warning.
func (t Template) Vet() talewright.Problems { return presetfile.Vet(Template{}, t.read) }

// upgrade reads what older presets call otherwise. The old members stay.
func (t *Template) upgrade() {
	var names, groups bool
	t.old("names", &names)
	t.old("names_force_groups", &groups)
	if !t.has("names_behavior") {
		switch {
		case names:
			t.Names = NamesAlways
		case groups:
			t.Names = NamesForce
		case t.Extra["names"] != nil:
			t.Names = NamesNone
		}
	}
	if !t.has("story_string_prefix") && !t.has("story_string_suffix") {
		t.old("system_sequence_prefix", &t.StoryPrefix)
		t.old("system_sequence_suffix", &t.StorySuffix)
	}
	if !t.has("output_suffix") {
		t.old("separator_sequence", &t.AssistantSuffix)
	}
}

// has reports whether the file has a member that says something.
func (t *Template) has(name string) bool {
	raw, ok := t.read[name]
	return ok && string(raw) != "null"
}

// old reads a member that has gone; one of another type is passed over.
func (t *Template) old(name string, dst any) {
	if raw := t.Extra[name]; raw != nil {
		_ = json.Unmarshal(raw, dst)
	}
}

// MarshalJSON writes the preset: members that were read and not changed as they
// were, unknown ones last.
func (t Template) MarshalJSON() ([]byte, error) {
	type plain Template
	missing := Template{Extra: t.Extra, read: t.read}
	missing.upgrade()
	return presetfile.Encode(plain(t), plain(missing), t.Extra, t.read)
}

// UnmarshalJSON reads a preset as [ParseTemplate] does. On an error the receiver
// stays as it was.
func (t *Template) UnmarshalJSON(data []byte) error {
	type plain Template
	if err := presetfile.Read(data, (*plain)(t), &t.Extra, &t.read); err != nil {
		return err
	}
	t.upgrade()
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

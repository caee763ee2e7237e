package tavern

import (
	"encoding/json"
	"slices"

	"github.com/talewright/talewright"
	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/prompt"
	"github.com/talewright/talewright/worldbook"
)

// Identifiers of SillyTavern's own prompts.
const (
	Main                 = "main"
	partLoreBefore       = "worldInfoBefore"
	partLoreAfter        = "worldInfoAfter"
	partPersona          = "personaDescription"
	partDescription      = "charDescription"
	partPersonality      = "charPersonality"
	partScenario         = "scenario"
	partEnhance          = "enhanceDefinitions"
	partAuxiliary        = "nsfw"
	partDialogueExamples = "dialogueExamples"
	partChatHistory      = "chatHistory"
	partPostHistory      = "jailbreak"
)

// Preset is a chat-completion preset. The tags are the names in its file. It is a plain value: a
// copy shares its lists with the original. The zero Preset sends nothing, because it has no order;
// begin with [Default] or [ParsePreset]. Samplers such as temperature, sizes such as
// openai_max_context, and connections are not used. They stay in Extra.
type Preset struct {
	Prompts []Prompt      `json:"prompts"`
	Orders  []PromptOrder `json:"prompt_order"`

	NewChat       string `json:"new_chat_prompt"`
	NewExample    string `json:"new_example_chat_prompt"`
	ContinueNudge string `json:"continue_nudge_prompt"`
	Impersonation string `json:"impersonation_prompt"`
	// LoreFormat is the format for lore before and after; {0} is the lore. Empty: no format.
	LoreFormat        string `json:"wi_format"`
	ScenarioFormat    string `json:"scenario_format"`
	PersonalityFormat string `json:"personality_format"`
	// Replacement is the user message sent when the newest one is the assistant's.
	Replacement string `json:"send_if_empty"`
	Names       Names  `json:"names_behavior"`
	// Source names the provider that the preset was saved with, such as "claude".
	Source string `json:"chat_completion_source,omitempty"`
	// Prefill is the beginning of replies.
	Prefill string `json:"assistant_prefill"`
	// ImpersonationPrefill is the prefill of [worldbook.Impersonate].
	ImpersonationPrefill string `json:"assistant_impersonation"`
	ContinuePrefill      bool   `json:"continue_prefill"`
	Squash               bool   `json:"squash_system_messages"`

	Extra map[string]json.RawMessage `json:"-"` // unknown JSON members
	read  presetfileMembers          // known members as they were read
}

// sourceClaude is a [Preset.Source]. With it SillyTavern begins replies with a prefill.
const sourceClaude = "claude"

// Names is SillyTavern's number for a style of names.
type Names int

// The styles.
const (
	NamesNone       Names = -1
	NamesDefault    Names = 0
	NamesCompletion Names = 1
	NamesContent    Names = 2
)

// style returns the style of package prompt; unknown numbers mean the default.
func (n Names) style() prompt.NameStyle {
	switch n {
	case NamesNone:
		return prompt.NamesNone
	case NamesCompletion:
		return prompt.NamesField
	case NamesContent:
		return prompt.NamesContent
	}
	return prompt.NamesForced
}

// Position says whether a prompt is in the order or in the chat.
type Position int

// The positions.
const (
	Relative Position = 0
	InChat   Position = 1
)

// Prompt is one entry of the list. SillyTavern's own markers mark the place of a part of the scene
// and have no content. Other entries send their content, also if Marker is set.
type Prompt struct {
	ID      string   `json:"identifier"`
	Name    string   `json:"name,omitempty"`
	Role    llm.Role `json:"role,omitempty"` // empty: system
	Content string   `json:"content,omitempty"`
	// System says that the prompt is one of SillyTavern's own. SillyTavern sends other prompts in
	// the order only if the file sets this to false; nil means that it is missing in the file. In
	// the chat it has no effect.
	System          *bool                      `json:"system_prompt,omitempty"`
	Marker          bool                       `json:"marker,omitempty"`
	Position        Position                   `json:"injection_position,omitempty"`
	Depth           *int                       `json:"injection_depth,omitempty"`   // in the chat; nil: never sent
	Order           *int                       `json:"injection_order,omitempty"`   // nil: 100
	Triggers        []worldbook.GenerationType `json:"injection_trigger,omitempty"` // empty: all kinds
	ForbidOverrides bool                       `json:"forbid_overrides,omitempty"`

	Extra map[string]json.RawMessage `json:"-"` // unknown JSON members
	read  presetfileMembers          // known members as they were read
}

// Default returns SillyTavern's initial preset, with our own texts.
func Default() Preset {
	marker := func(id string) Prompt { return Prompt{ID: id, Marker: true} }
	entry := func(id string) Entry { return Entry{ID: id, Enabled: true} }
	return Preset{
		Prompts: []Prompt{
			{ID: Main, Content: "Write {{char}}'s next reply in a chat between {{char}} and {{user}}."},
			marker(partLoreBefore), marker(partPersona), marker(partDescription), marker(partPersonality),
			marker(partScenario),
			{ID: partEnhance, Content: "Add to what is said of {{char}} where you know more."},
			{ID: partAuxiliary}, marker(partLoreAfter), marker(partDialogueExamples), marker(partChatHistory),
			{ID: partPostHistory},
		},
		Orders: []PromptOrder{{CharacterID: globalCharacter, Order: []Entry{
			entry(Main), entry(partLoreBefore), entry(partPersona), entry(partDescription),
			entry(partPersonality), entry(partScenario), {ID: partEnhance}, entry(partAuxiliary),
			entry(partLoreAfter), entry(partDialogueExamples), entry(partChatHistory), entry(partPostHistory),
		}}},
		NewChat:           "[Start a new Chat]",
		NewExample:        "[Example Chat]",
		ContinueNudge:     "[Continue your last message without repeating its original content.]",
		Impersonation:     "[Write your next reply from the point of view of {{user}}.]",
		LoreFormat:        "{0}",
		ScenarioFormat:    "{{scenario}}",
		PersonalityFormat: "{{personality}}",
	}
}

// ParsePreset reads a preset file. Missing members are taken from [Default]; unknown members, such
// as settings of the sampler, are kept. In old files without a list of prompts, main_prompt,
// nsfw_prompt and jailbreak_prompt are the texts of its entries, and names_in_completion means
// [NamesCompletion]. It returns the problems of [Preset.Vet], or one fatal
// problem if data is not a JSON object.
func ParsePreset(data []byte) (Preset, talewright.Problems) {
	return parse(data, Default())
}

// Vet returns a problem for each member that had a wrong type in the file. A value that was left
// out is an error, a converted value a warning.
func (p Preset) Vet() talewright.Problems { return vet(Preset{}, p.read) }

// upgrade reads members under their names in older presets. The old members stay.
func (p *Preset) upgrade() {
	if p.read["prompts"] == nil {
		p.Prompts = slices.Clone(p.Prompts)
		for i := range p.Prompts {
			if name := oldTexts[p.Prompts[i].ID]; p.Extra[name] != nil {
				_ = json.Unmarshal(p.Extra[name], &p.Prompts[i].Content) // not a text: ignored
			}
		}
	}
	if p.read["names_behavior"] == nil && string(p.Extra["names_in_completion"]) == "true" {
		p.Names = NamesCompletion
	}
}

// oldTexts are the members that had the texts of the prompts in old files.
var oldTexts = map[string]string{
	Main: "main_prompt", partAuxiliary: "nsfw_prompt", partPostHistory: "jailbreak_prompt",
}

// prompt returns the entry of the list with an identifier. An unknown identifier has an empty entry.
func (p Preset) prompt(id string) Prompt {
	i := slices.IndexFunc(p.Prompts, func(x Prompt) bool { return x.ID == id })
	if i < 0 {
		return Prompt{ID: id}
	}
	return p.Prompts[i]
}

// MarshalJSON writes the preset. Unchanged members are written as they were read; unknown members
// come last.
func (p Preset) MarshalJSON() ([]byte, error) {
	missing := Default()
	missing.Extra, missing.read = p.Extra, p.read
	missing.upgrade()
	return encode(p, missing, p.Extra, p.read)
}

// UnmarshalJSON reads a preset as [ParsePreset] does, but missing members leave the fields
// unchanged. On an error no field changes.
func (p *Preset) UnmarshalJSON(data []byte) error {
	file := *p
	extra, read, err := decode(data, &file)
	if err != nil {
		return err
	}
	*p = file
	p.Extra, p.read = extra, read
	p.upgrade()
	return nil
}

// MarshalJSON writes the prompt. Unchanged members are written as they were read; unknown members
// come last.
func (p Prompt) MarshalJSON() ([]byte, error) { return encode(p, Prompt{}, p.Extra, p.read) }

// UnmarshalJSON keeps unknown members in Extra. On an error the receiver does not change.
func (p *Prompt) UnmarshalJSON(data []byte) error {
	return presetfileRead(data, p, &p.Extra, &p.read)
}

package tavern

import (
	"encoding/json"
	"slices"

	"github.com/talewright/talewright"
	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/prompt"
)

// Identifiers of the prompts that the program knows.
const (
	Main             = "main"
	LoreBefore       = "worldInfoBefore"
	LoreAfter        = "worldInfoAfter"
	Persona          = "personaDescription"
	Description      = "charDescription"
	Personality      = "charPersonality"
	Scenario         = "scenario"
	Enhance          = "enhanceDefinitions"
	Auxiliary        = "nsfw"
	DialogueExamples = "dialogueExamples"
	ChatHistory      = "chatHistory"
	PostHistory      = "jailbreak"
)

// Preset is a chat-completion preset. The tags are the names in its file. It is a
// plain value: a copy shares its lists with the original. The zero Preset sends
// nothing, since it has no order; begin with [Default] or [ParsePreset].
type Preset struct {
	Prompts []Prompt      `json:"prompts"`
	Orders  []PromptOrder `json:"prompt_order"`

	NewChat       string `json:"new_chat_prompt"`
	NewExample    string `json:"new_example_chat_prompt"`
	ContinueNudge string `json:"continue_nudge_prompt"`
	Impersonation string `json:"impersonation_prompt"`
	// LoreFormat wraps lore before and after; {0} is the lore. Empty: bare.
	LoreFormat        string `json:"wi_format"`
	ScenarioFormat    string `json:"scenario_format"`
	PersonalityFormat string `json:"personality_format"`
	// Replacement is the user message sent when the newest one is the assistant's.
	Replacement string `json:"send_if_empty"`
	Names       Names  `json:"names_behavior"`
	// Source names the provider that the preset was saved with, such as [SourceClaude].
	Source string `json:"chat_completion_source,omitempty"`
	// Prefill is the beginning of replies.
	Prefill string `json:"assistant_prefill"`
	// ImpersonationPrefill is the prefill of [prompt.Impersonate].
	ImpersonationPrefill string `json:"assistant_impersonation"`
	ContinuePrefill      bool   `json:"continue_prefill"`
	Squash               bool   `json:"squash_system_messages"`

	Extra map[string]json.RawMessage `json:"-"` // unknown JSON members, kept
	read  presetfileMembers          // known ones as they were
}

// SourceClaude is the [Preset.Source] for which the program begins replies with a prefill.
const SourceClaude = "claude"

// Names is how the program numbers the styles of names.
type Names int

// The styles.
const (
	NamesNone       Names = -1
	NamesDefault    Names = 0
	NamesCompletion Names = 1
	NamesContent    Names = 2
)

// style is the style of package prompt; unknown numbers are the default.
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

// Position says whether a prompt stands in the order or in the chat.
type Position int

// The positions.
const (
	Relative Position = 0
	InChat   Position = 1
)

// Prompt is one entry of the list. The markers of the program stand for a part of the scene and
// have no content of their own. Other entries send their content, whatever Marker says.
type Prompt struct {
	ID      string   `json:"identifier"`
	Name    string   `json:"name,omitempty"`
	Role    llm.Role `json:"role,omitempty"` // empty: system
	Content string   `json:"content,omitempty"`
	// System says that the prompt is one of the program's own. Of the others the
	// program sends those in the order only if the file says that they are not;
	// nil: it does not say so. In the chat it does not matter.
	System          *bool               `json:"system_prompt,omitempty"`
	Marker          bool                `json:"marker,omitempty"`
	Position        Position            `json:"injection_position,omitempty"`
	Depth           *int                `json:"injection_depth,omitempty"`   // in the chat; nil: never sent
	Order           *int                `json:"injection_order,omitempty"`   // nil: 100
	Triggers        []prompt.Generation `json:"injection_trigger,omitempty"` // empty: all kinds
	ForbidOverrides bool                `json:"forbid_overrides,omitempty"`

	Extra map[string]json.RawMessage `json:"-"` // unknown JSON members, kept
	read  presetfileMembers          // known ones as they were
}

// Default returns the preset that the program starts with, with texts of our
// own.
func Default() Preset {
	marker := func(id string) Prompt { return Prompt{ID: id, Marker: true} }
	entry := func(id string) Entry { return Entry{ID: id, Enabled: true} }
	return Preset{
		Prompts: []Prompt{
			{ID: Main, Content: "Write {{char}}'s next reply in a chat between {{char}} and {{user}}."},
			marker(LoreBefore), marker(Persona), marker(Description), marker(Personality),
			marker(Scenario),
			{ID: Enhance, Content: "Add to what is said of {{char}} where you know more."},
			{ID: Auxiliary}, marker(LoreAfter), marker(DialogueExamples), marker(ChatHistory),
			{ID: PostHistory},
		},
		Orders: []PromptOrder{{CharacterID: globalCharacter, Order: []Entry{
			entry(Main), entry(LoreBefore), entry(Persona), entry(Description),
			entry(Personality), entry(Scenario), {ID: Enhance}, entry(Auxiliary),
			entry(LoreAfter), entry(DialogueExamples), entry(ChatHistory), entry(PostHistory),
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

// ParsePreset reads a preset file. Members that it does not have are those of
// [Default]; unknown ones, such as settings of the sampler, are kept. In old files,
// from before there was a list of prompts, main_prompt, nsfw_prompt and
// jailbreak_prompt are the texts of its entries, and names_in_completion is
// [NamesCompletion]. A member of a wrong type refuses nothing, see [Preset.Vet]. The error, for what is no JSON object,
// wraps [talewright.Problems].
func ParsePreset(data []byte) (Preset, error) {
	p := Default()
	if err := parse("tavern: preset", data, &p); err != nil {
		return Preset{}, err
	}
	return p, nil
}

// Vet returns a problem for each member of another type than it has in a file that the preset was read
// from: what was left out is an error, what was read as its field has it a warning.
func (p Preset) Vet() talewright.Problems { return vet(Preset{}, p.read) }

// upgrade reads what older presets call otherwise. The old members stay.
func (p *Preset) upgrade() {
	if p.read["prompts"] == nil {
		p.Prompts = slices.Clone(p.Prompts)
		for i := range p.Prompts {
			if name := oldTexts[p.Prompts[i].ID]; p.Extra[name] != nil {
				_ = json.Unmarshal(p.Extra[name], &p.Prompts[i].Content) // no text: nothing
			}
		}
	}
	if p.read["names_behavior"] == nil && string(p.Extra["names_in_completion"]) == "true" {
		p.Names = NamesCompletion
	}
}

// oldTexts are the members that once held the texts of the prompts.
var oldTexts = map[string]string{
	Main: "main_prompt", Auxiliary: "nsfw_prompt", PostHistory: "jailbreak_prompt",
}

// prompt returns the entry of the list with an identifier; without one, an empty
// entry.
func (p Preset) prompt(id string) Prompt {
	i := slices.IndexFunc(p.Prompts, func(x Prompt) bool { return x.ID == id })
	if i < 0 {
		return Prompt{ID: id}
	}
	return p.Prompts[i]
}

// MarshalJSON writes the preset: members that were read and not changed as they
// were, unknown ones last.
func (p Preset) MarshalJSON() ([]byte, error) {
	type plain Preset
	missing := Default()
	missing.Extra, missing.read = p.Extra, p.read
	missing.upgrade()
	return encode(plain(p), plain(missing), p.Extra, p.read)
}

// UnmarshalJSON reads a preset as [ParsePreset] does, but members that are missing
// leave the fields as they were. On an error all of them stay.
func (p *Preset) UnmarshalJSON(data []byte) error {
	type plain Preset
	file := plain(*p)
	extra, read, err := decode(data, &file)
	if err != nil {
		return err
	}
	*p = Preset(file)
	p.Extra, p.read = extra, read
	p.upgrade()
	return nil
}

// MarshalJSON writes the prompt: members that were read and not changed as they
// were, unknown ones last.
func (p Prompt) MarshalJSON() ([]byte, error) {
	type plain Prompt
	return encode(plain(p), plain{}, p.Extra, p.read)
}

// UnmarshalJSON keeps members that it does not know in Extra. On an error the
// receiver stays as it was.
func (p *Prompt) UnmarshalJSON(data []byte) error {
	type plain Prompt
	return presetfileRead(data, (*plain)(p), &p.Extra, &p.read)
}

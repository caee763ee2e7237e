package tavern

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/talewright/talewright/internal/openjson"
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

// Preset is a chat-completion preset. The tags are the names in its file.
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
	Replacement     string `json:"send_if_empty"`
	Names           Names  `json:"names_behavior"`
	Prefill         string `json:"assistant_prefill"`
	ContinuePrefill bool   `json:"continue_prefill"`
	Squash          bool   `json:"squash_system_messages"`

	Extra map[string]json.RawMessage `json:"-"` // unknown JSON members, kept
}

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

// Prompt is one entry of the list. A marker has no content of its own but stands
// for a part of the scene.
type Prompt struct {
	ID              string              `json:"identifier"`
	Name            string              `json:"name,omitempty"`
	Role            llm.Role            `json:"role,omitempty"` // empty: system
	Content         string              `json:"content,omitempty"`
	Marker          bool                `json:"marker,omitempty"`
	Position        Position            `json:"injection_position,omitempty"`
	Depth           *int                `json:"injection_depth,omitempty"`   // nil: 4
	Order           *int                `json:"injection_order,omitempty"`   // nil: 100
	Triggers        []prompt.Generation `json:"injection_trigger,omitempty"` // empty: all kinds
	ForbidOverrides bool                `json:"forbid_overrides,omitempty"`

	Extra map[string]json.RawMessage `json:"-"` // unknown JSON members, kept
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
// [Default]; unknown ones are kept.
func ParsePreset(data []byte) (Preset, error) {
	p := Default()
	if err := json.Unmarshal(data, &p); err != nil {
		return Preset{}, fmt.Errorf("tavern: preset: %w", err)
	}
	return p, nil
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

// MarshalJSON writes the known fields and then the unknown ones.
func (p Preset) MarshalJSON() ([]byte, error) {
	type plain Preset
	return openjson.Encode(plain(p), p.Extra)
}

// UnmarshalJSON keeps members that it does not know in Extra. Members that are
// missing leave the fields as they were; on an error all of them stay.
func (p *Preset) UnmarshalJSON(data []byte) error {
	type plain Preset
	read := plain(*p)
	read.Prompts, read.Orders = nil, nil // decoding would write into their elements
	extra, err := openjson.Decode(data, &read)
	if err != nil {
		return err
	}
	if read.Prompts == nil {
		read.Prompts = p.Prompts
	}
	if read.Orders == nil {
		read.Orders = p.Orders
	}
	*p = Preset(read)
	p.Extra = extra
	return nil
}

// MarshalJSON writes the known fields and then the unknown ones.
func (p Prompt) MarshalJSON() ([]byte, error) {
	type plain Prompt
	return openjson.Encode(plain(p), p.Extra)
}

// UnmarshalJSON keeps members that it does not know in Extra. On an error the
// receiver stays as it was.
func (p *Prompt) UnmarshalJSON(data []byte) error {
	type plain Prompt
	var read plain
	extra, err := openjson.Decode(data, &read)
	if err != nil {
		return err
	}
	*p = Prompt(read)
	p.Extra = extra
	return nil
}

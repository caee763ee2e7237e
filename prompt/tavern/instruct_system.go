package tavern

import (
	"encoding/json"

	"github.com/talewright/talewright"
)

// SystemPrompt is a system-prompt preset: the texts for prompt.Scene's System and
// PostHistory. The tags are the names in SillyTavern's files.
type SystemPrompt struct {
	Name        string `json:"name,omitempty"`
	Content     string `json:"content"`
	PostHistory string `json:"post_history,omitempty"`

	Extra map[string]json.RawMessage `json:"-"` // unknown JSON members, kept
	read  presetfileMembers          // known ones as they were
}

// ParseSystemPrompt reads a system-prompt preset. In old instruct presets, from
// before the two were separated, it finds the member system_prompt. A member of
// a wrong type refuses nothing, see [SystemPrompt.Vet]. The error, for what is no JSON object, wraps
// [talewright.Problems].
func ParseSystemPrompt(data []byte) (SystemPrompt, error) {
	var p SystemPrompt
	if err := parse("instruct: system prompt", data, &p); err != nil {
		return SystemPrompt{}, err
	}
	return p, nil
}

// Vet returns a problem for each member of another type than it has in a file that the preset was read
// from: what was left out is an error, what was read as its field has it a warning.
func (p SystemPrompt) Vet() talewright.Problems { return vet(SystemPrompt{}, p.read) }

// upgrade reads what older presets call otherwise. The old member stays.
func (p *SystemPrompt) upgrade() {
	if _, ok := p.read["content"]; !ok && p.Extra["system_prompt"] != nil {
		_ = json.Unmarshal(p.Extra["system_prompt"], &p.Content) // no text: nothing
	}
}

// MarshalJSON writes the preset: members that were read and not changed as they
// were, unknown ones last.
func (p SystemPrompt) MarshalJSON() ([]byte, error) {
	type plain SystemPrompt
	missing := SystemPrompt{Extra: p.Extra, read: p.read}
	missing.upgrade()
	return encode(plain(p), plain(missing), p.Extra, p.read)
}

// UnmarshalJSON reads a preset as [ParseSystemPrompt] does. On an error the
// receiver stays as it was.
func (p *SystemPrompt) UnmarshalJSON(data []byte) error {
	type plain SystemPrompt
	if err := presetfileRead(data, (*plain)(p), &p.Extra, &p.read); err != nil {
		return err
	}
	p.upgrade()
	return nil
}

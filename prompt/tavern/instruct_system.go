package tavern

import (
	"encoding/json"

	"github.com/talewright/talewright"
)

// SystemPrompt is a system-prompt preset: the texts for System and PostHistory of [prompt.Scene].
// The tags are the names in SillyTavern's files.
type SystemPrompt struct {
	Name        string `json:"name,omitempty"`
	Content     string `json:"content"`
	PostHistory string `json:"post_history,omitempty"`

	Extra map[string]json.RawMessage `json:"-"` // unknown JSON members
	read  presetfileMembers          // known members as they were read
}

// ParseSystemPrompt reads a system-prompt preset. In older instruct presets, which include the
// system prompt, it reads the member system_prompt. It returns the problems of [SystemPrompt.Vet],
// or one fatal problem if data is not a JSON object.
func ParseSystemPrompt(data []byte) (SystemPrompt, talewright.Problems) {
	return parse(data, SystemPrompt{})
}

// Vet returns a problem for each member that had a wrong type in the file. A value that was left
// out is an error, a converted value a warning.
func (p SystemPrompt) Vet() talewright.Problems { return vet(SystemPrompt{}, p.read) }

// upgrade reads members under their names in older presets. The old member stays.
func (p *SystemPrompt) upgrade() {
	if _, ok := p.read["content"]; !ok && p.Extra["system_prompt"] != nil {
		_ = json.Unmarshal(p.Extra["system_prompt"], &p.Content) // not a text: ignored
	}
}

// MarshalJSON writes the preset. Unchanged members are written as they were read; unknown members
// come last.
func (p SystemPrompt) MarshalJSON() ([]byte, error) {
	missing := SystemPrompt{Extra: p.Extra, read: p.read}
	missing.upgrade()
	return encode(p, missing, p.Extra, p.read)
}

// UnmarshalJSON reads a preset as [ParseSystemPrompt] does. On an error the receiver does not
// change.
func (p *SystemPrompt) UnmarshalJSON(data []byte) error {
	if err := presetfileRead(data, p, &p.Extra, &p.read); err != nil {
		return err
	}
	p.upgrade()
	return nil
}

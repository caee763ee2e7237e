package effect

import "encoding/json"

// WriteMemory passes a memory to the host's memory store.
type WriteMemory struct {
	Title       string `json:"title,omitempty"`
	Content     string `json:"content"`
	MemType     string `json:"memType"`           // long, short, or a type that the host registered
	Summary     string `json:"summary,omitempty"` // the first 100 characters of the content
	CharacterID string `json:"characterId,omitempty"`
	UserID      string `json:"userId,omitempty"`

	Extra map[string]json.RawMessage `json:"-"` // unknown JSON members, kept
}

// EffectType returns "write-memory".
func (WriteMemory) EffectType() string { return "write-memory" }

func (WriteMemory) effect() {}

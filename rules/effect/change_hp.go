package effect

import "encoding/json"

// ChangeHP adds to a character's hit points, within 0 and the maximum.
type ChangeHP struct {
	CharacterID string `json:"characterId"`
	Delta       int    `json:"delta"`
	Cause       string `json:"cause,omitempty"`

	Extra map[string]json.RawMessage `json:"-"` // unknown JSON members, kept
}

// EffectType returns "hp-delta".
func (ChangeHP) EffectType() string { return "hp-delta" }

func (ChangeHP) effect() {}

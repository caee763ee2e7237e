package effect

import "encoding/json"

// MoveCharacter moves a character into a different area.
type MoveCharacter struct {
	CharacterID string `json:"characterId"`
	FromAreaID  string `json:"fromAreaId,omitempty"`
	ToAreaID    string `json:"toAreaId"`
	PathID      string `json:"pathId,omitempty"`

	Extra map[string]json.RawMessage `json:"-"` // unknown JSON members, kept
}

// EffectType returns "move".
func (MoveCharacter) EffectType() string { return "move" }

func (MoveCharacter) effect() {}

package effect

import (
	"encoding/json"

	"github.com/talewright/talewright/memvars/tree"
)

// AddCharacter adds a character to a campaign. The character is in no party yet. It is refused if
// the id is already used.
type AddCharacter struct {
	CharacterID string `json:"characterId"`
	// Fields is an object in the form of state.Character: name, hp, area_id and so on.
	Fields tree.Value `json:"fields,omitzero"`

	Extra map[string]json.RawMessage `json:"-"` // unknown JSON members, kept
}

// EffectType returns "add-character".
func (AddCharacter) EffectType() string { return "add-character" }

func (AddCharacter) effect() {}

package effect

import (
	"encoding/json"

	"github.com/talewright/talewright/memvars/tree"
)

// ChangeRelationship gives a field of the relationship between character and user its new value.
type ChangeRelationship struct {
	CharacterID string     `json:"characterId,omitempty"`
	UserID      string     `json:"userId,omitempty"`
	Field       string     `json:"field"`
	Old         tree.Value `json:"old,omitzero"`
	New         tree.Value `json:"new,omitzero"`

	Extra map[string]json.RawMessage `json:"-"` // unknown JSON members, kept
}

// EffectType returns "relationship-change".
func (ChangeRelationship) EffectType() string { return "relationship-change" }

func (ChangeRelationship) effect() {}

func (e ChangeRelationship) tooLarge() Why { return recordable(tree.Array(e.Old, e.New)) }

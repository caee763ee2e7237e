package effect

import (
	"encoding/json"

	"github.com/talewright/talewright/memvars/tree"
)

// ChangeState gives a field of a character's state its new value.
type ChangeState struct {
	CharacterID string     `json:"characterId,omitempty"`
	Field       string     `json:"field"`
	Old         tree.Value `json:"old,omitzero"`
	New         tree.Value `json:"new,omitzero"`

	Extra map[string]json.RawMessage `json:"-"` // unknown JSON members, kept
}

// EffectType returns "state-change".
func (ChangeState) EffectType() string { return "state-change" }

func (ChangeState) effect() {}

func (e ChangeState) tooLarge() Why { return recordable(tree.Array(e.Old, e.New)) }

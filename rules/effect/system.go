package effect

import (
	"encoding/json"

	"github.com/talewright/talewright/memvars/tree"
)

// System is a write to an @ path that the library does not know. The host decides what to do. It
// never becomes a variable of that name.
type System struct {
	Path      string     `json:"path"` // with the leading @
	Operation Operation  `json:"operation,omitempty"`
	Value     tree.Value `json:"value,omitzero"`

	Extra map[string]json.RawMessage `json:"-"` // unknown JSON members, kept
}

// EffectType returns "system".
func (System) EffectType() string { return "system" }

func (System) effect() {}

func (e System) tooLarge() Why { return recordable(e.Value) }

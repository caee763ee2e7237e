package effect

import (
	"encoding/json"

	"github.com/talewright/talewright/internal/openjson"
)

// ForceEntry makes an entry of the world book active without a key, in the next prompts. One that
// is switched off stays off.
type ForceEntry struct {
	ID    string `json:"entryId"`         // book and uid, or a uid alone
	Turns int    `json:"turns,omitempty"` // of how many turns; 0: one, less: it is forced no more

	Extra map[string]json.RawMessage `json:"-"` // unknown JSON members, kept
}

// EffectType returns "force-entry".
func (ForceEntry) EffectType() string { return "force-entry" }

func (ForceEntry) effect()                     {}
func (e *ForceEntry) unknown() *openjson.Extra { return &e.Extra }

// forcePath begins the path of an entry to force; its value is true, false or a number of turns.
const forcePath = "@lore.force."

func systemForce(t Target, c Caused, e SetVariable, id string) {
	on, isFlag := e.Value.AsBool()
	turns, isNumber := e.Value.AsNumber()
	switch n, whole := turns.Int64(); {
	case id == "":
		badValue(t, c, e, "an id behind the last dot")
	case isFlag && on:
		hand(t, c, ForceEntry{ID: id})
	case isFlag:
		hand(t, c, ForceEntry{ID: id, Turns: -1})
	case isNumber && whole && n > 0 && n <= 1<<20:
		hand(t, c, ForceEntry{ID: id, Turns: int(n)})
	default:
		badValue(t, c, e, "true, false or a number of turns")
	}
}

package effect

import "encoding/json"

// ForceEntry makes an entry of the world book active without a key in the next prompts. An entry
// that is switched off stays off.
type ForceEntry struct {
	ID    string `json:"entryId"`         // book and uid, or only a uid
	Turns int    `json:"turns,omitempty"` // number of turns; 0 means one, below 0 ends the forcing

	Extra map[string]json.RawMessage `json:"-"` // unknown JSON members, kept
}

// EffectType returns "force-entry".
func (ForceEntry) EffectType() string { return "force-entry" }

func (ForceEntry) effect() {}

// forceEntry accepts true, false or a number of turns.
func (k command) forceEntry(id string) {
	on, isFlag := k.value.AsBool()
	turns, isNumber := k.value.AsNumber()
	switch n, whole := turns.Int64(); {
	case isFlag && on:
		k.toHost(ForceEntry{ID: id})
	case isFlag:
		k.toHost(ForceEntry{ID: id, Turns: -1})
	case isNumber && whole && n > 0 && n <= 1<<20:
		k.toHost(ForceEntry{ID: id, Turns: int(n)})
	default:
		k.refuse("true, false or a number of turns")
	}
}

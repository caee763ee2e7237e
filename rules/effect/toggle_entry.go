package effect

import "encoding/json"

// ToggleEntry switches a world book entry and overrides the book's own flag. The switch is stored
// in the ledger, even for an entry that this library does not know.
type ToggleEntry struct {
	ID      string `json:"entryId"`
	Enabled bool   `json:"enabled"`

	Extra map[string]json.RawMessage `json:"-"` // unknown JSON members, kept
}

// EffectType returns "toggle-entry".
func (ToggleEntry) EffectType() string { return "toggle-entry" }

func (ToggleEntry) effect() {}

func (e ToggleEntry) apply(t Target, _ Attributed) { t.Switch(Entries, e.ID, e.Enabled) }

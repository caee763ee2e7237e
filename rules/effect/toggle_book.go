package effect

import "encoding/json"

// ToggleBook switches a module of the world book. Only the modes manual and keywords use the
// switch: modules with conditions cannot be forced.
type ToggleBook struct {
	ID      string `json:"bookId"`
	Enabled bool   `json:"enabled"`

	Extra map[string]json.RawMessage `json:"-"` // unknown JSON members, kept
}

// EffectType returns "toggle-book".
func (ToggleBook) EffectType() string { return "toggle-book" }

func (ToggleBook) effect() {}

func (e ToggleBook) apply(t Target, _ Attributed) { t.Switch(Books, e.ID, e.Enabled) }

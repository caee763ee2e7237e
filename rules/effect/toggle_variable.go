package effect

import "encoding/json"

// ToggleVariable switches the exposure of a variable to the model; its value is kept, and
// rules go on reading and writing it.
type ToggleVariable struct {
	ID      string `json:"variableId"`
	Enabled bool   `json:"enabled"`

	Extra map[string]json.RawMessage `json:"-"` // unknown JSON members, kept
}

// EffectType returns "toggle-variable".
func (ToggleVariable) EffectType() string { return "toggle-variable" }

func (ToggleVariable) effect() {}

func (e ToggleVariable) apply(t Target, _ Caused) { t.Switch(Variables, e.ID, e.Enabled) }

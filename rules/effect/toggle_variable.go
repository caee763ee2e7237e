package effect

import "encoding/json"

// ToggleVariable switches whether the model sees a variable. The value is kept, and rules continue
// to read and write it.
type ToggleVariable struct {
	ID      string `json:"variableId"`
	Enabled bool   `json:"enabled"`

	Extra map[string]json.RawMessage `json:"-"` // unknown JSON members, kept
}

// EffectType returns "toggle-variable".
func (ToggleVariable) EffectType() string { return "toggle-variable" }

func (ToggleVariable) effect() {}

func (e ToggleVariable) apply(t Target, _ Attributed) { t.Switch(Variables, e.ID, e.Enabled) }

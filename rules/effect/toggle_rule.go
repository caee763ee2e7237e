package effect

import "encoding/json"

// ToggleRule switches a rule or reaction from the next hop on. It overrides the authored flag in
// both directions. Counts and cooldowns continue while the rule is off.
type ToggleRule struct {
	ID      string `json:"ruleId"`
	Enabled bool   `json:"enabled"`

	Extra map[string]json.RawMessage `json:"-"` // unknown JSON members, kept
}

// EffectType returns "toggle-rule".
func (ToggleRule) EffectType() string { return "toggle-rule" }

func (ToggleRule) effect() {}

func (e ToggleRule) apply(t Target, _ Attributed) { t.Switch(Rules, e.ID, e.Enabled) }

package effect

import "encoding/json"

// AddPath joins two areas of the map of a campaign. An id that is taken and an area that nobody
// knows are refused.
type AddPath struct {
	ID     string `json:"id"`
	From   string `json:"from"`
	To     string `json:"to"`
	OneWay bool   `json:"oneWay,omitempty"` // nobody can walk it back

	Extra map[string]json.RawMessage `json:"-"` // unknown JSON members, kept
}

// EffectType returns "add-path".
func (AddPath) EffectType() string { return "add-path" }

func (AddPath) effect() {}

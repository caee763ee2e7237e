package effect

import "encoding/json"

// AddPath connects two areas of the map of a campaign. It is refused if the id is already used or
// an area is unknown.
type AddPath struct {
	ID     string `json:"id"`
	From   string `json:"from"`
	To     string `json:"to"`
	OneWay bool   `json:"oneWay,omitempty"` // the path cannot be walked back

	Extra map[string]json.RawMessage `json:"-"` // unknown JSON members, kept
}

// EffectType returns "add-path".
func (AddPath) EffectType() string { return "add-path" }

func (AddPath) effect() {}

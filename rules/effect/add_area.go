package effect

import "encoding/json"

// AddArea adds an area to the map of a campaign. An id that is taken is refused.
type AddArea struct {
	ID          string   `json:"id"`
	Name        string   `json:"name"`
	Aliases     []string `json:"aliases,omitempty"`
	Description string   `json:"description,omitempty"`
	Parent      string   `json:"parent,omitempty"` // the area in which it lies, a known one

	Extra map[string]json.RawMessage `json:"-"` // unknown JSON members, kept
}

// EffectType returns "add-area".
func (AddArea) EffectType() string { return "add-area" }

func (AddArea) effect() {}

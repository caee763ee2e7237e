package effect

import "encoding/json"

// AddArea adds an area to the map of a campaign. It is refused if the id is already used.
type AddArea struct {
	ID          string   `json:"id"`
	Name        string   `json:"name"`
	Aliases     []string `json:"aliases,omitempty"`
	Description string   `json:"description,omitempty"`
	Parent      string   `json:"parent,omitempty"` // a known area that contains it

	Extra map[string]json.RawMessage `json:"-"` // unknown JSON members, kept
}

// EffectType returns "add-area".
func (AddArea) EffectType() string { return "add-area" }

func (AddArea) effect() {}

package state

import (
	"encoding/json"

	"github.com/talewright/talewright/internal/openjson"
)

// The world files hold the place of a campaign. The world has laws, which no narration may change.
// The map has areas, paths between them, and a lock on all movement.
//
// All types are plain values with JSON forms. Content and hosts write them; tools and conflict
// detectors read them. [Map.Exits] lists the ways out of an area. [MapPath.Leads] reports whether a
// path connects two areas in a direction. Values are safe to share; do not modify them.

// World is the setting of a campaign. The model narrates it, and neither players nor the model may
// rewrite it.
type World struct {
	ID         string      `json:"world_id,omitempty"`
	Background string      `json:"background,omitempty"`
	Rules      []WorldRule `json:"rules,omitempty"`

	Extra map[string]json.RawMessage `json:"-"` // unknown JSON members, kept
}

// WorldRule is one law of the world.
type WorldRule struct {
	ID   string `json:"id,omitempty"`
	Text string `json:"text"`
	// Keywords identify the rule in a narration. A narration that says that the rule changed is a
	// conflict.
	Keywords []string `json:"keywords,omitempty"`
	// VisibleTo lists the IDs of the characters who know the rule; empty means everybody.
	VisibleTo []string `json:"visible_to,omitempty"`

	Extra map[string]json.RawMessage `json:"-"` // unknown JSON members, kept
}

// MarshalJSON writes the known fields and then the unknown ones.
func (w World) MarshalJSON() ([]byte, error) { return openjson.Write(w) }

// UnmarshalJSON stores unknown members in Extra.
func (w *World) UnmarshalJSON(data []byte) error { return openjson.Read(data, w) }

// MarshalJSON writes the known fields and then the unknown ones.
func (w WorldRule) MarshalJSON() ([]byte, error) { return openjson.Write(w) }

// UnmarshalJSON stores unknown members in Extra.
func (w *WorldRule) UnmarshalJSON(data []byte) error { return openjson.Read(data, w) }

package state

import (
	"encoding/json"

	"github.com/talewright/talewright/internal/openjson"
)

// The world part holds where a campaign is played: the laws of its world, which no narration may
// change, and the map with its areas, the paths between them and the lock on all movement.
//
// All of it is plain values with JSON forms, as package state keeps them: content and hosts write
// them, tools and detectors of contradictions read them. [Map.Exits] lists the ways out of an area,
// [MapPath.Leads] says whether a path can be walked. JSON members that these types do not know are
// kept in Extra and written again.
//
// The package starts no goroutines. Share values only for reading.

// World is the setting of a campaign: what the model tells and what nobody may
// rewrite.
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
	// Keywords name the rule in a narration: one that tells it changed is a conflict.
	Keywords []string `json:"keywords,omitempty"`
	// VisibleTo are the ids of the characters who know the rule; empty: everybody.
	VisibleTo []string `json:"visible_to,omitempty"`

	Extra map[string]json.RawMessage `json:"-"` // unknown JSON members, kept
}

// MarshalJSON writes the known fields and then the unknown ones.
func (w World) MarshalJSON() ([]byte, error) { return openjson.Write(w) }

// UnmarshalJSON keeps members that it does not know in Extra.
func (w *World) UnmarshalJSON(data []byte) error { return openjson.Read(data, w) }

// MarshalJSON writes the known fields and then the unknown ones.
func (w WorldRule) MarshalJSON() ([]byte, error) { return openjson.Write(w) }

// UnmarshalJSON keeps members that it does not know in Extra.
func (w *WorldRule) UnmarshalJSON(data []byte) error { return openjson.Read(data, w) }

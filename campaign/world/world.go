package world

import (
	"encoding/json"

	"github.com/talewright/talewright/internal/openjson"
)

// World is the setting of a campaign: what the model tells and what nobody may
// rewrite.
type World struct {
	ID         string `json:"world_id,omitempty"`
	Background string `json:"background,omitempty"`
	Rules      []Rule `json:"rules,omitempty"`

	Extra map[string]json.RawMessage `json:"-"` // unknown JSON members, kept
}

// Rule is one law of the world.
type Rule struct {
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
func (w Rule) MarshalJSON() ([]byte, error) { return openjson.Write(w) }

// UnmarshalJSON keeps members that it does not know in Extra.
func (w *Rule) UnmarshalJSON(data []byte) error { return openjson.Read(data, w) }

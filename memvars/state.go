package memvars

import (
	"encoding/json"

	"github.com/talewright/talewright/internal/openjson"
	"github.com/talewright/talewright/memvars/tree"
)

// State is the information to keep between turns in addition to the document. The zero State is the
// state of a new campaign. [System.Begin] returns the state for a document that was just loaded. A
// State is a value: store it with the document in every snapshot and restore both together.
type State struct {
	// Turn is the part of the document at the end of the last turn; nil before the first turn.
	Turn *Baseline `json:"turn,omitempty"`
	// Window has the latest replies, the newest last.
	Window []Turn `json:"window,omitempty"`

	Extra map[string]json.RawMessage `json:"-"` // unknown JSON members
}

// MarshalJSON writes the known fields and then the unknown ones.
func (s State) MarshalJSON() ([]byte, error) { return openjson.Write(s) }

// UnmarshalJSON keeps unknown members in Extra.
func (s *State) UnmarshalJSON(data []byte) error { return openjson.Read(data, s) }

// IsZero reports whether this is the state of a new campaign.
func (s State) IsZero() bool { return s.Turn == nil && len(s.Window) == 0 && len(s.Extra) == 0 }

// SummaryDue reports whether the model should write an entry of summary.big in its next reply.
//
// The value is known at the end of a turn, before the next prompt is built.
func (s State) SummaryDue() bool {
	return s.Turn != nil && (s.Turn.CleanSmall || s.Turn.CleanBig)
}

// Begin returns the state for a document at the start of a campaign. The first turn is compared
// with it.
func (s *System) Begin(d tree.Document) State { return State{Turn: s.baseline(d)} }

// baseline returns the values of a document that the end of the next turn compares. They are shared
// with the document, so this costs nothing.
func (s *System) baseline(d tree.Document) *Baseline {
	p := &s.profile
	status := func(path tree.Path) tree.Value { return s.Read(d, withinModule(p.Status, path)) }
	text := func(path tree.Path) string {
		t, _ := status(path).AsText()
		return t
	}
	assets := d.Root().Get(p.Assets)
	flags := assets.Lookup(p.Config).Get("flags")
	return &Baseline{
		Era: text(p.Era), Date: text(p.Date), Time: text(p.Time),
		World: status(p.WorldName), TimeLimit: status(p.TimeLimit),
		Small: assets.Lookup(p.Small), Big: assets.Lookup(p.Big),
		CleanSmall: truthy(flags.Get("clean_small_flag")),
		CleanBig:   truthy(flags.Get("clean_big_flag")),
	}
}

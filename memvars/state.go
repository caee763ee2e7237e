package memvars

import (
	"encoding/json"

	"github.com/talewright/talewright/internal/openjson"
	"github.com/talewright/talewright/memvars/tree"
)

// State is what has to be remembered between turns besides the document. The
// zero State is that of a new campaign; [System.Begin] makes the one for a document
// that was just loaded. A State is a value: keep it beside the document in every
// snapshot and put both back together.
type State struct {
	// Turn is what the document held at the end of the last turn; nil before the
	// first.
	Turn *Baseline `json:"turn,omitempty"`
	// Window holds the latest replies, the newest last.
	Window []Turn `json:"window,omitempty"`

	Extra map[string]json.RawMessage `json:"-"` // unknown JSON members, kept
}

// Baseline is the part of a document that the end of a turn is compared with.
type Baseline struct {
	Era        string     `json:"era,omitempty"`
	Date       string     `json:"date,omitempty"`
	Time       string     `json:"time,omitempty"`
	World      tree.Value `json:"world,omitzero"`
	TimeLimit  tree.Value `json:"time_limit,omitzero"`
	Small      tree.Value `json:"small,omitzero"`
	Big        tree.Value `json:"big,omitzero"`
	CleanSmall bool       `json:"clean_small_flag,omitempty"`
	CleanBig   bool       `json:"clean_big_flag,omitempty"`
}

// Turn is the text of one round.
type Turn struct {
	Reply  string   `json:"reply"`            // of the model, raw, commands included
	Player []string `json:"player,omitempty"` // what the player said before it
	// Witnesses are those who alone heard the round, in the host's own names; empty: everybody. Green
	// lights do not follow such a round, but for viewers: see [System.LightsFor].
	Witnesses []string `json:"witnesses,omitempty"`
}

// MarshalJSON writes the known fields and then the unknown ones.
func (s State) MarshalJSON() ([]byte, error) { return openjson.Write(s) }

// UnmarshalJSON keeps members that it does not know in Extra.
func (s *State) UnmarshalJSON(data []byte) error { return openjson.Read(data, s) }

// IsZero reports whether the state is that of a new campaign.
func (s State) IsZero() bool { return s.Turn == nil && len(s.Window) == 0 && len(s.Extra) == 0 }

// SummaryDue reports whether the model is to write an entry of summary.big in
// its next reply.
//
// It is known at the end of a turn, in time for the next prompt.
func (s State) SummaryDue() bool {
	return s.Turn != nil && (s.Turn.CleanSmall || s.Turn.CleanBig)
}

// Begin returns the state for a document at the start of a campaign: what its
// first turn is compared with.
func (s *System) Begin(d tree.Document) State { return State{Turn: s.baseline(d)} }

// baseline remembers of a document what the end of the next turn compares. Values
// are shared with the document, so this costs nothing.
func (s *System) baseline(d tree.Document) *Baseline {
	p := &s.profile
	status := func(path tree.Path) tree.Value { return s.Read(d, WithinModule(p.Status, path)) }
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

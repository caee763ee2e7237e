package turn

import (
	"encoding/json"
	"time"

	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn/internal/past"
	"github.com/talewright/talewright/internal/openjson"
	"github.com/talewright/talewright/memvars/tree"
)

// Record is one committed step of a campaign.
type Record struct {
	Version int64      `json:"version"` // place in the log, from 1
	Kind    RecordKind `json:"kind"`
	At      time.Time  `json:"at,omitzero"`

	// Inputs are what the machine was told; replaying them gives the same step.
	Inputs Inputs `json:"inputs,omitempty" openjson:"own"`
	// Delta is what the step changed.
	Delta state.Delta `json:"delta,omitempty" openjson:"own"`
	// Turn is the record of a committed turn.
	Turn *state.Turn `json:"turn,omitempty" openjson:"own"`
	// Draws are the random numbers that an instruction used which is no committed turn;
	// those of a turn are in its trace.
	Draws []float64 `json:"draws,omitempty"`
	// Campaign is the whole start, in the record that creates it, and States are those that its
	// references lead to, where it goes on from another campaign.
	Campaign json.RawMessage `json:"campaign,omitempty"`
	States   state.Snapshots `json:"states,omitempty"`
	// Attic is what the head has put off with the record, see [state.Campaign.Attic].
	Attic *state.ArchivePage `json:"attic,omitempty"`
	// Head is the whole campaign after the record, without its turns. A repair has it, and one in many other
	// records, so that the state of long ago is read from there on and not from the beginning.
	Head tree.Value `json:"head,omitzero" openjson:"own"`

	// Repair says what the repair was that the record is of, and Turns are turns that it keeps because no
	// record has them any more. One of the past has nothing but turns.
	Repair *state.RepairNote `json:"repair,omitempty"`
	Turns  []state.Turn      `json:"turns,omitempty" openjson:"own"`

	// Layout and Behaviour are those of the version that wrote the record, see package layout; 0
	// stands for those of this one. They are not members of the JSON form: [campaign.EntryOf] writes them.
	Layout    int `json:"-"`
	Behaviour int `json:"-"`

	Extra map[string]json.RawMessage `json:"-"` // unknown JSON members, kept
}

// RecordKind says what a [Record] is of. That of an instruction which is no turn is the name
// of the instruction, as in the member "input" of its JSON: "patch_settings", "roll_back".
type RecordKind string

// The kinds that are not named for an instruction, but for "discard", by which a conflict may be dropped, too.
const (
	RecordCreate   RecordKind = "create"           // the campaign, as it began
	RecordTurn     RecordKind = "turn"             // a turn
	RecordConflict RecordKind = "conflict"         // a turn about which a person has to decide
	recordPending  RecordKind = "approval_pending" // a turn that waits for people
	recordDiscard  RecordKind = "discard"          // a conflict, or a turn that waited for people, was dropped
	RecordFailed   RecordKind = "turn_failed"      // a turn that was not played and left something behind
	RecordRepair   RecordKind = "repair"           // the campaign goes on with its Head, whatever was before
	RecordLost     RecordKind = "lost"             // stands for a record that cannot be read
	RecordPast     RecordKind = "past"             // older turns of a campaign that goes on from elsewhere, before the one that creates it
)

// MarshalJSON writes the known fields and then the unknown ones.
func (r Record) MarshalJSON() ([]byte, error) { return openjson.Write(r) }

// UnmarshalJSON keeps members that it does not know in Extra.
func (r *Record) UnmarshalJSON(data []byte) error { return openjson.Read(data, r) }

// AsItStands reports whether a record is not played again but taken as it stands: those that a log
// begins with, a repair, one that is lost, one of an older layout or behaviour.
func (r Record) AsItStands() bool {
	return r.Kind == RecordCreate || r.Kind == RecordPast || r.Kind == RecordRepair || r.Kind == RecordLost ||
		r.Layout != 0 && r.Layout < Layout || r.Behaviour != 0 && r.Behaviour < Behaviour
}

// unplayable is the error for a record that only a newer version can play.
func (r Record) unplayable() error {
	if names := r.Inputs.Unknown(); len(names) > 0 || r.Behaviour > Behaviour {
		return &Unplayable{Version: r.Version, Behaviour: r.Behaviour, Inputs: names}
	}
	return nil
}

// Beginning is the campaign that a log begins with.
func (r Record) Beginning() (state.Campaign, error) { return r.change().Beginning() }

// change is what the record says that has changed.
func (r Record) change() past.Change {
	c := past.Change{Version: r.Version, Delta: r.Delta, Turn: r.Turn, Attic: r.Attic,
		Campaign: r.Campaign, States: r.States, Repair: r.Repair, Turns: r.Turns, Head: r.Head}
	switch r.Kind {
	case RecordCreate:
		c.Kind = past.Create
	case RecordRepair:
		c.Kind = past.Repair
	case RecordLost:
		c.Kind = past.Lost
	case RecordPast:
		c.Kind = past.Past
	}
	return c
}

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

	// Content is the version of the content with which the step was played, see [game.Extensions].
	Content string `json:"content,omitempty"`

	// Inputs are the inputs of the machine. Replaying them gives the same step.
	Inputs Inputs `json:"inputs,omitempty" openjson:"own"`
	// Delta lists the changes of the step.
	Delta state.Delta `json:"delta,omitempty" openjson:"own"`
	// Turn is the committed turn.
	Turn *state.Turn `json:"turn,omitempty" openjson:"own"`
	// Draws are the random numbers used by an instruction that is not a committed turn. A turn has
	// them in its trace.
	Draws []float64 `json:"draws,omitempty"`
	// Programs are the programs of templates that such an instruction has run, as in the trace of a
	// turn.
	Programs []tree.Value `json:"programs,omitempty" openjson:"own"`
	// Campaign is the full initial campaign, in the record that creates it. States are the states
	// that its references name, if it continues a different campaign.
	Campaign json.RawMessage `json:"campaign,omitempty"`
	States   state.Snapshots `json:"states,omitempty"`
	// Archive is the archive page that the head wrote with this record, see [state.Campaign.Archive].
	Archive *state.ArchivePage `json:"archive,omitempty"`
	// Head is the full campaign after the record, without its turns. A repair has it, and many
	// other records have it, so that an old state can be read from there instead of from the
	// beginning.
	Head tree.Value `json:"head,omitzero" openjson:"own"`

	// Repair describes the repair, in the record of a repair. Turns are turns that this record
	// keeps because no record has them any more. A record of the past has only turns.
	Repair *state.RepairNote `json:"repair,omitempty"`
	Turns  []state.Turn      `json:"turns,omitempty" openjson:"own"`

	// Layout and Behaviour are the numbers of the version that wrote the record, see layout.go; 0
	// means the numbers of this version. They are not members of the JSON form: [campaign.EntryOf]
	// writes them.
	Layout    int `json:"-"`
	Behaviour int `json:"-"`

	Extra map[string]json.RawMessage `json:"-"` // unknown JSON members, preserved
}

// RecordKind is the kind of a [Record]. For an instruction that is not a turn it is the name of the
// instruction, as in the member "input" of its JSON: "patch_settings", "rollback".
type RecordKind string

// The kinds that are not the name of an instruction. The exception is "discard", which also marks a
// dropped conflict.
const (
	RecordCreate   RecordKind = "create"           // the campaign, as it began
	RecordTurn     RecordKind = "turn"             // a turn
	recordConflict RecordKind = "conflict"         // a turn about which a person has to decide
	recordPending  RecordKind = "approval_pending" // a turn that waits for people
	recordDiscard  RecordKind = "discard"          // a conflict, or a turn that waited for people, was dropped
	recordFailed   RecordKind = "turn_failed"      // a turn that was not played and left changes
	RecordRepair   RecordKind = "repair"           // the campaign continues with its Head; earlier states do not count
	RecordLost     RecordKind = "lost"             // replaces a record that cannot be read
	RecordPast     RecordKind = "past"             // older turns of a campaign that continues a different one, before the record that creates it
)

// MarshalJSON writes the known fields and then the unknown ones.
func (r Record) MarshalJSON() ([]byte, error) { return openjson.Write(r) }

// UnmarshalJSON keeps unknown members in Extra.
func (r *Record) UnmarshalJSON(data []byte) error { return openjson.Read(data, r) }

// AsItStands reports whether a record is used unchanged instead of played again. This holds for the
// records that a log begins with, a repair, a lost record, and a record of an older layout or
// behaviour.
func (r Record) AsItStands() bool {
	return r.Kind == RecordCreate || r.Kind == RecordPast || r.Kind == RecordRepair || r.Kind == RecordLost ||
		r.Layout != 0 && r.Layout < Layout || r.Behaviour != 0 && r.Behaviour < Behaviour
}

// unplayable returns the error for a record that only a newer version can play.
func (r Record) unplayable() error {
	if names := r.Inputs.Unknown(); len(names) > 0 || r.Behaviour > Behaviour {
		return &Unplayable{Version: r.Version, Behaviour: r.Behaviour, Inputs: names}
	}
	return nil
}

// Beginning returns the campaign that a log begins with.
func (r Record) Beginning() (state.Campaign, error) { return r.change().Beginning() }

// change returns the changes of the record.
func (r Record) change() past.Change {
	c := past.Change{Version: r.Version, Delta: r.Delta, Turn: r.Turn, Archive: r.Archive,
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

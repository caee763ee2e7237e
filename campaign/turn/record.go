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
	// turn. The choice of a greeting runs the programs of both openings.
	Programs []tree.Value `json:"programs,omitempty" openjson:"own"`
	// Campaign is the full initial campaign, in the record that creates it.
	Campaign json.RawMessage `json:"campaign,omitempty"`
	// States are the states that the references in the Campaign name, if it continues a different
	// campaign. In the record of a repair they are the states whose names have changed.
	States state.Snapshots `json:"states,omitempty"`
	// Archive is the archive page that the head wrote with this record, see [state.Campaign.Archive].
	Archive *state.ArchivePage `json:"archive,omitempty"`
	// Head is the full campaign after the record, without its turns. Reading an old state starts at
	// a record with a Head, and not at the beginning of the log. A repair has a Head, and many other
	// records have one.
	Head tree.Value `json:"head,omitzero" openjson:"own"`

	// Repair describes the repair, in the record of a repair.
	Repair *state.RepairNote `json:"repair,omitempty"`
	// Turns are turns without a record of their own: the lost turns, in the record of a repair, or
	// the turns of a [RecordPast].
	Turns []state.Turn `json:"turns,omitempty" openjson:"own"`

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

// The kinds of records. Only "discard" is also the name of an instruction.
const (
	RecordCreate   RecordKind = "create"           // the campaign, as it began
	RecordTurn     RecordKind = "turn"             // a turn
	recordConflict RecordKind = "conflict"         // a turn about which a person has to decide
	recordPending  RecordKind = "approval_pending" // a turn that waits for people
	recordDiscard  RecordKind = "discard"          // a conflict, or a turn that waited for people, was dropped
	recordFailed   RecordKind = "turn_failed"      // a turn that was not played and left changes
	RecordRepair   RecordKind = "repair"           // the campaign continues with its Head; earlier states do not count
	RecordLost     RecordKind = "lost"             // replaces a record that cannot be read
	// RecordPast has older turns of a campaign that continues a different one. It comes before the
	// record that creates the campaign.
	RecordPast RecordKind = "past"
)

// MarshalJSON writes the known fields and then the unknown ones.
func (r Record) MarshalJSON() ([]byte, error) { return openjson.Write(r) }

// UnmarshalJSON keeps unknown members in Extra.
func (r *Record) UnmarshalJSON(data []byte) error { return openjson.Read(data, r) }

// AsItStands reports whether a replay uses a record unchanged instead of playing its inputs. This
// holds for the records that a log begins with, a repair, a lost record, and a record of an older
// layout or behaviour.
func (r Record) AsItStands() bool {
	switch r.Kind {
	case RecordCreate, RecordPast, RecordRepair, RecordLost:
		return true
	}
	isOld := func(number, present int) bool { return number != 0 && number < present }
	return isOld(r.Layout, Layout) || isOld(r.Behaviour, Behaviour)
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
	return past.Change{Version: r.Version, Kind: changeKinds[r.Kind], Delta: r.Delta, Turn: r.Turn, Archive: r.Archive,
		Campaign: r.Campaign, States: r.States, Repair: r.Repair, Turns: r.Turns, Head: r.Head}
}

// changeKinds has the kinds of records that a log applies in their own way.
var changeKinds = map[RecordKind]past.Kind{
	RecordCreate: past.Create, RecordRepair: past.Repair, RecordLost: past.Lost, RecordPast: past.Past,
}

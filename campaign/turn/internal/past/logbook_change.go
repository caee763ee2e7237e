package past

import (
	"encoding/json"
	"maps"

	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/memvars/tree"
)

// The logbook files read the changes in the records of a log, without a game. A [follower] applies
// them to a campaign. A [Reader] also keeps data that the head of a campaign no longer holds.
// [Turns] is a list of turns that grows without being copied.
//
// The types are not safe for concurrent use.

// Change is the changes of a record. Its fields are fields of turn.Record.
type Change struct {
	Version int64
	Kind    Kind
	Delta   state.Delta
	Turn    *state.Turn
	Archive *state.ArchivePage
	// For the record that creates a campaign.
	Campaign json.RawMessage
	States   state.Snapshots
	// For a repair, and for a record that has only turns.
	Repair *state.RepairNote
	Turns  []state.Turn

	Head tree.Value // the whole campaign without its turns, if the record has it
}

// Kind is the effect of a record on the campaign before it.
type Kind int

// The kinds.
const (
	step   Kind = iota // a record with a delta
	Create             // the first record, except for records of the past
	Repair             // its head replaces everything before
	Lost               // a record that cannot be read
	Past               // a record with turns from before the campaign
)

// Beginning returns the campaign that a log begins with.
func (r Change) Beginning() (c state.Campaign, err error) {
	if err = json.Unmarshal(r.Campaign, &c); err != nil {
		return c, err
	}
	c.Snapshots = maps.Clone(r.States)
	if c.Snapshots == nil {
		c.Snapshots = state.Snapshots{}
	}
	s := c.State
	c.Snapshots[state.StateRef(r.Version)] = &s
	c.DropUnreferenced()
	return c, nil
}

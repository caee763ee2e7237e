package past

import (
	"encoding/json"
	"maps"

	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/memvars/tree"
)

// The logbook part reads what the records of a log say that has changed, without a game: a
// [follower] applies them to a campaign, a [Reader] keeps what the head of a campaign has no room
// for, and [Turns] is a list of turns that grows without being copied.
//
// Nothing here is safe for concurrent use.

// Change is what a record says that has changed. Its members are those of turn.Record.
type Change struct {
	Version int64
	Kind    kind
	Delta   state.Delta
	Turn    *state.Turn
	Attic   *state.ArchivePage
	// The record that creates a campaign.
	Campaign json.RawMessage
	States   state.Snapshots
	// A repair, and what has nothing but turns.
	Repair *state.RepairNote
	Turns  []state.Turn

	Head tree.Value // the whole campaign without its turns, where the record has it
}

// kind is what a record does to the campaign before it.
type kind int

// The kinds.
const (
	step   kind = iota // it has a delta
	Create             // it is the first, but for those of the past
	Repair             // its head takes the place of what was before
	Lost               // it cannot be read
	Past               // it has turns from before the campaign
)

// Beginning is the campaign that a log begins with.
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

package turn

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/memvars/tree"
)

// turnLog appends to lists of turns. It does so in place where the list is the one
// that it returned last, so that a long campaign is not copied for every turn. Whoever
// holds a shorter list never sees what was appended.
type turnLog struct{ list []state.Turn }

func (l *turnLog) with(turns []state.Turn, t state.Turn) []state.Turn {
	n := len(turns)
	if n == 0 || len(l.list) < n || &l.list[0] != &turns[0] {
		l.list = slices.Clone(turns)
	}
	l.list = append(l.list[:n], t)
	return slices.Clip(l.list)
}

// follow applies one record. The log is for all records that are applied in turn.
func follow(c state.Campaign, rec Record, log *turnLog) (state.Campaign, error) {
	f := newFollower(c, log)
	if err := f.Add(rec); err != nil {
		return c, err
	}
	return f.Campaign()
}

// Follower applies records, one after the other, to the JSON value of a campaign.
type Follower struct {
	base    state.Campaign // what it began with
	head    tree.Value     // the campaign without turns and snapshots; absent until there is a record
	version int64
	turns   []state.Turn
	log     *turnLog
	states  map[string]tree.Value // that references lead to and base does not have
}

// NewFollower returns a follower of a campaign as it was at some version; the zero
// Campaign is before the first record.
func NewFollower(c state.Campaign) *Follower { return newFollower(c, new(turnLog)) }

func newFollower(c state.Campaign, log *turnLog) *Follower {
	return &Follower{base: c, version: c.Version, turns: c.Turns, log: log, states: map[string]tree.Value{}}
}

// Add applies a record. After an error the follower is of no more use.
func (f *Follower) Add(rec Record) (err error) {
	if rec.Version != f.version+1 {
		return fmt.Errorf("follows version %d", f.version)
	}
	f.version = rec.Version
	if rec.Kind == KindCreate {
		var first state.Campaign
		if err := json.Unmarshal(rec.Campaign, &first); err != nil {
			return err
		}
		*f = *newFollower(first, f.log)
		return nil
	}
	if !f.head.Exists() {
		if f.head, err = f.base.HeadValue(); err != nil {
			return err
		}
	}
	before := f.head
	if f.head, err = rec.Delta.Apply(before); err != nil {
		return err
	}
	if rec.Turn != nil {
		f.turns = f.log.with(f.turns, *rec.Turn)
	}
	f.findStates(before.Get("state"), f.head.Get("state"))
	return nil
}

// findStates puts states to the references that a record added: a checkpoint marks the
// state that the record led to, everything else the one it came from. States that nothing
// leads to any more are forgotten.
func (f *Follower) findStates(before, after tree.Value) {
	used := map[string]bool{}
	add := func(ref, state tree.Value) {
		name, _ := ref.AsText()
		used[name] = true
		_, known := f.base.Snapshots[name]
		if _, found := f.states[name]; name != "" && !known && !found {
			f.states[name] = state
		}
	}
	for _, c := range f.head.Get("checkpoints").Elements() {
		add(c.Get("state_snapshot_ref"), after)
	}
	add(f.head.Get("rollback_pending").Get("from_snapshot_ref"), before)
	for _, b := range f.head.Get("branches").Members() {
		add(b.Get("snapshot_ref"), before)
		for _, c := range b.Get("checkpoints").Elements() {
			name, _ := c.Get("state_snapshot_ref").AsText()
			used[name] = true
		}
	}
	maps.DeleteFunc(f.states, func(ref string, _ tree.Value) bool { return !used[ref] })
}

// Campaign is what the records led to.
func (f *Follower) Campaign() (state.Campaign, error) {
	if !f.head.Exists() {
		return f.base, nil
	}
	c, err := f.base.WithHeadValue(f.head)
	if err != nil {
		return f.base, err
	}
	c = c.Clone()
	c.Turns = f.turns
	if c.Snapshots == nil {
		c.Snapshots = state.Snapshots{}
	}
	head := f.head.Get("state")
	for ref, v := range f.states {
		kept := c.State
		if v != head {
			if kept, err = state.StateOf(v); err != nil {
				return f.base, err
			}
		}
		c.Snapshots[ref] = &kept
	}
	c.DropUnreferenced()
	return c, nil
}

package campaign

import (
	"encoding/json"
	"fmt"
	"maps"

	"github.com/talewright/talewright/memvars/tree"
)

// Restore returns the campaign that a store saved, by applying what its records
// changed. It needs no content: a campaign can be read even if the books and rules
// it was played with are gone. Nor does it read what the machine was told, so that
// instructions which only a newer version of this library knows are no obstacle.
//
// It takes time in proportion to what the records changed; the state is read once, at
// the end: see BenchmarkRestore.
func Restore(saved Saved) (Campaign, error) {
	var c Campaign
	if saved.Snapshot != nil {
		if err := json.Unmarshal(saved.Snapshot, &c); err != nil {
			return c, fmt.Errorf("campaign: snapshot: %w", err)
		}
	}
	f := newFollower(c, new(turnLog))
	for _, entry := range saved.Entries {
		rec, err := entry.change()
		if err != nil {
			return c, err
		}
		if err := f.add(rec); err != nil {
			return c, fmt.Errorf("campaign: record %d: %w", rec.Version, err)
		}
	}
	return f.campaign()
}

// follow applies one record. The log is for all records that are applied in turn.
func (c Campaign) follow(rec Record, log *turnLog) (Campaign, error) {
	f := newFollower(c, log)
	if err := f.add(rec); err != nil {
		return c, err
	}
	return f.campaign()
}

// follower applies records, one after the other, to the JSON value of a campaign.
type follower struct {
	base    Campaign   // what it began with
	head    tree.Value // the campaign without turns and snapshots; absent until there is a record
	version int64
	turns   []Turn
	log     *turnLog
	states  map[string]tree.Value // that references lead to and base does not have
}

func newFollower(c Campaign, log *turnLog) *follower {
	return &follower{base: c, version: c.Version, turns: c.Turns, log: log, states: map[string]tree.Value{}}
}

// add applies a record. After an error the follower is of no more use.
func (f *follower) add(rec Record) (err error) {
	if rec.Version != f.version+1 {
		return fmt.Errorf("follows version %d", f.version)
	}
	f.version = rec.Version
	if rec.Kind == kindCreate {
		var first Campaign
		if err := json.Unmarshal(rec.Campaign, &first); err != nil {
			return err
		}
		*f = *newFollower(first, f.log)
		return nil
	}
	if !f.head.Exists() {
		if f.head, err = f.base.headValue(); err != nil {
			return err
		}
	}
	before := f.head
	if f.head, err = rec.Delta.apply(before); err != nil {
		return err
	}
	if rec.Turn != nil {
		f.turns = f.log.with(f.turns, *rec.Turn)
	}
	f.findStates(before.Get(statePart), f.head.Get(statePart))
	return nil
}

// findStates puts states to the references that a record added: a checkpoint marks the
// state that the record led to, everything else the one it came from. States that nothing
// leads to any more are forgotten.
func (f *follower) findStates(before, after tree.Value) {
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

// campaign is what the records led to.
func (f *follower) campaign() (Campaign, error) {
	if !f.head.Exists() {
		return f.base, nil
	}
	c, err := f.base.fromHeadValue(f.head)
	if err != nil {
		return f.base, err
	}
	c = c.clone()
	c.Turns = f.turns
	if c.Snapshots == nil {
		c.Snapshots = Snapshots{}
	}
	head := f.head.Get(statePart)
	for ref, v := range f.states {
		state := c.State
		if v != head {
			if state, err = stateFromValue(v); err != nil {
				return f.base, err
			}
		}
		c.Snapshots[ref] = &state
	}
	c.dropUnreferenced()
	return c, nil
}

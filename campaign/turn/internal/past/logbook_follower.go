package past

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/memvars/tree"
)

// follower applies records, one after the other, to the JSON value of a campaign.
type follower struct {
	base    state.Campaign // the initial campaign
	head    tree.Value     // the campaign without turns; absent before the first record
	version int64
	turns   []state.Turn
	log     *Turns
	states  map[string]tree.Value // states of references that base does not have
	damage  *state.LogDamage      // the first record that does not fit, unless it was repaired
	lost    bool                  // a record could not be read, and no record with a whole head has followed yet
}

// NewFollower returns a follower that starts from a campaign, the zero Campaign before the first
// record of a log. All followers of a campaign share the list log, one after the other.
func NewFollower(c state.Campaign, log *Turns) *follower {
	return &follower{base: c, version: c.Version, turns: c.Turns, log: log, states: map[string]tree.Value{}}
}

// Add applies a record. After an error the follower can no longer be used.
func (f *follower) Add(rec Change) (err error) {
	if f.version == 0 && rec.Head.Exists() {
		f.version = rec.Version
		f.continueFromHead(rec)
		return nil
	}
	jumps := rec.Kind == Lost && rec.Version > f.version || rec.Kind == Create && f.version == 0
	if rec.Version != f.version+1 && !jumps {
		return fmt.Errorf("follows version %d", f.version)
	}
	f.version = rec.Version
	switch {
	case rec.Kind == Create:
		return f.begin(rec)
	case rec.Kind == Past: // its turns are not held
		return nil
	case rec.Kind == Lost:
		f.lost = true
		return nil
	case rec.Head.Exists() && (f.lost || rec.Kind == Repair):
		f.continueFromHead(rec)
		return nil
	case f.lost:
		f.addTurn(rec.Turn)
		return nil
	}
	if !f.head.Exists() {
		if f.head, err = f.base.HeadValue(); err != nil {
			return err
		}
	}
	before := f.head
	if f.head, err = rec.Delta.Apply(before); err != nil {
		if f.damage == nil {
			f.damage = &state.LogDamage{Version: rec.Version, Err: err}
		}
		f.head, f.lost = before, true
		f.addTurn(rec.Turn)
		return nil
	}
	f.addTurn(rec.Turn)
	f.keepReferencedStates(before.Get("state"), f.head.Get("state"))
	return nil
}

// addTurn adds the turn of a record, if it has one, and drops turns that are no longer held.
func (f *follower) addTurn(t *state.Turn) {
	if t != nil {
		f.turns = f.log.Put(f.turns, *t)
	}
	if held, ok := f.head.Get("turns_held").AsFloat(); ok {
		f.turns = f.log.Last(f.turns, int(held))
	}
}

// continueFromHead continues with the whole head of a record, if the state before it cannot be read or was
// replaced.
func (f *follower) continueFromHead(rec Change) {
	f.lost, f.head = false, rec.Head
	if n := rec.Repair; n != nil && f.damage != nil && n.From <= f.damage.Version {
		f.damage = nil
	}
	if len(rec.Turns) > 0 {
		lost := slices.DeleteFunc(slices.Clone(rec.Turns), func(t state.Turn) bool { // not a turn that a later record has rewritten
			return slices.ContainsFunc(f.turns, func(held state.Turn) bool { return held.ID == t.ID })
		})
		f.turns = slices.Concat(f.turns, lost)
		slices.SortStableFunc(f.turns, func(a, b state.Turn) int {
			n, _ := state.TurnNumber(a.ID)
			m, _ := state.TurnNumber(b.ID)
			return cmp.Compare(n, m)
		})
	}
	f.addTurn(rec.Turn)
	kept := state.Snapshots{}
	maps.Copy(kept, f.base.Snapshots)
	maps.Copy(kept, rec.States)
	f.base.Snapshots = kept
	f.keepReferencedStates(tree.Value{}, f.head.Get("state"))
}

// begin applies the record that creates a campaign.
func (f *follower) begin(rec Change) error {
	first, err := rec.Beginning()
	if n := first.TurnsHeld; n > 0 && len(first.Turns) > n { // the other turns are in the log
		first.Turns = slices.Clip(first.Turns[len(first.Turns)-n:])
	}
	*f = *NewFollower(first, f.log)
	return err
}

// keepReferencedStates keeps the states that a record has added references to: the state after the record,
// and the state before it. It drops states without references.
func (f *follower) keepReferencedStates(before, after tree.Value) {
	used := map[string]bool{}
	use := func(ref tree.Value) {
		name, _ := ref.AsText()
		used[name] = true
	}
	checkpoints := func(list tree.Value) {
		for _, c := range list.Elements() {
			use(c.Get("state_snapshot_ref"))
		}
	}
	answers := func(a tree.Value) {
		use(a.Get("before_snapshot_ref"))
		for _, o := range a.Get("others").Elements() {
			use(o.Get("snapshot_ref"))
			checkpoints(o.Get("checkpoints"))
		}
	}
	use(f.head.Get("rollback_pending").Get("from_snapshot_ref"))
	checkpoints(f.head.Get("checkpoints"))
	answers(f.head.Get("alternatives"))
	for _, b := range f.head.Get("branches").Members() {
		use(b.Get("snapshot_ref"))
		checkpoints(b.Get("checkpoints"))
		answers(b.Get("alternatives"))
	}
	for version, s := range map[int64]tree.Value{f.version: after, f.version - 1: before} {
		ref := state.StateRef(version)
		if _, found := f.states[ref]; s.Exists() && used[ref] && !found && f.base.Snapshots[ref] == nil {
			f.states[ref] = s
		}
	}
	maps.DeleteFunc(f.states, func(ref string, _ tree.Value) bool { return !used[ref] })
}

// Campaign returns the result of the records. If a record was damaged, it also returns that error.
func (f *follower) Campaign() (state.Campaign, error) {
	c, err := f.reached()
	if err == nil && f.damage != nil {
		err = f.damage
	}
	return c, err
}

func (f *follower) reached() (state.Campaign, error) {
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

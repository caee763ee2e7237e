package state

import (
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/talewright/talewright/campaign/setting"
)

// keep has the present state at hand under a reference. Before the first version there may be
// several.
func (c *Campaign) keep(version int64) string {
	if c.Snapshots == nil {
		c.Snapshots = Snapshots{}
	}
	ref, state := StateRef(version), c.State
	if version == 0 {
		ref = fmt.Sprintf("begun_%d", len(c.Snapshots)+1)
	}
	c.Snapshots[ref] = &state
	return ref
}

// AddCheckpoint marks the present state, which the next record leads to. Above the limit the
// oldest checkpoint without a label goes first, then the oldest with one. The start always stays
// and does not count; a limit of 0 keeps no other.
func (c *Campaign) AddCheckpoint(label string, at time.Time, limit int) {
	if limit == 0 && len(c.Checkpoints) > 0 {
		c.evict(limit)
		return
	}
	c.Checkpoints = append(c.Checkpoints, Checkpoint{
		TurnID: c.State.HeadTurnID, Timestamp: at, Label: label, SnapshotRef: c.keep(c.Version + 1),
	})
	c.evict(limit)
}

func (c *Campaign) evict(limit int) {
	for {
		counted := 0
		oldest, oldestLabelled := -1, -1
		for i, cp := range c.Checkpoints {
			switch {
			case i == 0: // the start
				continue
			case cp.Label == "" && oldest < 0:
				oldest = i
			case cp.Label != "" && oldestLabelled < 0:
				oldestLabelled = i
			}
			counted++
		}
		if counted <= limit {
			break
		}
		if oldest < 0 {
			oldest = oldestLabelled
		}
		c.Checkpoints = slices.Delete(c.Checkpoints, oldest, oldest+1)
	}
	c.DropUnreferenced()
}

// Refs are the references to states that checkpoints, branches, alternatives and a pending
// rollback have.
func (c Campaign) Refs() map[string]bool {
	used := map[string]bool{}
	c.rename(func(ref string) string { used[ref] = true; return ref })
	delete(used, "")
	return used
}

// Rename gives references to states other names.
func (c *Campaign) Rename(names map[string]string) {
	c.rename(func(ref string) string { return names[ref] })
}

// rename passes all references through a function.
func (c *Campaign) rename(to func(ref string) string) {
	checkpoints := func(list []Checkpoint) []Checkpoint {
		list = slices.Clone(list)
		for i := range list {
			list[i].SnapshotRef = to(list[i].SnapshotRef)
		}
		return list
	}
	answers := func(a *Alternatives) *Alternatives {
		if a = a.clone(); a != nil {
			a.BeforeRef = to(a.BeforeRef)
			for i, o := range a.Others {
				a.Others[i].SnapshotRef, a.Others[i].Checkpoints = to(o.SnapshotRef), checkpoints(o.Checkpoints)
			}
		}
		return a
	}
	c.RollbackPending.SnapshotRef = to(c.RollbackPending.SnapshotRef)
	c.Checkpoints, c.Alternatives = checkpoints(c.Checkpoints), answers(c.Alternatives)
	branches := maps.Clone(c.Branches)
	for id, b := range c.Branches {
		b.SnapshotRef, b.Checkpoints, b.Alternatives = to(b.SnapshotRef), checkpoints(b.Checkpoints), answers(b.Alternatives)
		branches[id] = b
	}
	c.Branches = branches
}

// DropUnreferenced forgets the states that nothing leads to any more.
func (c *Campaign) DropUnreferenced() {
	used := c.Refs()
	maps.DeleteFunc(c.Snapshots, func(ref string, _ *State) bool { return !used[ref] })
}

// Kept returns the state of a reference, to be edited, if it is at hand.
func (c Campaign) Kept(ref string) (State, bool) {
	if kept := c.Snapshots[ref]; kept != nil {
		return kept.Clone(), true
	}
	return State{}, false
}

// RollbackRef returns the state that a rollback to a turn needs, or a [*Refusal].
func (c Campaign) RollbackRef(to string, limit int) (ref string, err error) {
	if limit == 0 {
		return "", refuse(RollbackUnavailable)
	}
	if c.State.HeadTurnID == to {
		return "", refuse(AlreadyThere)
	}
	for _, cp := range c.Checkpoints {
		if cp.TurnID == to {
			ref = cp.SnapshotRef // the newest of several at one turn
		}
	}
	if reached := c.onBranch(to); ref == "" || !reached {
		detail := fmt.Sprintf("no turn %q on this branch", to)
		if reached {
			detail = fmt.Sprintf("the checkpoint of %s is gone: %d are kept (%s); a fork still reaches it, if it was played in this campaign",
				to, limit, setting.MaxCheckpoints)
		}
		return "", &Refusal{Code: CheckpointNotFound, Detail: detail}
	}
	return ref, nil
}

// Rollback goes back to a turn and the state that [Campaign.RollbackRef] has named. Later turns
// are set aside, and the place that was left is remembered until the undo window closes.
func (c *Campaign) Rollback(to string, s State) {
	c.PendingConflict = nil // it was about the place that is left
	if !c.RollbackPending.IsPending {
		c.RollbackPending = RollbackPending{
			IsPending: true, FromTurnID: c.State.HeadTurnID, SnapshotRef: c.keep(c.Version),
		}
	}
	c.RollbackPending.ToTurnID = to
	c.RollbackPending.CanUndo = true
	c.State = s
}

// onBranch reports whether a turn is on this branch, among those that a pending
// rollback has set aside, or the start. Checkpoints of other branches wait for a
// switch.
func (c Campaign) onBranch(id string) bool {
	if id == c.Checkpoints[0].TurnID || c.LeadsTo(id, c.State.HeadTurnID) {
		return true
	}
	return c.RollbackPending.IsPending && c.LeadsTo(id, c.RollbackPending.FromTurnID)
}

// UndoRef returns the state that an undo of the pending rollback needs, or a [*Refusal].
func (c Campaign) UndoRef() (ref string, err error) {
	if !c.RollbackPending.CanUndo {
		return "", &Refusal{Code: UndoNotAllowed, Detail: "no rollback is pending: a new instruction " +
			"closes the window, and what was set aside is a branch then"}
	}
	return c.RollbackPending.SnapshotRef, nil
}

// UndoRollback returns to where the first of the pending rollbacks started, to the state that
// [Campaign.UndoRef] has named.
func (c *Campaign) UndoRollback(s State) {
	c.PendingConflict = nil
	c.State = s
	c.RollbackPending = RollbackPending{}
	c.DropUnreferenced()
}

// CloseUndo ends the undo window: what was set aside becomes a branch of its
// own right, and the head starts a new one. It reports whether it did anything.
func (c *Campaign) CloseUndo() bool {
	p := c.RollbackPending
	if !p.IsPending {
		return false
	}
	c.leaveBranch(p.FromTurnID, p.SnapshotRef)
	next := fmt.Sprintf("branch_%d", c.countBranch())
	c.Branches[next] = Branch{Parent: c.BranchID, ForkTurnID: p.ToTurnID}
	c.BranchID = next
	c.RollbackPending = RollbackPending{}
	// Checkpoints of turns that are not on this branch belong to the other one.
	start := c.Checkpoints[0].TurnID
	c.Checkpoints = slices.DeleteFunc(c.Checkpoints, func(cp Checkpoint) bool {
		return cp.TurnID != start && !c.LeadsTo(cp.TurnID, c.State.HeadTurnID)
	})
	c.DropUnreferenced()
	return true
}

// countBranch is the number of a new branch.
func (c *Campaign) countBranch() int {
	n := len(c.Branches)
	if c.Attic.Branches > 0 { // some are on pages
		n = c.Attic.Branches
		c.Attic.Branches++
	}
	return n
}

// BranchRef returns the state that a switch to a branch needs, or a [*Refusal].
func (c Campaign) BranchRef(id string) (ref string, err error) {
	target, ok := c.Branches[id]
	switch {
	case !ok:
		return "", refuse(BranchNotFound)
	case id == c.BranchID:
		return "", refuse(AlreadyThere)
	}
	return target.SnapshotRef, nil
}

// SwitchBranch goes to the head of another branch, to the state that [Campaign.BranchRef] has
// named, and leaves the present one where it stands.
func (c *Campaign) SwitchBranch(id string, limit int, s State) {
	target := c.Branches[id]
	// A rollback that is pending ends: the branch is left with its turns, and not a
	// branch without any where it was rolled back to.
	if p := c.RollbackPending; p.IsPending {
		c.leaveBranch(p.FromTurnID, p.SnapshotRef)
		c.RollbackPending = RollbackPending{}
	} else {
		c.leaveBranch(c.State.HeadTurnID, c.keep(c.Version))
	}
	c.PendingConflict = nil
	c.State = s
	c.BranchID = id
	if len(target.Checkpoints) > 0 { // none in logs of the first versions
		c.Checkpoints = slices.Clone(target.Checkpoints)
	} else {
		c.Checkpoints = c.Checkpoints[:1:1]
	}
	c.Alternatives = target.Alternatives
	target.HeadTurnID, target.SnapshotRef, target.Checkpoints, target.Alternatives = "", "", nil, nil
	c.Branches[id] = target
	c.evict(limit)
}

// leaveBranch notes where the present branch is left, and its checkpoints.
func (c *Campaign) leaveBranch(head, snapshotRef string) {
	if c.Branches == nil {
		c.Branches = map[string]Branch{}
	}
	left := c.Branches[c.BranchID]
	left.HeadTurnID, left.SnapshotRef = head, snapshotRef
	left.Checkpoints = slices.Clone(c.Checkpoints)
	if a := c.Alternatives; a != nil && a.Chosen == head && len(a.Others) > 0 {
		left.Alternatives = a
	}
	c.Branches[c.BranchID] = left
}

// findSnapshots has the states at hand that the newest record has given references to: the
// one that it led to, and the one that it came from.
func (c *Campaign) findSnapshots(before State) {
	if c.Snapshots == nil {
		c.Snapshots = Snapshots{}
	}
	used := c.Refs()
	for version, s := range map[int64]*State{c.Version: &c.State, c.Version - 1: &before} {
		ref := StateRef(version)
		if _, known := c.Snapshots[ref]; used[ref] && !known {
			kept := *s
			c.Snapshots[ref] = &kept
		}
	}
	c.DropUnreferenced()
}

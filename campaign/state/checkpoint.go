package state

import (
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/talewright/talewright/campaign/internal/settingkey"
)

// keep stores the present state in Snapshots and returns its reference. Before the first version
// there may be several states, which get numbered references.
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

// AddCheckpoint marks the present state, which is the state after the next record. If there are
// more than limit checkpoints, the oldest without a label is dropped first, then the oldest with a
// label. The start is never dropped and does not count. A limit of 0 keeps only the start.
func (c *Campaign) AddCheckpoint(label string, at time.Time, limit int) {
	if limit == 0 && len(c.Checkpoints) > 0 {
		c.evict(0)
		return
	}
	cp := Checkpoint{TurnID: c.State.HeadTurnID, Timestamp: at, Label: label, SnapshotRef: c.keep(c.Version + 1)}
	if a := c.headAlternatives(); a != nil {
		cp.Submission = a.Submission
	}
	c.Checkpoints = append(c.Checkpoints, cp)
	c.evict(limit)
}

func (c *Campaign) evict(limit int) {
	start := min(1, len(c.Checkpoints))
	rest := c.Checkpoints[start:]
	for len(rest) > limit {
		oldest := max(0, slices.IndexFunc(rest, func(cp Checkpoint) bool { return cp.Label == "" }))
		rest = slices.Delete(rest, oldest, oldest+1)
	}
	c.Checkpoints = c.Checkpoints[:start+len(rest)]
	c.DropUnreferenced()
}

// Refs returns the references to states in checkpoints, branches, alternatives and a pending
// rollback.
func (c Campaign) Refs() map[string]bool {
	used := make(map[string]bool, 2+len(c.Checkpoints)+len(c.Branches))
	c.rename(func(ref string) string { used[ref] = true; return ref })
	delete(used, "")
	return used
}

// Rename replaces references to states by the names in the map.
func (c *Campaign) Rename(names map[string]string) {
	c.rename(func(ref string) string { return names[ref] })
}

// rename applies a function to all references.
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

// DropUnreferenced removes the snapshots that no reference names.
func (c *Campaign) DropUnreferenced() { c.dropOthers(c.Refs()) }

// dropOthers removes the snapshots that are not used.
func (c *Campaign) dropOthers(used map[string]bool) {
	maps.DeleteFunc(c.Snapshots, func(ref string, _ *State) bool { return !used[ref] })
}

// Kept returns a copy of the state of a reference, if the state is in memory. The caller may edit
// the copy.
func (c Campaign) Kept(ref string) (State, bool) {
	if kept := c.Snapshots[ref]; kept != nil {
		return kept.Clone(), true
	}
	return State{}, false
}

// RollbackRef returns the reference to the state that a rollback to a turn needs, or a [*Refusal].
func (c Campaign) RollbackRef(to string, limit int) (ref string, err error) {
	if limit == 0 {
		return "", refuse(RollbackUnavailable)
	}
	if c.State.HeadTurnID == to {
		return "", refuse(refusalAlreadyThere)
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
				to, limit, settingkey.MaxCheckpoints)
		}
		return "", &Refusal{Code: CheckpointNotFound, Detail: detail}
	}
	return ref, nil
}

// Rollback moves the head back to a turn. s is the state that [Campaign.RollbackRef] named. The
// later turns and the place of the old head are stored until the undo window closes.
func (c *Campaign) Rollback(to string, s State) {
	c.PendingConflict = nil // it was about the old head
	if !c.RollbackPending.IsPending {
		c.RollbackPending = RollbackPending{
			IsPending: true, FromTurnID: c.State.HeadTurnID, SnapshotRef: c.keep(c.Version),
		}
	}
	c.RollbackPending.ToTurnID = to
	c.RollbackPending.CanUndo = true
	c.State = s
}

// onBranch reports whether a turn is the start, is on the present branch, or is one of the turns
// that a pending rollback left. Checkpoints of other branches can be reached only after a switch of
// the branch.
func (c Campaign) onBranch(id string) bool {
	if id == c.Checkpoints[0].TurnID || c.LeadsTo(id, c.State.HeadTurnID) {
		return true
	}
	return c.RollbackPending.IsPending && c.LeadsTo(id, c.RollbackPending.FromTurnID)
}

// UndoRef returns the reference to the state that an undo of the pending rollback needs, or a
// [*Refusal].
func (c Campaign) UndoRef() (ref string, err error) {
	if !c.RollbackPending.CanUndo {
		return "", &Refusal{Code: UndoNotAllowed, Detail: "no rollback is pending: a new instruction " +
			"closes the window, and what was set aside is a branch then"}
	}
	return c.RollbackPending.SnapshotRef, nil
}

// UndoRollback returns to the head before the first of the pending rollbacks. s is the state that
// [Campaign.UndoRef] named.
func (c *Campaign) UndoRollback(s State) {
	c.PendingConflict = nil
	c.State = s
	c.RollbackPending = RollbackPending{}
	c.DropUnreferenced()
}

// CloseUndo ends the undo window. The turns that the rollback left become a branch of their own,
// and the head starts a new branch. It reports whether a rollback was pending.
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
	// Checkpoints of turns that are not on the new branch belong to the old one.
	start := c.Checkpoints[0].TurnID
	c.Checkpoints = slices.DeleteFunc(c.Checkpoints, func(cp Checkpoint) bool {
		return cp.TurnID != start && !c.LeadsTo(cp.TurnID, c.State.HeadTurnID)
	})
	c.DropUnreferenced()
	return true
}

// countBranch returns the number of a new branch.
func (c *Campaign) countBranch() int {
	n := len(c.Branches)
	if c.Archive.Branches > 0 { // some branches are on archive pages
		n = c.Archive.Branches
		c.Archive.Branches++
	}
	return n
}

// BranchRef returns the reference to the state that a switch to a branch needs, or a [*Refusal].
func (c Campaign) BranchRef(id string) (ref string, err error) {
	target, ok := c.Branches[id]
	switch {
	case !ok:
		return "", &Refusal{Code: BranchNotFound, Detail: fmt.Sprintf("no branch %q: Engine.Branches lists them", id)}
	case id == c.BranchID:
		return "", refuse(refusalAlreadyThere)
	}
	return target.SnapshotRef, nil
}

// SwitchBranch moves the head to the head of a different branch. s is the state that
// [Campaign.BranchRef] named. The present branch is stored as it is.
func (c *Campaign) SwitchBranch(id string, limit int, s State) {
	target := c.Branches[id]
	// A pending rollback ends. The branch is stored with the turns that the rollback left, not with
	// the turn that it returned to.
	if p := c.RollbackPending; p.IsPending {
		c.leaveBranch(p.FromTurnID, p.SnapshotRef)
		c.RollbackPending = RollbackPending{}
	} else {
		c.leaveBranch(c.State.HeadTurnID, c.keep(c.Version))
	}
	c.PendingConflict = nil
	c.State = s
	c.BranchID = id
	c.Checkpoints = slices.Clone(target.Checkpoints)
	c.Alternatives = target.Alternatives
	target.HeadTurnID, target.SnapshotRef, target.Checkpoints, target.Alternatives = "", "", nil, nil
	c.Branches[id] = target
	c.evict(limit)
}

// leaveBranch records the head and the checkpoints of the present branch.
func (c *Campaign) leaveBranch(head, snapshotRef string) {
	if c.Branches == nil { // a damaged snapshot
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

// findSnapshots puts the states that the newest record refers to into Snapshots: the state before
// the record and the state after it.
func (c *Campaign) findSnapshots(before State) {
	if c.Snapshots == nil {
		c.Snapshots = Snapshots{}
	}
	used := c.Refs()
	for i, s := range [...]*State{&c.State, &before} {
		ref := StateRef(c.Version - int64(i))
		if _, known := c.Snapshots[ref]; used[ref] && !known {
			kept := *s
			c.Snapshots[ref] = &kept
		}
	}
	c.dropOthers(used)
}

package state

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/talewright/talewright/campaign/setting"
)

// Checkpoint is a place that a rollback can return to.
type Checkpoint struct {
	TurnID    string    `json:"turn_id"`
	Timestamp time.Time `json:"timestamp,omitzero"`
	Label     string    `json:"label,omitempty"`
	// SnapshotRef names the state in [Campaign.Snapshots].
	SnapshotRef string `json:"state_snapshot_ref"`

	Extra map[string]json.RawMessage `json:"-"` // unknown JSON members, kept
}

// RollbackPending says that the campaign stands at an earlier turn and may still
// return. The window closes when a new instruction is accepted.
type RollbackPending struct {
	IsPending  bool   `json:"is_pending"`
	FromTurnID string `json:"from_turn_id,omitempty"`
	ToTurnID   string `json:"to_turn_id,omitempty"`
	CanUndo    bool   `json:"can_undo"`
	// SnapshotRef names the state that an undo restores.
	SnapshotRef string `json:"from_snapshot_ref,omitempty"`

	Extra map[string]json.RawMessage `json:"-"` // unknown JSON members, kept
}

// Branch is one line of turns. ForkTurnID is the last turn that it shares with
// its parent.
type Branch struct {
	Parent     string `json:"parent,omitempty"`
	ForkTurnID string `json:"fork_turn_id,omitempty"`
	// HeadTurnID and SnapshotRef are where the branch was left; the branch that
	// is being played has its head in the state.
	HeadTurnID  string `json:"head_turn_id,omitempty"`
	SnapshotRef string `json:"snapshot_ref,omitempty"`
	// Checkpoints are those of a branch that is not being played, Alternatives the answers
	// that are not chosen at its head, if there are any.
	Checkpoints  []Checkpoint  `json:"checkpoints,omitempty"`
	Alternatives *Alternatives `json:"alternatives,omitempty"`

	Extra map[string]json.RawMessage `json:"-"` // unknown JSON members, kept
}

// The names that every campaign begins with: of its branch, and of its first checkpoint.
const (
	MainBranch = "main"
	StartLabel = "start"
)

// keep stores the present state and returns its reference.
func (c *Campaign) keep() string {
	c.SnapshotCounter++
	ref := fmt.Sprintf("snapshot_%04d", c.SnapshotCounter)
	c.store(ref)
	return ref
}

// store stores the present state under a reference.
func (c *Campaign) store(ref string) {
	if c.Snapshots == nil {
		c.Snapshots = Snapshots{}
	}
	state := c.State
	c.Snapshots[ref] = &state
}

// AddCheckpoint marks the present state. Above the limit the oldest checkpoint
// without a label goes first, then the oldest with one. The start always stays
// and does not count; a limit of 0 keeps no other.
func (c *Campaign) AddCheckpoint(label string, at time.Time, limit int) {
	if limit == 0 && len(c.Checkpoints) > 0 {
		c.evict(limit)
		return
	}
	c.Checkpoints = append(c.Checkpoints, Checkpoint{
		TurnID: c.State.HeadTurnID, Timestamp: at, Label: label, SnapshotRef: c.keep(),
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

// DropUnreferenced forgets the states that nothing leads to any more.
func (c *Campaign) DropUnreferenced() {
	used := map[string]bool{c.RollbackPending.SnapshotRef: true}
	use := func(ref string) { used[ref] = true }
	for _, cp := range c.Checkpoints {
		use(cp.SnapshotRef)
	}
	c.Alternatives.refs(use)
	for _, b := range c.Branches {
		use(b.SnapshotRef)
		b.Alternatives.refs(use)
		for _, cp := range b.Checkpoints {
			use(cp.SnapshotRef)
		}
	}
	maps.DeleteFunc(c.Snapshots, func(ref string, _ *State) bool { return !used[ref] })
}

// Rollback goes back to a checkpoint. Later turns are set aside, and the place
// that was left is remembered until the undo window closes.
func (c *Campaign) Rollback(to string, limit int) error {
	if limit == 0 {
		return refuse(RollbackUnavailable)
	}
	if c.State.HeadTurnID == to {
		return refuse(AlreadyThere)
	}
	i := -1
	for j, cp := range c.Checkpoints {
		if cp.TurnID == to {
			i = j // the newest of several at one turn
		}
	}
	if reached := c.reaches(to); i < 0 || !reached {
		detail := "no turn " + to + " on this branch"
		if reached {
			detail = fmt.Sprintf("the checkpoint of %s is gone: %d are kept (%s); a fork still reaches it",
				to, limit, setting.MaxCheckpoints)
		}
		return &Refusal{Code: CheckpointNotFound, Detail: detail}
	}
	c.PendingConflict = nil // it was about the place that is left
	if !c.RollbackPending.IsPending {
		c.RollbackPending = RollbackPending{
			IsPending: true, FromTurnID: c.State.HeadTurnID, SnapshotRef: c.keep(),
		}
	}
	c.RollbackPending.ToTurnID = to
	c.RollbackPending.CanUndo = true
	c.State = c.Snapshots.state(c.Checkpoints[i].SnapshotRef)
	return nil
}

// reaches reports whether a turn is on this branch, among those that a pending
// rollback has set aside, or the start. Checkpoints of other branches wait for a
// switch.
func (c *Campaign) reaches(id string) bool {
	if id == c.Checkpoints[0].TurnID {
		return true
	}
	for _, head := range []string{c.State.HeadTurnID, c.RollbackPending.FromTurnID} {
		for t := range c.Back(head) {
			if t.ID == id {
				return true
			}
		}
	}
	return false
}

// UndoRollback returns to where the first of the pending rollbacks started.
func (c *Campaign) UndoRollback() error {
	if !c.RollbackPending.CanUndo {
		return &Refusal{Code: UndoNotAllowed, Detail: "no rollback is pending: a new instruction " +
			"closes the window, and what was set aside is a branch then"}
	}
	c.PendingConflict = nil
	c.State = c.Snapshots.state(c.RollbackPending.SnapshotRef)
	c.RollbackPending = RollbackPending{}
	c.DropUnreferenced()
	return nil
}

// CloseUndo ends the undo window: what was set aside becomes a branch of its
// own right, and the head starts a new one. It reports whether it did anything.
func (c *Campaign) CloseUndo() bool {
	p := c.RollbackPending
	if !p.IsPending {
		return false
	}
	c.leave(p.FromTurnID, p.SnapshotRef)
	next := fmt.Sprintf("branch_%d", len(c.Branches))
	c.Branches[next] = Branch{Parent: c.BranchID, ForkTurnID: p.ToTurnID}
	c.BranchID = next
	c.RollbackPending = RollbackPending{}
	// Checkpoints of turns that are not on this branch belong to the other one.
	onBranch := map[string]bool{c.Checkpoints[0].TurnID: true} // the start
	for t := range c.Back(c.State.HeadTurnID) {
		onBranch[t.ID] = true
	}
	c.Checkpoints = slices.DeleteFunc(c.Checkpoints, func(cp Checkpoint) bool {
		return !onBranch[cp.TurnID]
	})
	c.DropUnreferenced()
	return true
}

// SwitchBranch goes to the head of another branch and leaves the present one
// where it stands.
func (c *Campaign) SwitchBranch(id string, limit int) error {
	target, ok := c.Branches[id]
	if !ok {
		return refuse(BranchNotFound)
	}
	if id == c.BranchID {
		return refuse(AlreadyThere)
	}
	// A rollback that is pending ends: the branch is left with its turns, and not a
	// branch without any where it was rolled back to.
	if p := c.RollbackPending; p.IsPending {
		c.leave(p.FromTurnID, p.SnapshotRef)
		c.RollbackPending = RollbackPending{}
	} else {
		c.leave(c.State.HeadTurnID, c.keep())
	}
	c.PendingConflict = nil
	c.State = c.Snapshots.state(target.SnapshotRef)
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
	return nil
}

// leave notes where the present branch is left, and its checkpoints.
func (c *Campaign) leave(head, snapshotRef string) {
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

// findSnapshots puts states to the references that a record added: a checkpoint
// marks the state that the record led to, everything else the one it came from.
func (c *Campaign) findSnapshots(before State) {
	if c.Snapshots == nil {
		c.Snapshots = Snapshots{}
	}
	add := func(ref string, s *State) {
		if _, known := c.Snapshots[ref]; ref != "" && !known {
			kept := *s
			c.Snapshots[ref] = &kept
		}
	}
	for _, cp := range c.Checkpoints {
		add(cp.SnapshotRef, &c.State)
	}
	add(c.RollbackPending.SnapshotRef, &before)
	for _, b := range c.Branches {
		add(b.SnapshotRef, &before)
	}
	c.Alternatives.refs(func(ref string) { add(ref, &before) })
	c.DropUnreferenced()
}

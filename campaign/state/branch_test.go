package state_test

import (
	"maps"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/talewright/talewright/campaign/conflict"
	"github.com/talewright/talewright/campaign/state"
)

// TestBranchAfterARollback: with the next instruction a rollback becomes final. The turns that were set
// aside are a branch with their checkpoints, and states that nothing needs are dropped.
func TestBranchAfterARollback(t *testing.T) {
	t.Parallel()
	first, third := state.TurnID(1), state.TurnID(3)
	point := func(turn, ref string) state.Checkpoint { return state.Checkpoint{TurnID: turn, SnapshotRef: ref} }
	c := state.Campaign{BranchID: "main", Branches: map[string]state.Branch{"main": {}}, TurnCounter: 3, State: state.State{HeadTurnID: first},
		RollbackPending: state.RollbackPending{IsPending: true, CanUndo: true, FromTurnID: third, ToTurnID: first, SnapshotRef: "from"},
		Checkpoints:     []state.Checkpoint{point(state.StartTurnID, "start"), point(first, "first"), point(third, "third")},
		Snapshots:       state.Snapshots{}}
	for _, ref := range []string{"start", "first", "third", "from", "lost"} {
		c.Snapshots[ref] = &state.State{}
	}
	if !c.CloseUndo() || c.CloseUndo() {
		t.Error("a rollback becomes final once")
	}
	if diff := cmp.Diff([]string{"first", "from", "start", "third"}, slices.Sorted(maps.Keys(c.Snapshots))); diff != "" {
		t.Errorf("states (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]state.Checkpoint{point(state.StartTurnID, "start"), point(first, "first")}, c.Checkpoints); diff != "" {
		t.Errorf("checkpoints (-want +got):\n%s", diff)
	}
	left := c.Branches["main"]
	if left.HeadTurnID != third || left.SnapshotRef != "from" || len(left.Checkpoints) != 3 {
		t.Errorf("the branch that was left: %+v", left)
	}
	if now := c.Branches[c.BranchID]; c.BranchID == "main" || now.Parent != "main" || now.ForkTurnID != first {
		t.Errorf("the new branch %s: %+v", c.BranchID, now)
	}
}

// TestLongerHead: a longer version of the head turn has new dice and new evidence. Only its checkpoints
// with a label still fit.
func TestLongerHead(t *testing.T) {
	t.Parallel()
	head := state.TurnID(2)
	c := state.Campaign{State: state.State{HeadTurnID: head}, Alternatives: &state.Alternatives{Chosen: head}, Checkpoints: []state.Checkpoint{
		{TurnID: state.StartTurnID}, {TurnID: head, SnapshotRef: "plain"}, {TurnID: head, SnapshotRef: "named", Label: "the duel"}}}
	c.RenewHead(map[string][]int{"d": {4}}, []conflict.Action{{ID: "c1"}})
	if len(c.Checkpoints) != 2 || c.Checkpoints[1].SnapshotRef != "named" {
		t.Errorf("checkpoints: %+v", c.Checkpoints)
	}
	if a := c.Alternatives; len(a.Rolls) != 1 || len(a.Evidence) != 1 {
		t.Errorf("the data for another answer: %+v", a)
	}
}

// TestStatesOfABeginning: the first record stores the states of further answers, not its own.
func TestStatesOfABeginning(t *testing.T) {
	t.Parallel()
	own, other := state.StateRef(3), state.StateRef(7)
	c := state.Campaign{Version: 3, Snapshots: state.Snapshots{own: &state.State{}}}
	if got := c.BeginsWith(); got != nil {
		t.Errorf("one answer: %v", got)
	}
	c.Snapshots[other] = &state.State{}
	if got := c.BeginsWith(); len(got) != 1 || got[other] == nil || len(c.Snapshots) != 2 {
		t.Errorf("two answers: %v", got)
	}
}

package past

import (
	"maps"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/talewright/talewright/campaign/question"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/internal/openjson"
	"github.com/talewright/talewright/memvars/tree"
)

// TestReferencedStates: reading a log keeps the states that the campaign refers to, and no others.
// The states of an archived branch and the turns of a copied campaign can still be read.
func TestReferencedStates(t *testing.T) {
	t.Parallel()
	first, second, third := state.StateRef(1), state.StateRef(2), state.StateRef(3)
	log := new(Reader)
	c := state.Campaign{Version: 1, BranchID: "main", State: state.State{TurnCount: 1}, Turns: []state.Turn{{ID: state.TurnID(1)}},
		Checkpoints: []state.Checkpoint{{SnapshotRef: first}}, Branches: map[string]state.Branch{"main": {}}}
	data, err := openjson.Marshal(c)
	if err == nil {
		err = log.Add(Change{Version: 1, Kind: Create, Campaign: data})
	}
	if err != nil {
		t.Fatal(err)
	}
	commit := func(page *state.ArchivePage, change func()) {
		before, err := c.HeadValue()
		if err != nil {
			t.Fatal(err)
		}
		c.Version++
		change()
		after, err := c.HeadValue()
		if err == nil {
			err = log.Add(Change{Version: c.Version, Delta: state.Diff(before, after), Archive: page})
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	left := state.Branch{SnapshotRef: second}
	commit(nil, func() {
		c.State.TurnCount, c.Branches = 2, map[string]state.Branch{"main": {}, "left": left}
	})
	archived, err := tree.Of(left)
	if err != nil {
		t.Fatal(err)
	}
	commit(&state.ArchivePage{Branches: map[string]tree.Value{"left": archived}}, func() {
		c.State.TurnCount, c.Branches, c.Checkpoints = 3, map[string]state.Branch{"main": {}}, []state.Checkpoint{{SnapshotRef: third}}
	})
	reached, err := log.Campaign()
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{third}, slices.Sorted(maps.Keys(reached.Snapshots))); diff != "" || len(log.follower.states) != 1 {
		t.Errorf("held %d, states (-want +got):\n%s", len(log.follower.states), diff)
	}
	for ref, count := range map[string]int{first: 1, second: 2, third: 3, "nowhere": 0} {
		if read, err := log.Past(question.Past{State: ref}); err != nil || (read.State != nil) != (count > 0) || count > 0 && read.State.TurnCount != count {
			t.Errorf("the state %s: %+v, %v", ref, read.State, err)
		}
	}
	// After a lost record, the state is unknown until a record has it whole. The turns and the kept states stay.
	head, err := c.HeadValue()
	if err != nil {
		t.Fatal(err)
	}
	for _, rec := range []Change{{Version: 4, Kind: Lost}, {Version: 5, Delta: state.Delta{{Path: tree.Path{"state", "no", "such"}}}, Turn: &state.Turn{ID: state.TurnID(4)}},
		{Version: 6, Head: head, Turn: &state.Turn{ID: state.TurnID(5)}}} {
		if err := log.Add(rec); err != nil {
			t.Fatal(err)
		}
		if log.Lost() != (rec.Version < 6) {
			t.Errorf("after record %d, lost: %t", rec.Version, log.Lost())
		}
	}
	if reached, err := log.Campaign(); err != nil || len(reached.Turns) != 3 || reached.Snapshots[third] == nil {
		t.Errorf("after a lost record: %+v, %v", reached, err)
	}
	read, err := log.Past(question.Past{State: second, Turns: []string{state.TurnID(1)}})
	if err != nil || read.State == nil || read.State.TurnCount != 2 || len(read.Turns) != 1 {
		t.Errorf("%+v, %v", read, err)
	}
}

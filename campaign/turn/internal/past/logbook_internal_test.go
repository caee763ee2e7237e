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

// readerOf returns a reader that has read the first record of a campaign.
func readerOf(t *testing.T, c state.Campaign) *Reader {
	t.Helper()
	log := new(Reader)
	data, err := openjson.Marshal(c)
	if err == nil {
		err = log.Add(Change{Version: 1, Kind: Create, Campaign: data})
	}
	if err != nil {
		t.Fatal(err)
	}
	return log
}

// addCommit changes a campaign and adds the record of the change to its log.
func addCommit(t *testing.T, log *Reader, c *state.Campaign, page *state.ArchivePage, change func()) {
	t.Helper()
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

// TestEveryReferenceKeepsItsState: a state stays readable while anything in the head refers to it, and no
// longer.
func TestEveryReferenceKeepsItsState(t *testing.T) {
	t.Parallel()
	first := state.StateRef(1)
	points := []state.Checkpoint{{SnapshotRef: first}}
	answers := map[string]*state.Alternatives{
		"the state before a line":        {BeforeRef: first},
		"another answer":                 {Others: []state.Alternative{{SnapshotRef: first}}},
		"a checkpoint of another answer": {Others: []state.Alternative{{Checkpoints: points}}},
	}
	places := map[string]func(*state.Campaign){
		"nothing":                  func(*state.Campaign) {},
		"a checkpoint":             func(c *state.Campaign) { c.Checkpoints = points },
		"a rollback":               func(c *state.Campaign) { c.RollbackPending.SnapshotRef = first },
		"a branch":                 func(c *state.Campaign) { c.Branches["left"] = state.Branch{SnapshotRef: first} },
		"a checkpoint of a branch": func(c *state.Campaign) { c.Branches["left"] = state.Branch{Checkpoints: points} },
	}
	for name, a := range answers {
		places[name] = func(c *state.Campaign) { c.Alternatives = a }
		places[name+" of a branch"] = func(c *state.Campaign) { c.Branches["left"] = state.Branch{Alternatives: a} }
	}
	for name, refer := range places {
		c := state.Campaign{Version: 1, BranchID: "main", State: state.State{TurnCount: 1}, Branches: map[string]state.Branch{"main": {}}}
		log := readerOf(t, c)
		for _, change := range []func(*state.Campaign){refer, func(*state.Campaign) {}} {
			addCommit(t, log, &c, nil, func() {
				c.State.TurnCount++
				change(&c)
			})
		}
		read, err := log.Past(question.Past{State: first})
		if err != nil {
			t.Fatal(name, err)
		}
		if kept := read.State != nil; kept != (name != "nothing") || kept && read.State.TurnCount != 1 {
			t.Errorf("%s refers to the first state, which is %+v", name, read.State)
		}
	}
}

// TestReferencedStates: reading a log keeps the states that the campaign refers to, and no others.
// The states of an archived branch and the turns of a copied campaign can still be read.
func TestReferencedStates(t *testing.T) {
	t.Parallel()
	first, second, third := state.StateRef(1), state.StateRef(2), state.StateRef(3)
	c := state.Campaign{Version: 1, BranchID: "main", State: state.State{TurnCount: 1}, Turns: []state.Turn{{ID: state.TurnID(1)}},
		Checkpoints: []state.Checkpoint{{SnapshotRef: first}}, Branches: map[string]state.Branch{"main": {}}}
	log := readerOf(t, c)
	left := state.Branch{SnapshotRef: second}
	addCommit(t, log, &c, nil, func() {
		c.State.TurnCount, c.Branches = 2, map[string]state.Branch{"main": {}, "left": left}
	})
	archived, err := tree.Of(left)
	if err != nil {
		t.Fatal(err)
	}
	addCommit(t, log, &c, &state.ArchivePage{Branches: map[string]tree.Value{"left": archived}}, func() {
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

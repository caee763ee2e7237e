package state_test

import (
	"encoding/json"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/memvars/tree"
)

// TestStoredPartsReadBack: a time of a different zone is kept as it reads back from the log. A member
// without a JSON form is an error, whether the whole campaign is written or its changed parts.
func TestStoredPartsReadBack(t *testing.T) {
	t.Parallel()
	base, head, err := state.Campaign{}.AsStored(state.Campaign{}, tree.Value{})
	if err != nil {
		t.Fatal(err)
	}
	broken := map[string]json.RawMessage{"later": json.RawMessage("{")}
	late := time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC)
	zone := time.Date(2026, 1, 1, 0, 0, 0, 0, time.FixedZone("X", 3600))
	for name, c := range map[string]struct {
		change func(*state.Campaign)
		fails  bool
	}{
		"a zone":     {func(c *state.Campaign) { c.CreatedAt = zone }, false},
		"a year":     {func(c *state.Campaign) { c.CreatedAt = late }, true},
		"a member":   {func(c *state.Campaign) { c.Checkpoints = []state.Checkpoint{{Extra: broken}} }, true},
		"of a state": {func(c *state.Campaign) { c.State.Characters = []state.Character{{Extra: broken}} }, true},
	} {
		next := base
		c.change(&next)
		for _, head := range []tree.Value{{}, head} {
			got, v, err := next.AsStored(base, head)
			if (err != nil) != c.fails {
				t.Errorf("%s: %v", name, err)
			}
			if back, err := got.WithHeadValue(v); !c.fails && (err != nil || !reflect.DeepEqual(back.CreatedAt, got.CreatedAt)) {
				t.Errorf("%s: %v, and it reads back as %v, %v", name, got.CreatedAt, back.CreatedAt, err)
			}
		}
	}
}

// TestLeftAnswersAreLimited: the oldest answers go when there are more than the limit.
func TestLeftAnswersAreLimited(t *testing.T) {
	t.Parallel()
	for limit, want := range map[int][]string{0: {}, 1: {}, 2: {state.TurnID(3)}, 3: {state.TurnID(2), state.TurnID(3)}, 9: {state.TurnID(1), state.TurnID(2), state.TurnID(3)}} {
		c := state.Campaign{State: state.State{HeadTurnID: state.TurnID(3)}, Snapshots: state.Snapshots{}}
		c.LeaveHead(state.Alternatives{Others: []state.Alternative{{TurnID: state.TurnID(1)}, {TurnID: state.TurnID(2)}}}, limit)
		got := []string{}
		for _, o := range c.Alternatives.Others {
			got = append(got, o.TurnID)
		}
		if !slices.Equal(got, want) {
			t.Errorf("at most %d: %v", limit, got)
		}
	}
}

// TestUnknownHeads: a turn that was not played yet has no past. A view is a value of its character.
func TestUnknownHeads(t *testing.T) {
	t.Parallel()
	c := state.Campaign{TurnCounter: 3, State: state.State{Characters: []state.Character{{ID: "ann", AreaID: "hall"}, {ID: "bo", AreaID: "gate"}}}}
	if got := c.Newest(state.TurnID(4), 9); len(got) > 0 {
		t.Errorf("%v", got)
	}
	for name, want := range map[string]string{"area.ann": `"hall"`, "area.bo": `"gate"`, "area.cy": "null"} {
		if got, ok := (state.Views{State: &c.State}).View(name); got.String() != want || ok != (want != "null") {
			t.Errorf("%s: %s, %v", name, got, ok)
		}
	}
}

// TestEqualSnapshotsAreOne: turns after which the state is the same share it in memory.
func TestEqualSnapshotsAreOne(t *testing.T) {
	t.Parallel()
	var got state.Snapshots
	if err := json.Unmarshal([]byte(`[{"ref": "a", "state": {"variables": {}}}, {"ref": "b"}]`), &got); err != nil {
		t.Fatal(err)
	}
	if got["a"] == nil || got["a"] != got["b"] {
		t.Errorf("the states are %p and %p", got["a"], got["b"])
	}
}

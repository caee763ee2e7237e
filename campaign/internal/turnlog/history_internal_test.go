package turnlog

import (
	"slices"
	"strings"
	"testing"

	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/memvars/tree"
)

// TestNearestSiblings: of many answers to a line, those with the nearest numbers stay, in order.
func TestNearestSiblings(t *testing.T) {
	t.Parallel()
	ids := func(first, last int) (list []string) {
		for n := first; n <= last; n++ {
			list = append(list, state.TurnID(n))
		}
		return list
	}
	const most = state.MostOthers
	for _, c := range []struct{ n, first, last int }{{1, 1, most}, {most + 9, 10, most + 9}, {most, 10, most + 9}, {most/2 + 3, 3, most + 2}} {
		got := nearestSiblings(state.TurnID(c.n), ids(1, most+9))
		if want := ids(c.first, c.last); len(got) != most || !slices.Contains(got, state.TurnID(c.n)) || c.first == 1 && !slices.Equal(got, want) ||
			c.first == 10 && !slices.Equal(got, want) {
			t.Errorf("beside %d: %s to %s", c.n, got[0], got[len(got)-1])
		}
		if few := nearestSiblings(state.TurnID(c.n), ids(1, 3)); !slices.Equal(few, ids(1, 3)) {
			t.Errorf("beside %d: %s", c.n, few)
		}
	}
	list := []string{"turn_0010", "turn_0002", "turn_0002", "turn_0100"}
	slices.SortFunc(list, compareIDs)
	if want := []string{"turn_0002", "turn_0002", "turn_0010", "turn_0100"}; !slices.Equal(list, want) || compareIDs("turn_0002", "turn_0002") != 0 {
		t.Errorf("%s", list)
	}
}

// TestAnswersOfOthersInAPage: a page for a character has no answer that the character did not hear.
func TestAnswersOfOthersInAPage(t *testing.T) {
	t.Parallel()
	c := state.Campaign{Version: 3, TurnCounter: 2, State: state.State{HeadTurnID: "turn_0002", TurnCount: 1}, Turns: []state.Turn{
		{ID: "turn_0001", Index: 1, ParentID: state.StartTurnID, Audience: []string{"ren"}},
		{ID: "turn_0002", Index: 1, ParentID: state.StartTurnID, AlternativeOf: "turn_0001"}},
		Branches: map[string]state.Branch{}, Jumps: []state.Jump{{Turn: 2, After: 0}}}
	for viewer, want := range map[string]int{"": 1, "ren": 1, "mei": 0} {
		for one, err := range logOf(0).Page(c, state.HistoryPage{Viewer: viewer}) {
			if err != nil || one.ID != "turn_0002" || len(one.Others) != want {
				t.Errorf("for %q: %s with %d others, want %d, %v", viewer, one.ID, len(one.Others), want, err)
			}
		}
	}
}

// TestBookkeeping: the counters of the engine are no difference between two turns.
func TestBookkeeping(t *testing.T) {
	t.Parallel()
	for path, want := range map[string]bool{
		"": false, "head_turn_id": true, "turn_count": true, "random_cursor": true, "characters.0.name": false, "variables.gold": false,
		"milestone": false, "milestone.value": false, "milestone.advance_policy": false, "milestone.since_turn": true, "summary.text": true,
	} {
		var p tree.Path
		if path != "" {
			p = strings.Split(path, ".")
		}
		if got := isBookkeeping(p); got != want {
			t.Errorf("%q: %v", path, got)
		}
	}
}

package turnlog

import (
	"slices"
	"testing"

	"github.com/talewright/talewright/campaign/state"
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
		got := nearest(state.TurnID(c.n), ids(1, most+9))
		if want := ids(c.first, c.last); len(got) != most || !slices.Contains(got, state.TurnID(c.n)) || c.first == 1 && !slices.Equal(got, want) ||
			c.first == 10 && !slices.Equal(got, want) {
			t.Errorf("beside %d: %s to %s", c.n, got[0], got[len(got)-1])
		}
		if few := nearest(state.TurnID(c.n), ids(1, 3)); !slices.Equal(few, ids(1, 3)) {
			t.Errorf("beside %d: %s", c.n, few)
		}
	}
	list := []string{"turn_0010", "turn_0002", "turn_0002", "turn_0100"}
	slices.SortFunc(list, compareIDs)
	if want := []string{"turn_0002", "turn_0002", "turn_0010", "turn_0100"}; !slices.Equal(list, want) || compareIDs("turn_0002", "turn_0002") != 0 {
		t.Errorf("%s", list)
	}
}

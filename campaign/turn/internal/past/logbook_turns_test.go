package past

import (
	"testing"

	"github.com/talewright/talewright/campaign/state"
)

// TestTurnsAreAppendedInPlace: a list that only grows at its end is rarely copied. A caller with an older
// list does not see later turns.
func TestTurnsAreAppendedInPlace(t *testing.T) {
	t.Parallel()
	var l Turns
	var list, old []state.Turn
	copies := 0
	for i := range 400 {
		next := l.Last(l.With(list, state.Turn{ID: state.TurnID(i + 1)}), 300)
		if i == 0 || len(next) > len(list) && &next[0] != &list[0] {
			copies++
		}
		if list = next; i == 100 {
			old = list
		}
	}
	if copies > 12 {
		t.Errorf("%d copies of a list of 300 turns", copies)
	}
	if n := len(list); n != 300 || list[0].ID != state.TurnID(101) || list[n-1].ID != state.TurnID(400) {
		t.Errorf("%d turns from %s to %s", n, list[0].ID, list[n-1].ID)
	}
	other := l.With(old, state.Turn{ID: "other"})
	if len(old) != 101 || list[1].ID != state.TurnID(102) || other[101].ID != "other" || other[0].ID != state.TurnID(1) {
		t.Errorf("an older list: %d turns, %s, %s", len(old), list[1].ID, other[101].ID)
	}
}

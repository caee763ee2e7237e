package campaign

import (
	"slices"
	"testing"
)

// TestCourseIsWhole holds that the table of stops can be followed: names are unique, a
// row that is led to exists, and the last row does not run off the end.
func TestCourseIsWhole(t *testing.T) {
	t.Parallel()
	if course[0].stop != idle {
		t.Errorf("a new machine stands at %q", course[0].stop)
	}
	phase := Idle
	for i, r := range course {
		if rowOf[r.stop] != i {
			t.Errorf("two rows are named %q", r.stop)
		}
		if slices.Contains([]Stop{onward, again, wait}, r.stop) {
			t.Errorf("row %d is named like a move: %q", i, r.stop)
		}
		if r.begin == nil {
			t.Errorf("%s does nothing", r.stop)
		}
		if r.phase != "" {
			phase = r.phase
		} else if phase == Idle {
			t.Errorf("%s has no phase", r.stop)
		}
		if (r.stop == idle) != (r.phase == Idle) {
			t.Errorf("%s has the phase %q", r.stop, r.phase)
		}
	}
	for _, to := range []Stop{idle, atRoute, atModel, atCalls, atNarration, atDecide, atSettle,
		atRecord, atCommit, atContinue, atNarrate, atRetry, atGiveUp, atAnnounce} {
		if _, known := rowOf[to]; !known {
			t.Errorf("there is no row %q", to)
		}
	}
}

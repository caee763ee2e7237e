package filltest

import (
	"testing"

	"github.com/talewright/talewright/campaign/turn"
)

// Words returns in a few words how an instruction ended: status, reason, turn, and whether it was
// replayed, as in "completed turn_0001 replayed" and "refused in_progress".
func Words(o turn.Outcome) string {
	words := string(o.Status)
	if o.Reason != "" {
		words += " " + o.Reason
	}
	if o.Turn != nil {
		words += " " + o.Turn.ID
	}
	if o.Replayed {
		words += " replayed"
	}
	return words
}

// Want compares an outcome with its [Words].
func Want(t testing.TB, o turn.Outcome, want string) {
	t.Helper()
	if got := Words(o); got != want {
		t.Errorf("outcome %q, want %q", got, want)
	}
}

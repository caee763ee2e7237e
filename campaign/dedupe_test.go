package campaign_test

import (
	"fmt"
	"testing"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/turn"
)

// TestOldSubmissionIsFoundByItsKey: a process that has just loaded a campaign finds the turn of an
// old submission, and recognizes a new one, without reading the log: ST-05.
func TestOldSubmissionIsFoundByItsKey(t *testing.T) {
	t.Parallel()
	_, cfg := longGone(t, campaign.Config{}, 150)
	store := &countingStore{MemoryStore: cfg.Store.(*campaign.MemoryStore)}
	cfg.Store = store
	e := fresh(t, cfg)
	most := 8 // for the first submission; fewer for the next ones
	for _, n := range []int{3, 60, 149, 7} {
		store.read = 0
		o := turnOf(t, e, turn.Submit{Text: fmt.Sprintf("I wait, line %d.", n), ClientTurnID: fmt.Sprint("c", n)})
		wantOutcome(t, o, fmt.Sprintf("completed turn_%04d replayed", n))
		if store.read > most {
			t.Errorf("%d entries were read for turn %d, want %d at most", store.read, n, most)
		}
		most = 4
		wantOutcome(t, turnOf(t, e, turn.Submit{Text: "Another line.", ClientTurnID: fmt.Sprint("c", n)}), "refused idempotency_conflict")
	}
	store.read = 0
	o := turnOf(t, fresh(t, cfg), turn.Submit{Text: "I go.", ClientTurnID: "new"})
	if o.Status != turn.Completed || o.Replayed {
		t.Errorf("%s %s", o.Status, o.Reason)
	}
	if store.read > 8 {
		t.Errorf("%d entries were read for a new turn, want 8 at most", store.read)
	}
}

// TestKeyOfAContinuedText: the instruction that continued an old text is found by its ID, and the
// submission by its own.
func TestKeyOfAContinuedText(t *testing.T) {
	t.Parallel()
	var replies []string
	for i := range 92 {
		replies = append(replies, fmt.Sprintf("Dust falls on stone %d.", i))
	}
	e := newEngine(t, campaign.Config{Store: &campaign.MemoryStore{}, Model: scripted(replies...)},
		`{"settings": {"context.full_context_enabled": false}}`)
	wantOutcome(t, turnOf(t, e, turn.Submit{Text: "I wait.", ClientTurnID: "line"}), "completed turn_0001")
	more := turn.Continue{ClientTurnID: "more"}
	wantOutcome(t, do(t, e, more), "completed turn_0001")
	do(t, e, turn.EditText{TurnID: "turn_0001", Text: "Dust falls. It settles."})
	for i := range 90 {
		turnOf(t, e, turn.Submit{Text: "I wait.", ClientTurnID: fmt.Sprint("c", i)})
	}
	wantOutcome(t, do(t, e, more), "completed turn_0001 replayed")
	wantOutcome(t, turnOf(t, e, turn.Submit{Text: "I wait.", ClientTurnID: "line"}), "completed turn_0001 replayed")
}

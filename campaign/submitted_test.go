package campaign_test

import (
	"context"
	"fmt"
	"iter"
	"testing"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/turn"
)

// keyingStore counts the entries that are read, and drops the keys of the first ones, like an older
// program.
type keyingStore struct {
	*campaign.MemoryStore
	entries int
	unkeyed int64
}

func (s *keyingStore) Records(ctx context.Context, id string, after int64) iter.Seq2[campaign.Entry, error] {
	return func(yield func(campaign.Entry, error) bool) {
		for entry, err := range s.MemoryStore.Records(ctx, id, after) {
			s.entries++
			if !yield(entry, err) {
				return
			}
		}
	}
}

func (s *keyingStore) Keyed(ctx context.Context, id, key string) (int64, int64, error) {
	version, _, err := s.MemoryStore.Keyed(ctx, id, key)
	if version <= s.unkeyed {
		version = 0
	}
	return version, s.unkeyed, err
}

// TestOldSubmissionIsFoundByItsKey: a process that has just loaded a campaign finds the turn of an
// old submission, and recognizes a new one, without reading the log: ST-05.
func TestOldSubmissionIsFoundByItsKey(t *testing.T) {
	t.Parallel()
	_, cfg := longGone(t, campaign.Config{}, 150)
	memory := cfg.Store.(*campaign.MemoryStore)
	for _, c := range []struct {
		reason       string
		unkeyed      int64
		first, later int // maximum number of read entries, for the first submission and for a second one
	}{
		{"all entries have keys", 0, 8, 4},
		{"the first entries have none", 40, 70, 30}, // read once; a turn in it is searched for
	} {
		store := &keyingStore{MemoryStore: memory, unkeyed: c.unkeyed}
		cfg.Store = store
		e := fresh(t, cfg)
		for i, n := range []int{3, 60, 149, 7} {
			store.entries = 0
			o := turnOf(t, e, turn.Submit{Text: fmt.Sprintf("I wait, line %d.", n), ClientTurnID: fmt.Sprint("c", n)})
			wantOutcome(t, o, fmt.Sprintf("completed turn_%04d replayed", n))
			if most := max(c.later, c.first*(1-min(i, 1))); store.entries > most {
				t.Errorf("%s: %d entries were read for turn %d, want %d at most", c.reason, store.entries, n, most)
			}
			wantOutcome(t, turnOf(t, e, turn.Submit{Text: "Another line.", ClientTurnID: fmt.Sprint("c", n)}), "refused idempotency_conflict")
		}
		store.entries = 0
		last := len(campaignOf(t, e).Turns)
		o := turnOf(t, fresh(t, cfg), turn.Submit{Text: "I go.", ClientTurnID: "new " + c.reason})
		if o.Status != turn.Completed || o.Replayed || last == 0 {
			t.Errorf("%s: %s %s", c.reason, o.Status, o.Reason)
		}
		if most := int(c.unkeyed) + 8; store.entries > most {
			t.Errorf("%s: %d entries were read for a new turn, want %d at most", c.reason, store.entries, most)
		}
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

package campaign

import (
	"context"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn"
)

// endingContext is a context that ends as soon as a caller waits for its end.
type endingContext struct {
	context.Context
	before func() // is called first
}

func (c endingContext) Done() <-chan struct{} {
	c.before()
	done := make(chan struct{})
	close(done)
	return done
}

// TestWaitEndsAsTheLockComes: the lock is passed to an instruction at the moment at which its
// context ends. Whether the instruction takes it or not, the lock is not lost.
func TestWaitEndsAsTheLockComes(t *testing.T) {
	t.Parallel()
	left := false
	for range 60 { // the select of Wait chooses at random
		synctest.Test(t, func(t *testing.T) {
			var q queue
			var campaign sync.Mutex
			q.TryEnter(turn.Ticket{ClientTurnID: "first"}, &campaign)
			ctx := endingContext{t.Context(), func() { q.Leave(&campaign) }}
			code := q.Wait(ctx, turn.Ticket{ClientTurnID: "second"}, state.Selected{}, &campaign)
			if code == "" {
				if campaign.TryLock() {
					t.Fatal("the lock was not passed on")
				}
				q.Leave(&campaign)
			}
			if left = left || code == state.CampaignBusy; !campaign.TryLock() {
				t.Fatalf("the lock is lost after %q", code)
			}
		})
	}
	if !left {
		t.Error("no instruction left the queue")
	}
}

// TestLockIsFreeByThen: an instruction that is about to wait takes a lock that has just become free,
// and counts as the running one.
func TestLockIsFreeByThen(t *testing.T) {
	t.Parallel()
	var q queue
	var campaign sync.Mutex
	if code := q.Wait(t.Context(), turn.Ticket{ClientTurnID: "one"}, state.Selected{}, &campaign); code != "" || campaign.TryLock() {
		t.Errorf("refused as %q, or without the lock", code)
	}
	if code := q.Clash(turn.Ticket{ClientTurnID: "one"}, ""); code != state.InProgress {
		t.Errorf("the same submission: %q", code)
	}
}

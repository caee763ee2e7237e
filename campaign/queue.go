package campaign

import (
	"cmp"
	"context"
	"sync"

	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn"
)

// queue holds the instructions of a campaign that wait in this process while a different one runs.
// The holder of the campaign's lock runs its instruction and passes the lock to the next. The order
// is first come, first served, with at most one waiting instruction of each player, and in addition
// at most [mostOfHost] of the host. A queue is safe for concurrent use.
type queue struct {
	mu      sync.Mutex
	running *turn.Ticket // the running instruction
	waiting []*waiter
}

// maxHostWaiting is the maximum number of waiting instructions of the host. They do not replace each
// other.
const maxHostWaiting = 64

type waiter struct {
	in        turn.Ticket
	player    string                 // the player who submitted it; empty: the host
	admission chan state.RefusalCode // receives "" when it is this one's turn
}

// TryEnter locks the campaign for an instruction and records it as running, if the lock is free. Both
// happen at once, so the holder of the lock is never unknown to [queue.Clash].
func (q *queue) TryEnter(in turn.Ticket, campaign *sync.Mutex) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	if !campaign.TryLock() {
		return false
	}
	q.running = &in
	return true
}

// SetRunning records the instruction of the holder of the lock.
func (q *queue) SetRunning(in turn.Ticket) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.running = &in
}

// Clash refuses a submission that has the client turn ID of the running one. The two are the same
// submission or different ones with that ID. active is the character of a submission that names
// none. The code is "" for any other submission.
func (q *queue) Clash(in turn.Ticket, active string) state.RefusalCode {
	q.mu.Lock()
	defer q.mu.Unlock()
	switch {
	case q.running == nil || in.ClientTurnID == "" || q.running.ClientTurnID != in.ClientTurnID:
		return ""
	case q.running.By(active) != in.By(active):
		return state.IdempotencyConflict
	}
	return state.InProgress
}

// Wait waits in the queue, which holds at most as many players as the party has. A submission that
// names no actor belongs to the active actor. If among is the zero value, the instruction is the
// host's. Wait returns "" once the caller holds the campaign's lock. Otherwise it returns the
// reason: a later submission of the player replaced this one, the queue is full, or ctx ended.
func (q *queue) Wait(ctx context.Context, in turn.Ticket, among state.Selected, campaign *sync.Mutex) state.RefusalCode {
	w := &waiter{in, cmp.Or(in.ActorID, among.ActorID), make(chan state.RefusalCode, 1)}
	if code, locked := q.enqueue(w, len(among.Party), campaign); code != "" || locked {
		return code
	}
	select {
	case code := <-w.admission:
		return code
	case <-ctx.Done():
		q.mu.Lock()
		defer q.mu.Unlock()
		for i, other := range q.waiting {
			if other == w {
				q.waiting = append(q.waiting[:i:i], q.waiting[i+1:]...)
				return state.CampaignBusy
			}
		}
		if <-w.admission == "" { // the lock came at the same moment
			q.passLock(campaign)
		}
		return state.CampaignBusy
	}
}

// enqueue adds w to the queue. If the lock is free by this time, w gets it at once.
func (q *queue) enqueue(w *waiter, limit int, campaign *sync.Mutex) (state.RefusalCode, bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if campaign.TryLock() {
		q.running = &w.in
		return "", true
	}
	ofHost := w.player == ""
	if ofHost {
		limit = maxHostWaiting
	}
	alike := 0 // waiting players, or waiting instructions of the host
	for i, other := range q.waiting {
		if other.player == w.player && !ofHost {
			other.admission <- state.Replaced
			q.waiting[i] = w
			return "", false
		}
		if (other.player == "") == ofHost {
			alike++
		}
	}
	if alike >= limit {
		return state.QueueFull, false
	}
	q.waiting = append(q.waiting, w)
	return "", false
}

// Leave passes the lock to the next in the queue, or unlocks it.
func (q *queue) Leave(campaign *sync.Mutex) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.passLock(campaign)
}

// passLock passes the lock on without unlocking it. The caller holds q.mu.
func (q *queue) passLock(campaign *sync.Mutex) {
	if len(q.waiting) == 0 {
		q.running = nil
		campaign.Unlock()
		return
	}
	next := q.waiting[0]
	q.waiting = q.waiting[1:]
	q.running = &next.in
	next.admission <- ""
}

// Waiting returns the waiting instructions, in order. Each has a pointer of its own.
func (q *queue) Waiting() []*turn.Ticket {
	q.mu.Lock()
	defer q.mu.Unlock()
	out := make([]*turn.Ticket, len(q.waiting))
	for i, w := range q.waiting {
		out[i] = &w.in
	}
	return out
}

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
	now     *turn.Ticket // the running instruction
	waiting []*waiter
}

// mostOfHost is the maximum number of waiting instructions of the host. They do not replace each
// other.
const mostOfHost = 64

type waiter struct {
	in     turn.Ticket
	player string                 // the player who submitted it; empty: the host
	turn   chan state.RefusalCode // receives "" when it is this one's turn
}

// Enter locks the campaign for an instruction and records it as running, if the lock is free. Both
// happen at once, so the holder of the lock is never unknown to [queue.Clash].
func (q *queue) Enter(in turn.Ticket, campaign *sync.Mutex) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	if !campaign.TryLock() {
		return false
	}
	q.now = &in
	return true
}

// Running records the instruction of the holder of the lock.
func (q *queue) Running(in turn.Ticket) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.now = &in
}

// Clash refuses a submission that has the client turn ID of the running one. The two are the same
// submission or different ones with that ID. active is the character of a submission that names
// none. The code is "" for any other submission.
func (q *queue) Clash(in turn.Ticket, active string) state.RefusalCode {
	q.mu.Lock()
	defer q.mu.Unlock()
	switch {
	case q.now == nil || in.ClientTurnID == "" || q.now.ClientTurnID != in.ClientTurnID:
		return ""
	case q.now.By(active) != in.By(active):
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
	if code, locked := q.line(w, len(among.Party), campaign); code != "" || locked {
		return code
	}
	select {
	case code := <-w.turn:
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
		if <-w.turn == "" { // the lock came at the same moment
			q.pass(campaign)
		}
		return state.CampaignBusy
	}
}

// line adds w to the queue. If the lock is free by this time, w gets it at once.
func (q *queue) line(w *waiter, limit int, campaign *sync.Mutex) (state.RefusalCode, bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if campaign.TryLock() {
		q.now = &w.in
		return "", true
	}
	ofHost := w.player == ""
	if ofHost {
		limit = mostOfHost
	}
	alike := 0 // waiting players, or waiting instructions of the host
	for i, other := range q.waiting {
		if other.player == w.player && !ofHost {
			other.turn <- state.Replaced
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
	q.pass(campaign)
}

// pass passes the lock on without unlocking it. The caller holds q.mu.
func (q *queue) pass(campaign *sync.Mutex) {
	if len(q.waiting) == 0 {
		q.now = nil
		campaign.Unlock()
		return
	}
	next := q.waiting[0]
	q.waiting = q.waiting[1:]
	q.now = &next.in
	next.turn <- ""
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

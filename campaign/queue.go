package campaign

import (
	"cmp"
	"context"
	"sync"

	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn"
)

// queue is the instructions of a campaign that wait in this process while a different one runs. The
// instruction with the campaign's lock runs, and then passes the lock to the next. The order is first
// come, first served. Each player has at most one waiting instruction, and the host at most
// [maxHostWaiting]. A queue is safe for concurrent use.
type queue struct {
	mu      sync.Mutex
	running turn.Ticket // the instruction with the lock; empty: none
	waiting []*waiter   // in order
}

// maxHostWaiting is the maximum number of waiting instructions of the host. They do not replace each
// other.
const maxHostWaiting = 64

// waiter is a waiting instruction.
type waiter struct {
	in        turn.Ticket
	player    string                 // the player who submitted it; empty: the host
	admission chan state.RefusalCode // receives "" with the lock, or the reason of a refusal
}

// TryEnter locks the campaign for an instruction if the lock is free, and records the instruction as
// running. Both happen under q.mu, so [queue.Clash] always knows the running instruction.
func (q *queue) TryEnter(in turn.Ticket, campaign *sync.Mutex) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	if !campaign.TryLock() {
		return false
	}
	q.running = in
	return true
}

// SetRunning records the instruction of a caller that has locked the campaign itself.
func (q *queue) SetRunning(in turn.Ticket) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.running = in
}

// Clash returns the refusal of a submission with the client turn ID of the running one: in_progress for
// the same submission, idempotency_conflict for a different one. It returns "" for any other
// submission. active is the character of a submission that names none.
func (q *queue) Clash(in turn.Ticket, active string) state.RefusalCode {
	q.mu.Lock()
	defer q.mu.Unlock()
	switch {
	case in.ClientTurnID == "" || q.running.ClientTurnID != in.ClientTurnID:
		return ""
	case q.running.By(active) != in.By(active):
		return state.IdempotencyConflict
	}
	return state.InProgress
}

// Wait waits for the campaign's lock and returns "" with it. Otherwise it returns the reason: a later
// submission of the player replaced this one, the queue is full, or ctx ended. party is the party of
// the campaign, of which each member may have one waiting submission. A submission that names no
// actor belongs to the active actor. If party is the zero value, the instruction is the host's.
func (q *queue) Wait(ctx context.Context, in turn.Ticket, party state.Selected, campaign *sync.Mutex) state.RefusalCode {
	w := &waiter{in, cmp.Or(in.ActorID, party.ActorID), make(chan state.RefusalCode, 1)}
	if code, locked := q.enqueue(w, len(party.Party), campaign); code != "" || locked {
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
		if <-w.admission == "" { // w got the lock when ctx ended: pass it on
			q.passLock(campaign)
		}
		return state.CampaignBusy
	}
}

// enqueue adds w to the queue, or returns why it is refused. If the lock is free, w gets it at once and
// locked is true. limit is the maximum number of waiting players.
func (q *queue) enqueue(w *waiter, limit int, campaign *sync.Mutex) (_ state.RefusalCode, locked bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if campaign.TryLock() {
		q.running = w.in
		return "", true
	}
	isHost := w.player == ""
	if isHost {
		limit = maxHostWaiting
	}
	count := 0 // of waiting players, or of waiting instructions of the host
	for i, other := range q.waiting {
		if other.player == w.player && !isHost {
			other.admission <- state.Replaced
			q.waiting[i] = w
			return "", false
		}
		if (other.player == "") == isHost {
			count++
		}
	}
	if count >= limit {
		return state.QueueFull, false
	}
	q.waiting = append(q.waiting, w)
	return "", false
}

// Leave passes the campaign's lock to the next in the queue, or unlocks it.
func (q *queue) Leave(campaign *sync.Mutex) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.passLock(campaign)
}

// passLock gives the campaign's lock, still locked, to the next in the queue. Without one it unlocks
// the lock. The caller holds q.mu.
func (q *queue) passLock(campaign *sync.Mutex) {
	if len(q.waiting) == 0 {
		q.running = turn.Ticket{}
		campaign.Unlock()
		return
	}
	next := q.waiting[0]
	q.waiting = q.waiting[1:]
	q.running = next.in
	next.admission <- ""
}

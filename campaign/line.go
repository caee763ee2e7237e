package campaign

import (
	"cmp"
	"context"
	"sync"

	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn"
)

// The line part lets instructions of a campaign wait for each other in one process: who holds the
// lock of the campaign carries out an instruction, and hands the lock to the next in line.
//
// A [queue] is safe for concurrent use.

// queue holds the instructions that wait while another one runs: first come first
// served, at most one of each player, and in addition at most [mostOfHost] of the host.
type queue struct {
	mu      sync.Mutex
	now     *turn.Ticket // of what runs
	waiting []*waiter
}

// mostOfHost limits how many instructions of the host wait. None of them takes the place of another.
const mostOfHost = 64

type waiter struct {
	in     turn.Ticket
	player string                 // whose submission it is; empty: the host's
	turn   chan state.RefusalCode // "" when it is this one's turn
}

// Running notes what the holder of the lock carries out.
func (q *queue) Running(in turn.Ticket) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.now = &in
}

// Clash refuses a submission whose client turn id the running one has: it is the
// same, or another one with that id. active is the character that both mean if they
// name none. The code is "" for a submission with an id of its own.
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

// Wait stands in line, with as many players as the party has at most; a submission that names nobody means its
// active actor. Where among is the zero value, the instruction is the host's. Wait returns "" once the caller holds the
// campaign's lock, or why it does not: a later submission of the player took the place, the line is full, or ctx ended.
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

// line puts w into the line. The lock may have become free meanwhile: then w has it.
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
	alike := 0 // players that wait, or instructions of the host
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

// Leave gives the campaign to the next in line, or frees it.
func (q *queue) Leave(campaign *sync.Mutex) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.pass(campaign)
}

// pass hands the lock over without opening it. The caller holds q.mu.
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

// Waiting are those that stand in line, in order: another pointer for each that came.
func (q *queue) Waiting() []*turn.Ticket {
	q.mu.Lock()
	defer q.mu.Unlock()
	out := make([]*turn.Ticket, len(q.waiting))
	for i, w := range q.waiting {
		out[i] = &w.in
	}
	return out
}

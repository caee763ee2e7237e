package campaign

import (
	"runtime"
	"slices"

	"github.com/talewright/talewright/campaign/turn"
)

// Running returns the campaigns whose sessions are in use.
func (e *Engine) Running() (ids []string) {
	e.sessions.mu.Lock()
	defer e.sessions.mu.Unlock()
	for id := range e.sessions.all {
		if _, idle := e.sessions.idle[id]; !idle {
			ids = append(ids, id)
		}
	}
	return ids
}

// Waiting returns the submissions in the queue of a campaign, in order. A submission keeps its
// pointer while it waits.
func (e *Engine) Waiting(id string) []*turn.Ticket {
	s := e.sessions.pin(id)
	defer e.sessions.unpin(s)
	q := &s.queue
	q.mu.Lock()
	defer q.mu.Unlock()
	out := make([]*turn.Ticket, len(q.waiting))
	for i, w := range q.waiting {
		out[i] = &w.in
	}
	return out
}

// AwaitQueue returns once the queue of a campaign differs from line, or done is closed because the
// submission was refused.
func (e *Engine) AwaitQueue(id string, line []*turn.Ticket, done <-chan struct{}) {
	for slices.Equal(e.Waiting(id), line) {
		select {
		case <-done:
			return
		default:
			runtime.Gosched()
		}
	}
}

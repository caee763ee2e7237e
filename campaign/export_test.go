package campaign

import (
	"runtime"
	"slices"

	"github.com/talewright/talewright/campaign/turn"
)

// Waiting are the submissions that stand in the queue of a campaign, in order.
func (e *Engine) Waiting(id string) []*turn.Ticket {
	s := e.sessions.hold(id)
	defer e.sessions.release(s)
	return s.queue.Waiting()
}

// AwaitQueue returns once the queue of a campaign is another than line, or done is
// closed because the submission was turned away.
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

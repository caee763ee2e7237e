package campaign

import (
	"runtime"
	"slices"
)

// Waiting names the submissions that stand in the queue of a campaign, in order.
func (e *Engine) Waiting(id string) []any {
	s := e.session(id)
	defer e.release(s)
	s.queue.mu.Lock()
	defer s.queue.mu.Unlock()
	var out []any
	for _, w := range s.queue.waiting {
		out = append(out, w)
	}
	return out
}

// AwaitQueue returns once the queue of a campaign is another than line, or done is
// closed because the submission was turned away.
func (e *Engine) AwaitQueue(id string, line []any, done <-chan struct{}) {
	for slices.Equal(e.Waiting(id), line) {
		select {
		case <-done:
			return
		default:
			runtime.Gosched()
		}
	}
}

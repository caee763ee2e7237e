package campaign

import "runtime"

// AwaitQueue returns once a submission stands in the queue of a campaign, or done
// is closed because it was turned away.
func (e *Engine) AwaitQueue(id, actor, text string, done <-chan struct{}) {
	s := e.session(id)
	defer e.release(s)
	for {
		select {
		case <-done:
			return
		default:
		}
		s.queue.mu.Lock()
		for _, w := range s.queue.waiting {
			if w.in.ActorID == actor && w.in.Text == text {
				s.queue.mu.Unlock()
				return
			}
		}
		s.queue.mu.Unlock()
		runtime.Gosched()
	}
}

package llm

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"
)

// watch ends the context of a reply whose next chunk takes too long. Its timer is not set anew
// for each chunk, which costs more than to note the time (BenchmarkReply of package llm/eino): it goes off when
// an earlier wait would have been too long, and is then set for the rest of the present one.
type watch struct {
	parent context.Context
	ctx    context.Context // for the model
	cancel context.CancelCauseFunc
	began  time.Time // all times are counted from here

	mu    sync.Mutex
	limit time.Duration // of the present wait
	until time.Duration // when it is too long; 0: nobody waits
	timer *time.Timer   // nil: there was no wait with a limit yet
	rings time.Duration // when the timer goes off; 0: it is not set
}

// newWatch starts to wait for the first chunk.
func newWatch(parent context.Context, first time.Duration) *watch {
	w := &watch{parent: parent, began: time.Now()}
	w.ctx, w.cancel = context.WithCancelCause(parent)
	w.resume(first)
	return w
}

// resume starts to wait for the next chunk. A negative wait has no limit.
func (w *watch) resume(wait time.Duration) {
	if wait <= 0 {
		return // nobody waits
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.limit, w.until = wait, time.Since(w.began)+wait
	if w.rings == 0 || w.until < w.rings {
		w.set(wait)
	}
}

// set sets the timer for the end of the present wait.
func (w *watch) set(rest time.Duration) {
	w.rings = w.until
	if w.timer == nil {
		w.timer = time.AfterFunc(rest, w.look)
		return
	}
	w.timer.Reset(rest)
}

// look is called when the timer goes off.
func (w *watch) look() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.rings = 0
	switch rest := w.until - time.Since(w.began); {
	case w.until == 0: // the next wait sets the timer
	case rest > 0:
		w.set(rest)
	default:
		w.cancel(&overdue{w.limit})
	}
}

// pause stops waiting: a chunk has come.
func (w *watch) pause() {
	w.mu.Lock()
	w.until = 0
	w.mu.Unlock()
}

// end releases the timer and the context.
func (w *watch) end() {
	w.pause()
	if w.timer != nil {
		w.timer.Stop()
	}
	w.cancel(nil)
}

// explain returns the error for a wait that was too long, if that is why the reply
// ended, otherwise err.
func (w *watch) explain(err error) error {
	late, ok := errors.AsType[*overdue](context.Cause(w.ctx))
	if !ok || w.parent.Err() != nil || err != nil && !errors.Is(err, context.Canceled) {
		return err
	}
	return &Error{Code: CodeTimeout, Message: late.Error(), Retry: true}
}

// overdue is the cause for which a watch ends a context.
type overdue struct{ wait time.Duration }

// Error implements error.
func (o *overdue) Error() string {
	return fmt.Sprintf("the model was silent for %v", o.wait)
}

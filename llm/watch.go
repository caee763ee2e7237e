package llm

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"
)

// watch ends the context of a reply when the next chunk takes too long. It does not reset its timer
// for each chunk, which costs more than recording the time (BenchmarkReply of package llm/eino).
// The timer fires at the end of an earlier wait, and is then set for the rest of the current wait.
type watch struct {
	parent context.Context
	ctx    context.Context // for the model
	cancel context.CancelCauseFunc
	began  time.Time // all times are relative to this time

	mu    sync.Mutex
	limit time.Duration // of the current wait
	until time.Duration // end of the current wait; 0: no wait
	timer *time.Timer   // nil: no wait had a limit yet
	rings time.Duration // when the timer fires; 0: it is not set
}

// newWatch starts to wait for the first chunk.
func newWatch(parent context.Context, first time.Duration) *watch {
	w := &watch{parent: parent, began: time.Now()}
	w.ctx, w.cancel = context.WithCancelCause(parent)
	w.resume(first)
	return w
}

// resume starts to wait for the next chunk. A wait of zero or less has no limit.
func (w *watch) resume(wait time.Duration) {
	if wait <= 0 {
		return // no limit
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.limit, w.until = wait, time.Since(w.began)+wait
	if w.rings == 0 || w.until < w.rings {
		w.set(wait)
	}
}

// set sets the timer for the end of the current wait.
func (w *watch) set(rest time.Duration) {
	w.rings = w.until
	if w.timer == nil {
		w.timer = time.AfterFunc(rest, w.look)
		return
	}
	w.timer.Reset(rest)
}

// look runs when the timer fires.
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

// pause stops waiting, because a chunk has arrived.
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

// explain returns a timeout error if the reply ended because a wait was too long, otherwise err.
func (w *watch) explain(err error) error {
	late, ok := errors.AsType[*overdue](context.Cause(w.ctx))
	if !ok || w.parent.Err() != nil || err != nil && !errors.Is(err, context.Canceled) {
		return err
	}
	return &Error{Code: CodeTimeout, Message: late.Error(), Retry: true}
}

// overdue is the cause with which a watch cancels a context.
type overdue struct{ wait time.Duration }

// Error implements error.
func (o *overdue) Error() string {
	return fmt.Sprintf("the model was silent for %v", o.wait)
}

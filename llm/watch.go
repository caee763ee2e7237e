package llm

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"
)

// watch ends the context of a reply whose next chunk takes too long.
type watch struct {
	parent context.Context
	ctx    context.Context // for the model
	cancel context.CancelCauseFunc
	timer  *time.Timer  // nil: there was no wait with a limit yet
	wait   atomic.Int64 // the limit, for the words of the failure
}

// newWatch starts to wait for the first chunk.
func newWatch(parent context.Context, first time.Duration) *watch {
	w := &watch{parent: parent}
	w.ctx, w.cancel = context.WithCancelCause(parent)
	w.resume(first)
	return w
}

// resume starts to wait for the next chunk. A negative wait has no limit.
func (w *watch) resume(wait time.Duration) {
	if wait <= 0 {
		return // the timer is paused
	}
	w.wait.Store(int64(wait))
	if w.timer == nil {
		w.timer = time.AfterFunc(wait, func() { w.cancel(&overdue{time.Duration(w.wait.Load())}) })
		return
	}
	w.timer.Reset(wait)
}

// pause stops waiting: a chunk has come.
func (w *watch) pause() {
	if w.timer != nil {
		w.timer.Stop()
	}
}

// end releases the timer and the context.
func (w *watch) end() {
	w.pause()
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

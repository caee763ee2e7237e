package hooks

import (
	"context"
	"testing"
	"testing/synctest"

	"github.com/talewright/talewright/hooks/act"
)

// expired is a context whose end is reported only after all other goroutines in the bubble are
// idle. The result of a handler has then arrived too.
type expired struct{ context.Context }

func (expired) Done() <-chan struct{} {
	synctest.Wait()
	done := make(chan struct{})
	close(done)
	return done
}

func (expired) Err() error { return context.DeadlineExceeded }

// A success that has arrived at the deadline counts: the work is done, and a repeated call would do
// it twice. A failure at that moment is a timeout.
func TestAnswerAtTheDeadline(t *testing.T) {
	t.Parallel()
	for range 40 { // if two channels are ready, the choice is random
		synctest.Test(t, func(t *testing.T) {
			x := execution{candidate: candidate{runner: &runner{env: &Env{}}}}
			ctx := expired{t.Context()}
			out, fail := x.callHost(ctx, 0, func(context.Context) (act.Outcome, error) {
				return act.Outcome{Detail: "done"}, nil
			})
			if fail != nil || out.Detail != "done" {
				t.Errorf("a success at the deadline: %v, %v", out, fail)
			}
			_, fail = x.callHost(ctx, 0, func(context.Context) (act.Outcome, error) {
				return act.Outcome{}, &act.Failure{Code: act.CodeNotFound}
			})
			if fail == nil || fail.Code != act.CodeTimeout {
				t.Errorf("a failure at the deadline: %v", fail)
			}
		})
	}
}

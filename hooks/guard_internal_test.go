package hooks

import (
	"context"
	"testing"
	"testing/synctest"

	"github.com/talewright/talewright/hooks/trace"
	"github.com/talewright/talewright/memvars/tree"
)

// expired is a context whose end is seen only after everything else in the bubble
// has come to rest: the answer of a handler is then in as well.
type expired struct{ context.Context }

func (expired) Done() <-chan struct{} {
	synctest.Wait()
	done := make(chan struct{})
	close(done)
	return done
}

func (expired) Err() error { return context.DeadlineExceeded }

// A success that is in at the deadline counts: the work is done, and repeating it
// would do it twice. A failure at that moment is a timeout.
func TestAnswerAtTheDeadline(t *testing.T) {
	t.Parallel()
	for range 40 { // which of two ready channels is read is left to chance
		synctest.Test(t, func(t *testing.T) {
			x := execution{r: &runner{env: &Env{}}}
			ctx := expired{t.Context()}
			out, fail := x.guard(ctx, 0, func(context.Context) (Outcome, error) {
				return Outcome{Detail: "done"}, nil
			})
			if fail != nil || out.Detail != "done" {
				t.Errorf("a success at the deadline: %v, %v", out, fail)
			}
			_, fail = x.guard(ctx, 0, func(context.Context) (Outcome, error) {
				return Outcome{}, &Failure{Code: trace.CodeNotFound}
			})
			if fail == nil || fail.Code != trace.CodeTimeout {
				t.Errorf("a failure at the deadline: %v", fail)
			}
		})
	}
}

// Sums stay within the numbers that JSON readers know.
func TestSumStaysFinite(t *testing.T) {
	t.Parallel()
	huge := tree.Num("1.7e308")
	free, bounded := Field{Add: true}, Field{Add: true, Max: new(5.0)}
	_, fail := free.moved("gold", huge, huge)
	if fail == nil || fail.Code != trace.CodeInvalidValue {
		t.Errorf("twice the largest number: %v", fail)
	}
	v, fail := bounded.moved("gold", huge, tree.Int(1))
	if fail != nil || !v.Equal(tree.Int(5)) {
		t.Errorf("within bounds: %s, %v", v, fail)
	}
}

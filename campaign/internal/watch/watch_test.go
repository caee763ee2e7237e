package watch

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/talewright/talewright/campaign/observe"
	"github.com/talewright/talewright/campaign/question"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/internal/testkit"
	"github.com/talewright/talewright/llm"
)

// TestNobodyObserves: without an observer nothing is allocated, and the context is returned
// unchanged.
func TestNobodyObserves(t *testing.T) {
	clock := func() time.Time { t.Error("somebody looked at the clock"); return time.Time{} }
	ctx, g, req := t.Context(), question.Generate{Retry: "empty_output"}, llm.Request{}
	record, outcome := new(turn.Record), new(turn.Outcome)
	var in turn.Input = turn.Submit{Text: "I wait."}
	m := new(turn.Machine)
	if n := testkit.Allocs(100, func() {
		w := Begin(ctx, Engine{Clock: clock}, observe.Place{Campaign: "mill", Run: 1}, in)
		begun := w.Now()
		w.Admitted(1)
		w.FollowMachine(m)()
		w.FollowResumed(m)
		w.Retrying(g)
		w.Stored(observe.StoreLoad, 1, begun, nil)
		call := w.ModelAsked(g, req, 0)
		call.FirstPiece()
		call.End(llm.Response{}, nil, false)
		w.SavedReply(g, "", turn.Replied{})
		w.Answered(turn.Todo{}, in, begun)
		w.Asked(observe.AskJudge, "", begun)
		w.Waiting(turn.Todo{})
		w.LeaseLost(nil)
		w.Committed(record, begun)
		w.End(outcome, "", nil)
		if w.Context(ctx) != ctx {
			t.Error("another context")
		}
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// TestEndOfAContext: values are added to a context, but no cancellation and no cause.
func TestEndOfAContext(t *testing.T) {
	t.Parallel()
	ended, end := context.WithCancel(t.Context())
	end()
	giving := func(ctx context.Context) *Watch {
		return Begin(ctx, Engine{Clock: time.Now, Observer: giver{ended}}, observe.Place{Campaign: "mill", Run: 1}, turn.Submit{})
	}
	inner, lose := context.WithCancelCause(t.Context())
	ctx := giving(inner).Context(inner)
	below, stop := context.WithCancel(ctx)
	defer stop()
	if ctx.Err() != nil || below.Err() != nil || context.Cause(ctx) != nil {
		t.Errorf("the observer has ended the turn: %v %v", ctx.Err(), context.Cause(ctx))
	}
	lose(context.DeadlineExceeded)
	<-below.Done()
	if context.Cause(ctx) != context.DeadlineExceeded || context.Cause(below) != context.DeadlineExceeded {
		t.Errorf("the cause is %v and %v", context.Cause(ctx), context.Cause(below))
	}
}

type giver struct{ ctx context.Context }

func (g giver) Observe(context.Context, observe.Place, observe.Moment) context.Context { return g.ctx }

// TestWordsOfModels: a text that a model may have made up is not reported as a kind or a code.
func TestWordsOfModels(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"hp_change_unsettled": "hp_change_unsettled", "": "", "HP-change.v2:Z9": "HP-change.v2:Z9",
		"a\nb": observe.Other, "爱丽丝": observe.Other, strings.Repeat("a", 65): observe.Other, `"quoted"`: observe.Other,
	} {
		if got := identifierOrOther(text); got != want {
			t.Errorf("%q becomes %q", text, got)
		}
	}
	if got := identifiersOrOther("refused_calls,hp_change_unsettled,你好"); got != "refused_calls,hp_change_unsettled,other" {
		t.Errorf("got %q", got)
	}
	if got := identifiersOrOther(strings.Repeat("a,", 1000)); len(got) > 100 {
		t.Errorf("%d bytes", len(got))
	}
}

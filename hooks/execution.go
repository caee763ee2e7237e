package hooks

import (
	"context"
	"fmt"
	"strings"

	"github.com/talewright/talewright/hooks/act"
	"github.com/talewright/talewright/hooks/internal/stage"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules/effect"
)

// execution is one run of a hook, with all its attempts. It stages effects in a private overlay. It
// never repeats an action that has succeeded.
type execution struct {
	r     *runner
	h     *hook
	event *act.Event
	depth int

	staged    stage.Overlay
	results   []act.ActionResult
	undo      []bool // undo[i]: the success of the action is undone when nothing is committed
	final     []bool // final[i]: the action failed after its external work was done; it is not repeated
	delivered []effect.Effect
	timedOut  bool // the last attempt passed its deadline
	keys      int  // save point of the default keys
}

// newExecution starts from the committed values. The copy of the overlay is the save point: the
// runner's own overlay does not change until the commit.
func newExecution(r *runner, h *hook, event *act.Event, depth int) *execution {
	x := &execution{r: r, h: h, event: event, depth: depth, staged: r.live, keys: r.live.Keys.Mark()}
	x.results = make([]act.ActionResult, len(h.steps))
	x.undo = make([]bool, len(h.steps))
	x.final = make([]bool, len(h.steps))
	for i := range h.steps {
		x.results[i].ActionType = h.steps[i].typ
	}
	return x
}

// all makes attempts until every action has succeeded or no attempt is left.
func (x *execution) all() (status act.Status, attempts int) {
	most := min(x.h.attempts, 1+max(0, x.r.env.Limits.retries()))
	for attempts < most {
		attempts++
		if x.attempt(attempts) || x.r.ctx.Err() != nil {
			break
		}
	}
	succeeded := 0
	for i := range x.results {
		if x.results[i].Success {
			succeeded++
		}
	}
	// Check for success before the timeout: the last action may finish exactly at the deadline, and
	// then nothing is missing.
	switch {
	case succeeded == len(x.results):
		return act.StatusSuccess, attempts
	case x.timedOut:
		return act.StatusTimeout, attempts
	case succeeded == 0 || x.h.Atomic:
		return act.StatusFailed, attempts
	}
	return act.StatusPartial, attempts
}

// attempt runs the actions that have not succeeded yet, in order, and reports whether all have
// succeeded. One deadline covers the whole attempt. A hook that calls no host code has no deadline:
// it cannot block, so it does not depend on the clock.
func (x *execution) attempt(n int) bool {
	ctx := x.r.ctx
	if x.mayBlock() {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, min(x.h.timeout, x.r.env.Limits.timeout()))
		defer cancel()
	}
	x.timedOut = false
	aborted, complete := false, true
	for i := range x.h.steps {
		res := &x.results[i]
		if res.Success {
			continue
		}
		switch {
		case x.final[i]: // keeps its failure
		case aborted:
			x.fail(i, &act.Failure{Code: act.CodeAborted, Detail: "an earlier action failed"})
		case x.timedOut || ctx.Err() != nil:
			x.fail(i, errLate)
		default:
			x.do(ctx, i, n)
		}
		x.timedOut = x.timedOut || res.Code == act.CodeTimeout
		aborted = aborted || x.h.abort && !res.Success && !x.timedOut
		complete = complete && res.Success
		x.explain(i, n)
	}
	return complete
}

// errLate is the failure of an action that did not finish before the deadline.
var errLate = &act.Failure{Code: act.CodeTimeout, Detail: "the deadline passed"}

// mayBlock reports whether an action calls code of the host.
func (x *execution) mayBlock() bool {
	for i := range x.h.steps {
		s := &x.h.steps[i]
		sink := s.builtin.Effect != nil && takes(&x.r.env.Sinks, s.typ)
		if s.fail == nil && (s.custom != nil || sink) {
			return true
		}
	}
	return false
}

// do runs one action. Capabilities and fields are checked again in every attempt, because an
// earlier action of the same hook may have changed them.
func (x *execution) do(ctx context.Context, i, attempt int) {
	s := &x.h.steps[i]
	switch {
	case s.fail != nil:
		x.fail(i, s.fail)
	case s.custom != nil:
		x.handle(ctx, i, attempt)
	case s.builtin.Stage != nil:
		said, fail := s.builtin.Stage(&x.staged, &x.r.means, x.event)
		x.settle(i, said, fail, true)
	default:
		x.deliver(ctx, i, attempt)
	}
}

// deliver passes the effect of an external action to its sink, or stages it for the host if there
// is no sink. A delivery to a sink cannot be undone. A staged effect is dropped with the hook like
// an internal one.
func (x *execution) deliver(ctx context.Context, i, attempt int) {
	effect, said, fail := x.h.steps[i].builtin.Effect(&x.r.means, x.event)
	if fail != nil {
		x.fail(i, fail)
		return
	}
	sink := sinkOf(&x.r.env.Sinks, effect)
	if sink == nil {
		x.staged.Add(effect)
		x.settle(i, said, nil, true)
		return
	}
	call := x.call(i, attempt)
	_, fail = x.guard(ctx, i, func(ctx context.Context) (act.Outcome, error) {
		return act.Outcome{}, sink(ctx, call)
	})
	if fail == nil {
		x.delivered = append(x.delivered, effect)
	}
	x.settle(i, said, fail, false)
}

// handle calls a custom handler and stages the effects that it returns. Only this goroutine changes
// the overlay, after the handler has returned. A handler that timed out cannot change it.
func (x *execution) handle(ctx context.Context, i, attempt int) {
	typ := x.h.steps[i].custom
	call := x.call(i, attempt)
	out, fail := x.guard(ctx, i, func(ctx context.Context) (act.Outcome, error) {
		return typ.Handler(ctx, call)
	})
	if fail == nil && out.Output.Deeper(tree.MaxDepth) { // a record could not store it
		out.Output = tree.Value{}
		fail = &act.Failure{Code: act.CodeHandlerError, Detail: fmt.Sprintf("an output of more than %d levels", tree.MaxDepth)}
		x.final[i] = !typ.Internal
	}
	if fail == nil {
		effects := out.Effects
		if !typ.Macros {
			effects = asData(effects)
		}
		fail = x.staged.Apply(effects, &x.r.means, x.event)
		// The handler has already done its external work. A second call would repeat that work and
		// return the same effects.
		x.final[i] = fail != nil && !typ.Internal
	}
	x.settle(i, stage.Done{Detail: out.Detail, Output: out.Output}, fail, typ.Internal)
}

// asData returns effects whose texts are not expanded in prompts.
func asData(effects []effect.Effect) []effect.Effect {
	out := make([]effect.Effect, len(effects))
	for i, e := range effects {
		out[i] = effect.AsData(e)
	}
	return out
}

// call returns the description of the action for host code, with the values staged so far. The key
// identifies the action, not the attempt: a host that sees the key again can skip the repeated
// work.
func (x *execution) call(i, attempt int) act.Call {
	return act.Call{
		Key:          fmt.Sprintf("%s/%s/%d", x.event.ID, x.h.ID, i),
		HookID:       x.h.ID,
		Index:        i,
		Attempt:      attempt,
		Action:       x.h.steps[i].action,
		Event:        *x.event,
		Now:          x.r.env.Now,
		Character:    x.staged.Character,
		Relationship: x.staged.Relationship,
		Vars:         x.r.env.Vars,
	}
}

// settle records how an action ended. undo says that its success is undone if the hook is rolled
// back.
func (x *execution) settle(i int, said stage.Done, fail *act.Failure, undo bool) {
	if fail != nil {
		x.fail(i, fail)
		return
	}
	x.results[i] = act.ActionResult{
		Success: true, ActionType: x.h.steps[i].typ, Code: act.CodeOK,
		Detail: said.Detail, Output: said.Output,
	}
	x.undo[i] = undo
}

// fail records a failure and replaces the result of an earlier attempt. The log has the final
// result of an action; the trace has each attempt.
func (x *execution) fail(i int, f *act.Failure) {
	x.results[i] = act.ActionResult{ActionType: x.h.steps[i].typ, Code: f.Code, Detail: f.Detail}
}

// rollBack marks successful actions as rolled back if their effects will not be committed.
func (x *execution) rollBack() {
	x.staged.Keys.Undo(x.keys)
	for i := range x.results {
		if x.results[i].Success && x.undo[i] {
			x.fail(i, &act.Failure{Code: act.CodeRolledBack, Detail: "undone with the hook"})
		}
	}
}

// summary counts the actions in force and joins the details of the failures. After a timeout the
// text is only "Timeout", because all details would be the same.
func (x *execution) summary(status act.Status) (executed int, failure string) {
	var details []string
	for i := range x.results {
		switch res := &x.results[i]; {
		case res.Success:
			executed++
		case res.Code != act.CodeRolledBack: // a consequence, not a cause
			details = append(details, res.Detail)
		}
	}
	if status == act.StatusTimeout {
		return executed, "Timeout"
	}
	return executed, strings.Join(details, "; ")
}

func (x *execution) explain(i, attempt int) {
	if !x.r.env.Trace {
		return
	}
	res := &x.results[i]
	detail := fmt.Sprintf("attempt %d: %d %s: %s", attempt, i, res.ActionType, res.Code)
	if res.Detail != "" && !res.Success {
		detail += ": " + res.Detail
	}
	x.r.trace(x.h, x.event, x.depth, gateAction, detail)
}

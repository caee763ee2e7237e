package hooks

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/talewright/talewright/hooks/act"
	"github.com/talewright/talewright/hooks/internal/stage"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules/effect"
)

// execution is one hook on its way through its attempts. What it stages lives in
// a private overlay, and an action that has succeeded is never run again.
type execution struct {
	r     *runner
	h     *hook
	event *act.Event
	depth int

	staged    stage.Overlay
	results   []act.ActionResult
	undo      []bool // success of the action is undone when nothing is committed
	final     []bool // the action failed with its work outside done; it is not repeated
	delivered []effect.Effect
	timedOut  bool // the last attempt passed its deadline
	keys      int  // save point of the default keys
}

// newExecution begins with what is committed. The copy of the overlay is the save
// point: whatever happens to it, the runner's own stays until the commit.
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

// all makes attempts until every action has succeeded or none is left.
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
	// Success goes before the timeout: the last action may have been done in the very
	// moment of the deadline, and then nothing is missing.
	switch {
	case succeeded == len(x.results):
		return act.StatusSuccess, attempts
	case x.timedOut:
		return act.StatusTimeout, attempts
	case succeeded == 0 && x.forbidden():
		return act.StatusDenied, attempts
	case succeeded == 0 || x.h.Atomic:
		return act.StatusFailed, attempts
	}
	return act.StatusPartial, attempts
}

// forbidden reports whether the hook did nothing because its permissions forbid all of its actions.
func (x *execution) forbidden() bool {
	return !slices.ContainsFunc(x.results, func(res act.ActionResult) bool {
		return res.Code != act.CodeForbidden && res.Code != act.CodeAborted
	})
}

// attempt runs what has not succeeded yet, in order, and reports whether all has.
// The deadline is one for the whole attempt. A hook that calls nothing of the
// host's has none: it cannot block, and so it does not depend on the clock.
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

// errLate is the failure of an action that the deadline overtook.
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

// do runs one action. What the host lacks and what a field allows is asked anew in
// every attempt, because an earlier action of the same hook may have changed it.
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

// deliver hands the effect of an external action to its sink, or stages it for
// the host if there is none. Only what a sink took is beyond recall; an effect that
// is merely staged is dropped with the hook like an internal one.
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

// handle calls a custom handler and stages the effects that it returns. Only
// their staging touches the overlay, on this goroutine and after the handler is
// done: a handler that was left behind has nothing to write to.
func (x *execution) handle(ctx context.Context, i, attempt int) {
	typ := x.h.steps[i].custom
	call := x.call(i, attempt)
	out, fail := x.guard(ctx, i, func(ctx context.Context) (act.Outcome, error) {
		return typ.Handler(ctx, call)
	})
	if fail == nil && out.Output.Deeper(tree.MaxDepth) { // no record could hold it
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
		// What the handler did outside is done. Calling it again would do that twice,
		// and it would return the same effects.
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

// call tells the host's code what it is called for, with what is staged so far. The
// key names the action and not the attempt: a host that sees it again knows that it
// has been asked for the same thing, and need not do it twice.
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

// settle notes how an action ended. Undo says that its success is taken back if
// the hook is rolled back.
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

// fail notes a failure, in place of what an earlier attempt noted: the log tells how
// an action ended, and the trace how it came to that.
func (x *execution) fail(i int, f *act.Failure) {
	x.results[i] = act.ActionResult{ActionType: x.h.steps[i].typ, Code: f.Code, Detail: f.Detail}
}

// rollBack takes back the success of what was staged and will not be committed.
func (x *execution) rollBack() {
	x.staged.Keys.Undo(x.keys)
	for i := range x.results {
		if x.results[i].Success && x.undo[i] {
			x.fail(i, &act.Failure{Code: act.CodeRolledBack, Detail: "undone with the hook"})
		}
	}
}

// summary counts the actions in force and joins what went wrong. After a timeout all
// details would say the same.
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
	x.r.trace(x.h, x.event, x.depth, act.GateAction, detail)
}

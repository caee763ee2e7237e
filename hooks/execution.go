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

// execution is one run of a hook, with all its attempts. It stages effects in a private overlay. It
// never repeats an action that has succeeded.
type execution struct {
	candidate
	staged    stage.Overlay
	results   []act.ActionResult
	progress  []progress // of each action
	delivered []effect.Effect
	timedOut  bool // the last attempt passed its deadline
	keyMark   int  // save point of the default keys
}

// progress says what a rollback and the next attempt do with an action.
type progress struct {
	undo          bool // its success is undone when nothing is committed
	finallyFailed bool // it failed after its external work was done; it is not repeated
}

// runAttempts makes attempts until every action has succeeded or no attempt is left.
func (x *execution) runAttempts() (status act.Status, attempts int) {
	maxAttempts := min(x.hook.maxAttempts, 1+max(0, x.env.Limits.retries()))
	for attempts < maxAttempts {
		attempts++
		if x.attempt(attempts) || x.ctx.Err() != nil {
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
	case succeeded == 0 || x.hook.Atomic:
		return act.StatusFailed, attempts
	}
	return act.StatusPartial, attempts
}

// attempt runs the actions that have not succeeded yet, in order, and reports whether all have
// succeeded. One deadline covers the whole attempt. A hook that calls no host code has no deadline:
// it cannot block, so it does not depend on the clock.
func (x *execution) attempt(n int) bool {
	ctx := x.ctx
	if x.mayBlock() {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, min(x.hook.timeout, x.env.Limits.timeout()))
		defer cancel()
	}
	x.timedOut = false
	aborted, complete := false, true
	for i := range x.hook.steps {
		res := &x.results[i]
		if res.Success {
			continue
		}
		switch {
		case x.progress[i].finallyFailed: // keeps its failure
		case aborted:
			x.recordFailure(i, &act.Failure{Code: act.CodeAborted, Detail: "an earlier action failed"})
		case x.timedOut || ctx.Err() != nil:
			x.recordFailure(i, errDeadline)
		default:
			x.runAction(ctx, i, n)
		}
		x.timedOut = x.timedOut || res.Code == act.CodeTimeout
		aborted = aborted || x.hook.OnError == Abort && !res.Success && !x.timedOut
		complete = complete && res.Success
		x.traceAction(i, n)
	}
	return complete
}

// errDeadline is the failure of an action that did not finish before the deadline.
var errDeadline = &act.Failure{Code: act.CodeTimeout, Detail: "the deadline passed"}

// mayBlock reports whether an action calls code of the host.
func (x *execution) mayBlock() bool {
	for i := range x.hook.steps {
		s := &x.hook.steps[i]
		sink := s.builtin.Effect != nil && sinkOf(&x.env.Sinks, s.typ) != nil
		if s.fail == nil && (s.custom != nil || sink) {
			return true
		}
	}
	return false
}

// runAction runs one action. Capabilities and fields are checked again in every attempt, because an
// earlier action of the same hook may have changed them.
func (x *execution) runAction(ctx context.Context, i, attempt int) {
	s := &x.hook.steps[i]
	switch {
	case s.fail != nil:
		x.recordFailure(i, s.fail)
	case s.custom != nil:
		x.callHandler(ctx, i, attempt)
	case s.builtin.Stage != nil:
		said, fail := s.builtin.Stage(&x.staged, &x.means, x.event)
		x.recordResult(i, said, fail, true)
	default:
		x.deliverEffect(ctx, i, attempt)
	}
}

// deliverEffect passes the effect of an external action to its sink, or stages it for the host if
// there is no sink. A delivery to a sink cannot be undone. A staged effect is dropped with the hook
// like an internal one.
func (x *execution) deliverEffect(ctx context.Context, i, attempt int) {
	effect, said, fail := x.hook.steps[i].builtin.Effect(&x.means, x.event)
	if fail != nil {
		x.recordFailure(i, fail)
		return
	}
	sink := sinkOf(&x.env.Sinks, x.hook.steps[i].typ)
	if sink == nil {
		x.staged.Add(effect)
		x.recordResult(i, said, nil, true)
		return
	}
	call := x.describeCall(i, attempt)
	_, fail = x.callHost(ctx, i, func(ctx context.Context) (act.Outcome, error) {
		return act.Outcome{}, sink(ctx, call, effect)
	})
	if fail == nil {
		x.delivered = append(x.delivered, effect)
	}
	x.recordResult(i, said, fail, false)
}

// callHandler calls a custom handler and stages the effects that it returns. Only this goroutine
// changes the overlay, after the handler has returned. A handler that timed out cannot change it.
func (x *execution) callHandler(ctx context.Context, i, attempt int) {
	typ := x.hook.steps[i].custom
	call := x.describeCall(i, attempt)
	out, fail := x.callHost(ctx, i, func(ctx context.Context) (act.Outcome, error) {
		return typ.Handler(ctx, call)
	})
	if fail == nil {
		fail = x.stageOutcome(out, typ.Macros)
		// The handler has already done its external work. A second call would repeat that work and
		// return the same outcome.
		x.progress[i].finallyFailed = fail != nil && !typ.Internal
	}
	x.recordResult(i, stage.Success{Detail: out.Detail, Output: out.Output}, fail, typ.Internal)
}

// stageOutcome stages the effects of a custom handler. Without macros their texts are not expanded
// in prompts.
func (x *execution) stageOutcome(out act.Outcome, macros bool) *act.Failure {
	if out.Output.Deeper(tree.MaxDepth) { // a record could not store it
		return &act.Failure{Code: act.CodeHandlerError, Detail: fmt.Sprintf("an output of more than %d levels", tree.MaxDepth)}
	}
	effects := slices.Clone(out.Effects)
	for i := range effects {
		if !macros {
			effects[i] = effect.AsData(effects[i])
		}
	}
	return x.staged.Apply(effects, &x.means, x.event)
}

// describeCall returns the description of the action for host code, with the values staged so far.
// The key identifies the action, not the attempt: a host that sees the key again can skip the
// repeated work.
func (x *execution) describeCall(i, attempt int) act.Call {
	return act.Call{
		Key:          fmt.Sprintf("%s/%s/%d", x.event.ID, x.hook.ID, i),
		HookID:       x.hook.ID,
		Index:        i,
		Attempt:      attempt,
		Action:       x.hook.steps[i].action,
		Event:        *x.event,
		Now:          x.env.Now,
		Character:    x.staged.Character,
		Relationship: x.staged.Relationship,
		Vars:         x.env.Vars,
	}
}

// recordResult records how an action ended. undo says that its success is undone if the hook is
// rolled back.
func (x *execution) recordResult(i int, said stage.Success, fail *act.Failure, undo bool) {
	if fail != nil {
		x.recordFailure(i, fail)
		return
	}
	x.results[i] = act.ActionResult{
		Success: true, ActionType: x.hook.steps[i].typ, Code: act.CodeOK,
		Detail: said.Detail, Output: said.Output,
	}
	x.progress[i].undo = undo
}

// recordFailure records a failure and replaces the result of an earlier attempt. The log has the
// final result of an action; the trace has each attempt.
func (x *execution) recordFailure(i int, f *act.Failure) {
	x.results[i] = act.ActionResult{ActionType: x.hook.steps[i].typ, Code: f.Code, Detail: f.Detail}
}

// rollBack marks successful actions as rolled back if their effects will not be committed.
func (x *execution) rollBack() {
	x.staged.Keys.Undo(x.keyMark)
	for i := range x.results {
		if x.results[i].Success && x.progress[i].undo {
			x.recordFailure(i, &act.Failure{Code: act.CodeRolledBack, Detail: "undone with the hook"})
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

// traceAction adds the result of one action of one attempt to the trace.
func (x *execution) traceAction(i, attempt int) {
	if !x.env.Trace {
		return
	}
	res := &x.results[i]
	detail := fmt.Sprintf("attempt %d: %d %s: %s", attempt, i, res.ActionType, res.Code)
	if res.Detail != "" && !res.Success {
		detail += ": " + res.Detail
	}
	x.trace(gateAction, detail)
}

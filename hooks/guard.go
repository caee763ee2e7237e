package hooks

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"

	"github.com/talewright/talewright/hooks/act"
)

// reply is what a guarded function left behind.
type reply struct {
	out   act.Outcome
	fail  *act.Failure
	stack string // of a panic
}

// guard calls code of the host on a goroutine of its own and waits for it, but
// not beyond the deadline. A function that does not watch its context is left
// behind; its reply falls into a buffer that nobody reads.
//
// A success that was in at the deadline counts, because repeating it would do
// its work twice. An error at the deadline is a timeout.
func (x *execution) guard(
	ctx context.Context, i int, f func(context.Context) (act.Outcome, error),
) (act.Outcome, *act.Failure) {
	replies := make(chan reply, 1) // with room, so that nobody need be there to receive
	go func() {
		// Stands if f ends the goroutine, which runs the deferred calls alone.
		got := reply{fail: &act.Failure{
			Code: act.CodeHandlerError, Detail: "the handler ended its goroutine",
		}}
		defer func() { replies <- got }()
		got = protect(ctx, f)
	}()
	var got reply
	select {
	case got = <-replies:
	case <-ctx.Done():
		// Both may be ready, and select takes either: look once more.
		select {
		case got = <-replies:
		default:
			return act.Outcome{}, errLate
		}
	}
	if got.stack != "" {
		x.r.trace(x.h, x.event, x.depth, act.GateStack, fmt.Sprintf("%d: %s", i, got.stack))
	}
	if got.fail != nil && ctx.Err() != nil {
		return act.Outcome{}, errLate
	}
	return got.out, got.fail
}

// protect calls f and turns its error or panic into a failure. Reading an error
// is calling the host's code too, so it is done in here.
func protect(ctx context.Context, f func(context.Context) (act.Outcome, error)) (r reply) {
	defer func() {
		if v := recover(); v != nil {
			r = reply{
				fail:  &act.Failure{Code: act.CodePanic, Detail: fmt.Sprint("panic: ", v)},
				stack: string(debug.Stack()),
			}
		}
	}()
	out, err := f(ctx)
	if err != nil {
		return reply{fail: failureOf(err)}
	}
	return reply{out: out}
}

// failureOf gives an error of the host its code: its own if it may choose that
// one, else handler_error. The other codes are verdicts of the engine, and a log in
// which a handler can write "timeout" or "rolled_back" would be worth nothing.
func failureOf(err error) *act.Failure {
	if f, ok := errors.AsType[*act.Failure](err); ok && f != nil {
		switch f.Code {
		case act.CodeNotFound, act.CodeUnavailable, act.CodeForbidden, act.CodeMissingParams, act.CodeInvalidValue,
			act.CodeUnknownField, act.CodeProtectedField:
			return &act.Failure{Code: f.Code, Detail: f.Detail}
		}
	}
	return &act.Failure{Code: act.CodeHandlerError, Detail: err.Error()}
}

package hooks

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"

	"github.com/talewright/talewright/hooks/act"
	"github.com/talewright/talewright/rules/effect"
)

// hostReply is the result of a guarded function.
type hostReply struct {
	out   act.Outcome
	fail  *act.Failure
	stack string // of a panic
}

// callHost calls host code on a separate goroutine and waits for it until the deadline. If the
// function ignores its context, guard returns without it. The late reply goes to a buffered channel
// that is not read.
//
// A success that has arrived at the deadline counts, because a repeated call would do the work
// twice. An error at the deadline is a timeout.
func (x *execution) callHost(
	ctx context.Context, i int, f func(context.Context) (act.Outcome, error),
) (act.Outcome, *act.Failure) {
	replies := make(chan hostReply, 1) // buffered, so that a late send does not block
	go func() {
		// This reply is sent if f ends the goroutine with runtime.Goexit, which runs only the
		// deferred calls.
		got := hostReply{fail: &act.Failure{
			Code: act.CodeHandlerError, Detail: "the handler ended its goroutine",
		}}
		defer func() { replies <- got }()
		got = recoverPanic(ctx, f)
	}()
	var got hostReply
	select {
	case got = <-replies:
	case <-ctx.Done():
		// Both channels may be ready, and select chooses at random: check the reply again.
		select {
		case got = <-replies:
		default:
			return act.Outcome{}, errDeadline
		}
	}
	if got.stack != "" {
		x.trace(gateStack, fmt.Sprintf("%d: %s", i, got.stack))
	}
	if got.fail != nil && ctx.Err() != nil {
		return act.Outcome{}, errDeadline
	}
	return got.out, got.fail
}

// recoverPanic calls f and turns its error or panic into a failure. Reading an error calls host code
// too, so that is done here.
func recoverPanic(ctx context.Context, f func(context.Context) (act.Outcome, error)) (r hostReply) {
	defer func() {
		if v := recover(); v != nil {
			r = hostReply{
				fail:  &act.Failure{Code: act.CodePanic, Detail: fmt.Sprint("panic: ", v)},
				stack: string(debug.Stack()),
			}
		}
	}()
	out, err := f(ctx)
	if err != nil {
		return hostReply{fail: failureOf(err)}
	}
	return hostReply{out: out}
}

// failureOf converts an error of the host to a failure. It keeps the host's code if a host may use
// this code; otherwise the code is handler_error. The other codes are decisions of the engine. If a
// handler could write "timeout" or "rolled_back", the log would not be reliable.
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

// hostSink delivers an effect of any type to a sink.
type hostSink func(context.Context, act.Call, effect.Effect) error

// sinkOf returns the sink of a built-in type. It returns nil for other types.
func sinkOf(s *act.Sinks, typ string) hostSink {
	switch typ {
	case act.MemoryWrite:
		return anySink(s.Memory)
	case act.Workflow:
		return anySink(s.Workflow)
	case act.WorldBookAdd:
		return anySink(s.WorldBook)
	case act.LogLine:
		return anySink(s.Log)
	}
	return nil
}

// anySink converts a sink to a function that takes any effect; a nil sink stays nil. It is called
// only with effects of the sink's type.
func anySink[E effect.Effect](sink func(context.Context, act.Call, E) error) hostSink {
	if sink == nil {
		return nil
	}
	return func(ctx context.Context, call act.Call, asked effect.Effect) error {
		own, _ := asked.(E)
		return sink(ctx, call, own)
	}
}

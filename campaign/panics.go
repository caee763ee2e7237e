package campaign

import (
	"errors"
	"log/slog"
	"runtime/debug"

	"github.com/talewright/talewright/campaign/turn"
)

// catchPanic converts a panic of a host function into the error of its caller, and logs it with its
// stack. Call it with defer. campaign is the ID of the campaign, or "". in is the name of the host
// function.
func catchPanic(log *slog.Logger, campaign, in string, err *error) {
	if what := recover(); what != nil {
		*err = logHostPanic(log, campaign, in, what)
	}
}

// logHostPanic logs a recovered value with the stack and returns it as an error.
func logHostPanic(log *slog.Logger, campaign, in string, what any) *turn.Panic {
	p := &turn.Panic{In: in, Value: what, Stack: debug.Stack()}
	log.Error("campaign: a function of the host panicked", "campaign", campaign, "in", in, "panic", p.Error(), "stack", string(p.Stack))
	return p
}

// callHost calls a function of the host and converts its panic into an error. With an error the
// answer is the zero value.
func callHost[T any](log *slog.Logger, campaign, in string, f func() (T, error)) (answer T, err error) {
	defer catchPanic(log, campaign, in, &err)
	found, err := f()
	if err != nil {
		return answer, err
	}
	return found, nil
}

// These names stand in logs and errors for host code whose function is not known.
const (
	inStore   = "Config.Store, or another function of the host"
	inContent = "a function of Content"
)

// guard runs a part of an instruction and returns its panic as an error. A panic of the consumer of
// the progress is passed on: it is the caller's own code.
//
// s is the session whose lock the caller holds, or nil. After a panic guard makes the session forget
// its machine, so that no later instruction continues with it.
func (r *runner) guard(s *session, do func() error) (err error) {
	returned := false
	defer func() {
		if returned {
			return
		}
		if s != nil {
			s.forget()
		}
		if r.yielding {
			return
		}
		if what := recover(); what != nil {
			err = logHostPanic(r.engine.cfg.Logger, r.id, inStore, what)
		}
	}()
	err = do()
	returned = true
	return err
}

// stepMachine gives a machine an input. A panic of the content becomes a [*turn.Panic], and the
// session then forgets its machine.
func (r *runner) stepMachine(s *session, m *turn.Machine, in turn.Input) (err error) {
	defer func() {
		if what := recover(); what != nil {
			s.forget()
			err = logHostPanic(r.engine.cfg.Logger, r.id, inContent, what)
		}
	}()
	return m.Step(in)
}

// contentPanic returns the panic of the content that caused an error, or nil.
func contentPanic(err error) *turn.Panic {
	if p, is := errors.AsType[*turn.Panic](err); is && p.In == inContent {
		return p
	}
	return nil
}

// endAfterPanic emits a failed outcome if err is a panic of the content, and returns nil. It returns
// any other error, and the error of an instruction that does not ask the model.
func (r *runner) endAfterPanic(m *turn.Machine, err error) error {
	p := contentPanic(err)
	if p == nil || !r.calls.asksModel || r.outcome != nil {
		return err
	}
	r.retract()
	r.emit(Finished{Outcome: turn.Outcome{Status: turn.Failed, Reason: string(turn.Panicked), Version: m.Campaign().Version,
		Failure: &turn.Failure{Kind: turn.FailureHost, Code: turn.Panicked, Err: p}}})
	return nil
}

package campaign

import (
	"errors"
	"log/slog"
	"runtime/debug"

	"github.com/talewright/talewright/campaign/turn"
)

// caught converts a panic of a host function into the error of its caller, and logs it with its
// stack. Call it with defer. campaign may be empty.
func caught(log *slog.Logger, campaign, in string, err *error) {
	if what := recover(); what != nil {
		*err = panicked(log, campaign, in, what)
	}
}

// panicked logs a panic and returns its error.
func panicked(log *slog.Logger, campaign, in string, what any) *turn.Panic {
	p := &turn.Panic{In: in, Value: what, Stack: debug.Stack()}
	log.Error("campaign: a function of the host panicked", "campaign", campaign, "in", in, "panic", p.Error(), "stack", string(p.Stack))
	return p
}

// ask calls a function of the host and converts its panic into an error.
func ask[T any](log *slog.Logger, campaign, in string, f func() (T, error)) (answer T, err error) {
	defer caught(log, campaign, in, &err)
	return f()
}

// These names are used in logs and errors for host code that has no more exact name.
const (
	inStore   = "Config.Store, or another function of the host"
	inContent = "a function of Content"
)

// guarded runs the work of an instruction on a session. After a panic it discards the session, so
// that no later instruction continues with it, and returns the panic as an error. A panic of the
// consumer of the progress is passed on: it is the caller's own code.
func (r *runner) guarded(s *session, do func() error) (err error) {
	returned := false
	defer func() {
		if returned {
			return
		}
		s.forget()
		if r.yielding {
			return
		}
		if what := recover(); what != nil {
			err = panicked(r.engine.cfg.Logger, r.id, inStore, what)
		}
	}()
	err = do()
	returned = true
	return err
}

// step gives a machine an input. A panic of the content becomes an error of type [*turn.Panic]. The
// session then discards its machine.
func (r *runner) step(s *session, m *turn.Machine, in turn.Input) (err error) {
	defer func() {
		if what := recover(); what != nil {
			s.forget()
			err = panicked(r.engine.cfg.Logger, r.id, inContent, what)
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

// afterPanic ends a turn in which the content panicked, with an outcome. It returns any other error,
// and the error of an instruction that does not ask the model.
func (r *runner) afterPanic(m *turn.Machine, err error) error {
	p := contentPanic(err)
	if p == nil || !r.calls.forTurn || r.outcome != nil {
		return err
	}
	r.retract()
	r.emit(Finished{Outcome: turn.Outcome{Status: turn.Failed, Reason: string(turn.Panicked), Version: m.Campaign().Version,
		Failure: &turn.Failure{Kind: turn.FailureHost, Code: turn.Panicked, Err: p}}})
	return nil
}

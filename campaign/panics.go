package campaign

import (
	"errors"
	"log/slog"
	"runtime/debug"

	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn"
)

// caught turns the panic of a function of the host into the error of its caller, and logs it with its stack. Call
// it with defer; the campaign may be empty.
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

// ask calls a function of the host; a panic is its error.
func ask[T any](log *slog.Logger, campaign, in string, f func() (T, error)) (answer T, err error) {
	defer caught(log, campaign, in, &err)
	return f()
}

// What the log and errors call code of the host that has no name of its own there.
const (
	inStore   = "Config.Store, or another function of the host"
	inContent = "a function of Content"
)

// guarded runs what an instruction does with a session. A panic leaves no session that a later instruction would
// continue with, and is the error. The panic of the consumer to whom the progress is yielded passes: it is the
// caller's own.
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

// step gives the machine an input; the error of a panic in the content is a [*turn.Panic].
func (r *runner) step(m *turn.Machine, in turn.Input) (err error) {
	defer caught(r.engine.cfg.Logger, r.id, inContent, &err)
	return m.Step(in)
}

// panicOutcome returns the outcome of a turn in which the content panicked, nil for another error and for
// an instruction that has no outcome then.
func panicOutcome(c state.Campaign, in turn.Input, err error) *turn.Outcome {
	p, is := errors.AsType[*turn.Panic](err)
	if _, asks := turn.Asks(in); !asks || !is {
		return nil
	}
	return &turn.Outcome{Status: turn.Failed, Reason: string(turn.Panicked), Version: c.Version,
		Failure: &turn.Failure{Kind: turn.FailureHost, Code: turn.Panicked, Err: p}}
}

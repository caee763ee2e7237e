package observe

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"time"
)

// Observer receives what happens. If several campaigns run at the same time, it must be safe for
// concurrent use.
//
// Observe may return a context after [Begun], [PhaseBegun] and [ModelAsked]. Its values are passed
// to everything that happens until the end of the instruction, the phase or the answer: to models,
// stores, hooks, and the observer itself. This is how a span finds its parent. Deadlines and
// cancellations of the returned context are ignored. After other moments the result is ignored. nil
// means the context that it received.
type Observer interface {
	Observe(ctx context.Context, p Place, m Moment) context.Context
}

// Func is an observer that adds nothing to contexts.
type Func func(p Place, m Moment)

// Observe calls f.
func (f Func) Observe(ctx context.Context, p Place, m Moment) context.Context {
	f(p, m)
	return ctx
}

// Handover is the instruction of a [Place] for results that are delivered again, see
// [campaign.Engine.Handover].
const Handover = "handover"

// Place identifies what a moment belongs to.
type Place struct {
	Campaign    string
	Instruction string    // the "input" of its JSON, such as "submit" or "regenerate"; or [Handover]
	Run         uint64    // the number of the instruction in this engine, from 1; each step counts
	Step        int       // with Engine.Step: the number of entries of its journal, at least 1; else 0
	At          time.Time // by Config.Clock
}

// All returns an observer that calls several observers in order. Each keeps its settings: only
// [Verbose] ones receive texts, and a panic of one does not affect the others.
func All(observers ...Observer) Observer { return all(append([]Observer(nil), observers...)) }

type all []Observer

func (a all) Observe(ctx context.Context, p Place, m Moment) context.Context {
	ctx, _ = Tell(ctx, a, p, m)
	return ctx
}

// Verbose returns an observer that also receives texts: lines of players, prompts, answers,
// arguments, quotes. They may include what is hidden from players and models.
func Verbose(o Observer) Observer { return verbose{o} }

type verbose struct{ Observer }

// WantsTexts reports whether an observer, or one of several, asks for texts, see [Verbose].
func WantsTexts(o Observer) bool {
	switch o := o.(type) {
	case verbose:
		return o.Observer != nil
	case all:
		return slices.ContainsFunc(o, WantsTexts)
	}
	return false
}

// Panic is the error of an observer that panicked.
type Panic struct {
	Value any
	Stack []byte
}

// Error returns the value of the panic.
func (p *Panic) Error() string { return fmt.Sprintf("observe: an observer panicked: %v", p.Value) }

// Tell passes a moment to an observer, [Bounded], and without its texts unless the observer asks
// for them. It returns the context that the observer returned, never nil, and a [*Panic] if the
// observer panicked; several are joined. Engines call it; it is exported for hosts that run a
// machine themselves. A nil observer receives nothing.
func Tell(ctx context.Context, o Observer, p Place, m Moment) (context.Context, error) {
	return tell(ctx, o, p, Bounded(m), false)
}

// tell is Tell for a moment that is bounded already. texts is true within a verbose observer.
func tell(ctx context.Context, o Observer, p Place, m Moment, texts bool) (context.Context, error) {
	switch o := o.(type) {
	case nil:
		return ctx, nil
	case verbose:
		return tell(ctx, o.Observer, p, m, true)
	case all:
		var errs []error
		for _, observer := range o {
			next, err := tell(ctx, observer, p, m, texts)
			if ctx = next; err != nil {
				errs = append(errs, err)
			}
		}
		return ctx, errors.Join(errs...)
	}
	if !texts {
		m = m.bare()
	}
	return callSafely(ctx, o, p, m)
}

// callSafely calls an observer and recovers its panic.
func callSafely(ctx context.Context, o Observer, p Place, m Moment) (next context.Context, err error) {
	defer func() {
		if value := recover(); value != nil {
			next, err = ctx, &Panic{Value: value, Stack: debug.Stack()}
		}
	}()
	if next = o.Observe(ctx, p, m); next == nil {
		next = ctx
	}
	return next, nil
}

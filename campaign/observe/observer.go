package observe

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"time"
)

// Observer is told what happens. It has to be safe for concurrent use where several campaigns run
// at the same time.
//
// The context that it returns after [Begun], [PhaseBegun] and [ModelAsked] is given, with its values
// only, to everything that happens until the end of the instruction, of the phase and of the answer: to
// models, stores, hooks, and to the observer itself. This is how a span finds its parent. Deadlines and
// cancellations of it count for nothing. After other moments the result is not looked at; nil
// stands for the context that it was given.
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

// Handover is the instruction of a [Place] for what is handed over once more, see
// [campaign.Engine.Handover].
const Handover = "handover"

// Place says to what a moment belongs.
type Place struct {
	Campaign    string
	Instruction string    // its kind, such as "submit" or "regenerate": the "input" of its JSON; or [Handover]
	Run         uint64    // the number of the instruction in this engine, from 1; each step counts
	Step        int       // of Engine.Step: how much its journal holds, from 1; 0: all at once
	At          time.Time // by the clock of the engine's moments
}

// All returns an observer that tells several, in their order. Each keeps what it wants: texts
// for one of them are not told to the others, and a panic of one is no matter of the others.
func All(observers ...Observer) Observer { return all(append([]Observer(nil), observers...)) }

type all []Observer

func (a all) Observe(ctx context.Context, p Place, m Moment) context.Context {
	ctx, _ = Tell(ctx, a, p, m)
	return ctx
}

// Verbose returns an observer that is told texts too: lines of players, prompts, answers, arguments,
// quotes. What is hidden from players and models may be among them.
func Verbose(o Observer) Observer { return verbose{o} }

type verbose struct{ Observer }

// WantsTexts reports whether anybody of an observer has asked for texts, see [Verbose].
func WantsTexts(o Observer) bool {
	switch o := o.(type) {
	case verbose:
		return o.Observer != nil
	case all:
		for _, one := range o {
			if WantsTexts(one) {
				return true
			}
		}
	}
	return false
}

// Panic is the error of an observer that panicked.
type Panic struct {
	Value any
	Stack []byte
}

// Error says with what it panicked.
func (p *Panic) Error() string { return fmt.Sprintf("observe: an observer panicked: %v", p.Value) }

// Tell tells an observer of a moment, [Bounded], and without its texts unless it wants them. It returns the context
// that the observer gave back, never nil, and a [*Panic] if it panicked, joined where several
// did. Engines do so; it is here for hosts that run a machine by hand. A nil observer hears nothing.
func Tell(ctx context.Context, o Observer, p Place, m Moment) (context.Context, error) {
	return tell(ctx, o, p, Bounded(m), false)
}

func tell(ctx context.Context, o Observer, p Place, m Moment, texts bool) (context.Context, error) {
	switch o := o.(type) {
	case nil:
		return ctx, nil
	case verbose:
		return tell(ctx, o.Observer, p, m, true)
	case all:
		var errs []error
		for _, one := range o {
			next, err := tell(ctx, one, p, m, texts)
			if ctx = next; err != nil {
				errs = append(errs, err)
			}
		}
		return ctx, errors.Join(errs...)
	}
	if !texts {
		m = m.bare()
	}
	return guarded(ctx, o, p, m)
}

// guarded catches the panic of an observer.
func guarded(ctx context.Context, o Observer, p Place, m Moment) (next context.Context, err error) {
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

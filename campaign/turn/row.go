package turn

import (
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn/internal/play"
	"github.com/talewright/talewright/memvars/tree"
)

// row is one line of the course table: a stop, and the work that is done there.
type row struct {
	stop  Stop
	phase Phase // "" keeps the phase of the row before
	action
}

// action is the work of a row: it does something, asks something, or runs hooks.
type action struct {
	// begin returns the next stop, or a question and wait.
	begin func(*Machine) (Todo, Stop)
	// handle applies the answer to the question of the row. nil: the row asks nothing.
	handle answerHandler
	// leads lists the stops that the row may lead to, other than the row below.
	leads []Stop
}

// decide runs a step of the turn that returns the next stop.
func decide(step func(*play.Turn) play.Next) action {
	return conclude(func(m *Machine) Stop { return Stop(step(m.turn)) })
}

// run runs a step of the turn that always leads to the row below.
func run(step func(*play.Turn)) action {
	return conclude(func(m *Machine) Stop { step(m.turn); return rowBelow })
}

// conclude runs a step that may end the instruction.
func conclude(step func(*Machine) Stop) action {
	return action{begin: func(m *Machine) (Todo, Stop) { return Todo{}, step(m) }}
}

// end is the row at which a machine waits for an instruction.
func end() action {
	return action{begin: func(m *Machine) (Todo, Stop) { return m.finish(), wait }}
}

// askAlways asks a question in every case.
func askAlways(todo func(*Machine) Todo, handle answerHandler) action {
	return action{handle: handle, begin: func(m *Machine) (Todo, Stop) { return todo(m), wait }}
}

// ask asks the question of the turn. If there is no question, the row below follows.
func ask[Q turnQuestion](question func(*play.Turn) *Q, handle answerHandler) action {
	return action{handle: handle, begin: func(m *Machine) (Todo, Stop) {
		if q := question(m.turn); q != nil {
			return todoOf(q), wait
		}
		return Todo{}, rowBelow
	}}
}

// answerHandler applies an answer and returns the next stop. For an answer to a different question
// it reports false and does nothing.
type answerHandler func(*Machine, Input) (Stop, bool)

// handler returns an answerHandler for answers of type A. The function handle returns the next stop.
func handler[A Input](handle func(*Machine, A) Stop) answerHandler {
	return func(m *Machine, in Input) (Stop, bool) {
		if a, ok := in.(A); ok {
			return handle(m, a), true
		}
		return wait, false
	}
}

// applyAnswer is an answerHandler for answers of type A. It applies the answer to the turn. The row
// below follows.
func applyAnswer[A turnAnswer](m *Machine, in Input) (Stop, bool) {
	return handler(func(m *Machine, a A) Stop { a.applyTo(m.turn); return rowBelow })(m, in)
}

// either returns an answerHandler for answers of two types.
func either(a, b answerHandler) answerHandler {
	return func(m *Machine, in Input) (Stop, bool) {
		if to, ok := a(m, in); ok {
			return to, true
		}
		return b(m, in)
	}
}

// raise runs the hooks of an event, if a hook waits for it.
func raise(event string, payload func(*play.Turn) []tree.Member) action {
	return action{handle: applyAnswer[HooksRan], begin: func(m *Machine) (Todo, Stop) {
		if !m.game.Hooks().Wants(event) {
			return Todo{}, rowBelow
		}
		var about []tree.Member
		if payload != nil {
			about = payload(m.turn)
		}
		return Todo{Hooks: m.turn.HookQuestion(event, about)}, wait
	}}
}

// raiseEach runs the hooks of a list of events, one after the other. Each call of nextEvent returns
// an event, and false after the last.
func raiseEach(nextEvent func(*play.Turn) (state.HostEvent, bool)) action {
	return action{
		begin: func(m *Machine) (Todo, Stop) {
			e, ok := nextEvent(m.turn)
			switch {
			case !ok:
				return Todo{}, rowBelow
			case !m.game.Hooks().Wants(e.Event):
				return Todo{}, sameRow
			}
			return Todo{Hooks: m.turn.HookQuestion(e.Event, play.Members(e.Payload))}, wait
		},
		handle: handler(func(m *Machine, ran HooksRan) Stop { ran.applyTo(m.turn); return sameRow }),
	}
}

// or lists the other stops that the row may lead to. The list changes nothing: it is for readers of
// the course. A test compares it with the stops that the machine reaches.
func (a action) or(leads ...Stop) action {
	a.leads = leads
	return a
}

// when skips the row if the condition is false.
func (a action) when(condition func(*play.Turn) bool) action {
	begin := a.begin
	a.begin = func(m *Machine) (Todo, Stop) {
		if !condition(m.turn) {
			return Todo{}, rowBelow
		}
		return begin(m)
	}
	return a
}

// then makes the row lead to a stop instead of the row below.
func (a action) then(to Stop) action {
	a.leads = append(a.leads, to)
	begin, handle := a.begin, a.handle
	a.begin = func(m *Machine) (Todo, Stop) {
		todo, stop := begin(m)
		if stop == rowBelow {
			stop = to
		}
		return todo, stop
	}
	a.handle = func(m *Machine, in Input) (Stop, bool) {
		stop, ok := handle(m, in)
		if stop == rowBelow {
			stop = to
		}
		return stop, ok
	}
	return a
}

package turn

import (
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn/internal/play"
	"github.com/talewright/talewright/memvars/tree"
)

// row is one stop.
type row struct {
	stop  Stop
	phase Phase // "" leaves it as it is
	action
}

// action is the work of a row: it does something, asks something, or runs hooks.
type action struct {
	// begin returns the next stop, or a question and wait.
	begin func(*Machine) (Todo, Stop)
	// take takes the answer. nil: the row asks nothing.
	take taker
	// leads lists the stops that the row may lead to, other than the row below.
	leads []Stop
}

// do runs a step of the turn that returns the next stop.
func do(step func(*play.Turn) play.Next) action {
	return conclude(func(m *Machine) Stop { return Stop(step(m.turn)) })
}

// work runs a step of the turn that leads to the next row.
func work(step func(*play.Turn)) action {
	return conclude(func(m *Machine) Stop { step(m.turn); return onward })
}

// conclude runs a step that may end the instruction.
func conclude(step func(*Machine) Stop) action {
	return action{begin: func(m *Machine) (Todo, Stop) { return Todo{}, step(m) }}
}

// end is the row at which a machine waits for an instruction.
func end() action {
	return action{begin: func(m *Machine) (Todo, Stop) { return m.finish(), wait }}
}

// want asks a question in every case.
func want(todo func(*Machine) Todo, take taker) action {
	return action{take: take, begin: func(m *Machine) (Todo, Stop) { return todo(m), wait }}
}

// ask asks the question of the turn. If there is no question, the next row follows.
func ask[Q turnQuestion](question func(*play.Turn) *Q, take taker) action {
	return action{take: take, begin: func(m *Machine) (Todo, Stop) {
		if q := question(m.turn); q != nil {
			return todoOf(q), wait
		}
		return Todo{}, onward
	}}
}

// taker takes an answer and returns the next stop. For an answer to a different question it reports
// false and does nothing.
type taker func(*Machine, Input) (Stop, bool)

// handle takes answers of one type with a function that chooses the next stop.
func handle[A Input](take func(*Machine, A) Stop) taker {
	return func(m *Machine, in Input) (Stop, bool) {
		if a, ok := in.(A); ok {
			return take(m, a), true
		}
		return wait, false
	}
}

// answered takes answers of one type that continue the turn.
func answered[A turnAnswer](m *Machine, in Input) (Stop, bool) {
	a, ok := in.(A)
	if ok {
		a.tell(m.turn)
	}
	return onward, ok
}

// either takes answers of two types.
func either(a, b taker) taker {
	return func(m *Machine, in Input) (Stop, bool) {
		if to, ok := a(m, in); ok {
			return to, true
		}
		return b(m, in)
	}
}

// raise runs the hooks of an event, if a hook waits for it.
func raise(event string, payload func(play.EventData) []tree.Member) action {
	return action{take: answered[HooksRan], begin: func(m *Machine) (Todo, Stop) {
		if !m.game.Hooks().Wants(event) {
			return Todo{}, onward
		}
		now := m.turn.EventData()
		var about []tree.Member
		if payload != nil {
			about = payload(now)
		}
		return Todo{Hooks: now.Question(event, about)}, wait
	}}
}

// raiseEach runs the hooks of a list of events, one after the other. Each call of one returns the
// next event, and false after the last.
func raiseEach(one func(*play.Turn) (state.HostEvent, bool)) action {
	return action{
		begin: func(m *Machine) (Todo, Stop) {
			e, ok := one(m.turn)
			switch {
			case !ok:
				return Todo{}, onward
			case !m.game.Hooks().Wants(e.Event):
				return Todo{}, again
			}
			return Todo{Hooks: m.turn.EventData().Question(e.Event, play.Members(e.Payload))}, wait
		},
		take: handle(func(m *Machine, ran HooksRan) Stop { ran.tell(m.turn); return again }),
	}
}

// or names the other stops that the row may lead to. It is for readers; a test checks the course
// against it.
func (a action) or(leads ...Stop) action {
	a.leads = leads
	return a
}

// when skips the row if yes returns false.
func (a action) when(yes func(*play.Turn) bool) action {
	begin := a.begin
	a.begin = func(m *Machine) (Todo, Stop) {
		if !yes(m.turn) {
			return Todo{}, onward
		}
		return begin(m)
	}
	return a
}

// then names the stop that the row leads to instead of the row below.
func (a action) then(to Stop) action {
	a.leads = append(a.leads, to)
	begin, take := a.begin, a.take
	a.begin = func(m *Machine) (Todo, Stop) {
		todo, where := begin(m)
		if where == onward {
			where = to
		}
		return todo, where
	}
	a.take = func(m *Machine, in Input) (Stop, bool) {
		where, ok := take(m, in)
		if where == onward {
			where = to
		}
		return where, ok
	}
	return a
}

package turn

import (
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/memvars/tree"
)

// The moves that are no names of rows.
const (
	onward Stop = ""      // to the row below
	again  Stop = "again" // to the same row: a loop, whose place the turn knows
	wait   Stop = "wait"  // nowhere: what the row asks is not answered yet
)

// row is one stop.
type row struct {
	stop  Stop
	phase Phase // "" leaves it as it is
	action
}

// action is what a row is for: to do something, to ask something, or to let hooks hear
// of something.
type action struct {
	// begin returns where to go, or a question and wait.
	begin func(*Machine) (Todo, Stop)
	// take takes the answer and returns where to go. It reports false, and has done
	// nothing, for an answer to something else. nil: the row asks nothing.
	take func(*Machine, Input) (Stop, bool)
	// leads are the stops that it may lead to, but for the row below.
	leads []Stop
}

// do is a step that says where to go.
func do(step func(*Machine) Stop) action {
	return action{begin: func(m *Machine) (Todo, Stop) { return Todo{}, step(m) }}
}

// work is a step that leads to the next row.
func work(step func(*run)) action {
	return do(func(m *Machine) Stop { step(m.turn); return onward })
}

// end is the row at which a machine waits for an instruction.
func end() action {
	return action{begin: func(m *Machine) (Todo, Stop) { return m.finish(), wait }}
}

// ask asks what question returns; if it reports false, there is nothing to ask and the
// next row follows.
func ask(question func(*Machine) (Todo, bool), take func(*Machine, Input) (Stop, bool)) action {
	return action{take: take, begin: func(m *Machine) (Todo, Stop) {
		if todo, open := question(m); open {
			return todo, wait
		}
		return Todo{}, onward
	}}
}

// answered takes answers of one type.
func answered[A Input](take func(*Machine, A) Stop) func(*Machine, Input) (Stop, bool) {
	return func(m *Machine, in Input) (Stop, bool) {
		if a, ok := in.(A); ok {
			return take(m, a), true
		}
		return wait, false
	}
}

// either takes answers of two types.
func either[A, B Input](a func(*Machine, A) Stop, b func(*Machine, B) Stop) func(*Machine, Input) (Stop, bool) {
	return func(m *Machine, in Input) (Stop, bool) {
		if to, ok := answered(a)(m, in); ok {
			return to, true
		}
		return answered(b)(m, in)
	}
}

// raise lets hooks hear of an event, if one of them waits for it.
func raise(event string, payload func(*run) []tree.Member) action {
	return action{take: answered((*Machine).hooksRan), begin: func(m *Machine) (Todo, Stop) {
		if !m.game.Hooks().Wants(event) {
			return Todo{}, onward
		}
		var about []tree.Member
		if payload != nil {
			about = payload(m.turn)
		}
		return Todo{Hooks: m.turn.hookRun(event, about)}, wait
	}}
}

// raiseEach lets hooks hear of a list of events, one after the other. Each call of one
// returns the next of them, and false after the last.
func raiseEach(one func(*run) (state.HostEvent, bool)) action {
	return action{
		begin: func(m *Machine) (Todo, Stop) {
			e, ok := one(m.turn)
			switch {
			case !ok:
				return Todo{}, onward
			case !m.game.Hooks().Wants(e.Event):
				return Todo{}, again
			}
			return Todo{Hooks: m.turn.hookRun(e.Event, members(e.Payload))}, wait
		},
		take: answered(func(m *Machine, ran HooksRan) Stop { m.hooksRan(ran); return again }),
	}
}

// or says where the row may lead but for the one below. It is for readers, and a test
// holds the course to it.
func (a action) or(leads ...Stop) action {
	a.leads = leads
	return a
}

// when leaves the row out unless the turn says yes.
func (a action) when(yes func(*run) bool) action {
	begin := a.begin
	a.begin = func(m *Machine) (Todo, Stop) {
		if !yes(m.turn) {
			return Todo{}, onward
		}
		return begin(m)
	}
	return a
}

// then says where the row leads instead of to the one below.
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

package turn

import (
	"maps"

	"github.com/talewright/talewright/campaign/failure"
	"github.com/talewright/talewright/campaign/question"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn/internal/stage"
	"github.com/talewright/talewright/campaign/turn/internal/window"
)

// What the head of a campaign does not hold is in its log. A machine that needs it asks, and
// what it was told is no part of the record: the log says the same to everybody who asks again.

// lookBack answers what the machine asks of the past by a function; nil answers nothing.
func (m *Machine) lookBack(past func(question.Past) (PastRead, error)) error {
	for m.todo.Past != nil && past != nil {
		read, err := past(*m.todo.Past)
		if err == nil {
			err = m.Step(read)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// stateAt is a state of before, if it is at hand. Else the instruction wants it.
func (m *Machine) stateAt(ref string) (state.State, bool) {
	if s, ok := m.base.Kept(ref); ok {
		return s, true
	}
	if s, ok := m.states[ref]; ok {
		return s.Clone(), true
	}
	m.want = question.Past{State: ref}
	return state.State{}, false
}

// turnAt is a committed turn, if it is at hand. Else the instruction wants it.
func (m *Machine) turnAt(id string) (state.Turn, bool) {
	if t, ok := m.past.Read[id]; ok {
		return t, true
	}
	t, ok := m.base.Turn(id)
	if !ok {
		m.want = question.Past{Turns: []string{id}}
	}
	return t, ok
}

// whichPast asks for what an instruction wants.
func whichPast(m *Machine) Todo {
	want := m.want
	return Todo{Past: &want}
}

// branchAt has a branch in the head that is on a page of the attic. It reports false if the
// log is not asked yet: then the instruction wants it.
func (m *Machine) branchAt(id string) (c state.Campaign, known bool) {
	c = m.base
	if _, held := c.Branches[id]; held || c.Attic.Branches == 0 {
		return c, true
	}
	if m.branch == nil || m.branch.id != id {
		m.want = question.Past{Branch: id}
		return c, false
	}
	if m.branch.read != nil {
		c.Branches = maps.Clone(c.Branches)
		c.Branches[id] = *m.branch.read
	}
	return c, true
}

// unread ends an instruction that needs what nobody could tell.
func unread(m *Machine, what, why string) Stop {
	if why == "" {
		why = "the log does not have it"
	}
	return m.endWith(Outcome{Status: Failed, Reason: string(failure.PastUnread), Detail: what + ": " + why,
		Failure: &failure.Failure{Kind: failure.Store, Code: failure.PastUnread, Retry: true}})
}

// whichTurns asks for turns that the running one needs and the head does not hold.
func whichTurns(t *run) *question.Past {
	if t.past.Reach > 0 {
		return nil // they are at hand
	}
	w := windowOf(t)
	reach := w.Reach(w.Dialog.HistoryTurns)
	if q := t.past.Asks(w.Campaign.Newest(w.Campaign.State.HeadTurnID, reach), w.Campaign); q != nil {
		return q
	}
	t.past.Reach = reach
	return nil
}

// past is what a machine knows of the turns before.
type past struct {
	window.Past
	fired stage.Fired // of rules and reactions
}

// turnsRead keeps the turns that were asked for.
func turnsRead(m *Machine, read PastRead) Stop {
	if read.Error != "" {
		return unread(m, "the log", read.Error)
	}
	for _, t := range read.Turns {
		m.past.Keep(t)
	}
	if missing := m.past.Lacks(m.todo.Past.Turns, &m.base); missing != nil {
		return unread(m, "turn "+missing[0], "")
	}
	return again
}

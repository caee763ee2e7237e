package turn

import (
	"maps"

	"github.com/talewright/talewright/campaign/failure"
	"github.com/talewright/talewright/campaign/question"
	"github.com/talewright/talewright/campaign/state"
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
	if t, ok := m.past.read[id]; ok {
		return t, true
	}
	t, ok := m.base.Turn(id)
	if !ok {
		m.want = question.Past{Turns: []string{id}}
	}
	return t, ok
}

// whichPast asks for what an instruction wants.
func (m *Machine) whichPast() (Todo, bool) {
	want := m.want
	return Todo{Past: &want}, true
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
func (m *Machine) unread(what, why string) Stop {
	if why == "" {
		why = "the log does not have it"
	}
	return m.endWith(Outcome{Status: Failed, Reason: string(failure.PastUnread), Detail: what + ": " + why,
		Failure: &failure.Failure{Kind: failure.Store, Code: failure.PastUnread, Retry: true}})
}

// asksFor asks for those of some turns that are not at hand.
func (m *Machine) asksFor(ids []string) (Todo, bool) {
	if ids = m.lacks(ids); ids == nil {
		return Todo{}, false
	}
	return Todo{Past: &question.Past{Turns: ids}}, true
}

// lacks are those of some turns that neither the head holds nor the log was asked for.
func (m *Machine) lacks(ids []string) (out []string) {
	first := m.base.TurnCounter + 1
	if len(m.base.Turns) > 0 {
		first, _ = state.TurnNumber(m.base.Turns[0].ID)
	}
	for _, id := range ids {
		n, ok := state.TurnNumber(id)
		if _, read := m.past.read[id]; ok && n > 0 && n < first && !read {
			out = append(out, id)
		}
	}
	return out
}

// turnsRead keeps the turns that were asked for.
func (m *Machine) turnsRead(read PastRead) Stop {
	if read.Error != "" {
		return m.unread("the log", read.Error)
	}
	for _, t := range read.Turns {
		if m.past.read == nil {
			m.past.read = map[string]state.Turn{}
		}
		m.past.read[t.ID] = t
	}
	if missing := m.lacks(m.todo.Past.Turns); missing != nil {
		return m.unread("turn "+missing[0], "")
	}
	return again
}

// maxRead bounds the turns beside those of the head that stay in memory from one turn to the
// next.
const maxRead = 512

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

// asksFor asks for those of some turns that are not at hand, nil for none.
func (p *past) asksFor(ids []string, head *state.Campaign) *question.Past {
	if ids = p.lacks(ids, head); ids == nil {
		return nil
	}
	return &question.Past{Turns: ids}
}

// lacks are those of some turns that neither the head holds nor the log was asked for.
func (p *past) lacks(ids []string, head *state.Campaign) (out []string) {
	first := head.TurnCounter + 1
	if len(head.Turns) > 0 {
		first, _ = state.TurnNumber(head.Turns[0].ID)
	}
	for _, id := range ids {
		n, ok := state.TurnNumber(id)
		if _, read := p.read[id]; ok && n > 0 && n < first && !read {
			out = append(out, id)
		}
	}
	return out
}

// turnsRead keeps the turns that were asked for.
func turnsRead(m *Machine, read PastRead) Stop {
	if read.Error != "" {
		return unread(m, "the log", read.Error)
	}
	for _, t := range read.Turns {
		if m.past.read == nil {
			m.past.read = map[string]state.Turn{}
		}
		m.past.read[t.ID] = t
	}
	if missing := m.past.lacks(m.todo.Past.Turns, &m.base); missing != nil {
		return unread(m, "turn "+missing[0], "")
	}
	return again
}

// maxRead bounds the turns beside those of the head that stay in memory from one turn to the
// next.
const maxRead = 512

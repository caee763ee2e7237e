package turn

import (
	"fmt"
	"maps"

	"github.com/talewright/talewright/campaign/question"
	"github.com/talewright/talewright/campaign/state"
)

// What the head of a campaign does not hold is in its log. A machine that needs it asks, and
// what it was told is no part of the record: the log says the same to everybody who asks again.

// answerPast answers what the machine asks of the past with a function; nil answers nothing.
func answerPast(m *Machine, past func(question.Past) (PastRead, error)) error {
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

// stateAt is the state that a reference leads to, if it is at hand. If not, the machine needs it.
func stateAt(m *Machine, ref string) (state.State, bool) {
	if s, ok := m.base.Kept(ref); ok {
		return s, true
	}
	if s, ok := m.states[ref]; ok {
		return s.Clone(), true
	}
	m.needs = question.Past{State: ref}
	return state.State{}, false
}

// turnAt is a committed turn, if it is at hand. If not, the machine needs it.
func turnAt(m *Machine, id string) (state.Turn, bool) {
	if t, ok := m.past.Read[id]; ok {
		return t, true
	}
	t, ok := m.base.Turn(id)
	if !ok {
		m.needs = question.Past{Turns: []string{id}}
	}
	return t, ok
}

// neededPast asks for what the instruction needs.
func neededPast(m *Machine) Todo {
	needs := m.needs
	return Todo{Past: &needs}
}

// branchAt has a branch in the head that is on a page of the attic. It reports false if the
// log is not asked yet: then the machine needs it.
func branchAt(m *Machine, id string) (c state.Campaign, known bool) {
	c = m.base
	if _, held := c.Branches[id]; held || c.Attic.Branches == 0 {
		return c, true
	}
	if m.branch == nil || m.branch.id != id {
		m.needs = question.Past{Branch: id}
		return c, false
	}
	if m.branch.read != nil {
		c.Branches = maps.Clone(c.Branches)
		c.Branches[id] = *m.branch.read
	}
	return c, true
}

// pastUnread ends an instruction that needs what the log did not give.
func pastUnread(m *Machine, what, why string) Stop {
	if why == "" {
		why = "the log does not have it"
	}
	return m.endWith(Outcome{Status: Failed, Reason: string(PastUnread), Detail: what + ": " + why,
		Failure: &Failure{Kind: FailureStore, Code: PastUnread, Retry: true}})
}

// turnsRead keeps the turns that were asked for.
func turnsRead(m *Machine, read PastRead) Stop {
	if read.Error != "" {
		return pastUnread(m, "the log", read.Error)
	}
	for _, t := range read.Turns {
		m.past.Keep(t)
	}
	if missing := m.past.Lacks(m.todo.Past.Turns, &m.base); missing != nil {
		return pastUnread(m, "turn "+missing[0], "")
	}
	return again
}

// pastRead lets the instruction begin anew, with what it needs at hand.
func pastRead(m *Machine, read PastRead) Stop {
	if to := turnsRead(m, read); to != again {
		return to
	}
	if ref := m.needs.State; ref != "" {
		if read.State == nil {
			return pastUnread(m, "the state "+ref, "")
		}
		m.states = map[string]state.State{ref: *read.State}
	}
	if id := m.needs.Branch; id != "" {
		m.branch = &branchRead{id, read.Branch}
	}
	if m.needs.Jumps {
		if m.base.OlderJumps = read.Jumps; m.base.LacksJumps() {
			m.base.OlderJumps = nil
			return pastUnread(m, "what leads to its turns", "")
		}
	}
	to, err := withoutID(m.journal[0]).(instruction).apply(m)
	if m.states = nil; err != nil {
		m.refused = err
		return idle
	}
	return to
}

// takePast takes the answer to what the machine asked of the log, and returns why the instruction
// that it begins with that is refused, if it is.
func takePast(m *Machine, read PastRead) error {
	if m.todo.Past == nil {
		return fmt.Errorf("%w: got %s at stop %s", ErrUnexpectedInput, read.inputType(), m.Stop())
	}
	to, _ := course[m.at].take(m, read)
	m.walk(to)
	refused := m.refused
	m.refused = nil
	return refused
}

package turn

import (
	"errors"
	"fmt"
	"maps"

	"github.com/talewright/talewright/campaign/question"
	"github.com/talewright/talewright/campaign/state"
)

// This file reads what the head of a campaign does not hold: older states, turns and branches. If an
// instruction needs one, the machine stores in neededPast what it needs, asks for it ([Todo.Past]),
// and begins the instruction again with the answer. The answers are not recorded, because the log
// always gives the same answer.

// answerPast answers the machine's questions about the past with a function; nil answers nothing.
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

// stateAt returns the state of a reference, if it is in memory. If not, it requests the state in
// neededPast and reports false.
func stateAt(m *Machine, ref string) (state.State, bool) {
	if s, ok := m.base.Kept(ref); ok {
		return s, true
	}
	if s, ok := m.readStates[ref]; ok {
		return s.Clone(), true
	}
	m.neededPast = question.Past{State: ref}
	return state.State{}, false
}

// turnAt returns a committed turn, if it is in memory. If not, it requests the turn in neededPast
// and reports false.
func turnAt(m *Machine, id string) (state.Turn, bool) {
	if t, ok := m.past.Read[id]; ok {
		return t, true
	}
	t, ok := m.base.Turn(id)
	if !ok {
		m.neededPast = question.Past{Turns: []string{id}}
	}
	return t, ok
}

// pastQuestion returns the question to the log for the data that the instruction needs.
func pastQuestion(m *Machine) Todo {
	needs := m.neededPast
	return Todo{Past: &needs}
}

// branchAt returns the campaign with an archived branch in its head. If the branch was not read yet,
// it requests the branch in neededPast and reports false.
func branchAt(m *Machine, id string) (c state.Campaign, known bool) {
	c = m.base
	if _, held := c.Branches[id]; held || c.Archive.Branches == 0 {
		return c, true
	}
	if m.readBranch == nil || m.readBranch.id != id {
		m.neededPast = question.Past{Branch: id}
		return c, false
	}
	if m.readBranch.branch != nil {
		c.Branches = maps.Clone(c.Branches)
		c.Branches[id] = *m.readBranch.branch
	}
	return c, true
}

// pastUnread ends an instruction because the log did not return what it needs. why is the error of
// the log, which an engine adds to the failure. If why is empty, a record is damaged or missing.
func pastUnread(m *Machine, what, why string) Stop {
	failure := &Failure{Kind: FailureStore, Code: PastUnread, Retry: true}
	if why == "" {
		why = "the log does not have it: Engine.Check reports damaged records"
		failure.Err = errors.New(what + ": " + why)
	}
	return m.endWith(Outcome{Status: Failed, Reason: string(PastUnread), Detail: what + ": " + why, Failure: failure})
}

// turnsRead keeps the turns that were read.
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
	return sameRow
}

// pastRead begins the instruction again, with the needed data in memory.
func pastRead(m *Machine, read PastRead) Stop {
	if to := turnsRead(m, read); to != sameRow {
		return to
	}
	if ref := m.neededPast.State; ref != "" {
		if read.State == nil {
			return pastUnread(m, "the state "+ref, "")
		}
		m.readStates = map[string]state.State{ref: *read.State}
	}
	if id := m.neededPast.Branch; id != "" {
		m.readBranch = &branchRead{id, read.Branch}
	}
	if m.neededPast.Jumps {
		if m.base.OlderJumps = read.Jumps; m.base.LacksJumps() {
			m.base.OlderJumps = nil
			return pastUnread(m, "the jumps between its turns", "")
		}
	}
	to, err := withoutID(m.journal[0]).(instruction).apply(m) // idle with an error
	m.readStates, m.refused = nil, err
	return to
}

// applyPastRead applies the answer of the log. The instruction then begins again. If it is refused,
// applyPastRead returns the refusal.
func applyPastRead(m *Machine, read PastRead) error {
	if m.todo.Past == nil {
		return fmt.Errorf("%w: got %s at stop %s", ErrUnexpectedInput, read.inputType(), m.Stop())
	}
	to, _ := course[m.row].handle(m, read)
	m.walk(to)
	refused := m.refused
	m.refused = nil
	return refused
}

package turn

import (
	"cmp"
	"fmt"
	"maps"

	"github.com/talewright/talewright/campaign/failure"
	"github.com/talewright/talewright/campaign/question"
	"github.com/talewright/talewright/campaign/setting"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn/internal/play"
)

// What the head of a campaign does not hold is in its log. A machine that needs it asks, and
// what it was told is no part of the record: the log says the same to everybody who asks again.

// lookBack answers what the machine asks of the past by a function; nil answers nothing.
func lookBack(m *Machine, past func(question.Past) (PastRead, error)) error {
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
func stateAt(m *Machine, ref string) (state.State, bool) {
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
func turnAt(m *Machine, id string) (state.Turn, bool) {
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
func branchAt(m *Machine, id string) (c state.Campaign, known bool) {
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

// renew is the stage of another answer to the line of the head turn, on the state before
// that.
func renew(m *Machine, asked Asking, in state.Submission, ask state.Ask, values setting.Values) *play.Turn {
	line, before, _ := beforeHead(m)
	head := m.base.State
	before.Variables = m.game.KeepSetup(head, before)
	// What one answer has drawn the next does not draw again.
	before.Random = max(before.Random, head.Random, line.Random)
	next := accepted(m, in.ClientTurnID)
	next.State = before
	t := beginTurn(m, asked, in, next, values)
	t.Order.Ask, t.Order.Again = &ask, &play.Renewal{Head: head, Line: line}
	if values.Bool(setting.KeepRolls) {
		t.Stage.Dice.Keep(line.Rolls)
	}
	return t
}

// beforeHead is what the head turn was played on: the alternatives of its line, and the state
// before it. known is false if they are not at hand, and then the instruction wants them.
func beforeHead(m *Machine) (line state.Alternatives, before state.State, known bool) {
	head, known := turnAt(m, m.base.State.HeadTurnID)
	if !known {
		return line, before, false
	}
	if line, known = m.base.BeforeHead(head); known {
		before, known = stateAt(m, line.BeforeRef)
	}
	return line, before, known
}

// knowsLine reports whether the state before the head turn is known, at hand or in the log, and
// whether it is at hand.
func knowsLine(m *Machine) (known, atHand bool) {
	if m.base.State.HeadTurnID == state.StartTurnID {
		return false, true
	}
	head, ok := turnAt(m, m.base.State.HeadTurnID)
	if !ok {
		return true, false
	}
	line, known := m.base.BeforeHead(head)
	if !known {
		return false, true
	}
	_, atHand = stateAt(m, line.BeforeRef)
	return true, atHand
}

// lineAtHead is the submission that the head turn answers, and its state of before, if they
// are at hand.
func lineAtHead(m *Machine) (state.Submission, state.State, bool) {
	line, before, ok := beforeHead(m)
	if !ok {
		return state.Submission{}, before, false
	}
	head, _ := turnAt(m, m.base.State.HeadTurnID)
	var in state.Submission
	if line.Submission != nil {
		in = *line.Submission
	}
	in.ActorID = cmp.Or(in.ActorID, head.ActorID)
	in.Text = cmp.Or(in.Text, head.UserInput)
	in.Audience = head.Audience
	return in, before, true
}

// pastRead lets the instruction begin anew, with what it wants at hand.
func pastRead(m *Machine, read PastRead) Stop {
	if to := turnsRead(m, read); to != again {
		return to
	}
	if ref := m.want.State; ref != "" {
		if read.State == nil {
			return unread(m, "the state "+ref, "")
		}
		m.states = map[string]state.State{ref: *read.State}
	}
	if id := m.want.Branch; id != "" {
		m.branch = &branchRead{id, read.Branch}
	}
	if m.want.Jumps {
		if m.base.OlderJumps = read.Jumps; m.base.LacksJumps() {
			m.base.OlderJumps = nil
			return unread(m, "what leads to its turns", "")
		}
	}
	to, err := m.journal[0].(instruction).apply(m)
	if m.states = nil; err != nil {
		m.refused = err
		return idle
	}
	return to
}

// remind takes what was read in the log.
func remind(m *Machine, read PastRead) error {
	if m.todo.Past == nil {
		return fmt.Errorf("%w: got %s at stop %s", ErrUnexpectedInput, read.inputType(), m.Stop())
	}
	to, _ := course[m.at].take(m, read)
	m.walk(to)
	refused := m.refused
	m.refused = nil
	return refused
}

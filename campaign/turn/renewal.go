package turn

import (
	"cmp"

	"github.com/talewright/talewright/campaign/setting"
	"github.com/talewright/talewright/campaign/state"
)

// renewal is what a turn has beside others that gives another answer to the line of the
// head turn.
type renewal struct {
	head state.State        // where the campaign stands if nothing comes of it
	line state.Alternatives // of the head turn
}

// renew is the stage of another answer to the line of the head turn, on the state before
// that.
func renew(m *Machine, asked Asking, in state.Submission, ask state.Ask, values setting.Values) *run {
	line, before, _ := beforeHead(m)
	head := m.base.State
	before.Variables = m.game.KeepSetup(head, before)
	// What one answer has drawn the next does not draw again.
	before.Random = max(before.Random, head.Random, line.Random)
	next := accepted(m, in.ClientTurnID)
	next.State = before
	t := beginTurn(m, asked, in, next, values)
	t.order.ask, t.order.again = &ask, &renewal{head: head, line: line}
	if values.Bool(setting.KeepRolls) {
		t.stage.Dice.Keep(line.Rolls)
	}
	return t
}

// beforeHead is what the head turn was played on: the alternatives of its line, and the state
// before it. known is false if they are not at hand, and then the instruction wants them.
func beforeHead(m *Machine) (line state.Alternatives, before state.State, known bool) {
	head, known := m.turnAt(m.base.State.HeadTurnID)
	if !known {
		return line, before, false
	}
	if line, known = m.base.BeforeHead(head); known {
		before, known = m.stateAt(line.BeforeRef)
	}
	return line, before, known
}

// knowsLine reports whether the state before the head turn is known, at hand or in the log, and
// whether it is at hand.
func knowsLine(m *Machine) (known, atHand bool) {
	if m.base.State.HeadTurnID == state.StartTurnID {
		return false, true
	}
	head, ok := m.turnAt(m.base.State.HeadTurnID)
	if !ok {
		return true, false
	}
	line, known := m.base.BeforeHead(head)
	if !known {
		return false, true
	}
	_, atHand = m.stateAt(line.BeforeRef)
	return true, atHand
}

// lineAtHead is the submission that the head turn answers, and its state of before, if they
// are at hand.
func lineAtHead(m *Machine) (state.Submission, state.State, bool) {
	line, before, ok := beforeHead(m)
	if !ok {
		return state.Submission{}, before, false
	}
	head, _ := m.turnAt(m.base.State.HeadTurnID)
	var in state.Submission
	if line.Submission != nil {
		in = *line.Submission
	}
	in.ActorID = cmp.Or(in.ActorID, head.ActorID)
	in.Text = cmp.Or(in.Text, head.UserInput)
	in.Audience = head.Audience
	return in, before, true
}

// keepAlternatives notes in the campaign that a turn leads to what belongs to its line: where
// the next answer to it starts, the dice, and the answer that stood at the head before.
func keepAlternatives(t *run, next *state.Campaign, record state.Turn) {
	if t.order.again == nil {
		next.KeepBefore(state.Alternatives{Chosen: record.ID, Rolls: t.stage.Dice.Kept(), Submission: t.order.kept(record),
			Evidence: t.stage.Staged.KeptEvidence()})
		return
	}
	next.State = t.order.again.head
	next.LeaveHead(t.order.again.line, t.values.Int(setting.MaxAlternatives))
	next.Alternatives.Chosen = record.ID
	next.Alternatives.Rolls, next.Alternatives.Random, next.Alternatives.Evidence = t.stage.Dice.Kept(), t.stage.Dice.Cursor, t.stage.Staged.KeptEvidence()
}

// unplayed is the campaign that is left if nothing comes of the turn: with what its
// acceptance changed.
func unplayed(t *run) state.Campaign {
	next := t.next
	if t.order.again != nil {
		next.State = t.order.again.head
	}
	return next
}

package turn

import (
	"encoding/json"

	"github.com/talewright/talewright/campaign/question"
	"github.com/talewright/talewright/campaign/state"
)

// beside is an instruction that may come while a turn waits for people.
type beside interface {
	// beside returns why it may not now.
	beside(m *Machine) error
}

// whileWaiting refuses the instructions that may not come while a turn waits for people. A
// machine whose turn was dropped on the way from there goes back to it first.
func (m *Machine) whileWaiting(in Input) error {
	if m.base.PendingApproval == nil || !isInstruction(in) || m.phase != Idle && m.phase != Approving {
		return nil
	}
	if m.phase == Idle {
		_ = m.Resume(nil)
	}
	if i, ok := in.(beside); ok {
		return i.beside(m)
	}
	if _, asks := Asks(in); asks {
		if m.phase == Idle {
			return nil // it ends with an outcome
		}
		return refusal(state.AwaitingApproval)
	}
	return &state.Refusal{Code: state.CampaignBusy, Detail: "a turn waits for approval"}
}

// Resume goes on with the turn that waits for people, if there is one and the machine is idle: it
// is played again by what it was told. [NewMachine] and [Machine.Follow] do so already; where the
// turn looks back further than the campaign holds, they leave it to a call with past, which
// answers what is asked of the log. If it leads elsewhere, as with other content, the machine
// stays idle.
func (m *Machine) Resume(past func(question.Past) (PastRead, error)) error {
	p := m.base.PendingApproval
	if p == nil || m.phase != Idle {
		return nil
	}
	var told Inputs
	if json.Unmarshal(p.Journal.AppendJSON(nil), &told) != nil {
		return nil
	}
	before := m.base
	before.PendingApproval, before.Version = nil, before.Version-p.Records
	again := &Machine{game: m.game, base: before, phase: Idle, explained: m.explained}
	for _, in := range append(told, Committed{}) {
		if again.Step(in) != nil {
			return nil
		}
		if err := again.lookBack(past); err != nil {
			return err
		}
	}
	if again.phase != Approving || Same(again.base.PendingApproval, p) != nil {
		return nil
	}
	again.base, again.log = m.base, m.log
	*m = *again
	return nil
}

// discarded drops a turn that waits for people.
func (m *Machine) discarded(in Discard) Stop {
	next := m.accepted(m.base.PendingApproval.Question.ClientTurnID)
	next.PendingApproval = nil
	return m.commit(kindDiscard, in.At, next, nil, Todo{Outcome: &Outcome{Status: Discarded}})
}

package turn

import (
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/internal/openjson"
	"github.com/talewright/talewright/memvars/tree"
)

// A turn may wait for people, for as long as it takes: the question is committed.

// seekApproval writes down what people are asked, if they are to be.
func seekApproval(m *Machine) Stop {
	p := pendingFor(m.turn, m.base.Version+1)
	if p == nil {
		return atPassed
	}
	if before := m.base.PendingApproval; before != nil {
		p.Records += before.Records
	}
	journal, err := openjson.Marshal(m.journal)
	if err == nil {
		p.Journal, err = tree.ParseValue(journal)
	}
	if err != nil {
		return unstorable(m, err)
	}
	next := m.base.Clone()
	next.PendingApproval = p
	if to := m.commit(kindPending, m.turn.order.in.At, next, nil, Todo{}); to != atCommit {
		return to
	}
	m.pending.record.Draws = nil // the record of the turn will have them
	return onward
}

// kindPending is the record of a turn that waits for people.
const kindPending = "approval_pending"

// waiting takes over that the question is stored. From now on the turn has to be dropped by a
// record, too.
func waiting(m *Machine, _ Committed) Stop {
	m.base, m.head, m.pending = m.pending.next, m.pending.head, commitment{}
	m.logged = len(m.journal)
	m.turn.headChanged = true
	return onward
}

// whatToApprove asks people.
func whatToApprove(m *Machine) Todo {
	return Todo{Approve: &m.base.PendingApproval.Question}
}

// approved goes on as people have decided.
func approved(m *Machine, in Approve) Stop {
	return Stop(decided(m.turn, m.base.PendingApproval.Question, in.about, in.By, in.At))
}

// beside is an instruction that may come while a turn waits for people.
type beside interface {
	// beside returns why it may not now.
	beside(m *Machine) error
}

// whileWaiting refuses the instructions that may not come while a turn waits for people. A
// machine whose turn was dropped on the way from there goes back to it first.
func whileWaiting(m *Machine, in Input) error {
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

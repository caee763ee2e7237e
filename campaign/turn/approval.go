package turn

import (
	"encoding/json"
	"slices"

	"github.com/talewright/talewright/campaign/question"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn/internal/play"
	"github.com/talewright/talewright/internal/openjson"
	"github.com/talewright/talewright/memvars/tree"
)

// A turn may wait for people, for as long as it takes: the question is committed.

// seekApproval writes down what people are asked, if they are to be.
func seekApproval(m *Machine) Stop {
	p := play.Pending(m.turn, m.base.Version+1)
	if p == nil {
		return atPassed
	}
	if before := m.base.PendingApproval; before != nil {
		p.Records += before.Records
	}
	told := slices.Clone(m.journal)
	for i, in := range told { // when they are played again, the ids are known
		told[i] = withoutID(in)
	}
	journal, err := openjson.Marshal(told)
	if err == nil {
		p.Journal, err = tree.ParseValue(journal)
	}
	if err != nil {
		return unstorable(m, err)
	}
	next := m.base.Clone()
	next.PendingApproval = p
	if to := m.commit(recordPending, m.turn.Order.In.At, next, nil, Todo{}); to != atCommit {
		return to
	}
	m.pending.record.Draws = nil // the record of the turn will have them
	return onward
}

// questionStored goes on once the question is stored. From now on dropping the turn takes a record,
// too.
func questionStored(m *Machine, _ Committed) Stop {
	m.base, m.headValue, m.pending = m.pending.next, m.pending.headValue, commitment{}
	m.logged, m.once = len(m.journal), nil
	m.turn.HeadChanged = true
	return onward
}

// whatToApprove asks people.
func whatToApprove(m *Machine) Todo {
	return Todo{Approve: &m.base.PendingApproval.Question}
}

// approved goes on as people have decided.
func approved(m *Machine, in Approve) Stop {
	return Stop(play.Decided(m.turn, m.base.PendingApproval.Question, in.about, in.By, in.At))
}

// besideApproval is an instruction that may come while a turn waits for people.
type besideApproval interface {
	// refusedBesideApproval returns why it may not come now, nil if it may.
	refusedBesideApproval(m *Machine) error
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
	if i, ok := in.(besideApproval); ok {
		return i.refusedBesideApproval(m)
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
		if err := answerPast(again, past); err != nil {
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

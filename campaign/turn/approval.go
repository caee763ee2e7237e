package turn

import (
	"encoding/json"
	"slices"

	"github.com/talewright/talewright/campaign/question"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn/internal/play"
	"github.com/talewright/talewright/memvars/tree"
)

// A turn may wait for people without a time limit, because the question is committed.

// seekApproval records the question to people, if calls need approval.
func seekApproval(m *Machine) Stop {
	p := play.Pending(m.turn, m.base.Version+1)
	if p == nil {
		return play.ToPassed
	}
	if before := m.base.PendingApproval; before != nil {
		p.Records += before.Records
	}
	inputs := slices.Clone(m.journal)
	for i, in := range inputs { // a replay needs no client IDs
		inputs[i] = withoutID(in)
	}
	p.Journal, _ = tree.Of(inputs) // no error: each input was encoded when it arrived
	p.Programs = m.turn.Stage.Pending.Trace.Programs
	next := m.base.Clone()
	next.PendingApproval = p
	if to := m.commit(recordPending, m.turn.Order.In.At, next, nil, Todo{}); to != atCommit {
		return to
	}
	m.pending.record.Draws = nil // the record of the turn will contain them
	return rowBelow
}

// questionStored continues once the question is stored. From now on the log has the waiting turn, so
// dropping it needs a record, too.
func questionStored(m *Machine, _ Committed) Stop {
	m.base, m.headValue, m.pending = m.pending.next, m.pending.headValue, commitment{}
	m.logged, m.once = len(m.journal), nil
	m.turn.HeadChanged = true
	return rowBelow
}

// approval returns the question to people.
func approval(m *Machine) Todo {
	return Todo{Approve: &m.base.PendingApproval.Question}
}

// approved continues with the decisions of people.
func approved(m *Machine, in Approve) Stop {
	return Stop(play.Decided(m.turn, m.base.PendingApproval.Question, in.about, in.By, in.At))
}

// allowedWhileWaiting is an instruction that may be allowed while a turn waits for people.
type allowedWhileWaiting interface {
	// refusalWhileWaiting returns why the instruction is refused now, nil if it is allowed.
	refusalWhileWaiting(m *Machine) error
}

// refuseWhileWaiting refuses the instructions that are not allowed while a turn waits for people. If
// the machine is idle although a turn waits, it first resumes that turn.
func refuseWhileWaiting(m *Machine, in Input) error {
	if m.base.PendingApproval == nil || !isInstruction(in) || m.phase != Idle && m.phase != Approving {
		return nil
	}
	if m.phase == Idle {
		_ = m.Resume(nil)
	}
	if i, ok := in.(allowedWhileWaiting); ok {
		return i.refusalWhileWaiting(m)
	}
	if _, asks := NeedsModel(in); asks {
		if m.phase == Idle {
			return nil // it is refused later, with an Outcome
		}
		return refusal(state.AwaitingApproval)
	}
	return &state.Refusal{Code: state.CampaignBusy, Detail: "a turn waits for approval"}
}

// Resume continues the turn that waits for people, if there is one and the machine is idle. It
// replays the inputs of the turn. [NewMachine] and [Machine.Follow] already do this. If the turn
// needs more of the past than the campaign holds, they do not resume it: then call Resume with
// past, which answers questions to the log. If the replay gives a different result, for example
// with changed content, the machine stays idle.
func (m *Machine) Resume(past func(question.Past) (PastRead, error)) error {
	p := m.base.PendingApproval
	if p == nil || m.phase != Idle {
		return nil
	}
	var inputs Inputs
	_ = json.Unmarshal(p.Journal.AppendJSON(nil), &inputs) // a broken journal leads to no question below
	before := m.base
	before.PendingApproval, before.Version = nil, before.Version-p.Records
	again := &Machine{game: m.game, base: before, phase: Idle, explained: m.explained, recordedPrograms: p.Programs}
	for _, in := range append(inputs, Committed{}) {
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
	again.base, again.log, again.recordedPrograms = m.base, m.log, nil
	*m = *again
	return nil
}

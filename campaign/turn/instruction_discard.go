package turn

import (
	"time"

	"github.com/talewright/talewright/campaign/state"
)

// Discard drops the turn that waits for people. Nothing of it has happened. As after a failed turn,
// the undo window of a rollback is closed. To drop a pending conflict use [ResolveConflict].
type Discard struct {
	By string    `json:"by,omitempty"` // the host's name for the person
	At time.Time `json:"at,omitzero"`
}

func (Discard) inputType() string { return "discard" }

// apply drops a turn that cannot continue with the present content.
func (in Discard) apply(m *Machine) (Stop, error) {
	if m.base.PendingApproval == nil {
		return idle, refusal(state.NoPendingApproval)
	}
	return discarded(m, in), nil
}

// refusalWhileWaiting allows the instruction at any time.
func (Discard) refusalWhileWaiting(*Machine) error { return nil }

// discarded drops a turn that waits for people.
func discarded(m *Machine, in Discard) Stop {
	next := acceptedCampaign(m, m.base.PendingApproval.Question.ClientTurnID)
	next.PendingApproval = nil
	return m.commit(recordDiscard, in.At, next, nil, Todo{Outcome: &Outcome{Status: Discarded}})
}

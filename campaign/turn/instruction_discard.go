package turn

import (
	"time"

	"github.com/talewright/talewright/campaign/state"
)

// Discard drops the turn that waits for people: nothing of it has happened. As after a turn
// that failed, the undo window of a rollback is closed. A pending conflict is dropped by
// [ResolveConflict].
type Discard struct {
	By string    `json:"by,omitempty"` // the host's name for the person
	At time.Time `json:"at,omitzero"`
}

func (Discard) inputType() string { return "discard" }

func (in Discard) stamped(now time.Time) Input { in.At = orNow(in.At, now); return in }

// apply drops a turn that cannot go on with the present content.
func (in Discard) apply(m *Machine) (Stop, error) {
	if m.base.PendingApproval == nil {
		return idle, refusal(state.NoPendingApproval)
	}
	return discarded(m, in), nil
}

// refusedBesideApproval lets it come at any time.
func (Discard) refusedBesideApproval(*Machine) error { return nil }

// discarded drops a turn that waits for people.
func discarded(m *Machine, in Discard) Stop {
	next := acceptedCampaign(m, m.base.PendingApproval.Question.ClientTurnID)
	next.PendingApproval = nil
	return m.commit(recordDiscard, in.At, next, nil, Todo{Outcome: &Outcome{Status: Discarded}})
}

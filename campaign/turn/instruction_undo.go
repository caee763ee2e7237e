package turn

import (
	"time"

	"github.com/talewright/talewright/campaign/state"
)

// Undo removes the newest turn: the campaign returns to the checkpoint of the turn before it, as
// [RollBack] does. It can be repeated while there are checkpoints. Before the first turn it is
// refused as [state.NoHeadTurn].
type Undo struct {
	At time.Time `json:"at,omitzero"`
}

func (Undo) inputType() string { return "undo" }

func (in Undo) apply(m *Machine) (Stop, error) {
	if m.base.State.HeadTurnID == state.StartTurnID {
		return idle, &state.Refusal{Code: state.NoHeadTurn}
	}
	head, known := turnAt(m, m.base.State.HeadTurnID)
	if !known {
		return atPast, nil
	}
	return RollBack{To: head.ParentID, At: in.At}.apply(m)
}

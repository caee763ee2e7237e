package turn

import (
	"time"

	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/internal/settingkey"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/memvars/tree"
)

// RollBack returns to the checkpoint of a turn. To is the ID of the turn, or the label of a
// checkpoint, see [MakeCheckpoint]; of several with one label the newest counts. A text with the form
// of a turn's ID is never a label.
type RollBack struct {
	To string    `json:"to"`
	At time.Time `json:"at,omitzero"`
}

func (RollBack) inputType() string { return "rollback" }

func (in RollBack) apply(m *Machine) (Stop, error) {
	to := in.To
	if _, isTurn := state.TurnNumber(to); !isTurn {
		for _, c := range m.base.Checkpoints {
			if c.Label == in.To && c.Label != "" {
				to = c.TurnID
			}
		}
	}
	ref, err := m.base.RollbackRef(to, m.values().Int(settingkey.MaxCheckpoints))
	if err != nil {
		return idle, err
	}
	restored, known := stateAt(m, ref)
	if !known {
		return atPast, nil
	}
	next := m.base.Clone()
	next.Rollback(to, restored)
	next.State = m.game.KeepSetup(m.base.State, next.State)
	announce := wantedByHooks(m, Announce{Event: game.EventRollbackDone, At: in.At, Payload: tree.Object(
		tree.Member{Key: "from_turn_id", Value: tree.Text(m.base.State.HeadTurnID)},
		tree.Member{Key: "to_turn_id", Value: tree.Text(to)})})
	return m.commit(RecordKind(in.inputType()), in.At, next, nil,
		Todo{Announce: announce, Outcome: &Outcome{Status: Completed}}), nil
}

package turn

import "time"

// UndoRollBack reverses a rollback, until the next instruction is accepted.
type UndoRollBack struct {
	At time.Time `json:"at,omitzero"`
}

func (UndoRollBack) inputType() string { return "undo_rollback" }

func (in UndoRollBack) apply(m *Machine) (Stop, error) {
	ref, err := m.base.UndoRef()
	if err != nil {
		return idle, err
	}
	restored, known := stateAt(m, ref)
	if !known {
		return atPast, nil
	}
	next := m.base.Clone()
	next.UndoRollback(restored)
	next.State = m.game.KeepSetup(m.base.State, next.State)
	return m.change(in, in.At, next), nil
}

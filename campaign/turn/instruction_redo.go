package turn

import "time"

// Redo returns to the turn from which the first [Undo] or [RollBack] started, as [UndoRollBack]
// does. It is possible until the next instruction is accepted.
type Redo struct {
	At time.Time `json:"at,omitzero"`
}

func (Redo) inputType() string { return "redo" }

func (in Redo) apply(m *Machine) (Stop, error) { return UndoRollBack(in).apply(m) }

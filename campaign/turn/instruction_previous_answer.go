package turn

import "time"

// PreviousAnswer moves the head to the previous answer, the opposite of [NextAnswer].
type PreviousAnswer struct {
	At time.Time `json:"at,omitzero"`
}

func (PreviousAnswer) inputType() string { return "previous_answer" }

func (in PreviousAnswer) apply(m *Machine) (Stop, error) { return chooseNeighbour(m, -1, in.At) }

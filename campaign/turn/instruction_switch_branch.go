package turn

import "time"

// SwitchBranch goes to the head of another branch.
type SwitchBranch struct {
	BranchID string    `json:"branch_id"`
	At       time.Time `json:"at,omitzero"`
}

func (SwitchBranch) inputType() string { return "switch_branch" }

func (in SwitchBranch) stamped(now time.Time) Input { in.At = orNow(in.At, now); return in }

func (in SwitchBranch) apply(m *Machine) (Stop, error) {
	next := m.base.Clone()
	if err := next.SwitchBranch(in.BranchID, m.checkpointLimit()); err != nil {
		return idle, err
	}
	return m.change(in, in.At, next), nil
}

package turn

import (
	"time"

	"github.com/talewright/talewright/campaign/internal/settingkey"
)

// SwitchBranch moves to the head of a different branch.
type SwitchBranch struct {
	BranchID string    `json:"branch_id"`
	At       time.Time `json:"at,omitzero"`
}

func (SwitchBranch) inputType() string { return "switch_branch" }

func (in SwitchBranch) apply(m *Machine) (Stop, error) {
	from, known := branchAt(m, in.BranchID)
	if !known {
		return atPast, nil
	}
	ref, err := from.BranchRef(in.BranchID)
	if err != nil {
		return idle, err
	}
	restored, known := stateAt(m, ref)
	if !known {
		return atPast, nil
	}
	next := from.Clone()
	next.SwitchBranch(in.BranchID, m.values().Int(settingkey.MaxCheckpoints), restored)
	next.State = m.game.KeepSetup(m.base.State, next.State)
	return m.change(in, in.At, next), nil
}

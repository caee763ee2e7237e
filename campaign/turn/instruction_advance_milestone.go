package turn

import "time"

// AdvanceMilestone advances the milestone by one step.
type AdvanceMilestone struct {
	At time.Time `json:"at,omitzero"`
}

func (AdvanceMilestone) inputType() string { return "advance_milestone" }

func (in AdvanceMilestone) apply(m *Machine) (Stop, error) {
	next := m.base.Clone()
	next.State.Milestone.Step(next.State.TurnCount, next.State.Summary.Version)
	return m.commit(RecordKind(in.inputType()), in.At, next, nil, Todo{Outcome: &Outcome{Status: Completed},
		Announce: wantedByHooks(m, milestoneAdvanced(next.State.Milestone, in.At))}), nil
}

package turn

import (
	"time"

	"github.com/talewright/talewright/campaign/internal/settingkey"
	"github.com/talewright/talewright/campaign/state"
)

// MakeCheckpoint marks the present state under a label, for [RollBack].
type MakeCheckpoint struct {
	Label string    `json:"label"`
	At    time.Time `json:"at,omitzero"`
}

func (MakeCheckpoint) inputType() string { return "checkpoint" }

func (in MakeCheckpoint) apply(m *Machine) (Stop, error) {
	limit := m.values().Int(settingkey.MaxCheckpoints)
	if limit == 0 {
		return idle, refusal(state.RollbackUnavailable)
	}
	next := m.base.Clone()
	next.AddCheckpoint(in.Label, in.At, limit)
	return m.change(in, in.At, next), nil
}

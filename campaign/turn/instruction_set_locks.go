package turn

import (
	"time"

	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn/internal/draft"
)

// SetLocks locks and unlocks movement, areas and paths. A nil field does not change. Rules use the
// actions lock-path and unlock-path (member pathId), lock-area and unlock-area (member areaId),
// lock-movement and unlock-movement. A lock may have a reason and disabledUntil.
type SetLocks struct {
	Movement *state.MapLock           `json:"movement,omitempty"`
	Areas    map[string]state.MapLock `json:"areas,omitempty"` // by area ID
	Paths    map[string]state.MapLock `json:"paths,omitempty"` // by path ID
	At       time.Time                `json:"at,omitzero"`
}

func (SetLocks) inputType() string { return "set_locks" }

func (in SetLocks) apply(m *Machine) (Stop, error) {
	next := m.base.Clone()
	if err := draft.SetLocks(&next.State, draft.Locks{Movement: in.Movement, Areas: in.Areas, Paths: in.Paths}); err != nil {
		return idle, err
	}
	return m.change(in, in.At, next), nil
}

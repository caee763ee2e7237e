package turn

import (
	"slices"
	"time"

	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/world"
)

// SetLocks locks and unlocks movement, areas and paths. A nil field stays as it is.
type SetLocks struct {
	Movement *world.Lock           `json:"movement,omitempty"`
	Areas    map[string]world.Lock `json:"areas,omitempty"` // by area id
	Paths    map[string]world.Lock `json:"paths,omitempty"` // by path id
	At       time.Time             `json:"at,omitzero"`
}

func (SetLocks) inputType() string { return "set_locks" }

func (in SetLocks) stamped(now time.Time) Input { in.At = orNow(in.At, now); return in }

func (in SetLocks) apply(m *Machine) (Stop, error) {
	next := m.base.Clone()
	if err := setLocks(&next.State, in); err != nil {
		return idle, err
	}
	return m.change(in, in.At, next), nil
}

func setLocks(s *state.State, in SetLocks) error {
	for id := range in.Areas {
		if _, known := s.Map.Area(id); !known {
			return refusal(state.UnknownArea)
		}
	}
	for id := range in.Paths {
		if !slices.ContainsFunc(s.Map.Paths, func(p world.Path) bool { return p.ID == id }) {
			return refusal(state.UnknownPath)
		}
	}
	if in.Movement != nil {
		s.MovementLock = *in.Movement
	}
	for i := range s.Map.Areas {
		if l, ok := in.Areas[s.Map.Areas[i].ID]; ok {
			a := &s.Map.Areas[i]
			a.Locked, a.LockReason, a.DisabledUntil = l.Locked, l.Reason, l.DisabledUntil
		}
	}
	for i := range s.Map.Paths {
		if l, ok := in.Paths[s.Map.Paths[i].ID]; ok {
			p := &s.Map.Paths[i]
			p.Locked, p.LockReason, p.DisabledUntil = l.Locked, l.Reason, l.DisabledUntil
		}
	}
	return nil
}

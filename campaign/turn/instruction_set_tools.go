package turn

import (
	"maps"
	"slices"
	"time"

	"github.com/talewright/talewright/campaign/state"
)

// SetTools changes which tools are allowed and which are switched off for now. A nil field does not
// change.
type SetTools struct {
	Allowlist []string                      `json:"allowlist,omitzero"` // empty: none
	Disabled  map[string]state.DisabledTool `json:"disabled,omitzero"`  // empty: none
	At        time.Time                     `json:"at,omitzero"`
}

func (SetTools) inputType() string { return "set_tools" }

func (in SetTools) apply(m *Machine) (Stop, error) {
	next := m.base.Clone()
	if in.Allowlist != nil {
		next.Allowlist = slices.Clone(in.Allowlist)
	}
	if in.Disabled != nil {
		next.DisabledTools = maps.Clone(in.Disabled)
	}
	return m.change(in, in.At, next), nil
}

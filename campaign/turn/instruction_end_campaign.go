package turn

import (
	"time"

	"github.com/talewright/talewright/campaign/state"
)

// EndCampaign ends the campaign, for instance because its goal is reached.
type EndCampaign struct {
	Reason state.EndReason `json:"reason"`
	At     time.Time       `json:"at,omitzero"`
}

func (EndCampaign) inputType() string { return "end_campaign" }

func (in EndCampaign) apply(m *Machine) (Stop, error) {
	next := m.base.Clone()
	next.State.Lifecycle.End(in.Reason, in.At)
	return m.change(in, in.At, next), nil
}

package effect

import "encoding/json"

// EndCampaign ends the campaign.
type EndCampaign struct {
	Reason string `json:"reason"`

	Extra map[string]json.RawMessage `json:"-"` // unknown JSON members, kept
}

// EffectType returns "end-campaign".
func (EndCampaign) EffectType() string { return "end-campaign" }

func (EndCampaign) effect() {}

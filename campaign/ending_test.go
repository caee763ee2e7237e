package campaign_test

import (
	"testing"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/reactions"
	"github.com/talewright/talewright/rules"
)

// TestContentEndsACampaign: a rule, a reaction, or a tool of the host's ends the campaign with a
// reason of its own; the turn counts, and no other begins.
func TestContentEndsACampaign(t *testing.T) {
	t.Parallel()
	end := rules.EndCampaign{Reason: "the bell rang"}
	shout := puppet(func(string) rules.Effects { return rules.Effects{end} })
	hears := reactions.Reaction{ID: "r", When: reactions.Pattern{EventType: rules.TypeTurnComplete}, Then: reactions.Effects{end}}
	for name, c := range map[string]struct {
		content campaign.Content
		reply   string
	}{
		"rule":     {campaign.Content{Rules: []rules.Rule{everyTurn("r", end)}}, "It rings."},
		"reaction": {campaign.Content{Reactions: []reactions.Reaction{hears}}, "It rings."},
		"tool":     {campaign.Content{Tools: []campaign.Tool{shout}}, output("It rings.", `{"tool": "say", "args": {"text": "x"}}`)},
	} {
		m := begin(t, c.content)
		play(t, m, campaign.SetTools{Allowlist: []string{"say"}})
		o := say(t, m, "I pull the rope.", c.reply)
		over := m.Campaign().State.Lifecycle
		if o.Status != campaign.Completed || !over.Ended || over.Reason != end.Reason {
			t.Errorf("%s: %s, %+v", name, o.Status, over)
		}
		if o := say(t, m, "I wait."); o.Status != campaign.Refused || o.Reason != string(campaign.CampaignEnded) {
			t.Errorf("%s: another turn: %s %s", name, o.Status, o.Reason)
		}
	}
}

package campaign_test

import (
	"testing"

	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/tool"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/reactions"
	"github.com/talewright/talewright/rules"
	"github.com/talewright/talewright/rules/effect"
	"github.com/talewright/talewright/rules/event"
)

// TestContentEndsACampaign: a rule, a reaction, or a tool of the host ends the campaign with its
// own reason. The turn takes effect, and no further turn begins.
func TestContentEndsACampaign(t *testing.T) {
	t.Parallel()
	end := effect.EndCampaign{Reason: "the bell rang"}
	shout := puppet(func(string) effect.List { return effect.List{end} })
	hears := reactions.Reaction{ID: "r", When: reactions.Pattern{EventType: event.TypeTurnComplete}, Then: reactions.Effects{end}}
	for name, c := range map[string]struct {
		content game.Content
		reply   string
	}{
		"rule":     {game.Content{Rules: game.Rules{Rules: []rules.Rule{everyTurn("r", end)}}}, "It rings."},
		"reaction": {game.Content{Rules: game.Rules{Reactions: []reactions.Reaction{hears}}}, "It rings."},
		"tool":     {game.Content{Extensions: game.Extensions{Tools: []tool.Tool{shout}}}, output("It rings.", `{"tool": "say", "args": {"text": "x"}}`)},
	} {
		m := begin(t, c.content)
		play(t, m, turn.SetTools{Allowlist: []string{"say"}})
		o := say(t, m, "I pull the rope.", c.reply)
		over := m.Campaign().State.Lifecycle
		if o.Status != turn.Completed || !over.Ended || string(over.Reason) != end.Reason {
			t.Errorf("%s: %s, %+v", name, o.Status, over)
		}
		if o := say(t, m, "I wait."); o.Status != turn.Refused || o.Reason != string(state.CampaignEnded) {
			t.Errorf("%s: another turn: %s %s", name, o.Status, o.Reason)
		}
	}
}

package campaign_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/prompt"
)

// TestTrimSlackKeepsTheBeginOfTheHistory: where lines have to go, a prompt without slack
// begins with another line in every turn, and one with slack in few; the prompts are as long
// as the window allows, or shorter, and a rollback goes back to the begin of that time.
func TestTrimSlackKeepsTheBeginOfTheHistory(t *testing.T) {
	t.Parallel()
	const turns = 24
	begins := func(slack int) (list []string) {
		m := begin(t, campaign.Content{Budget: prompt.Budget{Context: 1500, TurnReserve: 1}, TrimSlack: slack},
			`{"settings": {"rollback.max_checkpoints": 40}}`)
		for i := range turns {
			line := strings.Repeat(string(rune('a'+i))+" walk on and on. ", 10)
			step(t, m, campaign.Submit{Text: line})
			history := slices.DeleteFunc(m.Todo().Generate.Request.Messages, func(r campaign.RequestMessage) bool {
				return r.Kind != campaign.KindHistory || r.Message.Role != llm.User
			})
			if len(history) > 0 {
				list = append(list, history[0].Message.Text[:1])
			}
			step(t, m, campaign.Replied{Text: "You walk."}, campaign.Committed{})
		}
		at := m.Campaign().State.HistoryStart
		play(t, m, campaign.RollBack{To: "turn_0002"})
		if now := m.Campaign().State.HistoryStart; slack > 0 && (at == 0 || now != 0) {
			t.Errorf("the history begins at %d, after the rollback at %d", at, now)
		}
		return list
	}
	without, with := len(slices.Compact(begins(0))), len(slices.Compact(begins(300)))
	if with*2 > without || without < 10 {
		t.Errorf("of %d prompts %d begin with a line of their own with slack, %d without", turns, with, without)
	}
}

package campaign_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/prompt"
	"github.com/talewright/talewright/prompt/tavern"
)

// TestTrimSlackKeepsTheBeginOfTheHistory: if lines must be removed, a prompt without slack begins
// with a different line in every turn, and one with slack in few turns, in any layout. A rollback
// restores the earlier beginning.
func TestTrimSlackKeepsTheBeginOfTheHistory(t *testing.T) {
	t.Parallel()
	const turns = 24
	begins := func(c game.Content, slack int) (list []string) {
		c.Prompt.Budget, c.Prompt.TrimSlack = prompt.Budget{Context: 1500, TurnReserve: 1}, slack
		m := begin(t, c, `{"settings": {"rollback.max_checkpoints": 40}}`)
		for i := range turns {
			step(t, m, turn.Submit{Text: strings.Repeat(string(rune('a'+i))+" walks on and on. ", 10)})
			text := outline(m.Todo().Generate.Request.LLM())
			at := strings.Index(text, " walks on")
			list = append(list, text[at-1:at])
			step(t, m, turn.Replied{Text: "You walk."}, turn.Committed{})
		}
		at := m.Campaign().State.HistoryStart
		play(t, m, turn.RollBack{To: "turn_0002"})
		if now := m.Campaign().State.HistoryStart; slack > 0 && (at == 0 || now != 0) {
			t.Errorf("the history begins at %d, after the rollback at %d", at, now)
		}
		return list
	}
	preset, template := tavern.Default(), tavern.ChatML()
	for name, c := range map[string]game.Content{"layout": {}, "preset": {Prompt: game.Prompt{Preset: &preset}}, "text": {Prompt: game.Prompt{Instruct: &template}}} {
		without, with := len(slices.Compact(begins(c, 0))), len(slices.Compact(begins(c, 300)))
		if with*2 > without || without < 10 {
			t.Errorf("%s: of %d prompts %d begin with a line of their own with slack, %d without", name, turns, with, without)
		}
	}
}

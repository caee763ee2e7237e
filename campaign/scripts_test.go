package campaign_test

import (
	"testing"

	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/prompt/script"
)

// TestScriptsOfThoughts: a script for the model's reasoning changes the stored reasoning, and no
// narration. A script for narrations changes no reasoning.
func TestScriptsOfThoughts(t *testing.T) {
	t.Parallel()
	replaces := func(find string, p script.Placement) script.Script {
		return script.Script{Name: find, Find: "/" + find + "/g", Replace: "dust", Placement: []script.Placement{p}}
	}
	m := begin(t, game.Content{Prompt: game.Prompt{Scripts: []script.List{{Scripts: []script.Script{
		replaces("smoke", script.Reasoning), replaces("ash", script.AIOutput)}}}}})
	step(t, m, turn.Submit{Text: "I wait."},
		turn.Replied{Text: "You see smoke and ash.", Reasoning: "Some smoke, some ash."}, turn.Committed{})
	turn := m.Todo().Outcome.Turn
	if turn.Text != "You see smoke and dust." || turn.Attempts[0].Reasoning != "Some dust, some ash." {
		t.Errorf("the player reads %q, the thoughts are %q", turn.Text, turn.Attempts[0].Reasoning)
	}
}

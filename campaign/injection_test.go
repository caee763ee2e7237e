package campaign_test

import (
	"testing"

	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/hooks"
	"github.com/talewright/talewright/hooks/act"
	"github.com/talewright/talewright/memvars/tree"
)

// TestInjectionsOfSessionAndTurn: a hook's text for the session is at the beginning of the prompts,
// which stays the same for many turns. Its text for the turn comes after the history.
func TestInjectionsOfSessionAndTurn(t *testing.T) {
	t.Parallel()
	inject := func(id, scope, content string) hooks.Hook {
		return hooks.Hook{ID: id, Name: id, Event: hooks.On(act.BeforeTurnStarted), Actions: []act.Action{act.New(
			act.PromptInject, tree.Member{Key: "content", Value: tree.Text(content)}, tree.Member{Key: "scope", Value: tree.Text(scope)},
			tree.Member{Key: "key", Value: tree.Text(id)})}}
	}
	m := begin(t, game.Content{Rules: game.Rules{Hooks: []hooks.Hook{
		inject("s", "session", "The moon watches."), inject("t", "turn", "The wind turns.")}}})
	promptOf(t, m, "I wait.")
	wantInOrder(t, promptOf(t, m, "I listen."), "You are the game master", "The moon watches.", "I wait.", "# Authoritative",
		"I listen.", "The wind turns.")
}

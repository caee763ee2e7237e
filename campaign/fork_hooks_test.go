package campaign_test

import (
	"strings"
	"testing"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/hooks"
)

// TestForkInheritsHooks: HK-19. A hook that has acted once in a conversation does not act again in a
// fork of it, or in a fork of the fork.
func TestForkInheritsHooks(t *testing.T) {
	t.Parallel()
	list, problems := hooks.Parse([]byte(`[{"id": "mile", "name": "里程碑", "event": "model.after_call", "trigger_mode": "once_per_conversation",
		"conditions": {"payload.text": {"contains": "亲密"}}, "actions": [{"type": "message", "content": "milestone"}]}]`))
	if err := problems.Err(); err != nil {
		t.Fatal(err)
	}
	e := newEngine(t, campaign.Config{Model: replying("我们很亲密。"),
		Game: compile(t, game.Content{Rules: game.Rules{Hooks: list}})})
	said := func(id string) string {
		t.Helper()
		o, err := e.Turn(t.Context(), id, turn.Submit{Text: "好"})
		if err != nil || o.Err() != nil {
			t.Fatal(err, o.Err())
		}
		return strings.Join(o.Messages, " ")
	}
	fork := func(from, turnID, id string) {
		t.Helper()
		if _, err := e.Fork(t.Context(), from, turnID, id); err != nil {
			t.Fatal(err)
		}
	}
	const origin = "cave"
	if got := said(origin); got != "milestone" {
		t.Fatalf("the hook has not run: %q", got)
	}
	fork(origin, "turn_0001", "f")
	fork("f", "turn_0001", "g")
	for _, id := range []string{origin, "f", "g"} {
		if got := said(id); got != "" {
			t.Errorf("in %s again: %q", id, got)
		}
	}
}

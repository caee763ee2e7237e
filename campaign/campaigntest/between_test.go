package campaigntest_test

import (
	"encoding/json"
	"strings"
	"testing"

	. "github.com/talewright/talewright/campaign/campaigntest"
	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/hooks"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules"
	"github.com/talewright/talewright/rules/event"
)

// TestBetweenTurns checks that checks also see what rules and hooks do for a button or when time
// passes, as in a turn: notices, messages, hooks and refused calls.
func TestBetweenTurns(t *testing.T) {
	t.Parallel()
	var content game.Content
	if err := json.Unmarshal([]byte(`[
		{"id": "bell", "trigger": {"type": "action", "actionId": "ring"}, "conditions": [], "actions": [
			{"type": "notify-player", "message": "It tolls."},
			{"type": "add-message", "content": "Somebody has heard it."},
			{"type": "relationship-change", "characterId": "nobody", "field": "trust", "new": 5},
			{"type": "start-timer", "timerId": "echo", "name": "Echo", "duration": 2}]}]`), &content.Rules.Rules); err != nil {
		t.Fatal(err)
	}
	list, problems := hooks.Parse([]byte(`[{"id": "dusk", "name": "dusk", "event": "clock.passed",
		"actions": [{"type": "message", "content": "It is getting dark."}]}]`))
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	content.Rules.Hooks = list
	setup := state.Setup{ID: "tower", Characters: []state.Character{{ID: "ann", Name: "Ann", HP: state.HP{Current: 9, Max: 9}}}}

	g := Play(t, content, setup)
	g.Do(turn.RaiseEvents{Events: []rules.Event{event.ActionFired("ring", tree.Value{})}})
	g.Want(Rule("bell"), Notice("tolls"), Notice("heard it"), Not(Hook("dusk")), State("state.timers.0.id", "echo"))
	for _, line := range []string{
		"rule bell on action:fired", "notice It tolls.", "notice Somebody has heard it.",
		"refused write of bell to relationship nobody: unknown_character", "timer echo: 2",
	} {
		if !strings.Contains(g.Happened(), line+"\n") {
			t.Errorf("the account lacks %q:\n%s", line, g.Happened())
		}
	}
	if refused := g.Outcome().Trace.Refused; len(refused) != 1 || refused[0].By != "bell" {
		t.Errorf("the outcome tells of %v", refused)
	}
	g.Do(turn.PassTime{Elapsed: 3}).Want(Hook("dusk"), Notice("dark"), Not(Rule("bell")))
	if !strings.Contains(g.Happened(), "timer echo: over\n") {
		t.Errorf("the account lacks the countdown:\n%s", g.Happened())
	}

	said := failed(func(t *failing) {
		Play(t, content, setup).Want(State("turn_count", 0), Not(State("turn_count", 5)))
	})
	if strings.Count(said, "did you mean state.turn_count?") != 2 {
		t.Errorf("a path that lacks the state is reported as\n%s", said)
	}
}

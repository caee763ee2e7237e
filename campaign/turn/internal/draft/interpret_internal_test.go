package draft

import (
	"testing"

	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/rules"
	"github.com/talewright/talewright/rules/effect"
)

// TestNothingToApplyCostsNothing: hooks without effects and steps without events are frequent. They
// allocate nothing.
func TestNothingToApplyCostsNothing(t *testing.T) {
	g, problems := game.Compile(game.Content{Rules: game.Rules{Rules: []rules.Rule{{ID: "r", Trigger: &rules.Trigger{Type: rules.EveryTurn},
		Actions: effect.Actions{effect.Notify{Message: "x"}}}}}})
	if err := problems.Err(); err != nil {
		t.Fatal(err)
	}
	s := Stage{Game: g, Number: 1}
	s.Begin(state.State{}, state.TurnID(1))
	for name, do := range map[string]func(){"Apply": func() { s.Apply("hooks", nil) }, "Chain": func() { s.Chain() }} {
		if n := testing.AllocsPerRun(10, do); n > 0 {
			t.Errorf("%s allocates %v times", name, n)
		}
	}
}

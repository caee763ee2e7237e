package campaign_test

import (
	"testing"

	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/reactions"
	"github.com/talewright/talewright/rules"
	"github.com/talewright/talewright/rules/effect"
	"github.com/talewright/talewright/rules/event"
)

// TestDrawsStandInTheRecord: the record of each instruction has its random numbers, and the trace
// of a turn has the numbers of the turn. So no draw must be guessed.
func TestDrawsStandInTheRecord(t *testing.T) {
	t.Parallel()
	half := 0.5
	m := begin(t, game.Content{Rules: game.Rules{Reactions: []reactions.Reaction{{ID: "r", Chance: &half,
		When: reactions.Pattern{EventType: "drum:beat"}, Then: reactions.Effects{effect.Notify{Message: "Boom."}}}}}})
	step(t, m, turn.RaiseEvents{Events: []rules.Event{event.New("drum:beat")}})
	if r := m.Todo().Commit; len(r.Draws) != 1 || r.Draws[0] <= 0 {
		t.Errorf("between turns: %v", r.Draws)
	}
	step(t, m, turn.Committed{}, turn.SelectActor{ActorID: "mei"})
	if r := m.Todo().Commit; r.Draws != nil {
		t.Errorf("of an instruction without chances: %v", r.Draws)
	}
	step(t, m, turn.Committed{}, turn.Submit{Text: "I wait."}, turn.Replied{Text: "Time passes."})
	if r := m.Todo().Commit; r.Draws != nil || m.Campaign().State.Random != 1 {
		t.Errorf("of a turn: %v", r.Draws)
	}
}

package campaign_test

import (
	"testing"

	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/reactions"
	"github.com/talewright/talewright/rules/effect"
	"github.com/talewright/talewright/rules/event"
)

// TestEndlessChainsAreTold: reactions that answer a loss of hit points with a further loss are
// stopped after some rounds, and the turn lists the events that were not processed.
func TestEndlessChainsAreTold(t *testing.T) {
	t.Parallel()
	hurts := func(id, event string) reactions.Reaction {
		return reactions.Reaction{ID: id, When: reactions.Pattern{EventType: event},
			Then: reactions.Effects{effect.ChangeHP{CharacterID: "ren", Delta: -1}}}
	}
	m := begin(t, game.Content{Rules: game.Rules{Reactions: []reactions.Reaction{
		hurts("first", event.TypeTurnComplete), hurts("again", event.TypeStateChanged)}}})
	turn := say(t, m, "I wait.", "Time passes.").Turn
	cut := turn.Trace.Cut
	if ren, _ := m.Campaign().State.Character("ren"); len(cut) != 1 || cut[0].Type != event.TypeStateChanged || ren.HP.Current < 1 {
		t.Errorf("cut %v, hit points %d", cut, ren.HP.Current)
	}
}

package campaign_test

import (
	"strings"
	"testing"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn"
)

// TestLifeStatesFollowHitPoints: the host's own states define the effect of hit points, like the
// built-in ones (CA-06).
func TestLifeStatesFollowHitPoints(t *testing.T) {
	content := game.Content{People: game.People{LifeStates: []state.LifeRule{
		{State: "stone", MayAct: true, MayUseTools: true, AcceptsHealing: true, AtZero: "rubble"},
		{State: "rubble", MayAct: true, MayUseTools: true, AcceptsHealing: true, AboveZero: "stone"},
	}}}
	m := begin(t, content, `{"settings": {"rules.hp_zero_ends_game": false}}`)
	step(t, m, turn.SetCharacter{CharacterID: "ren", Fields: value(t, `{"status": {"alive_state": "stone"}}`)}, turn.Committed{})
	for _, c := range []struct {
		delta string
		want  state.AliveState
	}{{"-100", "rubble"}, {"3", "stone"}} {
		step(t, m, turn.Submit{Text: "I wait."}, turn.Replied{Text: `{"text": "It happens.", "tool_calls": [
			{"tool": "hp_delta", "args": {"target_character_id": "ren", "delta": ` + c.delta + `, "cause": "frost"}}]}`},
			turn.Committed{})
		if got, _ := m.Campaign().State.Character("ren"); got.Status.AliveState != c.want {
			t.Errorf("after %s: %s, want %s", c.delta, got.Status.AliveState, c.want)
		}
	}
}

// TestTheDeadAreNotSelected: a character who cannot act is not made the active actor. A character
// who is down can still act.
func TestTheDeadAreNotSelected(t *testing.T) {
	t.Parallel()
	e := newEngine(t, campaign.Config{Model: scripted("Mei says nothing.", "Dust falls.")})
	do(t, e, turn.SetCharacter{CharacterID: "mei", Fields: value(t, `{"status": {"alive_state": "dead"}}`)})
	for _, in := range []turn.Input{turn.SelectActor{ActorID: "mei"}, turn.SetParty{Members: []string{"ren", "mei"}, ActorID: "mei"}} {
		if _, err := e.Do(t.Context(), "cave", in); !isRefused(err, state.ActorCannotAct) {
			t.Errorf("%T: %v", in, err)
		}
	}
	if c := campaignOf(t, e); c.State.Selected.ActorID != "ren" {
		t.Errorf("%s acts", c.State.Selected.ActorID)
	}
	wantOutcome(t, turnOf(t, e, turn.Submit{Text: "I kneel."}), "completed turn_0001")
	do(t, e, turn.SetCharacter{CharacterID: "mei", Fields: value(t, `{"status": {"alive_state": "downed"}}`)})
	do(t, e, turn.SelectActor{ActorID: "mei"})
	wantOutcome(t, turnOf(t, e, turn.Submit{Text: "I groan."}), "completed turn_0002")
	wantExact(t, e)
}

// TestLifeStatesAreChecked: a state that leads nowhere is a mistake of the author.
func TestLifeStatesAreChecked(t *testing.T) {
	_, problems := game.Compile(game.Content{People: game.People{LifeStates: []state.LifeRule{
		{}, {State: "stone", AtZero: "dust"},
	}}})
	err := problems.Err()
	for _, want := range []string{"life states[0].state", `life states[1].at_zero: "dust"`} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("not reported: %s in %v", want, err)
		}
	}
}

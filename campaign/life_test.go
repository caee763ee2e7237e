package campaign_test

import (
	"errors"
	"fmt"
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
		if _, err := e.Do(t.Context(), "cave", in); !isRefused(err, state.ActorCannotAct, "") {
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

// TestCharactersAreEditedWhole: fields that make no character are refused with the reason, and
// nothing changes. An edit keeps the other fields, and the other members of hp and status.
func TestCharactersAreEditedWhole(t *testing.T) {
	t.Parallel()
	m := begin(t, game.Content{})
	before := jsonOf(t, m.Campaign())
	for _, c := range []struct{ id, fields, want string }{
		{"ren", `7`, "fields must be an object"},
		{"ren", `{"hp": "many"}`, "hp: must be an object, not a text"},
		{"ren", `{"area_id": "moon"}`, `no area "moon"`},
		{"ren", `{"character_id": "mei"}`, "character_id cannot be changed"},
		{"ren", `{"status": {"alive_state": "asleep"}}`, "asleep"},
		{"ren", `{"hp": {"current": 9, "max": 3}}`, "hp"},
		{"ren", `{"hp": {"max": 3}}`, "hp must lie between 0 and max, not 10 of 3"},
		{"", `{"name": "Nobody"}`, "character_id"},
	} {
		err := m.Step(turn.SetCharacter{CharacterID: c.id, Fields: value(t, c.fields)})
		if r, ok := errors.AsType[*state.Refusal](err); !ok || r.Code != state.InvalidCharacter || !strings.Contains(r.Detail, c.want) {
			t.Errorf("%s: %v, want %q", c.fields, err, c.want)
		}
	}
	if after := jsonOf(t, m.Campaign()); after != before {
		t.Error("a refused edit changed something")
	}
	old, _ := m.Campaign().State.Character("ren")
	play(t, m, turn.SetCharacter{CharacterID: "ren", Fields: value(t, `{"name": "Renn"}`)})
	got, _ := m.Campaign().State.Character("ren")
	if want := old.Clone(); got.Name != "Renn" || jsonOf(t, got) == jsonOf(t, want) {
		t.Errorf("renamed: %s", jsonOf(t, got))
	} else if want.Name = "Renn"; jsonOf(t, got) != jsonOf(t, want) {
		t.Errorf("the edit changed more: %s, want %s", jsonOf(t, got), jsonOf(t, want))
	}
	for _, c := range []struct{ fields, want string }{
		{`{"status": {"flags": ["wet"]}, "attributes": {"wits": 2, "nerve": 1}}`, "10 of 10, alive [wet]"},
		{`{"hp": {"current": 0}, "status": {"alive_state": "downed"}}`, "0 of 10, downed [wet]"},
		{`{"hp": {"current": 4, "max": 12}, "status": {"alive_state": "alive", "flags": []}}`, "4 of 12, alive []"},
		{`{"attributes": {"wits": 3}}`, "4 of 12, alive []"},
	} {
		play(t, m, turn.SetCharacter{CharacterID: "ren", Fields: value(t, c.fields)})
		got, _ := m.Campaign().State.Character("ren")
		if have := fmt.Sprintf("%d of %d, %s %v", got.HP.Current, got.HP.Max, got.Status.AliveState, got.Status.Flags); have != c.want {
			t.Errorf("%s: %s, want %s", c.fields, have, c.want)
		}
	}
	if got, _ := m.Campaign().State.Character("ren"); got.Attributes.String() != `{"wits":3}` {
		t.Errorf("attributes are replaced as a whole: %s", got.Attributes)
	}
	play(t, m, turn.SetCharacter{CharacterID: "kai", Fields: value(t, `{"name": "Kai"}`)})
	if kai, known := m.Campaign().State.Character("kai"); !known || kai.Name != "Kai" || kai.Status.AliveState != state.Alive {
		t.Errorf("added: %s", jsonOf(t, kai))
	}
}

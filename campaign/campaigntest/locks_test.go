package campaigntest_test

import (
	"encoding/json"
	"strings"
	"testing"

	. "github.com/talewright/talewright/campaign/campaigntest"
	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules"
	"github.com/talewright/talewright/rules/event"
)

// TestRulesLock checks that rules lock and unlock a door, areas and all movement in the turn of
// their trigger. Actions for unknown areas and paths are refused.
func TestRulesLock(t *testing.T) {
	t.Parallel()
	var content game.Content
	if err := json.Unmarshal([]byte(`[
		{"id": "trap", "trigger": {"type": "action", "actionId": "trap"}, "conditions": [], "actions": [
			{"type": "lock-path", "pathId": "door", "reason": "the bar falls"}]},
		{"id": "flood", "trigger": {"type": "action", "actionId": "flood"}, "conditions": [], "actions": [
			{"type": "unlock-path", "pathId": "door"}, {"type": "lock-area", "areaId": "cell", "disabledUntil": "the ebb"}]},
		{"id": "ebb", "trigger": {"type": "action", "actionId": "ebb"}, "conditions": [], "actions": [
			{"type": "unlock-area", "areaId": "cell"}, {"type": "lock-movement", "reason": "stuck in the mud"}]},
		{"id": "free", "trigger": {"type": "action", "actionId": "free"}, "conditions": [], "actions": [
			{"type": "unlock-movement"}]},
		{"id": "slip", "trigger": {"type": "action", "actionId": "slip"}, "conditions": [], "actions": [
			{"type": "unlock-path", "pathId": "dor"}, {"type": "lock-area"}]}]`), &content.Rules.Rules); err != nil {
		t.Fatal(err)
	}
	// A trigger of keywords would open it only after the turn is answered.
	if err := json.Unmarshal([]byte(`[{"id": "key", "when": {"eventType": "turn:accepted",
		"match": {"content": {"operator": "contains", "value": "key"}}}, "conditions": [],
		"then": [{"type": "unlock-path", "pathId": "door"}]}]`), &content.Rules.Reactions); err != nil {
		t.Fatal(err)
	}
	var setup state.Setup
	if err := json.Unmarshal([]byte(`{"campaign_id": "jail",
		"map": {"areas": [{"id": "hall", "name": "Hall"}, {"id": "cell", "name": "Cell"}],
			"paths": [{"id": "door", "from": "hall", "to": "cell", "locked": true, "lock_reason": "an iron lock"}]},
		"characters": [{"character_id": "ann", "name": "Ann", "hp": {"current": 9, "max": 9}, "area_id": "hall"}]}`), &setup); err != nil {
		t.Fatal(err)
	}
	_, problems := game.Compile(content)
	if got := problems.Error(); got != "rules[4].actions[1].areaId (slip): lock-area needs a text as areaId; nothing is done" {
		t.Error(got)
	}
	g := Play(t, content, setup)
	press := func(id string) *Test {
		return g.Do(turn.RaiseEvents{Events: []rules.Event{event.ActionFired(id, tree.Value{})}})
	}
	walk := func(to string) {
		g.Model("", Call("move", "actor_id", "ann", "to_area_id", to)).Model("You look around.")
	}

	g.Say("I walk on.")
	walk("cell")
	g.Want(Refused("move", "path_locked"), In("ann", "hall"))
	g.Say("I find the key.").Model("You enter the Cell.", Call("move", "actor_id", "ann", "to_area_id", "cell"))
	g.Want(In("ann", "cell"), State("state.map.paths.0.lock_reason", nil))

	press("trap").Want(State("state.map.paths.0.lock_reason", "the bar falls"))
	g.Say("I walk back.")
	walk("hall")
	g.Want(Refused("move", "path_locked"), Prompt("the bar falls"))
	g.Rollback("turn_0002").Want(State("state.map.paths.0.lock_reason", nil)).Do(turn.Redo{}).
		Want(State("state.map.paths.0.lock_reason", "the bar falls"))

	press("flood").Want(State("state.map.areas.1.disabled_until", "the ebb"))
	press("ebb").Want(State("state.map.areas.1.disabled_until", nil), State("state.movement_lock.reason", "stuck in the mud"))
	g.Say("I walk back.")
	walk("hall")
	g.Want(Refused("move", "movement_locked"))
	press("free").Want(State("state.movement_lock.reason", nil))

	press("slip")
	var said []string
	for _, r := range g.Outcome().Trace.Refused {
		said = append(said, r.Path+": "+r.Reason+": "+r.Text)
	}
	const want = `unlock-path: unknown_path: no path "dor"; lock-area: unknown_area: no area ""`
	if got := strings.Join(said, "; "); got != want {
		t.Errorf("refused: %s\nwant: %s", got, want)
	}
}

// TestMisspeltActions checks that a misspelled action is reported with the correct name. The same
// holds for unknown members in place of required ones.
func TestMisspeltActions(t *testing.T) {
	t.Parallel()
	for _, row := range []struct{ action, want string }{
		{`{"type": "unlock-pth", "pathId": "door"}`, `did you mean "unlock-path"?`},
		{`{"type": "start-timr", "timerId": "fuse"}`, `did you mean "start-timer"?`},
		{`{"type": "hp_delta", "characterId": "ann", "delta": -1}`, `did you mean "hp-delta"?`},
		{`{"type": "open-shop"}`, "end-campaign"},
		{`{"type": "hp-delta", "character": "ann", "amount": -1}`,
			"not readable: hp-delta needs characterId, delta; unused members: amount, character"},
		{`{"type": "move", "characterId": "ann", "to": "hall"}`, "not readable: move needs toAreaId; unused members: to"},
		{`{"type": "hp-delta", "characterId": "ann", "delta": -1, "note": "the host's"}`, ""},
		{`{"type": "pause-timer", "timerId": "fuse"}`, ""},
	} {
		var content game.Content
		text := `[{"id": "r", "trigger": {"type": "every-turn"}, "conditions": [], "actions": [` + row.action + `]}]`
		if err := json.Unmarshal([]byte(text), &content.Rules.Rules); err != nil {
			t.Fatal(err)
		}
		_, problems := game.Compile(content)
		switch {
		case row.want == "" && len(problems) > 0:
			t.Errorf("%s: %v", row.action, problems)
		case row.want != "" && (len(problems) != 1 || !strings.Contains(problems[0].Text, row.want)):
			t.Errorf("%s: %v, want %s", row.action, problems, row.want)
		}
	}
}

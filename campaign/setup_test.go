package campaign_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/talewright/talewright"
	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/setting"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/tool"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/hooks"
	"github.com/talewright/talewright/memvars"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules"
)

// TestSetupMistakes: all of them are reported at once, each with its place.
func TestSetupMistakes(t *testing.T) {
	t.Parallel()
	const bad = `{
		"campaign_id": "bad",
		"characters": [
			{"name": "No id", "hp": {"current": 1, "max": 1}},
			{"character_id": "a", "hp": {"current": 5, "max": 4}},
			{"character_id": "c", "hp": {"current": 1, "max": 4}, "attributes": [14]},
			{"character_id": "a", "hp": {"current": -1, "max": 4}, "area_id": "moon"},
			{"character_id": "b", "status": {"alive_state": "asleep"}}],
		"selected": {"party_character_ids": ["a", "kai", "a"], "active_actor_id": "zoe"},
		"map": {
			"areas": [{"id": "x", "name": "X", "parent": "y"}, {"id": "y", "name": "Y", "parent": "x"},
				{"id": "x", "name": "X2"}, {"name": "No id"}, {"id": "z", "name": "Z", "parent": "moon"}],
			"paths": [{"id": "p", "from": "x", "to": "nowhere"}]},
		"settings": {"retry.max_retries": 9, "nothing.here": 1, "context.full_context_enabled": "yes"}
	}`
	var s state.Setup
	if err := json.Unmarshal([]byte(bad), &s); err != nil {
		t.Fatal(err)
	}
	_, err := turn.Begin(compile(t, game.Content{}), s)
	if err == nil {
		t.Fatal("the setup was accepted")
	}
	for _, want := range []string{
		"characters[0]: character_id is missing",
		"characters[1]: hp must lie between 0 and max, not 5 of 4",
		"characters[3]: hp must lie between 0 and max, not -1 of 4",
		`characters[3]: character_id "a" is taken`,
		`characters[3]: no area "moon"`,
		`characters[4]: unknown alive_state "asleep"`,
		"characters[2]: attributes must be an object from names to numbers",
		`selected.party_character_ids[1]: no character "kai"`,
		`selected.party_character_ids[2]: "a" is there already: take it out`,
		`selected.active_actor_id: no character "zoe"`,
		`map.areas[0]: "x" lies within itself`,
		`map.areas[2]: id "x" is missing or taken`,
		`map.areas[3]: id "" is missing or taken`,
		`map.areas[4]: no parent area "moon"`,
		`map.paths[0]: no area "nowhere"`,
		"settings: retry.max_retries: must be at most 5, not 9",
		"settings: nothing.here: no such setting; correct the name",
		`settings: context.full_context_enabled: must be true or false, not "yes"`,
	} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("not reported: %s", want)
		}
	}
	if t.Failed() {
		t.Log(err)
	}
}

// TestSetupWithoutAnActor: a setup in which nobody can act is refused.
func TestSetupWithoutAnActor(t *testing.T) {
	t.Parallel()
	for selected, want := range map[string]string{
		`{"party_character_ids": []}`:                                "selected.party_character_ids: empty",
		`{"party_character_ids": ["ren"], "active_actor_id": "mei"}`: `selected.active_actor_id: "mei" is not in selected.party_character_ids`,
	} {
		if _, err := turn.Begin(compile(t, game.Content{}), cave(t, `{"selected": `+selected+`}`)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", selected, err, want)
		}
	}
}

// TestSetupDefaults: the party has all characters, the first acts, and there are two tools.
func TestSetupDefaults(t *testing.T) {
	t.Parallel()
	g := compile(t, game.Content{})
	c, err := turn.Begin(g, state.Setup{ID: "x", Characters: []state.Character{
		{ID: "a", HP: state.HP{Current: 1, Max: 1}}, {ID: "b", HP: state.HP{Current: 1, Max: 1}}}})
	if err != nil {
		t.Fatal(err)
	}
	if got := jsonOf(t, c.State.Selected); got != `{"party_character_ids":["a","b"],"active_actor_id":"a"}` {
		t.Errorf("selected %s", got)
	}
	if got := jsonOf(t, c.Allowlist); got != `["move","hp_delta"]` {
		t.Errorf("allow list %s", got)
	}
	if s := c.State.Characters[0].Status.AliveState; s != state.Alive {
		t.Errorf("the first is %q", s)
	}
	mine := setting.Snapshot{"turn.order": tree.Text("free")}
	c, err = turn.Begin(g, state.Setup{ID: "x", Settings: mine, Dialog: state.Dialog{TypeSelected: "action"}, Characters: []state.Character{{ID: "a"}}})
	if err != nil || c.Dialog.TypeSelected != "action" || jsonOf(t, c.Settings) != `{"dialog.manual_type":"action","turn.order":"free"}` || len(mine) != 1 {
		t.Errorf("the dialog type %+v, the settings %s, the host's own %v, %v", c.Dialog, jsonOf(t, c.Settings), mine, err)
	}
	c, err = turn.Begin(g, state.Setup{ID: "x", Allowlist: []string{},
		Characters: []state.Character{{ID: "a"}}})
	if err != nil || jsonOf(t, c.Allowlist) != `[]` {
		t.Errorf("no tools at all: %s, %v", jsonOf(t, c.Allowlist), err)
	}
}

// TestSetupHistory: turns that were played elsewhere belong to the campaign.
func TestSetupHistory(t *testing.T) {
	t.Parallel()
	m := begin(t, game.Content{}, `{"turns": [
		{"user_input": "One", "assistant_output_text": "1", "actor_id": "ren"},
		{"user_input": "Two", "assistant_output_text": "2", "actor_id": "ren", "mood": "grim"}]}`)
	o := say(t, m, "Three", "3")
	wantOutcome(t, o, "completed turn_0003")
	turns := m.Campaign().BranchTurns()
	if len(turns) != 3 || turns[1].ID != "turn_0002" || turns[1].Extra["mood"] == nil || o.Turn.Index != 3 {
		t.Errorf("%d turns, the second %+v", len(turns), turns[1])
	}
	if turn, ok := m.Campaign().Turn("turn_0002"); !ok || turn.Text != "2" {
		t.Errorf("turn_0002 is %+v", turn)
	}
	if _, ok := m.Campaign().Turn("turn_0009"); ok {
		t.Error("found a turn that nobody played")
	}
}

// TestCompileReportsEverything: mistakes of every kind of content are reported together, the fatal
// ones as an error.
func TestCompileReportsEverything(t *testing.T) {
	t.Parallel()
	_, problems := game.Compile(game.Content{
		Rules: game.Rules{
			Rules:    []rules.Rule{{ID: "inert"}},
			Hooks:    []hooks.Hook{{Name: "no event"}},
			Commands: memvars.Options{Merge: "sideways"},
		},
		Extensions: game.Extensions{
			Tools:       []tool.Tool{{Name: "half"}},
			DialogTypes: []game.DialogType{{ID: "opera", Blocks: []game.BlockID{"stage"}}, {ID: "mime"}, {}},
			Settings:    []setting.Definition{{Key: "retry.max_retries", Type: setting.Int}},
		},
	})
	err := problems.Err()
	parts := map[string]bool{}
	for _, p := range problems {
		parts[p.Path[:strings.IndexAny(p.Path+".", ".[(")]] = true
		if p.Severity == talewright.Fatal && (err == nil || !strings.Contains(err.Error(), p.Text)) {
			t.Errorf("fatal, but not in the error: %s", p)
		}
	}
	wantHas(t, "the error", err.Error(), `"stage"`, `dialog type "mime" has no blocks`, "a dialog type has no id; give it one")
	for _, part := range []string{"rules", "hooks", "tools", "dialogTypes", "settings", "commands"} {
		if !parts[part] {
			t.Errorf("nothing about %s in %v", part, problems)
		}
	}
	// Without a fatal mistake the rest stays active.
	g, problems := game.Compile(game.Content{Rules: game.Rules{Rules: []rules.Rule{{ID: "inert"}}}})
	err = problems.Err()
	if g == nil || err != nil || len(problems) == 0 {
		t.Errorf("%v %v", problems, err)
	}
}

// TestSetupOfTheInstallation: a setup includes the global settings, also for settings without a
// value in the campaign.
func TestSetupOfTheInstallation(t *testing.T) {
	t.Parallel()
	g := compile(t, game.Content{Extensions: game.Extensions{Settings: []setting.Definition{{Key: "house.language", Type: setting.String,
		Default: tree.Text("en"), Scope: setting.Global, Validation: setting.Validation{MaxLen: 2}, EffectTags: []string{"ui"}}}}})
	c, err := turn.Begin(g, cave(t, `{"global_settings": {"house.language": "zh", "retry.max_retries": 1}}`))
	if err != nil {
		t.Fatal(err)
	}
	values := g.Settings().Freeze(c.GlobalSettings, c.Settings)
	if word, n := values.Text("house.language"), values.Int("retry.max_retries"); word != "zh" || n != 1 {
		t.Errorf("in force are %q and %d", word, n)
	}
	for setup, want := range map[string]string{
		`{"settings": {"house.language": "zh"}}`:           "settings: house.language: only the installation sets this",
		`{"global_settings": {"house.language": "zh-TW"}}`: "global_settings: house.language: must have at most 2 characters",
	} {
		if _, err := turn.Begin(g, cave(t, setup)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", setup, err, want)
		}
	}
}

// TestDialogTypesOfTheHost: a host adds a type and chooses it, or replaces one (CA-11).
func TestDialogTypesOfTheHost(t *testing.T) {
	t.Parallel()
	opera := game.DialogType{ID: "opera", Instructions: "Sing.", HistoryTurns: 1,
		Blocks: []game.BlockID{game.BlockDialog, game.BlockPersona, game.BlockTools}}
	terse := game.DialogType{ID: game.SceneDialog, Instructions: "Be terse.",
		Blocks: []game.BlockID{game.BlockDialog}}
	m := begin(t, game.Content{Extensions: game.Extensions{DialogTypes: []game.DialogType{opera, terse}}},
		`{"settings": {"dialog.tool_types": ["opera"]}}`)
	say(t, m, "One", "1")
	say(t, m, "Two", "2")
	step(t, m, turn.Submit{Text: "Three"})
	req := m.Todo().Generate.Request
	if got := strings.Join(kinds(req.Messages), " "); got != "dialog history history history history player_input" {
		t.Errorf("scene is now %s", got)
	}
	if len(req.Tools) != 0 {
		t.Error("scene has tools")
	}
	step(t, m, turn.Replied{Text: "3"}, turn.Committed{},
		turn.PatchSettings{Patch: setting.Snapshot{"dialog.manual_type": tree.Text("opera")}},
		turn.Committed{}, turn.Submit{Text: "Four"})
	req = m.Todo().Generate.Request
	got := strings.Join(kinds(req.Messages), " ")
	if got != "gm_persona tools dialog history history player_input" || len(req.Tools) != 2 {
		t.Errorf("opera is %s with %d tools", got, len(req.Tools))
	}
}

// TestToolsInEveryDialogType: the setting lists the types with tools, also types whose prompts have
// no tools by default (CA-11).
func TestToolsInEveryDialogType(t *testing.T) {
	t.Parallel()
	g := compile(t, game.Content{})
	for _, kind := range g.DialogIDs() {
		for _, offers := range []bool{false, true} {
			types := `[]`
			if offers {
				types = `["` + kind + `"]`
			}
			m := begin(t, game.Content{}, `{"settings": {"retry.max_retries": 0, "dialog.manual_type": "`+kind+`", "dialog.tool_types": `+types+`}}`)
			step(t, m, turn.Submit{Text: "I go."})
			req := m.Todo().Generate.Request
			if told := slices.Contains(kinds(req.Messages), "tools"); told != offers || len(req.Tools) > 0 != offers {
				t.Errorf("%s with tool_types %s: told %t, %d native tools", kind, types, told, len(req.Tools))
			}
			step(t, m, turn.Replied{Text: output("You wait.", hurt("ren", "-1"))}, turn.Committed{})
			if ren, _ := m.Campaign().State.Character("ren"); ren.HP.Current < 10 != offers {
				t.Errorf("%s with tool_types %s: %+v", kind, types, ren.HP)
			}
		}
	}
}

// TestLifeStatesOfTheHost: a state of the host has its rule like the others (CA-06).
func TestLifeStatesOfTheHost(t *testing.T) {
	t.Parallel()
	content := game.Content{People: game.People{LifeStates: []state.LifeRule{
		{State: "ghost", MayAct: true, Defeated: true}}}}
	m := begin(t, content, `{"characters": [{"character_id": "ren", "name": "Ren",
		"hp": {"current": 0, "max": 5}, "status": {"alive_state": "ghost"}, "area_id": "gate"}],
		"settings": {"retry.on_rejection": "commit_partial", "rules.hp_zero_ends_game": false}}`)
	got := judged(t, m, output("You howl.", moveHall, hurt("ren", "1")))
	if strings.Join(got, "; ") !=
		"move rejected actor_state_restricted; hp_delta rejected actor_state_restricted" {
		t.Errorf("got %q", got)
	}
	if m.Campaign().State.Lifecycle.Ended {
		t.Error("a ghost is defeated, but neither dead nor restrained")
	}
}

// TestSetupTakesMembersOfCampaigns: a file of a campaign that ran elsewhere brings its settings and
// their revision. Members that refer to states outside the file are reported, unless they are
// empty. Nothing is dropped silently.
func TestSetupTakesMembersOfCampaigns(t *testing.T) {
	t.Parallel()
	g := compile(t, game.Content{})
	c, err := turn.Begin(g, cave(t, `{"settings_snapshot": {"retry.max_retries": 5, "turn.order": "free"},
		"settings": {"retry.max_retries": 1}, "settings_revision": 7, "checkpoints": [], "house_rule": "no dogs",
		"updated_at": "2026-05-02T00:00:00Z",
		"rollback_pending": {"is_pending": false, "from_turn_id": "turn_0003", "can_undo": false}}`))
	if err != nil {
		t.Fatal(err)
	}
	if got := jsonOf(t, c.Settings); got != `{"retry.max_retries":1,"turn.order":"free"}` || c.SettingsRevision != 7 {
		t.Errorf("settings %s, revision %d", got, c.SettingsRevision)
	}
	text := jsonOf(t, c)
	if n := strings.Count(text, `"settings_snapshot"`) * strings.Count(text, `"settings_revision"`); n != 1 || !strings.Contains(text, `"house_rule":"no dogs"`) {
		t.Errorf("settings are there %d times, not once: %s", n, text)
	}
	if c.UpdatedAt.Day() != 2 {
		t.Errorf("updated at %s", c.UpdatedAt)
	}
	m := turn.NewMachine(g, c)
	step(t, m, turn.Submit{ActorID: "mei", Text: "I go first."}) // turn.order is free
	if m.Todo().Generate == nil {
		t.Errorf("the setting does not play: %+v", m.Todo().Outcome)
	}
	_, err = turn.Begin(g, cave(t, `{"settings_snapshot": {"retry.max_retries": 9}, "settings_revision": -1,
		"checkpoints": [{"turn_id": "turn_0001", "state_snapshot_ref": "s1"}],
		"rollback_pending": {"is_pending": true, "from_turn_id": "turn_0003", "can_undo": true}}`))
	if err == nil {
		t.Fatal("the setup was accepted")
	}
	wantHas(t, "the error", err.Error(), "retry.max_retries: must be at most 5", "settings_revision: must be",
		"checkpoints: a setup has no states", "rollback_pending: a setup has no states")
	if _, err = turn.Begin(g, cave(t, `{"settings_snapshot": []}`)); err == nil {
		t.Error("a list of settings was accepted")
	}
}

package judge

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/talewright/talewright/campaign/conflict"
	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/setting"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/tool"
	"github.com/talewright/talewright/internal/testkit"
	"github.com/talewright/talewright/memvars/tree"
)

// TestListedItems: items come from a JSON list, from a list in prose, or from lines.
func TestListedItems(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]struct {
		items  []string
		inJSON bool
	}{
		`["a","b"]`:                        {[]string{"a", "b"}, true},
		`{"options":["a",{"text":"b"}]}`:   {[]string{"a", "b"}, true},
		"```json\n[\"a\",\"b\"]\n```":      {[]string{"a", "b"}, true},
		`["a","b","c`:                      {[]string{"a", "b"}, true},
		`Here: ["a","b"] or so.`:           {[]string{"a", "b"}, false},
		`Here: [1,2] or so.`:               {[]string{"Here: [1,2] or so."}, false},
		`{"a":1,"b":2}`:                    {nil, true},
		`{"a":["x"],"b":["y"]}`:            {nil, true},
		"1. a\n2.\n3.":                     {[]string{"a"}, false},
		"1.\n2.":                           {nil, false},
		"a\n\nb":                           {[]string{"a", "b"}, false},
		"1. a\n2. b\nThat is all.":         {[]string{"a", "b"}, false},
		"1. a\n2. b\n3.5 litres are left.": {[]string{"a", "b"}, false},
		"1.x\n2:b":                         {[]string{"x", "b"}, false},
		"1)3 men wait\n2)4 men come":       {[]string{"3 men wait", "4 men come"}, false},
		`["a`:                              {[]string{"a"}, true},
		"a\nb":                             {[]string{"a", "b"}, false},
		`See ] and [ here.`:                {[]string{"See ] and [ here."}, false},
	} {
		if items, inJSON := listed(text); !slices.Equal(items, want.items) || inJSON != want.inJSON {
			t.Errorf("%s: %q, %v", text, items, inJSON)
		}
	}
}

// TestNarratorUsesTools: the life state of an acting character limits its calls. The narrator has none.
func TestNarratorUsesTools(t *testing.T) {
	t.Parallel()
	life := map[state.AliveState]state.LifeRule{state.Dead: {}}
	s := state.State{Characters: []state.Character{{ID: "ann", Status: state.Status{AliveState: state.Dead}}}}
	for actor, want := range map[string]bool{"": true, "ann": false} {
		if got := (&Adjudicator{ActorID: actor, Life: life}).mayUse(tool.Call{}, s); got != want {
			t.Errorf("%q: %v", actor, got)
		}
	}
}

// TestViewsAsText compares what the detectors see of a campaign, and the names in questions, with
// testdata/views.golden.
func TestViewsAsText(t *testing.T) {
	t.Parallel()
	var c state.Campaign
	if err := json.Unmarshal([]byte(`{"allowlist": ["move", "check"], "goal": {"text": "Wake it.", "is_hidden": true}, "state": {
		"selected": {"party_character_ids": ["ann", "bo"]},
		"characters": [{"character_id": "ann", "name": "Ann", "aliases": ["Fox"], "hp": {"current": 3, "max": 9}, "area_id": "yard",
			"attributes": {"job": "smith", "wits": 7, "deep": {"a": 1}}, "skills": [{"name": "climb"}, {"name": "swim", "level": 4}], "status": {"alive_state": "downed"}},
			{"character_id": "bo", "name": "Bo"}],
		"map": {"areas": [{"id": "yard", "name": "Yard", "aliases": ["Court"], "locked": true}, {"id": "shed", "name": "Shed", "parent": "yard"}],
			"paths": [{"id": "p", "from": "yard", "to": "shed"}]},
		"world": {"rules": [{"id": "r1", "text": "No fire.", "keywords": ["fire"]}, {"id": "r2", "text": "Hidden.", "keywords": ["ice"], "visible_to": ["bo"]}]}}}`), &c); err != nil {
		t.Fatal(err)
	}
	var got strings.Builder
	show := func(what string, v any) {
		text, err := json.MarshalIndent(v, "", "  ")
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&got, "%s\n%s\n", what, text)
	}
	actions := []conflict.Action{{}}
	whole := ViewOf(&c, "ann", c.State, state.Viewer{}, actions)
	show("for everybody", whole)
	show("for ann", ViewOf(&c, "ann", c.State, state.NewViewer(state.AudienceStrict, "ann", nil, false), nil))
	c.Allowlist = nil
	show("without checks", ViewOf(&c, "", state.State{}, state.Viewer{}, nil))
	show("names", Examiner{View: whole}.Names([]conflict.Question{{Who: []string{"bo"}}, {Places: []string{"shed", "moon"}}}))
	show("ids", IDsOf([]state.FailedCall{{ID: "a"}}, nil, []state.FailedCall{{ID: "b"}, {ID: "c"}}))
	for _, texts := range []*game.Texts{nil, new(game.Chinese())} {
		g, problems := game.Compile(game.Content{Extensions: game.Extensions{Texts: texts, Detectors: []conflict.Named{{Name: "own", Detector: conflict.DetectorFunc(func(*conflict.Reading) []conflict.Conflict { return nil })}}}})
		if err := problems.Err(); err != nil {
			t.Fatal(err)
		}
		for _, line := range []string{"I wait.", "我等待。"} {
			show("unreadable", Unreadable(g, "truncated", line))
		}
		values := setting.Builtin().Freeze(nil, setting.Snapshot{"conflict.mode": tree.Text("warn"), "conflict.hp_qualitative": tree.Text("block"),
			"conflict.ask": tree.Text("all"), "conflict.judge": tree.Text("full"), "conflict.detectors": tree.Object(tree.Member{Key: "hp", Value: tree.Text("off")})})
		o := OptionsOf(g, values)
		fmt.Fprintln(&got, "options", o.Mode, o.HPQualitative, o.Ask, o.Judge, o.Detectors, len(o.Extra))
	}
	testkit.Golden(t, "testdata/views.golden", got.String())
}

package reactions_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/talewright/talewright/reactions"
	"github.com/talewright/talewright/rules"
	"github.com/talewright/talewright/rules/effect"
	"github.com/talewright/talewright/rules/event"
)

const inn = `{
  "name": "The Inn",
  "variables": [{"id": "gold", "name": "Gold", "type": "number", "defaultValue": 10, "min": 0,
	"hudIcon": "coin"}],
  "worldbooks": [{"id": "cellar", "name": "Cellar", "activation": {"mode": "manual"}}],
  "entries": [{"id": "e1", "name": "Luna", "role": "character", "content": "The innkeeper.",
	"alwaysSend": true, "uiTab": 2}],
  "rules": [{"id": "pay", "trigger": {"type": "action", "actionId": "pay"}, "conditions": [],
             "actions": [{"type": "modify-variable", "variableId": "gold", "operation": "subtract",
	"value": 3},
                         {"type": "inject-directive", "directiveId": "thanks",
	"content": "Luna is grateful."}]}],
  "reactions": [{"id": "poor", "when": {"eventType": "state:changed"}, "then": [],
	"code": "api.run()"}],
  "customComponents": [{"id": "hud"}]
}`

// A world loads as it is (RU-31).
func Example_yumina() {
	world, problems := reactions.ParseYumina([]byte(inn), reactions.YuminaOptions{})
	program, more := rules.Compile(world.Content())
	for _, p := range append(problems, more...) {
		fmt.Println(p)
	}
	pay := event.ActionFired("pay", world.Variables[0].Default)
	outcome := program.Run(program.Restore(rules.State{}), []rules.Event{pay}, rules.Options{})
	fmt.Println(outcome.State.Variables, outcome.Fired())
	fmt.Println(outcome.State.Ledger.Directives[0].Persistent, world.Entries[0].Name)
	// Output:
	// customComponents: kept and not used: this package does not know the section
	// reactions[0].code (poor): scripts are not run; write a hook instead
	// {"gold":7} [pay poor]
	// true Luna
}

// Parts of a world that this library does not use are listed and kept.
func ExampleParseYumina() {
	world, problems := reactions.ParseYumina([]byte(inn), reactions.YuminaOptions{})
	fmt.Println(world.Name, len(world.Rules), len(world.Entries))
	fmt.Println(problems)
	// Output:
	// The Inn 1 1
	// customComponents: kept and not used: this package does not know the section
}

func ExampleYuminaWorld_Content() {
	world, _ := reactions.ParseYumina([]byte(inn), reactions.YuminaOptions{})
	program, _ := rules.Compile(world.Content())
	fmt.Println(program.Restore(rules.State{}).Variables)
	// Output: {"gold":10}
}

func TestUnknownMembersSurvive(t *testing.T) {
	t.Parallel()
	world, _ := reactions.ParseYumina([]byte(`{"world": `+inn+`}`), reactions.YuminaOptions{})
	for name, got := range map[string]any{
		"hudIcon": world.Variables[0], "uiTab": world.Entries[0], "code": world.Reactions[0],
	} {
		data, err := json.Marshal(got)
		if err != nil {
			t.Fatal(err)
		}
		var members map[string]any
		if err := json.Unmarshal(data, &members); err != nil {
			t.Fatal(err)
		}
		if _, ok := members[name]; !ok {
			t.Errorf("%s is lost: %s", name, data)
		}
	}
	if world.Rest["customComponents"] == nil {
		t.Error("an unknown section is lost")
	}
}

func TestBrokenWorlds(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"[]":           "world: not a JSON object",
		"{":            "world: not JSON: line 1, byte 1: unexpected end of JSON input",
		`{"rules": 5}`: "rules: not a list; left out",
		`{"id": "w", "version": "2", "description": "d", "author": "a", "author2": "b"}`: "author2: kept and not used: " +
			"this package does not know the section",
		`{"entries": [null, {},
			"x"]}`: "entries[0]: not an object; left out\nentries[2]: not an object; left out",
	} {
		if _, problems := reactions.ParseYumina([]byte(text),
			reactions.YuminaOptions{}); fmt.Sprint(problems) != want {
			t.Errorf("%s: %v", text, problems)
		}
	}
}

// A directive that does not say how long stays, as it did there, or lives for a round, as
// the documentation of rules has it (RU-13).
func TestLifetimeOfDirectives(t *testing.T) {
	t.Parallel()
	const world = `{"rules": [{"id": "r", "trigger": {"type": "every-turn"}, "conditions": [],
		"actions": [
		{"type": "inject-directive", "directiveId": "unsaid", "content": "a"},
		{"type": "inject-directive", "directiveId": "null", "content": "b", "persistent": null},
		{"type": "inject-directive", "directiveId": "round", "content": "c", "persistent": false},
		{"type": "inject-directive", "directiveId": "stays", "content": "d",
			"persistent": true}]}]}`
	for _, c := range []struct {
		opts reactions.YuminaOptions
		want string
	}{
		{reactions.YuminaOptions{}, "[true true false true]"},
		{reactions.YuminaOptions{OneRound: true}, "[false false false true]"},
	} {
		w, _ := reactions.ParseYumina([]byte(world), c.opts)
		var got []bool
		for _, e := range w.Rules[0].Actions {
			got = append(got, e.(effect.InjectDirective).Persistent)
		}
		if fmt.Sprint(got) != c.want {
			t.Errorf("%+v: %v, want %s", c.opts, got, c.want)
		}
	}
}

// What cannot be carried is listed with its place, and rules and reactions keep theirs.
func TestProblemsNameTheirPlace(t *testing.T) {
	t.Parallel()
	w, problems := reactions.ParseYumina([]byte(`{"rules": [null, {"id": "r",
		"trigger": {"type": "every-turn"},
		"conditions": [], "actions": []}], "reactions": [5, {"id": "x", "when": {"eventType": "go"},
			"then": {}}],
		"entries": [{"id": "e", "content": "c", "keywords": "inn"}], "variables": [{"id": "v",
			"type": "number", "min": "0"}]}`),
		reactions.YuminaOptions{})
	_, more := rules.Compile(w.Content())
	var got []string
	for _, p := range append(problems, more...) {
		got = append(got, p.Path)
	}
	want := "[entries[\"e\"].keywords variables[0].min rules[0] reactions[0].id reactions[0].when reactions[1].then]"
	if fmt.Sprint(got) != want {
		t.Errorf("got  %v\nwant %s", got, want)
	}
	data, err := json.Marshal(w.Entries[0])
	if err != nil || !strings.Contains(string(data), `"keywords":"inn"`) {
		t.Errorf("%v, keywords are lost: %s", err, data)
	}
}

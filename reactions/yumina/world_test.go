package yumina_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/talewright/talewright/reactions/yumina"
	"github.com/talewright/talewright/rules"
)

const inn = `{
  "name": "The Inn",
  "variables": [{"id": "gold", "name": "Gold", "type": "number", "defaultValue": 10, "min": 0, "hudIcon": "coin"}],
  "worldbooks": [{"id": "cellar", "name": "Cellar", "activation": {"mode": "manual"}}],
  "entries": [{"id": "e1", "name": "Luna", "role": "character", "content": "The innkeeper.", "alwaysSend": true, "uiTab": 2}],
  "rules": [{"id": "pay", "trigger": {"type": "action", "actionId": "pay"}, "conditions": [],
             "actions": [{"type": "modify-variable", "variableId": "gold", "operation": "subtract", "value": 3},
                         {"type": "inject-directive", "directiveId": "thanks", "content": "Luna is grateful."}]}],
  "reactions": [{"id": "poor", "when": {"eventType": "state:changed"}, "then": [], "code": "api.run()"}],
  "customComponents": [{"id": "hud"}]
}`

// A world loads as it is (RU-31).
func Example() {
	world, problems := yumina.Load([]byte(inn))
	program, more := rules.Compile(world.Content())
	for _, p := range append(problems, more...) {
		fmt.Println(p)
	}
	pay := rules.ActionFired("pay", world.Variables[0].Default)
	outcome := program.Run(program.Restore(rules.State{}), []rules.Event{pay}, rules.Options{})
	fmt.Println(outcome.State.Variables, outcome.Fired())
	fmt.Println(outcome.State.Ledger.Directives[0].Persistent, world.Entries[0].Name)
	// Output:
	// customComponents: kept and not used: this package does not know the section
	// reactions[0].code: scripts are not run; write a hook instead
	// {"gold":7} [pay poor]
	// true Luna
}

func TestUnknownMembersSurvive(t *testing.T) {
	t.Parallel()
	world, _ := yumina.Load([]byte(`{"world": ` + inn + `}`))
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
		"[]":                           "[world: not a JSON object]",
		"{":                            "[world: not a JSON object]",
		`{"rules": 5}`:                 "[rules: not a list; left out]",
		`{"entries": [null, {}, "x"]}`: "[entries[0]: not readable; left out entries[2]: not readable; left out]",
	} {
		if _, problems := yumina.Load([]byte(text)); fmt.Sprint(problems) != want {
			t.Errorf("%s: %v", text, problems)
		}
	}
}

package rules_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/talewright/talewright"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/reactions"
	"github.com/talewright/talewright/rules"
	"github.com/talewright/talewright/rules/event"
)

// A member of the wrong type affects only itself. It is reported, it is saved as it was written,
// and it never makes its rule fire more often than the author meant.
func TestMisreadMembers(t *testing.T) {
	t.Parallel()
	changed := event.Changed("hp", tree.Int(9), tree.Int(1))
	for _, c := range []struct {
		reason, json, kept, path string
		fires                    bool
	}{
		{"a limit is left out", `"trigger":{"type":"every-turn"},"maxFireCount":"1"`,
			`"maxFireCount":"1"`, "rules[0].maxFireCount", true},
		{"a flag is left out", `"trigger":{"type":"every-turn"},"enabled":0`,
			`"enabled":0`, "rules[0].enabled", true},
		{"a variable that cannot be read is not any variable",
			`"trigger":{"type":"state-change","variableId":7}`,
			`"variableId":7`, "rules[0].trigger.variableId", false},
		{"nor is a direction either way",
			`"trigger":{"type":"variable-crossed","variableId":"hp","threshold":5,
				"direction":["drops-below"]}`,
			`"direction":["drops-below"]`, "rules[0].trigger.direction", false},
		{"nor an action any action", `"trigger":{"type":"action","actionId":1}`,
			`"actionId":1`, "rules[0].trigger.actionId", false},
		{"the texts of a list are used", `"trigger":{"type":"keyword","keywords":["storm",5]}`,
			`"keywords":["storm",5]`, "rules[0].trigger.keywords", true},
		{"null is absent, and conditions may be", `"trigger":{"type":"action","actionId":null},"cooldownTurns":null`,
			``, "", true},
	} {
		t.Run(c.reason, func(t *testing.T) {
			t.Parallel()
			list, problems := rules.Parse([]byte(`[{"id":"r","actions":[],` +
				c.json + `}]`))
			program, more := rules.Compile(rules.Content{Rules: list})
			problems = append(problems, more...)
			named := func(p talewright.Problem) bool { return p.Path == c.path }
			if c.path == "" && len(problems) > 0 || c.path != "" && !slices.ContainsFunc(problems, named) {
				t.Errorf("want a problem at %q, got %v", c.path, problems)
			}
			saved, err := json.Marshal(list)
			if err != nil || !strings.Contains(string(saved), c.kept) {
				t.Errorf("%v, %s is not in %s", err, c.kept, saved)
			}
			events := []event.Event{
				event.TurnComplete(1), changed, event.PlayerMessage("A storm!"),
				event.ActionFired("go", tree.Value{}),
			}
			o := program.Run(rules.State{Turn: 1}, events, rules.Options{})
			if got := len(o.Fired()) > 0; got != c.fires {
				t.Errorf("fires %v, want %v", got, c.fires)
			}
		})
	}
}

// Null means absent in declarations too, so it is not reported.
func TestNullIsAbsent(t *testing.T) {
	t.Parallel()
	var v rules.Variable
	if err := json.Unmarshal([]byte(`{"id":"hp","name":null,"type":"number","min":null,"formula":null,
		"enabled":null,"activation":null,"worldbookId":null}`), &v); err != nil {
		t.Fatal(err)
	}
	var m rules.Module
	if err := json.Unmarshal([]byte(`{"id":"m","order":null,"activation":null}`), &m); err != nil {
		t.Fatal(err)
	}
	content := rules.Content{Variables: []rules.Variable{v}, Modules: []rules.Module{m}}
	if problems := rules.Vet(content); len(problems) > 0 {
		t.Error(problems)
	}
}

// Unreadable parts of an action, a reaction or a condition are saved as they were written.
func TestMisreadMembersSurvive(t *testing.T) {
	t.Parallel()
	const rule = `[{"id":"r","trigger":{"type":"every-turn"},"conditions":[{"variableId":5,
		"operator":"eq"}],` +
		`"actions":[{"type":"notify-player","message":"m","style":5},` +
		`{"type":"modify-variable","variableId":"a","operation":7,"value":1},` +
		`{"type":"inject-directive","directiveId":"d","content":"c","duration":"2"}]}]`
	list, _ := rules.Parse([]byte(rule))
	data, err := json.Marshal(list)
	if err != nil {
		t.Fatal(err)
	}
	for _, kept := range []string{`"variableId":5`, `"style":5`, `"operation":7`,
		`"duration":"2"`} {
		if !strings.Contains(string(data), kept) {
			t.Errorf("%s is lost: %s", kept, data)
		}
	}
	const reaction = `[{"id":"r","when":5,"then":"x","priority":"high","conditions":{}},` +
		`{"id":"s","when":{"eventType":"go"},"then":[{"type":"notify-player","message":"m",
			"style":5},` +
		`{"type":"set","path":"a","operation":5,"value":1}]}]`
	others, _ := reactions.Parse([]byte(reaction))
	if data, err = json.Marshal(others); err != nil {
		t.Fatal(err)
	}
	for _, kept := range []string{
		`"when":5`, `"then":"x"`, `"priority":"high"`, `"conditions":{}`, `"style":5`,
		`"operation":5`,
	} {
		if !strings.Contains(string(data), kept) {
			t.Errorf("%s is lost: %s", kept, data)
		}
	}
	if _, problems := reactions.Compile(others[:1]); len(problems) != 5 {
		t.Errorf("problems %v", problems) // no eventType, and each of the four
	}
}

// A condition with an unreadable reference is never true, with any other members.
func TestMisreadReferenceNeverHolds(t *testing.T) {
	t.Parallel()
	for _, op := range []rules.Operator{rules.Eq, rules.Neq, rules.Gt, rules.Contains} {
		var c rules.Condition
		source := `{"variableId":"hp","operator":"` + string(op) + `","value":3,"valueRef":["max"]}`
		if err := json.Unmarshal([]byte(source), &c); err != nil {
			t.Fatal(err)
		}
		list := []rules.Rule{{
			ID: "r", Trigger: &rules.Trigger{Type: rules.EveryTurn}, Conditions: []rules.Condition{c},
		}}
		for _, hp := range []int{3, 5} {
			vars := rules.VarMap{"hp": hp}
			fired := rules.Evaluate(list, []event.Event{event.TurnComplete(1)}, vars)
			if c.Holds(vars) || len(fired) > 0 {
				t.Errorf("%s holds for %d", op, hp)
			}
		}
	}
}

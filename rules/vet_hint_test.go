package rules_test

import (
	"strings"
	"testing"

	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/reactions"
	"github.com/talewright/talewright/rules"
	"github.com/talewright/talewright/rules/effect"
)

// For every unknown word, the problem names the probable word or all valid words (RU-32).
func TestHints(t *testing.T) {
	t.Parallel()
	const head = `[{"id":"r","conditions":[],"actions":[{"type":"notify-player","message":"x"}],`
	for _, c := range []struct{ reason, json, want string }{
		{"a letter is missing", head + `"trigger":{"type":"sesion-start"}}]`,
			`did you mean "session-start"?`},
		{"two letters are swapped", head + `"trigger":{"type":"manaul"}}]`,
			`did you mean "manual"?`},
		{"nothing is near", head + `"trigger":{"type":"moon"}}]`,
			`write variable-crossed, state-change`},
		{"no type at all", head + `"trigger":{}}]`, `every-turn, action or manual`},
		{"case counts as no slip", head + `"trigger":{"type":"Every-Turn"}}]`,
			`did you mean "every-turn"?`},
		{"direction", head + `"trigger":{"type":"variable-crossed","threshold":1,
			"direction":"rises-abve"}}]`,
			`did you mean "rises-above"?`},
		{"secondary logic", head +
			`"trigger":{"type":"keyword","keywords":["a"],"secondaryKeywordLogic":"AND_AL"}}]`,
			`did you mean "AND_ALL"?`},
		{"condition logic", head + `"conditionLogic":"some","trigger":{"type":"every-turn"}}]`,
			`write all or any`},
		{"operator", `[{"id":"r","trigger":{"type":"every-turn"},"actions":[{"type":"notify-player","message":"x"}],
			"conditions":[{"variableId":"hp","operator":"qte","value":1}]}]`,
			`did you mean "gte"?`},
		{"operator of a stop condition", `[{"id":"r","trigger":{"type":"every-turn"},"actions":[{"type":"notify-player","message":"x"}],
			"conditions":[],"stopConditions":[{"variableId":"hp","operator":"is","value":1}]}]`,
			`write eq, neq, gt, gte, lt, lte or contains`},
		{"operation", `[{"id":"r","trigger":{"type":"every-turn"},"conditions":[],"actions":[
			{"type":"modify-variable","variableId":"hp","operation":"substract","value":1}]}]`,
			`did you mean "subtract"?`},
		{"action", `[{"id":"r","trigger":{"type":"every-turn"},"conditions":[],"actions":[
			{"type":"notify-playr","message":"x"}]}]`, `did you mean "notify-player"?`},
		{"position", `[{"id":"r","trigger":{"type":"every-turn"},"conditions":[],"actions":[
			{"type":"inject-directive","directiveId":"d","content":"x","position":"botom"}]}]`,
			`did you mean "bottom"?`},
		{"an action without what it needs",
			`[{"id":"r","trigger":{"type":"every-turn"},"conditions":[],
			"actions":[{"type":"toggle-rule","ruleId":"x"}]}]`,
			`needs a ruleId, and enabled as true or false`},
		{"an action without a type", `[{"id":"r","trigger":{"type":"every-turn"},"conditions":[],
			"actions":[{}]}]`, `an action is an object with a type`},
		{"variable", `[{"id":"r","trigger":{"type":"every-turn"},"conditions":[],"actions":[
			{"type":"modify-variable","variableId":"hq","value":1}]}]`, `declare it`},
		{"variable, longer", `[{"id":"r","trigger":{"type":"every-turn"},"conditions":[],"actions":[
			{"type":"modify-variable","variableId":"couarge","value":1}]}]`,
			`did you mean "courage"?`},
		{"rule", `[{"id":"alarm","trigger":{"type":"every-turn"},"conditions":[],"actions":[
			{"type":"toggle-rule","ruleId":"alram","enabled":true}]}]`, `did you mean "alarm"?`},
		{"member of the wrong type", head + `"priority":"high","trigger":{"type":"every-turn"}}]`,
			`"high" is not a number`},
	} {
		list, problems := rules.Parse([]byte(c.json))
		problems = append(problems, rules.Vet(rules.Content{
			Rules: list,
			Variables: []rules.Variable{{ID: "hp", Type: rules.TypeNumber}, {ID: "courage",
				Type: rules.TypeNumber}},
		})...)
		if got := problems.Error(); !strings.Contains(got, c.want) {
			t.Errorf("%s: got %s\nwant %s", c.reason, got, c.want)
		}
	}
}

// Event types of reactions are open: only a similar name is reported as a mistake.
func TestHintsOfPatterns(t *testing.T) {
	t.Parallel()
	when := func(typ string, field string, op rules.Operator) reactions.Reaction {
		p := reactions.Pattern{EventType: typ}
		if field != "" {
			p.Match = map[string]rules.Clause{field: {Operator: op, Value: tree.Int(1)}}
		}
		return reactions.Reaction{ID: "r", When: p, Then: reactions.Effects{effect.InjectDirective{ID: "d", Content: "x"}}}
	}
	for _, c := range []struct {
		reason string
		give   reactions.Reaction
		want   string // "" is no problem
	}{
		{"a slip", when("turn:completed", "", ""), `did you mean "turn:complete"?`},
		{"a host's own type", when("weather:rain", "", ""), ""},
		{"an area", when("ui:*", "", ""), ""},
		{"operator", when("weather:rain", "wet", "equals"), "write eq, neq"},
		{"every elsewhere", when("weather:rain", "wet", rules.Every),
			"only with turnCount of turn:complete"},
		{"every where it belongs", when("turn:complete", "turnCount", rules.Every), ""},
	} {
		problems := rules.Vet(rules.Content{Handlers: []rules.Handler{c.give.Handler()}})
		got := problems.Error()
		if (got == "") != (c.want == "") || !strings.Contains(got, c.want) {
			t.Errorf("%s: got %q, want %q", c.reason, got, c.want)
		}
	}
}

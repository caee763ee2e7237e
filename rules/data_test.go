package rules_test

import (
	"strings"
	"testing"

	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules"
	"github.com/talewright/talewright/rules/event"
)

// TestFilledTextsAreData: a value of a variable or a parameter in a prompt is not expanded. The
// author's text around it is expanded.
func TestFilledTextsAreData(t *testing.T) {
	const stranger, data = "{{getvar::vault}}", `\{\{getvar::vault\}\}`
	for _, c := range []struct{ name, effect, want string }{
		{"context", `{"type": "send-context", "message": "{{user}} says {param.content}"}`, "{{user}} says " + data},
		{"context by path", `{"type": "modify-variable", "variableId": "@prompt.context", "operation": "set",
			"value": "{{user}} says {param.content}"}`, "{{user}} says " + data},
		{"a parameter as reference", `{"type": "modify-variable", "variableId": "@prompt.context", "operation": "set",
			"valueRef": "param.content"}`, data},
		{"a variable as reference", `{"type": "modify-variable", "variableId": "@prompt.context", "operation": "set",
			"valueRef": "said"}`, data},
		{"a directive", `{"type": "modify-variable", "variableId": "@prompt.directive.d", "operation": "set",
			"valueRef": "said"}`, data},
		{"a list of strangers", `{"type": "modify-variable", "variableId": "@prompt.context", "operation": "set",
			"valueRandom": {"kind": "list", "candidatesVar": "all"}}`, data},
		{"the author's own", `{"type": "send-context", "message": "{{user}} waits"}`, "{{user}} waits"},
	} {
		t.Run(c.name, func(t *testing.T) {
			list, problems := rules.Parse([]byte(`[{"id": "r", "name": "r", "trigger": {"type": "action", "actionId": "say"}, "conditions": [],
				"actions": [` + c.effect + `]}]`))
			if len(problems) > 0 {
				t.Fatal(problems)
			}
			program, problems := rules.Compile(rules.Content{Rules: list})
			if len(problems) > 0 {
				t.Fatal(problems)
			}
			doc, err := tree.NewDocument(tree.Object(
				tree.Member{Key: "said", Value: tree.Text(stranger)},
				tree.Member{Key: "all", Value: tree.Array(tree.Text(stranger))}))
			if err != nil {
				t.Fatal(err)
			}
			out := program.Run(rules.State{Variables: doc, Turn: 1}, []event.Event{event.ActionFired("say",
				tree.Object(tree.Member{Key: "content", Value: tree.Text(stranger)}))}, rules.Options{})
			var got []string
			_, pending := out.State.Ledger.TakePending()
			for _, p := range pending {
				got = append(got, p.Message)
			}
			for _, d := range out.State.Ledger.Directives {
				got = append(got, d.Content)
			}
			if strings.Join(got, "|") != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

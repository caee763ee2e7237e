package rules_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules"
	"github.com/talewright/talewright/rules/effect"
)

// hero is a value of a host. Its life, from 0 to 9, is a view.
type hero struct{ life int64 }

func (h hero) View(id string) (tree.Value, bool) { return tree.Int(h.life), id == "life.hero" }

func (h hero) WithView(_ string, v tree.Value) (rules.Views, tree.Value, error) {
	n, _ := v.AsNumber()
	i, ok := n.Int64()
	if !ok {
		return h, tree.Value{}, errors.New("takes a whole number")
	}
	h.life = min(max(i, 0), 9)
	return h, tree.Int(h.life), nil
}

// TestViewsAreVariables reads and writes a host's own value by its id: in triggers, conditions,
// references and formulas, with a schema and without.
func TestViewsAreVariables(t *testing.T) {
	list := []rules.Rule{
		{ID: "hurt", Trigger: &rules.Trigger{Type: rules.VariableCrossed, VariableID: "life.hero",
			Direction: rules.DropsBelow, Threshold: new(3.0)},
			Conditions: []rules.Condition{{VariableID: "life.hero", Operator: rules.Eq, Value: tree.Int(2)}},
			Actions: effect.Actions{
				effect.SetVariable{Path: "last", ValueRef: "life.hero"},
				effect.SetVariable{Path: "life.hero", Operation: effect.Add, Value: tree.Int(500)},
				effect.SetVariable{Path: "life.hero", Value: tree.Text("well")}}},
	}
	for name, vars := range map[string][]rules.Variable{
		"schema": {{ID: "last", Type: rules.TypeNumber}, {ID: "half", Type: rules.TypeNumber, Formula: "life.hero * 2"}},
		"none":   nil,
	} {
		t.Run(name, func(t *testing.T) {
			p, problems := rules.Compile(rules.Content{Variables: vars, Rules: list})
			if len(problems) > 0 {
				t.Fatal(problems)
			}
			start := rules.State{Views: hero{life: 7}}
			st := p.Apply(start, effect.By("host",
				effect.SetVariable{Path: "life.hero", Operation: effect.Subtract, Value: tree.Int(5)}), rules.Options{})
			out := p.Run(st.State, st.Events, rules.Options{})
			if got := out.State.Views.(hero).life; got != 9 {
				t.Errorf("life is %d; refused %+v", got, out.Refused)
			}
			if start.Views.(hero).life != 7 {
				t.Error("the state that was given has changed")
			}
			want := `{"last":2}`
			if vars != nil {
				want = `{"half":18,"last":2}`
			}
			if got := out.State.Variables.String(); got != want {
				t.Errorf("the document is %s, want %s", got, want)
			}
			if len(out.Refused) != 1 || out.Refused[0].Reason != effect.BadValue {
				t.Errorf("refused %+v", out.Refused)
			}
			if c := out.Changes[1]; fmt.Sprintf("%s %s %s", c.Path[0], c.Old, c.New) != "life.hero 2 9" {
				t.Errorf("told %s from %s to %s", c.Path, c.Old, c.New)
			}
		})
	}
}

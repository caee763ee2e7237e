package rules_test

import (
	"strings"
	"testing"

	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules"
	"github.com/talewright/talewright/rules/effect"
	"github.com/talewright/talewright/rules/event"
)

// nested returns a value with the given number of levels.
func nested(levels int) tree.Value {
	v := tree.Int(1)
	for i := range levels {
		if i%2 == 0 {
			v = tree.Array(v)
		} else {
			v = tree.Object(tree.Member{Key: "a", Value: v})
		}
	}
	return v
}

// TestEffectsNestLessThanDocuments: a value nested deeper than a document allows is refused alone;
// other effects are applied.
func TestEffectsNestLessThanDocuments(t *testing.T) {
	t.Parallel()
	schema, problems := rules.Compile(rules.Content{Variables: []rules.Variable{
		{ID: "j", Type: rules.TypeJSON, Default: tree.Object()},
		{ID: "far", Type: rules.TypeJSON, Path: "a.b.far", Default: tree.Object()},
		{ID: "n", Type: rules.TypeNumber},
	}})
	if err := problems.Err(); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		reason string
		with   *rules.Program
		above  int // levels over the value
		effect func(v tree.Value) effect.Effect
	}{
		{"a variable as a whole", schema, 1, func(v tree.Value) effect.Effect { return effect.SetVariable{Path: "j", Value: v} }},
		{"a path into a variable", schema, 3, func(v tree.Value) effect.Effect { return effect.SetVariable{Path: "j.k.l", Value: v} }},
		{"a variable elsewhere", schema, 3, func(v tree.Value) effect.Effect { return effect.SetVariable{Path: "far", Value: v} }},
		{"a part of one elsewhere", schema, 4, func(v tree.Value) effect.Effect { return effect.SetVariable{Path: "far.k", Value: v} }},
		{"a member", schema, 2, func(v tree.Value) effect.Effect {
			return effect.SetVariable{Path: "j", Operation: effect.Merge, Value: tree.Object(tree.Member{Key: "k", Value: v})}
		}},
		{"a node without a schema", nil, 2, func(v tree.Value) effect.Effect { return effect.SetVariable{Path: "x.y", Value: v} }},
		{"an element without a schema", nil, 2, func(v tree.Value) effect.Effect {
			return effect.SetVariable{Path: "list", Operation: effect.Push, Value: v}
		}},
		{"a field of an event", nil, 1, func(v tree.Value) effect.Effect {
			return effect.Emit{Event: event.New("e", tree.Member{Key: "k", Value: v})}
		}},
		{"a host's effect", nil, 1, func(v tree.Value) effect.Effect {
			return effect.Custom{Type: "weather", Data: tree.Object(tree.Member{Key: "k", Value: v})}
		}},
		{"an unknown @ path", nil, 0, func(v tree.Value) effect.Effect { return effect.SetVariable{Path: "@weather", Value: v} }},
		{"a state of a character", nil, 1, func(v tree.Value) effect.Effect { return effect.ChangeState{Field: "f", New: v} }},
		{"what it was", nil, 1, func(v tree.Value) effect.Effect { return effect.ChangeState{Field: "f", Old: v} }},
		{"a relationship", nil, 1, func(v tree.Value) effect.Effect { return effect.ChangeRelationship{Field: "f", New: v} }},
		{"a branch", nil, 0, func(v tree.Value) effect.Effect { return effect.BackupBranch{Path: tree.Path{"x"}, Data: v} }},
		{"parameters of a workflow", nil, 1, func(v tree.Value) effect.Effect {
			return effect.StartWorkflow{Workflow: "w", Params: tree.Object(tree.Member{Key: "k", Value: v})}
		}},
	} {
		for _, over := range []int{0, 1, 90} {
			levels := tree.MaxDepth - c.above + over
			st := load(t, `{"list":[]}`)
			after := c.with.Apply(st, effect.By("r", c.effect(nested(levels)), effect.SetVariable{Path: "n", Value: tree.Int(7)}), rules.Options{})
			if got := after.State.Variables.Root().Get("n"); !got.Equal(tree.Int(7)) {
				t.Errorf("%s: the effect after it came to %v", c.reason, got)
			}
			if over == 0 {
				if len(after.Refused) > 0 {
					t.Errorf("%s, %d levels: %s", c.reason, levels, after.Refused[0].Text)
				}
				continue
			}
			if len(after.Refused) != 1 || after.Refused[0].Reason != effect.TooLarge || after.Refused[0].Path == "" ||
				len(after.Host)+len(after.Changes) != 1 {
				t.Errorf("%s, %d levels: %d refused, %d for the host, %d changes", c.reason, levels,
					len(after.Refused), len(after.Host), len(after.Changes))
			}
		}
	}
}

// TestValuesDoubleOnlySoOften: a value that is repeatedly written into itself stays within a bound,
// in a batch and over turns. A refused write changes nothing.
func TestValuesDoubleOnlySoOften(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		reason, start string
		op            effect.Operation
	}{
		{"a text", `{"x":"ab"}`, effect.Append},
		{"a list", `{"x":[1]}`, effect.Push},
	} {
		var effects []effect.Effect
		for range 60 {
			effects = append(effects, effect.SetVariable{Path: "x", Operation: c.op, ValueRef: "x"})
		}
		var program *rules.Program
		after := program.Apply(load(t, c.start), effect.By("r", effects...), rules.Options{})
		if len(after.Refused) == 0 || len(after.Refused)+len(after.Changes) != len(effects) {
			t.Fatalf("%s: %d changes, %d refused", c.reason, len(after.Changes), len(after.Refused))
		}
		for _, r := range after.Refused {
			if r.Reason != effect.TooLarge {
				t.Errorf("%s: %s", c.reason, r.Reason)
			}
		}
		if size := len(after.State.Variables.String()); size > 8<<20 {
			t.Errorf("%s: %d bytes", c.reason, size)
		}
	}
}

// TestRuleNestsAVariableIntoItself: a rule that repeatedly makes a list its own element continues
// up to the limit and is refused from then on.
func TestRuleNestsAVariableIntoItself(t *testing.T) {
	t.Parallel()
	program, problems := rules.Compile(rules.Content{Rules: []rules.Rule{{ID: "r", Trigger: &rules.Trigger{Type: rules.EveryTurn},
		Actions: effect.Actions{
			effect.SetVariable{Path: "deeper", Value: tree.Array()},
			effect.SetVariable{Path: "deeper", Operation: effect.Push, ValueRef: "x"},
			effect.SetVariable{Path: "x", ValueRef: "deeper"},
		}}}})
	if err := problems.Err(); err != nil {
		t.Fatal(err)
	}
	st := load(t, `{"x":`+strings.Repeat("[", tree.MaxDepth-10)+strings.Repeat("]", tree.MaxDepth-10)+"}")
	refused := 0
	for turn := range 40 {
		out := program.Run(st, []event.Event{event.TurnComplete(turn + 1)}, rules.Options{})
		st, refused = out.State, refused+len(out.Refused)
	}
	if _, err := tree.ParseDocument([]byte(st.Variables.String())); err != nil || refused == 0 {
		t.Errorf("%d refused, read again: %v", refused, err)
	}
}

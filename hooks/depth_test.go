package hooks_test

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/talewright/talewright/hooks"
	"github.com/talewright/talewright/hooks/act"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules/effect"
)

// TestHandlersReturnNothingBeyondRecords: a value of a handler that is nested deeper than a
// document fails its action. All other results can be read back, also inside a record.
func TestHandlersReturnNothingBeyondRecords(t *testing.T) {
	t.Parallel()
	deep := func(levels int) tree.Value {
		v := tree.Int(1)
		for range levels {
			v = tree.Array(v)
		}
		return v
	}
	for _, c := range []struct {
		reason string
		out    func(v tree.Value) act.Outcome
		code   act.ResultCode
	}{
		{"a state", func(v tree.Value) act.Outcome {
			return act.Outcome{Effects: []effect.Effect{effect.ChangeState{Field: "mood", New: v}}}
		}, act.CodeInvalidValue},
		{"a relationship", func(v tree.Value) act.Outcome {
			return act.Outcome{Effects: []effect.Effect{effect.ChangeRelationship{Field: "nickname", New: v}}}
		}, act.CodeInvalidValue},
		{"an output", func(v tree.Value) act.Outcome { return act.Outcome{Output: v} }, act.CodeHandlerError},
	} {
		var v tree.Value
		var actions act.Table
		if err := actions.Register("make", act.Type{Internal: true, Handler: func(context.Context, act.Call) (act.Outcome, error) {
			return c.out(v), nil
		}}); err != nil {
			t.Fatal(err)
		}
		set := mustCompile(t, &actions, `[{"id": "h", "name": "h", "event": "e", "actions": [{"type": "make"}]}]`)
		env := hooks.Env{Character: value(`{"mood": []}`), Relationship: value(`{"nickname": []}`)}
		for _, over := range []int{1, tree.MaxNesting - tree.MaxDepth} {
			v = deep(tree.MaxDepth + over)
			result := emit(t, set, act.Event{ID: "1", Type: "e"}, env)
			if got := result.Logs[0].Results[0]; got.Code != c.code || got.Detail == "" {
				t.Errorf("%s: %+v", c.reason, got)
			}
			data, err := json.Marshal(result)
			if err == nil {
				_, err = tree.ParseValue(data)
			}
			if err != nil {
				t.Errorf("%s: the result: %v", c.reason, err)
			}
		}
	}
}

package hooks_test

import (
	"context"
	"encoding/json"
	"strconv"
	"testing"

	"github.com/talewright/talewright/hooks"
	"github.com/talewright/talewright/hooks/act"
	"github.com/talewright/talewright/internal/testkit"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules/effect"
)

// growthActions are lists of actions, with one text repeated and nested.
var growthActions = []testkit.Atom{
	{Head: `{}`, Open: `,{"type":"prompt_inject","content":"c"}`},
	{Head: `{}`, Open: `,{"type":"own","n":1}`},
	{Head: `{}`, Open: `,{"type":"message","content":"c"}`},
	{Head: `{}`, Open: `,{"type":"state_delta","field":"energy","delta":1}`},
	{Head: `{}`, Open: `,{"type":"nope"}`},
	{Head: `{}`, Open: `,5`},
	{Head: `{"type":"state_delta","payload":{"energy":1`, Open: `,"mood":"x"`, Tail: `}}`},
	{Head: `{"type":"state_delta","payload":{"energy":1.`, Open: `9`, Tail: `}}`},
	{Head: `{"type":"state_delta","payload":{"energy":`, Open: `[`, Mid: `1`, Close: `]`, Tail: `}}`},
	{Head: `{"type":"world_book_add","book_id":"b","content":"c","keywords":"`, Open: `a,`, Tail: `"}`},
	{Head: `{"type":"world_book_add","book_id":"b","content":"c","keywords":["a"`, Open: `,5`, Tail: `]}`},
	{Head: `{"type":"memory_write","content":"`, Open: `字`, Tail: `"}`},
	{Head: `{}`, Open: `,{"type":"notify-player","message":"m"}`},
	{Head: `{}`, Open: `,{"type":"toggle_rule"}`},
	{Head: `{"type":"rewrite","target":"prompt","find":"a","text":"`, Open: `a`, Tail: `"}`},
	{Head: `{"type":"modify-variable","variableId":"v","value":`, Open: `[`, Mid: `1`, Close: `]`, Tail: `}`},
	{Head: `{"type":"emit","event":{"type":"e"`, Open: `,"a":1`, Tail: `}}`},
	{Head: `{"type":"emit","event":{"type":"e","a":`, Open: `{"a":`, Mid: `1`, Close: `}`, Tail: `}}`},
	{Head: `{"type":"x","a":`, Open: `{"a":`, Mid: `1`, Close: `}`, Tail: `}`},
}

// growthConditions are condition objects.
var growthConditions = []testkit.Atom{
	{Head: `{"a":1`, Open: `,"mood_is":"x"`, Tail: `}`},
	{Head: `{"a":1`, Open: `,"\u0061fection_gte":5`, Tail: `}`},
	{Head: `{"a":1`, Open: `,"payload.a.b":{"gt":1,"nope":2}`, Tail: `}`},
	testkit.Nest(`{"not":`, `{}`, `}`),
	testkit.Nest(`{"not":`, `{"nope":1}`, `}`),
	testkit.Nest(`{"all":[`, `{"mood_is":5}`, `]}`),
	testkit.Nest(`{"any":[{"nope":1},`, `{}`, `]}`),
	{Head: `{"all":[{}`, Open: `,{"mood_is":"x"}`, Tail: `]}`},
	{Head: `{"all":[5`, Open: `,5`, Tail: `]}`},
	{Head: `{"event_type":["a"`, Open: `,"*.a"`, Tail: `]}`},
	{Head: `{"event_type":"a`, Open: `.a`, Tail: `"}`},
	{Head: `{"payload.a`, Open: `.a`, Tail: `":1}`},
	{Head: `{"payload.a":{"in":[1`, Open: `,1.0`, Tail: `]}}`},
	{Head: `{"time_range":["1`, Open: `1`, Tail: `:00","2:00"]}`},
	{Head: `{"time_range":[`, Open: `[`, Close: `]`, Tail: `]}`},
	{Head: `{"clock_reaches":["08:00"`, Open: `,"9:30"`, Tail: `]}`},
	{Head: `{"clock_reaches":["08:00"`, Open: `,"930"`, Tail: `]}`},
	{Head: `{"idle_reaches":0.`, Open: `1`, Tail: `}`},
	{Head: `{"affection_gte":0.`, Open: `1`, Tail: `}`},
	{Head: `{"affection_gte":"`, Open: `1`, Tail: `"}`},
	{Head: `{"`, Open: `x`, Tail: `_gte":1}`},
}

// growthHooks are lists of hooks.
var growthHooks = []testkit.Atom{
	{Head: `{}`, Open: `,{"name":"n","event":"*"}`},
	{Head: `{}`, Open: `,{"id":"h","name":"n","event":"a.b"}`},
	{Head: `{}`, Open: `,{"name":"n","event":"a","permissions":{"channels":5}}`},
	{Head: `{}`, Open: `,5`},
	{Head: `{}`, Open: `,[]`},
	{Head: `{"name":"n","event":["a"`, Open: `,"a.*"`, Tail: `]}`},
	{Head: `{"name":"n","event":["a"`, Open: `,"charcter.after_trun.finished"`, Tail: `]}`},
	{Head: `{"name":"n","event":["a"`, Open: `,5`, Tail: `]}`},
	{Head: `{"name":"n","event":"`, Open: `*.`, Tail: `"}`},
	{Head: `{"name":"n","event":"`, Open: `x`, Tail: `"}`},
	{Head: `{"name":"n","event":"*"`, Open: `,"a":1`, Tail: `}`},
	{Head: `{"name":"n","event":"*"`, Open: `,"priority":"x"`, Tail: `}`},
	{Head: `{"name":"n","event":"*","permissions":{"channels":["a"`, Open: `,"b"`, Tail: `]}}`},
	{Head: `{"name":"n","event":"*","x":`, Open: `{"a":`, Mid: `1`, Close: `}`, Tail: `}`},
	{Head: `{"name":"n","event":"*","priority":`, Open: `9`, Tail: `}`},
}

// TestGrowth tests that reading, compiling, vetting and running hooks have linear cost.
func TestGrowth(t *testing.T) {
	event := conditionEvent
	event.ID = "evt_000000000001"
	all := func(text string) {
		list, _ := hooks.Parse([]byte(text))
		set, _ := hooks.Compile(list, growthTable(t))
		env := conditionEnv()
		env.Trace = true
		res := hooks.Run(t.Context(), set, event, hooks.State{}, env)
		res.State = res.State.BeginTurn("t")
		_, _ = json.Marshal(set.Hooks())
		_, _ = json.Marshal(res.Logs)
		_ = res.Trace.String()
		var in act.Injections
		for range 2 {
			in = in.With(injectionsOf(res.Effects)...)
		}
		in.ByPriority().BeginTurn()
	}
	wrapped := func(before, after string) func(string) {
		return func(text string) { all(before + text + after) }
	}
	record := func(into func() any) func(string) {
		return func(text string) {
			v := into()
			if json.Unmarshal([]byte(text), v) == nil {
				_, _ = json.Marshal(v)
			}
		}
	}
	testkit.Growth(t,
		testkit.Reader{Name: "hooks", Read: wrapped(`[`, `]`), Atoms: growthHooks, Size: 2 << 10},
		testkit.Reader{Name: "actions", Read: wrapped(`[{"name":"n","event":"*","actions":[`, `]}]`),
			Atoms: growthActions, Size: 4 << 10},
		testkit.Reader{Name: "conditions", Read: wrapped(`[{"name":"n","event":"*","conditions":`, `}]`),
			Atoms: growthConditions, Size: 4 << 10},
		testkit.Reader{Name: "wide state", Read: func(text string) {
			var fields, by []tree.Member
			for i := range len(text) / 16 {
				name := "f" + strconv.Itoa(i)
				fields, by = append(fields, member(name, tree.Int(1))), append(by, member(name, tree.Int(2)))
			}
			set := single(tree.Value{}, act.New(act.StateDelta, member("payload", tree.Object(by...))))
			hooks.Run(t.Context(), set, event, hooks.State{}, hooks.Env{Character: tree.Object(fields...)})
		}, Atoms: []testkit.Atom{testkit.Repeat("a field of 16 by")}},
		testkit.Reader{Name: "patterns", Read: func(s string) { act.MatchType(s, s); act.MatchType("*."+s, s) },
			Atoms: []testkit.Atom{testkit.Repeat("*."), testkit.Repeat("a."), testkit.Repeat("."), testkit.Repeat("x")}},
		testkit.Reader{Name: "event", Read: record(func() any { return new(act.Event) }), Atoms: []testkit.Atom{
			{Head: `{"type":"t"`, Open: `,"a":1`, Tail: `}`}, {Head: `{"payload":`, Open: `{"a":`, Mid: `1`, Close: `}`, Tail: `}`},
			{Head: `{"id":`, Open: `[`, Mid: `1`, Close: `]`, Tail: `}`},
		}},
		testkit.Reader{Name: "state", Read: record(func() any { return new(hooks.State) }), Atoms: []testkit.Atom{
			{Head: `{"triggered":{"h":["a"`, Open: `,"b"`, Tail: `]}}`}, {Head: `{"triggered":{"h":["a"`, Open: `,5`, Tail: `]}}`},
			{Head: `{"turn":{"default_keys":{"k":1`, Open: `,"l":"x"`, Tail: `}}}`}, {Head: `{"turn":{"ran":`, Open: `[`, Close: `]`, Tail: `}}`},
		}},
		testkit.Reader{Name: "patch", Read: func(text string) {
			set, _ := hooks.Compile([]hooks.Hook{{ID: "h", Name: "n", Event: hooks.On("*")}}, nil)
			if fields, err := tree.ParseValue([]byte(`{"x":1` + text + `}`)); err == nil {
				set.Patch("h", fields)
			}
		}, Atoms: []testkit.Atom{testkit.Repeat(`,"a":1`), testkit.Repeat(`,"event":["a"]`), testkit.Repeat(`,"name":5`),
			{Head: `,"actions":[5`, Open: `,{}`, Tail: `]`}}},
	)
}

// growthTable returns a table with one custom type, which injects a text.
func growthTable(t *testing.T) *act.Table {
	t.Helper()
	var table act.Table
	err := table.Register("own", act.Type{Internal: true, Handler: func(context.Context, act.Call) (act.Outcome, error) {
		return act.Outcome{Effects: []effect.Effect{effect.InjectPrompt{Content: "c"}}}, nil
	}})
	if err != nil {
		t.Fatal(err)
	}
	return &table
}

func injectionsOf(effects []effect.Effect) []effect.InjectPrompt {
	var list []effect.InjectPrompt
	for _, e := range effects {
		if in, ok := e.(effect.InjectPrompt); ok {
			list = append(list, in)
		}
	}
	return list
}

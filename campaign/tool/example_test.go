package tool_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/tool"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/llm/llmtest"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules/effect"
)

// newMill returns an engine with a small campaign in it, for the examples.
func newMill(model llm.Model, content game.Content) *campaign.Engine {
	g, problems := game.Compile(content)
	if err := problems.Err(); err != nil {
		panic(err)
	}
	engine, err := campaign.New(campaign.Config{Game: g, Store: &campaign.MemoryStore{}, Model: model})
	if err != nil {
		panic(err)
	}
	_, err = engine.Create(context.Background(), state.Setup{ID: "mill",
		Characters: []state.Character{{ID: "ann", Name: "Ann", HP: state.HP{Current: 10, Max: 10}}}})
	if err != nil {
		panic(err)
	}
	return engine
}

// A tool judges a call and returns effects as data; it has no side effects. To register it, all
// data that the model, people and the detectors need must be set.
func ExampleSet_With() {
	bell := tool.Tool{
		Name:        "ring",
		Description: "Ring the mill bell.",
		Manual:      "Counts the strokes in the variable strokes.",
		Params:      map[string]tool.Param{"times": {Type: tool.IntegerParam, Required: true}},
		Reasons:     map[state.CallCode]string{"too_loud": "not more than three strokes"},
		Affects:     []string{tool.AffectsNothing},
		Judge: func(call tool.Call, _ tool.View) tool.Judgement {
			if call.Int("times") > 3 {
				return tool.Judgement{Reason: "too_loud"}
			}
			return tool.Judgement{
				Result: tree.Object(tree.Member{Key: "rung", Value: call.Args.Get("times")}),
				Effects: effect.List{effect.SetVariable{
					Path: "strokes", Operation: effect.Add, Value: call.Args.Get("times")}},
			}
		},
	}
	_, err := tool.Builtin().With(tool.Tool{Name: "bow"}, bell)
	fmt.Println(strings.Count(err.Error(), "\n")+1, "things are missing")

	// Content.Extensions.Tools registers it for a game. The campaign's allow list must also have it.
	ctx := context.Background()
	engine := newMill(llmtest.NewScripted(
		llmtest.Text("The bell rings twice.").AndCall("ring", "times", 2)),
		game.Content{Extensions: game.Extensions{Tools: []tool.Tool{bell}}})
	if _, err := engine.Do(ctx, "mill", turn.SetTools{Allowlist: []string{"ring"}}); err != nil {
		fmt.Println(err)
	}
	outcome, err := engine.Turn(ctx, "mill", turn.Submit{Text: "I ring the bell."})
	if err = cmp.Or(err, outcome.Err()); err != nil {
		fmt.Println(err)
		return
	}
	for _, a := range outcome.Turn.Applied {
		fmt.Println(a.Tool, a.Result)
	}
	c, err := engine.Campaign(ctx, "mill")
	fmt.Println(c.State.Variables, err)
	// Output:
	// 6 things are missing
	// ring {"rung":2}
	// {"strokes":2} <nil>
}

// A tool whose arguments are a struct. The requirements in the tags are checked before the tool
// judges the call, and the model gets them in the schema.
func ExampleNew() {
	type order struct {
		Goods []string `json:"goods" about:"what is bought" enum:"flour,bran" max:"3"`
		Sacks int      `json:"sacks" about:"of each" min:"1" max:"20"`
		Note  string   `json:"note,omitempty"`
	}
	buy := tool.New(tool.Tool{
		Name: "buy", Description: "Buy goods of the mill.", Manual: "Tells how many sacks are bought.",
		Reasons: map[state.CallCode]string{"sold_out": "there is no bran today"},
		Affects: []string{tool.AffectsNothing},
	}, func(o order, _ tool.Call, _ tool.View) tool.Judgement {
		if o.Goods[0] == "bran" {
			return tool.Judgement{Reason: "sold_out"}
		}
		return tool.Judgement{Result: tree.Int(int64(o.Sacks * len(o.Goods)))}
	})
	fmt.Println(buy.Params["sacks"].Description, *buy.Params["sacks"].Min, *buy.Params["sacks"].Max)

	ctx := context.Background()
	engine := newMill(llmtest.NewScripted(
		llmtest.Text("A cart is loaded.").AndCall("buy", "goods", []string{"oats"}, "sacks", 50),
		llmtest.Text("A cart is loaded.").AndCall("buy", "goods", []string{"flour"}, "sacks", 2),
	), game.Content{Extensions: game.Extensions{Tools: []tool.Tool{buy}}})
	if _, err := engine.Do(ctx, "mill", turn.SetTools{Allowlist: []string{"buy"}}); err != nil {
		fmt.Println(err)
	}
	outcome, err := engine.Turn(ctx, "mill", turn.Submit{Text: "I buy flour."})
	if err = cmp.Or(err, outcome.Err()); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(outcome.Attempts[0].FailedCalls[0].Violations)
	fmt.Println(outcome.Turn.Applied[0].Result, "sacks")
	// Output:
	// of each 1 20
	// [goods[0]:enum sacks:range]
	// 2 sacks
}

// A call is checked before it is judged: the requirements of the schema first, the rest by the
// tool.
func ExampleTool_Violations() {
	ring := tool.Tool{Name: "ring", Params: map[string]tool.Param{
		"times": {Type: tool.IntegerParam, Required: true, Min: new(1.0), Max: new(3.0)},
		"bell":  {Type: tool.StringParam, Enum: []string{"great", "small"}},
	}}
	for _, args := range []string{`{"times": 2}`, `{"times": 7, "bell": "huge", "loud": true}`, `{}`} {
		v, err := tree.ParseValue([]byte(args))
		fmt.Println(ring.Violations(v), err)
	}
	fmt.Println(string(ring.Schema()))
	// Output:
	// [] <nil>
	// [bell:enum loud:unexpected times:range] <nil>
	// [times:required] <nil>
	// {"additionalProperties":false,"properties":{"bell":{"description":"","enum":["great","small"],"type":"string"},"times":{"description":"","maximum":3,"minimum":1,"type":"integer"}},"required":["times"],"type":"object"}
}

// A tool reports an internal error: the call is refused, with the error as its hint.
func ExampleFailed() {
	j := tool.Failed(errors.New("the bell server is down"))
	fmt.Println(j.Reason, j.Hint)
	// Output:
	// internal_error "the bell server is down"
}

// People must approve each call of a tool. A call waits until they answer.
func ExampleAlways() {
	duel := tool.Tool{Name: "challenge", Description: "Challenge someone to a duel.", Manual: "A duel ends a feud.",
		Params: map[string]tool.Param{}, Reasons: map[state.CallCode]string{}, Affects: []string{tool.AffectsNothing},
		Approval: tool.Always, Judge: func(tool.Call, tool.View) tool.Judgement { return tool.Judgement{} }}
	engine := newMill(llmtest.NewScripted(llmtest.Text(`{"text": "The glove falls.", "tool_calls": [{"tool": "challenge", "args": {}}]}`)),
		game.Content{Extensions: game.Extensions{Tools: []tool.Tool{duel}}})
	if _, err := engine.Do(context.Background(), "mill", turn.SetTools{Allowlist: []string{"challenge"}}); err != nil {
		panic(err)
	}
	outcome, err := engine.Turn(context.Background(), "mill", turn.Submit{Text: "I throw my glove."})
	fmt.Println(outcome.Status, outcome.Approval.Calls[0].Tool, err)
	// Output: awaiting_approval challenge <nil>
}

// The engine knows some tools only by name. A host builds them with functions of this package.
func ExampleBuiltByHosts() {
	fmt.Println(tool.BuiltByHosts("map_generate"), tool.BuiltByHosts("move"))
	// Output: true false
}

package act_test

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/talewright/talewright/hooks"
	"github.com/talewright/talewright/hooks/act"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules/effect"
)

// The host registers its own action type. Its handler may do I/O; here it only prints.
func ExampleTable_Register() {
	var actions act.Table
	err := actions.Register("notification", act.Type{
		Params: []act.Param{{Name: "target", Kind: tree.KindText, Required: true}},
		Handler: func(ctx context.Context, call act.Call) (act.Outcome, error) {
			fmt.Println("send", call.Action.Get("content"), "to", call.Action.Get("target"))
			fmt.Println("idempotency key", call.Key)
			return act.Outcome{Detail: "sent"}, nil
		},
	})
	fmt.Println(err)

	list, _ := hooks.Parse([]byte(`[{
		"id": "alert", "name": "tell the admin", "event": "model.*",
		"actions": [
			{"type": "notification", "target": "admin", "content": "the model was called"},
			{"type": "notification", "content": "to nobody"}
		]
	}]`))
	set, problems := hooks.Compile(list, &actions)
	fmt.Println(problems)
	event := act.Event{ID: "evt_7", Type: "model.after_call"}
	result := hooks.Run(context.Background(), set, event, hooks.State{}, hooks.Env{})
	for _, r := range result.Logs[0].Results {
		fmt.Println(r.Code, r.Detail)
	}
	// Output:
	// <nil>
	// hooks[0].actions[1].target (alert): target is required
	// send "the model was called" to "admin"
	// idempotency key evt_7/alert/0
	// ok sent
	// missing_params target is required
}

// Sinks deliver external effects while the hook runs, so that a retry is possible.
func ExampleSinks() {
	set, _ := hooks.Compile([]hooks.Hook{{
		ID: "recall", Name: "remember", Event: hooks.On("e"), MaxRetries: 2,
		Actions: []act.Action{act.New(act.MemoryWrite,
			tree.Member{Key: "content", Value: tree.Text("It rained.")})},
	}}, nil)
	calls := 0
	env := hooks.Env{Sinks: act.Sinks{
		Memory: func(_ context.Context, call act.Call, m effect.WriteMemory) error {
			if calls++; calls == 1 {
				return fmt.Errorf("store busy")
			}
			fmt.Printf("attempt %d: %s\n", call.Attempt, m.Content)
			return nil
		},
	}}
	event := act.Event{ID: "evt", Type: "e"}
	result := hooks.Run(context.Background(), set, event, hooks.State{}, env)
	fmt.Println(result.Logs[0].Status)
	fmt.Println("delivered:", len(result.Delivered), "left to do:", len(result.Effects))
	// Output:
	// attempt 2: It rained.
	// success
	// delivered: 1 left to do: 0
}

func ExampleNew() {
	action := act.New(act.LogLine,
		tree.Member{Key: "message", Value: tree.Text("the model was called")},
		tree.Member{Key: "level", Value: tree.Text("debug")})
	fmt.Println(action.JSON)
	// Output:
	// {"type":"log","message":"the model was called","level":"debug"}
}

func ExampleAction_Get() {
	action := act.New(act.Message,
		tree.Member{Key: "content", Value: tree.Text("A knock.")})
	fmt.Println(action.Get("content"), action.Get("volume").Exists())
	// Output:
	// "A knock." false
}

func ExampleAction_Type() {
	var action act.Action
	err := json.Unmarshal([]byte(`{"type": "log", "message": "m"}`), &action)
	fmt.Println(action.Type(), err)
	// Output:
	// log <nil>
}

func ExampleTable_Has() {
	var actions act.Table
	fmt.Println(actions.Has(act.PromptInject), actions.Has("notification"))
	// Output:
	// true false
}

// A custom action returns effects instead of changing a value itself. The effects are checked like
// the effects of built-in actions, and committed with the hook.
func ExampleOutcome() {
	var actions act.Table
	rest := func(_ context.Context, call act.Call) (act.Outcome, error) {
		energy, _ := call.Character.Get("energy").AsNumber()
		hours, _ := call.Action.Get("hours").AsNumber()
		gain := hours.Mul("8")
		return act.Outcome{Effects: []effect.Effect{
			effect.ChangeState{Field: "energy", New: tree.Num(energy.Add(gain))},
			effect.AddMessage{Content: "You feel rested."},
		}}, nil
	}
	err := actions.Register("rest", act.Type{Handler: rest, Internal: true})
	fmt.Println(err)

	set, _ := hooks.Compile([]hooks.Hook{{
		ID: "inn", Name: "a bed", Event: hooks.On("night.passed"),
		Actions: []act.Action{
			act.New("rest", tree.Member{Key: "hours", Value: tree.Int(9)})},
	}}, &actions)
	env := hooks.Env{Character: tree.Object(
		tree.Member{Key: "energy", Value: tree.Int(40)})}
	event := act.Event{ID: "evt", Type: "night.passed"}
	result := hooks.Run(context.Background(), set, event, hooks.State{}, env)
	fmt.Println(result.Character) // at most 100
	// Output:
	// <nil>
	// {"energy":100}
}

// A sink that cannot deliver returns a failure with its own code.
func ExampleType() {
	var actions act.Table
	quote := func(_ context.Context, call act.Call) (act.Outcome, error) {
		line, _ := call.Event.Payload.Get("line").AsText() // written by a player
		return act.Outcome{Effects: []effect.Effect{effect.InjectPrompt{Content: "{{user}} said: " + line}}}, nil
	}
	// Prompt texts from a handler are data. A handler that writes its own macros sets Macros, and
	// marks the other texts as data itself.
	mixed := func(ctx context.Context, call act.Call) (act.Outcome, error) {
		line, _ := call.Event.Payload.Get("line").AsText()
		said := effect.AsData(effect.InjectPrompt{Content: line}).(effect.InjectPrompt)
		said.Content = "{{user}} said: " + said.Content
		return act.Outcome{Effects: []effect.Effect{said}}, nil
	}
	fmt.Println(actions.Register("quote", act.Type{Handler: quote, Internal: true}),
		actions.Register("mixed", act.Type{Handler: mixed, Internal: true, Macros: true}))

	list, _ := hooks.Parse([]byte(`[{"id": "echo", "name": "echo", "event": "say",
		"actions": [{"type": "quote"}, {"type": "mixed"}]}]`))
	set, _ := hooks.Compile(list, &actions)
	payload, _ := tree.ParseValue([]byte(`{"line": "{{getvar::secret}}"}`))
	result := hooks.Run(context.Background(), set, act.Event{ID: "e1", Type: "say", Payload: payload},
		hooks.State{}, hooks.Env{})
	for _, e := range result.Effects {
		fmt.Println(e.(effect.InjectPrompt).Content)
	}
	// Output:
	// <nil> <nil>
	// \{\{user\}\} said: \{\{getvar::secret\}\}
	// {{user}} said: \{\{getvar::secret\}\}
}

func ExampleFailure() {
	set, _ := hooks.Compile([]hooks.Hook{{
		ID: "h", Name: "h", Event: hooks.On("e"),
		Actions: []act.Action{act.New(act.WorldBookAdd,
			tree.Member{Key: "book_id", Value: tree.Text("atlas")},
			tree.Member{Key: "content", Value: tree.Text("Here be dragons.")},
			tree.Member{Key: "keywords", Value: tree.Text("dragon, 龙")})},
	}}, nil)
	env := hooks.Env{Sinks: act.Sinks{
		WorldBook: func(_ context.Context, _ act.Call, entry effect.AddEntry) error {
			return &act.Failure{Code: act.CodeNotFound, Detail: "no book " + entry.BookID}
		},
	}}
	result := hooks.Run(context.Background(), set, act.Event{Type: "e"}, hooks.State{}, env)
	fmt.Println(result.Logs[0].Status, result.Logs[0].Results[0].Code, result.Logs[0].Error)
	// Output:
	// failed not_found no book atlas
}

func ExampleFailure_Error() {
	err := &act.Failure{Code: act.CodeUnavailable, Detail: "the queue is full"}
	fmt.Println(err.Error())
	// Output:
	// unavailable: the queue is full
}

// The host's own fields change by their definition, and conditions can compare them.
func ExampleField() {
	list, _ := hooks.Parse([]byte(`[{
		"name": "toll", "event": "bridge.crossed", "conditions": {"gold_gte": 5},
		"actions": [{"type": "state_delta", "field": "gold", "delta": -30}]
	}]`))
	set, _ := hooks.Compile(list, nil)
	env := hooks.Env{
		Character: tree.Object(tree.Member{Key: "gold", Value: tree.Int(20)}),
		Fields:    map[string]act.Field{"gold": {Add: true, Min: new(0.0)}},
	}
	event := act.Event{Type: "bridge.crossed"}
	fmt.Println(hooks.Run(context.Background(), set, event, hooks.State{}, env).Character)
	// Output:
	// {"gold":0}
}

// A text with an existing key keeps its position.
func ExampleInjections_With() {
	list := prompts.With(effect.InjectPrompt{Key: "mood", Content: "gloomy", Scope: effect.ForTurn})
	list = list.With(effect.InjectPrompt{Key: "hint", Content: "look up", Scope: effect.ForTurn})
	for _, text := range list {
		fmt.Println(text.Key, text.Content)
	}
	// Output:
	// mood gloomy
	// rule no magic
	// hint look up
}

func ExampleInjections_BeginTurn() {
	for _, text := range prompts.BeginTurn() {
		fmt.Println(text.Content)
	}
	// Output:
	// no magic
}

func ExampleInjections_ByPriority() {
	for _, text := range prompts.ByPriority() {
		fmt.Println(text.Content)
	}
	// Output:
	// no magic
	// cheerful
}

func ExampleMissing() {
	fmt.Println(act.Missing("target"))
	// Output: missing_params: target is required
}

func ExampleInvalid() {
	fmt.Println(act.Invalid("volume", "must be from %d to %d", 0, 10))
	// Output: invalid_value: volume must be from 0 to 10
}

// prompts are the texts for the examples below.
var prompts = act.Injections{
	{Key: "mood", Content: "cheerful", Priority: 55, Scope: effect.ForTurn},
	{Key: "rule", Content: "no magic", Priority: 10, Scope: effect.ForSession},
}

// The action types that authors of hooks may use, for example for an editor.
func ExampleTable_Types() {
	var actions act.Table
	if err := actions.Register("ring", act.Type{Params: []act.Param{{Name: "times", Kind: tree.KindNumber}},
		Handler: func(context.Context, act.Call) (act.Outcome, error) { return act.Outcome{}, nil }}); err != nil {
		fmt.Println(err)
	}
	types := actions.Types()
	ring, known := actions.Lookup("ring")
	fmt.Println(types[len(types)-1], known, ring.Params[0].Name)
	fmt.Println(act.IsEffect("notify-player"), act.IsEffect("ring"), act.SpelledAsEffect("notify_player"))
	// Output:
	// ring true times
	// true false [notify-player]
}

package hooks_test

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/talewright/talewright/hooks"
	"github.com/talewright/talewright/hooks/trace"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules"
)

func ExampleNewAction() {
	action := hooks.NewAction(hooks.LogLine,
		tree.Member{Key: "message", Value: tree.Text("the model was called")},
		tree.Member{Key: "level", Value: tree.Text("debug")})
	fmt.Println(action.JSON)
	// Output:
	// {"type":"log","message":"the model was called","level":"debug"}
}

func ExampleAction_Get() {
	action := hooks.NewAction(hooks.Message,
		tree.Member{Key: "content", Value: tree.Text("A knock.")})
	fmt.Println(action.Get("content"), action.Get("volume").Exists())
	// Output:
	// "A knock." false
}

func ExampleAction_Type() {
	var action hooks.Action
	err := json.Unmarshal([]byte(`{"type": "log", "message": "m"}`), &action)
	fmt.Println(action.Type(), err)
	// Output:
	// log <nil>
}

func ExampleActions_Has() {
	var actions hooks.Actions
	fmt.Println(actions.Has(hooks.PromptInject), actions.Has("notification"))
	// Output:
	// true false
}

// A custom action that changes something returns effects instead of changing it:
// they are checked like those of the built-in actions, and committed with the hook.
func ExampleOutcome() {
	var actions hooks.Actions
	rest := func(_ context.Context, call hooks.Call) (hooks.Outcome, error) {
		energy, _ := call.Character.Get("energy").AsNumber()
		hours, _ := call.Action.Get("hours").AsNumber()
		gain := hours.Mul("8")
		return hooks.Outcome{Effects: []rules.Effect{
			rules.ChangeState{Field: "energy", New: tree.Num(energy.Add(gain))},
			rules.AddMessage{Content: "You feel rested."},
		}}, nil
	}
	err := actions.Register("rest", hooks.ActionType{Handler: rest, Internal: true})
	fmt.Println(err)

	set, _ := hooks.Compile([]hooks.Hook{{
		ID: "inn", Name: "a bed", Event: hooks.On("night.passed"),
		Actions: []hooks.Action{
			hooks.NewAction("rest", tree.Member{Key: "hours", Value: tree.Int(9)})},
	}}, &actions)
	env := hooks.Env{Character: tree.Object(
		tree.Member{Key: "energy", Value: tree.Int(40)})}
	event := hooks.Event{ID: "evt", Type: "night.passed"}
	result := hooks.Run(context.Background(), set, event, hooks.State{}, env)
	fmt.Println(result.Character) // not above 100
	// Output:
	// <nil>
	// {"energy":100}
}

// A sink that cannot do what is asked says so with a code of its own.
func ExampleActionType() {
	var actions hooks.Actions
	quote := func(_ context.Context, call hooks.Call) (hooks.Outcome, error) {
		line, _ := call.Event.Payload.Get("line").AsText() // a player wrote it
		return hooks.Outcome{Effects: []rules.Effect{rules.InjectPrompt{Content: "{{user}} said: " + line}}}, nil
	}
	// What a handler brings to prompts is data. One that writes macros of its own says so,
	// and makes data of the rest itself.
	mixed := func(ctx context.Context, call hooks.Call) (hooks.Outcome, error) {
		line, _ := call.Event.Payload.Get("line").AsText()
		said := rules.AsData(rules.InjectPrompt{Content: line}).(rules.InjectPrompt)
		said.Content = "{{user}} said: " + said.Content
		return hooks.Outcome{Effects: []rules.Effect{said}}, nil
	}
	fmt.Println(actions.Register("quote", hooks.ActionType{Handler: quote, Internal: true}),
		actions.Register("mixed", hooks.ActionType{Handler: mixed, Internal: true, Macros: true}))

	list, _ := hooks.Decode([]byte(`[{"id": "echo", "name": "echo", "event": "say",
		"actions": [{"type": "quote"}, {"type": "mixed"}]}]`))
	set, _ := hooks.Compile(list, &actions)
	payload, _ := tree.ParseValue([]byte(`{"line": "{{getvar::secret}}"}`))
	result := hooks.Run(context.Background(), set, hooks.Event{ID: "e1", Type: "say", Payload: payload},
		hooks.State{}, hooks.Env{})
	for _, e := range result.Effects {
		fmt.Println(e.(rules.InjectPrompt).Content)
	}
	// Output:
	// <nil> <nil>
	// \{\{user\}\} said: \{\{getvar::secret\}\}
	// {{user}} said: \{\{getvar::secret\}\}
}

func ExampleFailure() {
	set, _ := hooks.Compile([]hooks.Hook{{
		ID: "h", Name: "h", Event: hooks.On("e"),
		Actions: []hooks.Action{hooks.NewAction(hooks.WorldBookAdd,
			tree.Member{Key: "book_id", Value: tree.Text("atlas")},
			tree.Member{Key: "content", Value: tree.Text("Here be dragons.")},
			tree.Member{Key: "keywords", Value: tree.Text("dragon, 龙")})},
	}}, nil)
	env := hooks.Env{Sinks: hooks.Sinks{
		WorldBook: func(_ context.Context, _ hooks.Call, entry rules.AddEntry) error {
			return &hooks.Failure{Code: trace.CodeNotFound, Detail: "no book " + entry.BookID}
		},
	}}
	result := hooks.Run(context.Background(), set, hooks.Event{Type: "e"}, hooks.State{}, env)
	fmt.Println(result.Logs[0].Status, result.Logs[0].Results[0].Code, result.Logs[0].Error)
	// Output:
	// failed not_found no book atlas
}

func ExampleFailure_Error() {
	err := &hooks.Failure{Code: trace.CodeUnavailable, Detail: "the queue is full"}
	fmt.Println(err.Error())
	// Output:
	// unavailable: the queue is full
}

func ExampleCompile_problems() {
	h := hooks.Hook{Name: "h", Event: hooks.On("e"), Scope: "planet"}
	_, problems := hooks.Compile([]hooks.Hook{h}, nil)
	fmt.Println(problems[0])
	fmt.Println("left out:", problems[0].Code == hooks.Rejected)
	// Output:
	// hooks[0].scope (hook_a7548d7fe747): must be global, character, conversation or user, not "planet"
	// left out: true
}

func ExampleEvent_Channel() {
	event := hooks.Event{
		Payload:  tree.Object(tree.Member{Key: "channel", Value: tree.Text("")}),
		Metadata: tree.Object(tree.Member{Key: "channel", Value: tree.Text("web")}),
	}
	fmt.Println(event.Channel())
	// Output:
	// web
}

func ExampleOn() {
	fmt.Println(hooks.Hook{Event: hooks.On("model.before_call", "*.changed")}.Event)
	// Output:
	// [model.before_call *.changed]
}

// A hook keeps what it does not know, so that it can be passed on.
func ExampleHook() {
	var h hooks.Hook
	err := json.Unmarshal([]byte(`{
		"id": "shout", "name": "Shout", "event": "reply.before_send", "priority": 0,
		"permissions": {"channels": "web"},
		"actions": [{"type": "message", "content": "Hey!"}],
		"editor": {"color": "red"}
	}`), &h)
	fmt.Println(err, *h.Priority, h.Permissions.Channels, h.Actions[0].Type())
	data, _ := json.Marshal(h.Extra)
	fmt.Println(string(data))
	// Output:
	// <nil> 0 [web] message
	// {"editor":{"color":"red"}}
}

func ExamplePermissions_IsZero() {
	fmt.Println(hooks.Permissions{}.IsZero())
	fmt.Println(hooks.Permissions{Actions: []string{"message", "log"}}.IsZero())
	// Output:
	// true
	// false
}

// Fields of the host's own move as it says, and can be compared with.
func ExampleField() {
	list, _ := hooks.Decode([]byte(`[{
		"name": "toll", "event": "bridge.crossed", "conditions": {"gold_gte": 5},
		"actions": [{"type": "state_delta", "field": "gold", "delta": -30}]
	}]`))
	set, _ := hooks.Compile(list, nil)
	env := hooks.Env{
		Character: tree.Object(tree.Member{Key: "gold", Value: tree.Int(20)}),
		Fields:    map[string]hooks.Field{"gold": {Add: true, Min: new(0.0)}},
	}
	event := hooks.Event{Type: "bridge.crossed"}
	fmt.Println(hooks.Run(context.Background(), set, event, hooks.State{}, env).Character)
	// Output:
	// {"gold":0}
}

// prompts are the texts of the examples below.
var prompts = hooks.Injections{
	{Key: "mood", Content: "cheerful", Priority: 55, Scope: hooks.InjectTurn},
	{Key: "rule", Content: "no magic", Priority: 10, Scope: hooks.InjectSession},
}

// A key that exists keeps its place.
func ExampleInjections_With() {
	list := prompts.With(rules.InjectPrompt{Key: "mood", Content: "gloomy", Scope: hooks.InjectTurn})
	list = list.With(rules.InjectPrompt{Key: "hint", Content: "look up", Scope: hooks.InjectTurn})
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

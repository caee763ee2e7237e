package hooks_test

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/talewright/talewright/hooks"
	"github.com/talewright/talewright/hooks/act"
	"github.com/talewright/talewright/memvars/tree"
)

// three returns a set for the examples below.
func three() *hooks.Set {
	set, _ := hooks.Compile([]hooks.Hook{
		{ID: "greet", Name: "greeting", Event: hooks.On("conversation.before_receive")},
		{ID: "calls", Name: "call log", Event: hooks.On("model.*", "tool.*")},
		{ID: "off", Name: "switched off", Event: hooks.On("reply.*"), Enabled: new(false)},
	}, nil)
	return set
}

func ExampleSet_Hook() {
	h, ok := three().Hook("calls")
	fmt.Println(h.Name, h.Event, ok)
	_, ok = three().Hook("nobody")
	fmt.Println(ok)
	// Output:
	// call log [model.* tool.*] true
	// false
}

// Hooks returns the list that a host saves: the hooks as they were given, in the order of
// registration.
func ExampleSet_Hooks() {
	for _, h := range three().Hooks() {
		fmt.Println(h.ID, h.Name)
	}
	// Output:
	// greet greeting
	// calls call log
	// off switched off
}

func ExampleSet_Len() {
	var none *hooks.Set
	fmt.Println(three().Len(), none.Len())
	// Output:
	// 3 0
}

// A host can check first whether an event has hooks, and need not build other events.
func ExampleSet_Wants() {
	set := three()
	fmt.Println(set.Wants("pipeline.before_model_call")) // a second name of model.before_call
	fmt.Println(set.Wants("reply.before_send"))          // its only hook is disabled
	// Output:
	// true
	// false
}

// A state is one JSON value, saved with the campaign.
func ExampleState() {
	set, _ := hooks.Compile([]hooks.Hook{{
		ID: "hello", Name: "hello", Event: hooks.On("*"), TriggerMode: hooks.OncePerConversation,
	}}, nil)
	event := act.Event{Type: "e", ConversationID: "conv_1"}
	state := hooks.State{}.BeginTurn("turn_1")
	state = hooks.Run(context.Background(), set, event, state, hooks.Env{}).State
	saved, _ := json.Marshal(state)
	fmt.Println(string(saved))

	var loaded hooks.State
	fmt.Println(json.Unmarshal(saved, &loaded), loaded.Used("hello", "conv_1"))
	// Output:
	// {"turn":{"id":"turn_1","count":1,"ran":["hello"]},"triggered":{"hello":["conv_1"]}}
	// <nil> true
}

// A hook that is removed and added again has no memory of earlier runs.
func ExampleState_Forget() {
	state := hooks.State{Triggered: map[string][]string{"hello": {"conv_1"}}}
	fmt.Println(state.Forget("hello").Used("hello", "conv_1"))
	// Output:
	// false
}

func ExampleState_Used() {
	state := hooks.State{Triggered: map[string][]string{"hello": {"conv_1"}}}
	fmt.Println(state.Used("hello", "conv_1"), state.Used("hello", "conv_2"))
	// Output:
	// true false
}

// A set never changes; an edit returns a new set.
func ExampleSet_Patch() {
	set, _ := hooks.Compile([]hooks.Hook{{ID: "h", Name: "h", Event: hooks.On("e")}}, nil)
	off := tree.Object(tree.Member{Key: "enabled", Value: tree.Bool(false)})
	quiet, problems := set.Patch("h", off)
	h, _ := quiet.Hook("h")
	fmt.Println(*h.Enabled, len(problems))
	// Output:
	// false 0
}

// When a hook is removed, its memory is removed too.
func ExampleSet_Without() {
	set, _ := hooks.Compile([]hooks.Hook{{ID: "h", Name: "h", Event: hooks.On("e")}}, nil)
	state := hooks.State{Triggered: map[string][]string{"h": {"conv_1"}}}
	set, ok := set.Without("h")
	state = state.Forget("h")
	fmt.Println(ok, set.Len(), state.Used("h", "conv_1"))
	// Output:
	// true 0 false
}

func ExampleSet_With() {
	var set *hooks.Set // empty
	set, problems := set.With(
		hooks.Hook{ID: "a", Name: "first", Event: hooks.On("e")},
		hooks.Hook{ID: "b", Name: "", Event: hooks.On("e")})
	fmt.Println(set.Len(), problems)
	// Output:
	// 1 hooks[1].name (b): is required
}

func ExampleState_BeginTurn() {
	set, _ := hooks.Compile([]hooks.Hook{{ID: "h", Name: "h", Event: hooks.On("*")}}, nil)
	var state hooks.State
	for _, typ := range []string{"a", "b"} {
		state = hooks.Run(context.Background(), set, act.Event{Type: typ}, state, hooks.Env{}).State
	}
	fmt.Println("ran in this turn:", state.Turn.Ran)
	fmt.Println("ran in the next:", state.BeginTurn("2").Turn.Ran)
	// Output:
	// ran in this turn: [h]
	// ran in the next: []
}

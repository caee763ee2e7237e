package act_test

import (
	"context"
	"fmt"

	"github.com/talewright/talewright/hooks"
	"github.com/talewright/talewright/hooks/act"
	"github.com/talewright/talewright/memvars/tree"
)

func ExampleLogBook_Add() {
	book := act.LogBook{Keep: 2} // keeps the newest two
	book.Add(act.Log{EventID: "1"}, act.Log{EventID: "2"}, act.Log{EventID: "3"})
	for _, log := range book.Logs(act.LogQuery{}) {
		fmt.Println(log.EventID)
	}
	// Output:
	// 3
	// 2
}

func ExampleLogBook_Logs() {
	var book act.LogBook
	book.Add(
		act.Log{HookID: "a", EventID: "1"},
		act.Log{HookID: "b", EventID: "2"},
		act.Log{HookID: "a", EventID: "3"})
	for _, log := range book.Logs(act.LogQuery{HookID: "a"}) {
		fmt.Println(log.EventID)
	}
	// Output:
	// 3
	// 1
}

// A trace says why a hook did not run.
func ExampleTrace_String() {
	set, _ := hooks.Compile([]hooks.Hook{{
		ID: "comfort", Name: "comfort", Event: hooks.On("e"),
		Conditions: tree.Object(tree.Member{Key: "mood_is", Value: tree.Text("sad")}),
	}}, nil)
	calm := tree.Object(tree.Member{Key: "mood", Value: tree.Text("calm")})
	env := hooks.Env{Trace: true, Character: calm}
	result := hooks.Run(context.Background(), set, act.Event{Type: "e"}, hooks.State{}, env)
	fmt.Print(result.Trace.String())
	// Output:
	// e comfort: condition: mood_is: "calm", want "sad"
}

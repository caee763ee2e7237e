package question_test

import (
	"context"
	"fmt"

	"github.com/talewright/talewright/campaign/question"
	"github.com/talewright/talewright/campaign/tool"
	"github.com/talewright/talewright/hooks/on"
	"github.com/talewright/talewright/memvars/tree"
)

// A tool that breaks refuses its call, and takes nothing else along.
func ExampleOutside_Run() {
	q := question.Outside{Call: tool.Call{Tool: "weather"}, Ask: func(context.Context, tool.Call) tool.Answer {
		return tool.Answer{Value: tree.Text("rain")}
	}}
	found, panicked := q.Run(context.Background())
	fmt.Println(found.Value, panicked != nil)

	q.Ask = func(context.Context, tool.Call) tool.Answer { panic("no such town") }
	found, panicked = q.Run(context.Background())
	fmt.Println(found.Reason, panicked.Value)
	// Output:
	// "rain" false
	// internal_error no such town
}

// Without hooks nothing happens.
func ExampleHooks_Run() {
	q := question.Hooks{Event: on.Event{Type: on.BeforeSend}}
	result := q.Run(context.Background())
	fmt.Println(len(result.Effects), len(result.Logs))
	// Output:
	// 0 0
}

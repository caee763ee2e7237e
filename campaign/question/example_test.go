package question_test

import (
	"context"
	"fmt"

	"github.com/talewright/talewright/campaign/question"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/tool"
	"github.com/talewright/talewright/hooks/act"
	"github.com/talewright/talewright/memvars/tree"
)

// A tool that panics refuses its call. Nothing else is affected.
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
	q := question.Hooks{Event: act.Event{Type: act.BeforeSend}}
	result := q.Run(context.Background())
	fmt.Println(len(result.Effects), len(result.Logs))
	// Output:
	// 0 0
}

// If turns are private, each group has a separate question, and the answers are combined.
func ExampleSummarize_Parts() {
	q := question.Summarize{Turns: []state.Turn{
		{ID: "turn_0001", Text: "Rain falls."},
		{ID: "turn_0002", Text: "Orrin shows you the key.", Audience: []string{"mara", "orrin"}},
	}}
	var answers []state.Summary
	for _, part := range q.Parts() {
		fmt.Println(part.Witnesses, len(part.Turns))
		answers = append(answers, state.Summary{Text: "In short: " + part.Turns[0].Text})
	}
	whole := q.Join(answers)
	fmt.Println(whole.Text)
	for _, p := range whole.Private {
		fmt.Println(p.Witnesses, p.Text)
	}
	// Output:
	// [] 1
	// [mara orrin] 1
	// In short: Rain falls.
	// [mara orrin] In short: Orrin shows you the key.
}

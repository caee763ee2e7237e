package question_test

import (
	"context"
	"fmt"
	"iter"
	"strings"

	"github.com/talewright/talewright/campaign/conflict"
	"github.com/talewright/talewright/campaign/question"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/tool"
	"github.com/talewright/talewright/hooks/act"
	"github.com/talewright/talewright/llm"
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

// A host may let a small model answer the questions about a text.
func ExampleJudge_Ask() {
	q := question.Judge{Narration: "The bell tolls, and 4 hit points are what it costs Su.",
		Questions: []conflict.Question{{N: 1, Kind: "hp", Quote: "4 hit points",
			Sentences: "The bell tolls, and 4 hit points are what it costs Su.", Who: []string{"su"}, Values: []int{4}}},
		Names: map[string]string{"su": "Su"},
	}
	small := llm.ModelFunc(func(_ context.Context, req llm.Request) iter.Seq2[llm.Chunk, error] {
		sheet, _, _ := strings.Cut(req.Messages[1].Text, "\n\n")
		fmt.Println(sheet)
		return func(yield func(llm.Chunk, error) bool) {
			_ = yield(llm.TextDelta{Text: `{"answers": [{"n": 1, "asserted": "yes", "who": "su", "value": 4}]}`}, nil) &&
				yield(llm.Done{Reason: llm.FinishStop}, nil)
		}
	})
	answers, _, err := q.Ask(context.Background(), small, llm.Request{Model: "small"})
	fmt.Println(answers[0].Asserted, answers[0].EntityID, *answers[0].Value, err)
	// Output:
	// 1. Do somebody's hit points change, or are they this number?
	//    text: "The bell tolls, and 4 hit points are what it costs Su."
	//    quote: "4 hit points"
	//    who: su ("Su")
	//    value: 4
	// yes su 4 <nil>
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

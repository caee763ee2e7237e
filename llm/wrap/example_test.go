package wrap_test

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"time"

	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/llm/llmtest"
	"github.com/talewright/talewright/llm/wrap"
)

func ExampleRetry() {
	model := llmtest.NewScripted(
		llmtest.Fail(&llm.Error{Code: llm.CodeOverloaded, Status: 503, Retry: true}),
		llmtest.Fail(&llm.Error{Code: llm.CodeRateLimit, Retry: true, RetryAfter: 3 * time.Second}),
		llmtest.Text("At last."),
	)
	reliable := wrap.Retry(model, wrap.RetryPolicy{
		Sleep: func(context.Context, time.Duration) error { return nil }, // a test does not wait
		Observe: func(a llm.Attempt) {
			fmt.Println(a.Number, a.Err, a.Again, a.Wait)
		},
	})
	reply, err := llm.Collect(reliable.Generate(context.Background(), llm.Request{}))
	fmt.Println(reply.Message.Text, err)
	// Output:
	// 1 llm: overloaded (status 503) (a retry may help) true 500ms
	// 2 llm: rate_limit (a retry may help) true 3s
	// 3 <nil> false 0s
	// At last. <nil>
}

func ExampleThinkSplitter() {
	var s wrap.ThinkSplitter
	for _, piece := range []string{"<thi", "nk>A guest", ".</think>\n", "Come in."} {
		fmt.Printf("%q %+v\n", piece, s.Split(piece))
	}
	fmt.Println(s.End())
	// Output:
	// "<thi" []
	// "nk>A guest" [{Text:A guest}]
	// ".</think>\n" [{Text:.}]
	// "Come in." [{Text:Come in.}]
	// []
}

func ExampleSplitThinking() {
	model := llmtest.NewScripted(llmtest.Text("<think>A guest.</think>\n\nCome in."))
	reply, err := llm.Collect(
		wrap.SplitThinking(model, wrap.ThinkSplitter{}).Generate(context.Background(), llm.Request{}))
	fmt.Printf("%q %q %v\n", reply.Message.Reasoning, reply.Message.Text, err)
	// Output: "A guest." "Come in." <nil>
}

// If one candidate is overloaded, the next one answers.
func ExampleFallback() {
	model := wrap.Fallback([]wrap.Candidate{
		{Name: "large", Model: llmtest.NewScripted(llmtest.Fail(&llm.Error{Code: llm.CodeOverloaded, Retry: true}))},
		{Name: "small", Model: llmtest.NewScripted(llmtest.Text("Come in."))},
	})
	reply, err := llm.Collect(model.Generate(context.Background(), llm.Request{}))
	fmt.Println(reply.Message.Text, err)
	for _, w := range reply.Warnings {
		fmt.Println(w.Code, w.Detail)
	}
	// Output:
	// Come in. <nil>
	// fallback_used small
}

// Once the tokens of a player are used up, the model is not called any more.
func ExampleBudget() {
	budget := &wrap.Budget{Limit: 10}
	model := budget.Model(llmtest.NewScripted(
		llmtest.Reply{Text: "Come in.", Usage: &llm.Usage{PromptTokens: 8, CompletionTokens: 4}}))
	for range 2 {
		reply, err := llm.Collect(model.Generate(context.Background(), llm.Request{}))
		fmt.Printf("%q %v %v\n", reply.Message.Text, budget.Spent(), err)
	}
	// Output:
	// "Come in." 12 <nil>
	// "" 12 llm: budget: the budget of 10 is used up, 12 were spent
}

// A model without tool support writes its calls into the text.
func ExampleTextTools() {
	model := wrap.TextTools(llmtest.NewScripted(llmtest.Text(
		`You step back. <tool_call>{"name": "move", "arguments": {"to": "yard"}}</tool_call>`)), wrap.TextToolsAlways)
	reply, err := llm.Collect(model.Generate(context.Background(), llm.Request{
		Tools: []llm.ToolSpec{{Name: "move", Description: "go somewhere"}}}))
	fmt.Printf("%q %v\n", reply.Message.Text, err)
	for _, call := range reply.Message.ToolCalls {
		fmt.Println(call.Name, call.Arguments)
	}
	// Output:
	// "You step back. " <nil>
	// move {"to": "yard"}
}

// The same request is answered without a second call of the model.
func ExampleCache() {
	model := wrap.Cache(llmtest.NewScripted(llmtest.Text("A summary.")), kept{})
	for range 2 {
		reply, err := llm.Collect(model.Generate(context.Background(), llm.Request{Model: "m"}))
		fmt.Println(reply.Message.Text, err)
	}
	// Output:
	// A summary. <nil>
	// A summary. <nil>
}

// kept is a store of replies in memory, for one goroutine.
type kept map[string][]byte

func (k kept) Get(_ context.Context, key string) ([]byte, bool, error) {
	value, found := k[key]
	return value, found, nil
}

func (k kept) Put(_ context.Context, key string, value []byte) error {
	k[key] = value
	return nil
}

// The host stores the spent amount between two runs of its program.
func ExampleBudget_Set() {
	budget := &wrap.Budget{Limit: 1000}
	budget.Set(990) // the stored amount
	model := budget.Model(llmtest.NewScripted(
		llmtest.Reply{Text: "Dust.", Usage: &llm.Usage{PromptTokens: 15, CompletionTokens: 5}}, llmtest.Text("More dust.")))
	for range 2 {
		reply, err := llm.Collect(model.Generate(context.Background(), llm.Request{}))
		fmt.Printf("%q %v, spent %v\n", reply.Message.Text, err, budget.Spent())
	}
	budget.Set(0) // a new day
	fmt.Println(budget.Spent())
	// Output:
	// "Dust." <nil>, spent 1010
	// "" llm: budget: the budget of 1000 is used up, 1010 were spent, spent 1010
	// 0
}

// One record for each reply, without any text of players or models.
func ExampleLog() {
	logger := slog.New(slog.NewTextHandler(os.Stdout, &slog.HandlerOptions{ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
		if a.Value.Kind() == slog.KindTime || a.Value.Kind() == slog.KindDuration {
			return slog.Attr{} // for the example
		}
		return a
	}}))
	model := wrap.Log(llmtest.NewScripted(llmtest.Text("Dust.")), logger)
	if _, err := llm.Collect(model.Generate(context.Background(), llm.Request{Model: "small"})); err != nil {
		fmt.Println(err)
	}
	// Output:
	// level=INFO msg="model replied" model=small messages=0 tools=0 text=5 reasoning=0 calls=0 finish=stop
}

package wrap_test

import (
	"context"
	"fmt"
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

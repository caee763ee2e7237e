package llm_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"log"
	"time"

	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/llm/llmtest"
	"github.com/talewright/talewright/llm/wrap"
)

func Example() {
	// In a real program, the model is an adapter such as llm/openai.
	var model llm.Model = llmtest.NewScripted(
		llmtest.Reply{Text: "Who is there?", Usage: &llm.Usage{PromptTokens: 21, CompletionTokens: 4}},
	)
	reliable := wrap.Retry(model, wrap.RetryPolicy{})

	reply, err := llm.Collect(reliable.Generate(context.Background(), llm.Request{
		Messages: []llm.Message{
			{Role: llm.System, Text: "You are the keeper of a haunted inn."},
			{Role: llm.User, Text: "I knock."},
		},
		Options: llm.Options{Temperature: new(0.8)},
	}))
	fmt.Println(reply.Message.Text, reply.Finish, reply.Usage.CompletionTokens, err)
	// Output: Who is there? stop 4 <nil>
}

func ExampleCollect() {
	model := llmtest.NewScripted(llmtest.Reply{Text: "The door ope", Cut: true})
	reply, err := llm.Collect(model.Generate(context.Background(), llm.Request{}))
	fmt.Printf("%q\n%v\n", reply.Message.Text, err)
	// Output:
	// "The door ope"
	// llm: incomplete: the scripted reply was cut: unexpected EOF (a retry may help)
}

// A Collector sums up a reply while it is being shown.
func ExampleCollector() {
	model := llmtest.NewScripted(llmtest.Reply{
		Text: "You hear steps.", Piece: 5,
		Calls: []llm.ToolCall{{ID: "1", Name: "roll", Arguments: `{"dice":"1d20"}`}},
	})
	var whole llm.Collector
	for chunk, err := range model.Generate(context.Background(), llm.Request{}) {
		if err != nil {
			fmt.Println(err)
			return
		}
		if err := whole.Add(chunk); err != nil {
			log.Fatal(err) // larger than the limits
		}
		if text, ok := chunk.(llm.TextDelta); ok {
			fmt.Print(text.Text, "|")
		}
	}
	fmt.Println("\n", whole.Complete(), whole.Response().Message.ToolCalls[0].Arguments)
	// Output:
	// You h|ear s|teps.|
	//  true {"dice":"1d20"}
}

// A middleware is a function from a model to a model.
func ExampleModelFunc() {
	logged := func(inner llm.Model) llm.Model {
		return llm.ModelFunc(func(ctx context.Context, req llm.Request) iter.Seq2[llm.Chunk, error] {
			fmt.Println("asked with", len(req.Messages), "message(s)")
			return inner.Generate(ctx, req)
		})
	}
	model := logged(llmtest.NewScripted(llmtest.Text("Yes.")))
	reply, err := llm.Collect(model.Generate(context.Background(), llm.Request{
		Messages: []llm.Message{{Role: llm.User, Text: "Is it open?"}},
	}))
	fmt.Println(reply.Message.Text, err)
	// Output:
	// asked with 1 message(s)
	// Yes. <nil>
}

func ExampleLimits_Measure() {
	measure := llm.Limits{Bytes: 8}.Measure()
	for _, text := range []string{"Come ", "in, stranger", "in."} {
		fmt.Println(measure(llm.TextDelta{Text: text}))
	}
	// Output:
	// <nil>
	// llm: too_large: the reply has more than 8 bytes
	// <nil>
}

// An adapter wraps its sequence in Once, so that a second range sends nothing.
func ExampleOnce() {
	reply := llm.Once(func(yield func(llm.Chunk, error) bool) {
		fmt.Println("the request is sent")
		yield(llm.Done{Reason: llm.FinishStop}, nil)
	})
	_, first := llm.Collect(reply)
	_, second := llm.Collect(reply)
	fmt.Println(first, second != nil)
	// Output:
	// the request is sent
	// <nil> true
}

func ExampleIncomplete() {
	err := llm.Incomplete("the connection was lost")
	fmt.Println(err)
	fmt.Println(err.Retryable())
	// Output:
	// llm: incomplete: the connection was lost: unexpected EOF (a retry may help)
	// true
}

func ExampleError() {
	var err error = fmt.Errorf("turn 12: %w", &llm.Error{
		Code: llm.CodeRateLimit, Status: 429, Message: "slow down",
		Retry: true, RetryAfter: 20 * time.Second,
	})
	if failure, ok := errors.AsType[*llm.Error](err); ok && failure.Retryable() {
		fmt.Println("try again in", failure.RetryAfter)
	}
	data, _ := json.Marshal(errors.Unwrap(err))
	fmt.Println(string(data))
	// Output:
	// try again in 20s
	// {"code":"rate_limit","status":429,"message":"slow down","retry_after":"20s","retry":true}
}

func ExampleChunks() {
	data, err := json.Marshal(llm.Chunks{
		llm.TextDelta{Text: "Who is there?"}, llm.Done{Reason: llm.FinishStop},
	})
	fmt.Println(string(data), err)

	var chunks llm.Chunks
	err = json.Unmarshal(data, &chunks)
	fmt.Printf("%#v %v\n", chunks[0], err)
	fmt.Println(json.Unmarshal([]byte(`[{"type":"shout","text":"HO!"}]`), &chunks))
	// Output:
	// [{"type":"text","text":"Who is there?"},{"type":"done","reason":"stop"}] <nil>
	// llm.TextDelta{Text:"Who is there?"} <nil>
	// chunk 0: llm: unknown chunk type "shout"; known are text, reasoning, seal, call, usage, warning and done
}

func ExampleRequest_Clone() {
	req := llm.Request{Messages: []llm.Message{{Role: llm.User, Text: "I knock."}}}
	retry := req.Clone()
	retry.Messages[0].Text = "I knock again."
	fmt.Println(req.Messages[0].Text, retry.Messages[0].Text)
	// Output: I knock. I knock again.
}

// A custom model reads the name of a call, and may check whether it has already been answered.
func ExampleWithCallKey() {
	answers := map[string]string{"mill/7/1": "Dust."}
	model := llm.ModelFunc(func(ctx context.Context, _ llm.Request) iter.Seq2[llm.Chunk, error] {
		return func(yield func(llm.Chunk, error) bool) {
			_ = yield(llm.TextDelta{Text: answers[llm.CallKey(ctx)]}, nil) && yield(llm.Done{Reason: llm.FinishStop}, nil)
		}
	})
	ctx := llm.WithCallKey(context.Background(), "mill/7/1")
	resp, err := llm.Collect(model.Generate(ctx, llm.Request{}))
	fmt.Println(resp.Message.Text, err)
	// Output: Dust. <nil>
}

// Ask requests a value from a model: text around the JSON is ignored, and a reply that does not fit
// is sent back to the model.
func ExampleAsk() {
	model := llmtest.NewScripted(
		llmtest.Text(`I would say {"name": "Iva"}`),
		llmtest.Text("```json\n{\"name\": \"Iva\", \"age\": 61}\n```"))
	type person struct {
		Name string
		Age  int
	}
	iva, _, err := llm.Ask(context.Background(), model, llm.Request{
		Messages: []llm.Message{{Role: llm.User, Text: "Who keeps the lighthouse?"}},
	}, llm.Shape[person]{Decode: func(data []byte) (p person, err error) {
		if err = json.Unmarshal(data, &p); err == nil && p.Age == 0 {
			err = errors.New("age is missing")
		}
		return p, err
	}})
	fmt.Println(iva.Name, iva.Age, len(model.Requests()), err)
	// Output: Iva 61 2 <nil>
}

// A reply that never ends costs its reader only a limited part of it.
func ExampleLimit() {
	model := llm.Limit(llmtest.NewScripted(llmtest.Text("And on, and on, and on.")), llm.Limits{Bytes: 10})
	reply, err := llm.Collect(model.Generate(context.Background(), llm.Request{}))
	failure, ok := errors.AsType[*llm.Error](err)
	fmt.Println(len(reply.Message.Text) <= 10, ok && failure.Code == llm.CodeTooLarge, failure.Retryable())
	// Output:
	// true true false
}

package llmtest_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/llm/llmtest"
)

func said(role llm.Role, text string) llm.Request {
	return llm.Request{Messages: []llm.Message{{Role: role, Text: text}}}
}

// The effect of each field of a reply on the stream.
func TestReplyStream(t *testing.T) {
	t.Parallel()
	broken := &llm.Error{Code: llm.CodeServer}
	usage := llm.UsageReport{Usage: llm.Usage{PromptTokens: 3}}
	stop := llm.Done{Reason: llm.FinishStop}
	for _, test := range []struct {
		name  string
		reply llmtest.Reply
		want  llm.Chunks
	}{
		{"zero", llmtest.Reply{}, llm.Chunks{stop}},
		{"text", llmtest.Text("Hi"), llm.Chunks{llm.TextDelta{Text: "Hi"}, stop}},
		{
			"pieces are characters", llmtest.Reply{Text: "a龙🐉b", Piece: 2},
			llm.Chunks{llm.TextDelta{Text: "a龙"}, llm.TextDelta{Text: "🐉b"}, stop},
		},
		{
			"order", llmtest.Reply{
				Text: "t", Reasoning: "r", Usage: &usage.Usage,
				Warnings: []llm.Warning{{Code: "w"}}, Calls: []llm.ToolCall{{ID: "1", Name: "f"}},
			},
			llm.Chunks{
				llm.Warning{Code: "w"}, llm.ReasoningDelta{Text: "r"}, llm.TextDelta{Text: "t"},
				llm.CallDelta{ID: "1", Name: "f"}, usage, llm.Done{Reason: llm.FinishToolCalls},
			},
		},
		{
			"pieces of arguments", llmtest.Reply{Piece: 4, Calls: []llm.ToolCall{
				{Name: "f", Arguments: `{"a":1}`}, {Name: "g", Arguments: "{}"},
			}},
			llm.Chunks{
				llm.CallDelta{Name: "f", Arguments: `{"a"`}, llm.CallDelta{Arguments: ":1}"},
				llm.CallDelta{Index: 1, Name: "g", Arguments: "{}"}, llm.Done{Reason: llm.FinishToolCalls},
			},
		},
		{"finish", llmtest.Reply{Finish: "sunset"}, llm.Chunks{llm.Done{Reason: "sunset"}}},
		{"error", llmtest.Reply{Text: "t", Err: broken}, llm.Chunks{llm.TextDelta{Text: "t"}}},
		{"cut", llmtest.Reply{Text: "t", Cut: true}, llm.Chunks{llm.TextDelta{Text: "t"}}},
		{
			"explicit", llmtest.Reply{Text: "ignored", Chunks: llm.Chunks{usage, stop, usage}},
			llm.Chunks{usage, stop},
		},
		{"explicit without Done", llmtest.Reply{Chunks: llm.Chunks{usage}}, llm.Chunks{usage}},
		{"explicit with error", llmtest.Reply{Chunks: llm.Chunks{usage, stop}, Err: broken}, llm.Chunks{usage}},
	} {
		if diff := cmp.Diff(test.want, test.reply.Stream()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.name, diff)
		}
	}
}

func TestReplyJSON(t *testing.T) {
	t.Parallel()
	replies := []llmtest.Reply{
		{}, llmtest.Text("Hi"), llmtest.Call("f", "a", 1, "b", "龙<"),
		{Text: "x", Piece: 2, Cut: true, Finish: "length", Usage: &llm.Usage{PromptTokens: 1}},
		{Chunks: llm.Chunks{llm.TextDelta{Text: "x"}}, Err: llm.Incomplete("why")},
		{Chunks: llm.Chunks{}},
	}
	data, err := json.Marshal(replies)
	if err != nil {
		t.Fatal(err)
	}
	var got []llmtest.Reply
	if err := json.Unmarshal(data, &got); err != nil {
		t.Fatal(err)
	}
	sameError := cmp.Comparer(func(a, b *llm.Error) bool {
		return a == b || a != nil && b != nil && a.Error() == b.Error() && errors.Is(a, b.Err)
	})
	if diff := cmp.Diff(replies, got, sameError); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestCallArguments(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		reply llmtest.Reply
		want  string
	}{
		{llmtest.Call("f"), "{}"},
		{llmtest.Call("f", "b", 1, "a", []string{"<x>", "龙"}), `{"b":1,"a":["<x>","龙"]}`},
		{llmtest.Call("f", `{"oops`), `{"oops`},
		{llmtest.Call("f", json.RawMessage("[1]")), "[1]"},
	} {
		if got := test.reply.Calls[0].Arguments; got != test.want {
			t.Errorf("arguments %s, want %s", got, test.want)
		}
	}
	for name, args := range map[string][]any{
		"odd": {"a", 1, "b"}, "name is no text": {1, 2}, "value without JSON": {"a", func() {}},
		"one number": {7},
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", name)
				}
			}()
			llmtest.Call("f", args...)
		}()
	}
}

// AndCall does not change the reply that it extends.
func TestAndCallCopies(t *testing.T) {
	t.Parallel()
	base := llmtest.Call("a")
	left, right := base.AndCall("b"), base.AndCall("c")
	if len(base.Calls) != 1 || left.Calls[1].Name != "b" || right.Calls[1].Name != "c" {
		t.Errorf("base %v, left %v, right %v", base.Calls, left.Calls, right.Calls)
	}
}

func TestScriptEnds(t *testing.T) {
	t.Parallel()
	model := llmtest.NewScripted(llmtest.Text("only one"))
	if _, err := llm.Collect(model.Generate(t.Context(), said(llm.User, "first"))); err != nil {
		t.Fatal(err)
	}
	_, err := llm.Collect(model.Generate(t.Context(), said(llm.User, "I open the 门.")))
	failure, ok := errors.AsType[*llm.Error](err)
	if !ok || !errors.Is(err, llmtest.ErrScriptEnded) || failure.Retry {
		t.Fatalf("the error is %v", err)
	}
	for _, want := range []string{"request 2", "the script has 1", `user: "I open the 门."`} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%q does not mention %q", err, want)
		}
	}
	var empty llmtest.Scripted
	_, err = llm.Collect(empty.Generate(t.Context(), llm.Request{}))
	if !errors.Is(err, llmtest.ErrScriptEnded) || !strings.Contains(err.Error(), "no messages") {
		t.Errorf("the zero value: %v", err)
	}
}

// Requests are copies in both directions.
func TestScriptedRequests(t *testing.T) {
	t.Parallel()
	model := llmtest.NewScripted(llmtest.Text("a"), llmtest.Call("f"))
	req := said(llm.User, "as sent")
	if _, err := llm.Collect(model.Generate(t.Context(), req)); err != nil {
		t.Fatal(err)
	}
	req.Messages[0].Text = "changed later"
	model.Requests()[0].Messages[0].Text = "changed in the copy"
	if got := model.Requests()[0].Messages[0].Text; got != "as sent" {
		t.Errorf("the request is kept as %q", got)
	}
	if model.Remaining() != 1 {
		t.Errorf("%d replies remain, want 1", model.Remaining())
	}
	reply, err := llm.Collect(model.Generate(t.Context(), req))
	if err != nil || reply.Message.ToolCalls[0].ID != "call_2_1" {
		t.Errorf("the call is %+v, %v", reply.Message.ToolCalls, err)
	}
}

func TestGate(t *testing.T) {
	t.Parallel()
	gate := llmtest.NewGate()
	model := llmtest.NewScripted(
		llmtest.Reply{Text: "abc", Piece: 1, Gate: gate, GateAfter: 2},
		llmtest.Reply{Text: "late", Gate: llmtest.NewGate(), GateAfter: 99},
	)
	var got strings.Builder
	go func() {
		<-gate.Reached()
		gate.Open()
		gate.Open() // harmless
	}()
	for chunk, err := range model.Generate(t.Context(), said(llm.User, "go")) {
		if err != nil {
			t.Fatal(err)
		}
		if text, ok := chunk.(llm.TextDelta); ok {
			got.WriteString(text.Text)
		}
	}
	if got.String() != "abc" {
		t.Errorf("text %q", got.String())
	}
	// A gate after the last chunk stops the reply before its Done.
	ctx, cancel := context.WithCancel(t.Context())
	for chunk, err := range model.Generate(ctx, said(llm.User, "go")) {
		switch {
		case err == nil && chunk != llm.Chunk(llm.TextDelta{Text: "late"}):
			t.Errorf("chunk %v came through the gate", chunk)
		case err == nil:
			cancel()
		case !errors.Is(err, context.Canceled):
			t.Error(err)
		}
	}
	cancel()
}

package llmtest

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"
	"time"

	"github.com/talewright/talewright/llm"
)

// examCases are all cases of the test.
var examCases = slices.Concat(replyCases, errorCases, endingCases, resourceCases)

// story has characters of one to four bytes, so that wrong splitting is detected.
const story = "The door creaks. 门开了。🐉 «Who goes there?» é\n"

// replyCases test the content of a complete reply.
var replyCases = []examCase{{
	name:        "lazy",
	explanation: "Generate sends nothing; the request is sent when the sequence is ranged over",
	run: func(build builder) error {
		model := build(Text("first"), Text("second"))
		if _, err := generate(model); err != nil { // never ranged over
			return err
		}
		return expectText(model, "first")
	},
}, {
	name:        "single-use",
	explanation: "ranging over a sequence again yields an *llm.Error and sends nothing",
	run:         checkSingleUse,
}, {
	name:        "text",
	explanation: "the text chunks, joined, are the text; a complete reply ends with one Done",
	run: func(build builder) error {
		return expectReply(build(Reply{Text: story, Piece: 1}), llm.Response{
			Message: llm.Message{Role: llm.Assistant, Text: story},
			Finish:  llm.FinishStop,
		})
	},
}, {
	name:        "at once",
	explanation: "a chunk is yielded when it arrives; it does not wait for the next one",
	run:         checkAtOnce,
}, {
	name:        "empty text",
	explanation: "a reply without text is complete when it has its Done",
	run: func(build builder) error {
		return expectReply(build(Text("")), llm.Response{
			Message: llm.Message{Role: llm.Assistant},
			Finish:  llm.FinishStop,
		})
	},
}, {
	name:        "reasoning",
	explanation: "reasoning comes as ReasoningDelta and is never part of the text",
	run: func(build builder) error {
		return expectReply(build(Reply{Reasoning: "想一想…", Text: story, Piece: 2}), llm.Response{
			Message: llm.Message{Role: llm.Assistant, Text: story, Reasoning: "想一想…"},
			Finish:  llm.FinishStop,
		})
	},
}, {
	name: "calls",
	explanation: "the deltas of one call share an Index, the first carries the name, " +
		"and the arguments join to the JSON that the model wrote",
	run: checkCalls,
}, {
	name:        "usage",
	explanation: "the token counts of the provider are reported; the last report is used",
	run: func(build builder) error {
		got, err := readAll(build(Reply{
			Text: "ok", Usage: &llm.Usage{PromptTokens: 31, CompletionTokens: 7},
		}))
		if err != nil {
			return err
		}
		if u := got.Usage; u == nil || u.PromptTokens != 31 || u.CompletionTokens != 7 {
			return fmt.Errorf("usage is %+v, want 31 prompt and 7 completion tokens", u)
		}
		return nil
	},
}, {
	name:        "finish length",
	explanation: "Done has the reason for the end of the reply, here the token limit",
	run: func(build builder) error {
		return expectReply(build(Reply{Text: "cut sh", Finish: llm.FinishLength}), llm.Response{
			Message: llm.Message{Role: llm.Assistant, Text: "cut sh"},
			Finish:  llm.FinishLength,
		})
	},
}}

// errorCases test replies that fail because of the provider.
var errorCases = []examCase{{
	name:        "incomplete",
	explanation: "a reply without its end mark is an *llm.Error that wraps io.ErrUnexpectedEOF",
	run: func(build builder) error {
		failure, err := failureAfterStory(build(Reply{Text: story, Cut: true}))
		if err == nil && (!errors.Is(failure, io.ErrUnexpectedEOF) || !failure.Retry) {
			err = fmt.Errorf("the error is %v, want a retryable one that wraps io.ErrUnexpectedEOF", failure)
		}
		return err
	},
}, {
	name:        "refused",
	explanation: "a refused request is an *llm.Error with code, status, wait and retryability",
	run:         checkRefusals,
}, {
	name:        "failure in the stream",
	explanation: "a failure that the provider reports after some text is an *llm.Error",
	run: func(build builder) error {
		failure := &llm.Error{Code: llm.CodeOverloaded, Status: 503, Message: "busy", Retry: true}
		got, err := failureAfterStory(build(Reply{Text: story, Err: failure}))
		if err == nil && (!got.Retry || errors.Is(got, io.ErrUnexpectedEOF)) {
			err = fmt.Errorf("the error is %v, want the provider's own, retryable", got)
		}
		return err
	},
}, {
	name:        "goes on after an error",
	explanation: "a failed request does not spoil the model for the next one",
	run: func(build builder) error {
		model := build(Reply{Text: "a", Cut: true}, Text("b"))
		if _, err := read(context.Background(), model, question(), nil); err != nil {
			return err
		}
		return expectText(model, "b")
	},
}}

// failureAfterStory returns the failure of a reply that has the whole text of the story before it.
func failureAfterStory(model llm.Model) (*llm.Error, error) {
	tr, err := read(context.Background(), model, question(), nil)
	if err != nil {
		return nil, err
	}
	if got := tr.response().Message.Text; got != story {
		return nil, fmt.Errorf("before the error came the text %q, want %q", got, story)
	}
	failure, ok := errors.AsType[*llm.Error](tr.err)
	if !ok {
		return nil, fmt.Errorf("the error is %v, want an *llm.Error", tr.err)
	}
	return failure, nil
}

// checkSingleUse ranges twice over one sequence. The script shows that the second range sent
// nothing: its next reply is still there.
func checkSingleUse(build builder) error {
	model := build(Text("first"), Text("second"))
	seq, err := generate(model)
	if err != nil {
		return err
	}
	same := llm.ModelFunc(func(context.Context, llm.Request) sequence { return seq })
	if err := expectText(same, "first"); err != nil {
		return err
	}
	tr, err := read(context.Background(), same, question(), nil)
	if err != nil {
		return err
	}
	if tr.err == nil || len(tr.chunks) > 0 {
		return fmt.Errorf("the second range yields %d chunks and the error %v",
			len(tr.chunks), tr.err)
	}
	return expectText(model, "second")
}

// checkAtOnce makes the provider wait after a part of the text until the consumer has received that
// part.
func checkAtOnce(build builder) error {
	const text, piece, pieces = "The door creaks open.", 5, 2
	gate := NewGate()
	got := ""
	_, err := read(context.Background(), build(Reply{Text: text, Piece: piece, Gate: gate, GateAfter: pieces}), question(), func(chunk llm.Chunk) bool {
		if delta, ok := chunk.(llm.TextDelta); ok {
			got += delta.Text
		}
		if got == text[:piece*pieces] {
			gate.Open()
		}
		return true
	})
	if err != nil {
		return fmt.Errorf("%q was sent and not all of it handed out before the rest: %w", text[:piece*pieces], err)
	}
	if got != text {
		return fmt.Errorf("the text is %q, want %q", got, text)
	}
	return nil
}

// checkCalls sends three calls in small pieces. Arguments are compared by value: for providers that
// send objects, the adapter chooses the layout.
func checkCalls(build builder) error {
	reply := Call("move", "to", "地窖").AndCall("roll", "dice", "2d6", "bonus", 1).AndCall("look")
	reply.Piece = 3
	model := build(reply)
	tr, err := readComplete(model, question())
	if err != nil {
		return err
	}
	seen := map[int]bool{}
	for _, chunk := range tr.chunks {
		if call, ok := chunk.(llm.CallDelta); ok {
			if !seen[call.Index] && call.Name == "" {
				return fmt.Errorf("the first delta of call %d has no name: %+v", call.Index, call)
			}
			seen[call.Index] = true
		}
	}
	got := tr.response()
	if len(got.Message.ToolCalls) != len(reply.Calls) {
		return fmt.Errorf("%d calls came, want %d", len(got.Message.ToolCalls), len(reply.Calls))
	}
	for i, want := range reply.Calls {
		call := got.Message.ToolCalls[i]
		if !seen[i] || call.Name != want.Name || !sameJSON(call.Arguments, want.Arguments) {
			return fmt.Errorf("call %d is %s(%s), want %s(%s)",
				i, call.Name, call.Arguments, want.Name, want.Arguments)
		}
	}
	if got.Finish != llm.FinishToolCalls {
		return fmt.Errorf("the finish reason is %q, want %q", got.Finish, llm.FinishToolCalls)
	}
	return nil
}

// checkRefusals tests the failures that hosts distinguish.
func checkRefusals(build builder) error {
	for _, want := range []*llm.Error{
		{Code: llm.CodeAuth, Status: 401, Message: "bad key"},
		{Code: llm.CodeRateLimit, Status: 429, Message: "slow", RetryAfter: 7 * time.Second, Retry: true},
		{Code: llm.CodeContextLength, Status: 400, Message: "context_length_exceeded"},
		{Code: llm.CodeNotFound, Status: 404, Message: "no such model"},
		{Code: llm.CodeServer, Status: 500, Message: "broken", Retry: true},
		{Code: llm.CodeOverloaded, Status: 503, Message: "busy", Retry: true},
	} {
		tr, err := read(context.Background(), build(Fail(want)), question(), nil)
		if err != nil {
			return err
		}
		got, ok := errors.AsType[*llm.Error](tr.err)
		switch {
		case len(tr.chunks) > 0:
			return fmt.Errorf("before the error %q came %d chunks", want, len(tr.chunks))
		case !ok:
			return fmt.Errorf("the error is %v, want code %s", tr.err, want.Code)
		case got.Code != want.Code, got.Status != want.Status, got.Retry != want.Retry,
			got.RetryAfter != want.RetryAfter:
			return fmt.Errorf("the error has code %s, status %d, retry %t, wait %v;\n"+
				"want code %s, status %d, retry %t, wait %v", got.Code, got.Status, got.Retry,
				got.RetryAfter, want.Code, want.Status, want.Retry, want.RetryAfter)
		}
	}
	return nil
}

// expectText reads the model's next reply and compares its text.
func expectText(model llm.Model, want string) error {
	got, err := readAll(model)
	if err == nil && got.Message.Text != want {
		err = fmt.Errorf("the reply is %q, want %q", got.Message.Text, want)
	}
	return err
}

// expectReply reads the model's next reply and compares its message and finish.
func expectReply(model llm.Model, want llm.Response) error {
	got, err := readAll(model)
	if err != nil {
		return err
	}
	if !reflect.DeepEqual(got.Message, want.Message) || got.Finish != want.Finish {
		return fmt.Errorf("the reply is %+v, finish %q;\nwant %+v, finish %q",
			got.Message, got.Finish, want.Message, want.Finish)
	}
	return nil
}

// sameJSON compares two JSON texts by their value.
func sameJSON(a, b string) bool {
	decode := func(text string) (value any, err error) {
		dec := json.NewDecoder(bytes.NewReader([]byte(text)))
		dec.UseNumber()
		err = dec.Decode(&value)
		return value, err
	}
	x, errX := decode(a)
	y, errY := decode(b)
	return errX == nil && errY == nil && reflect.DeepEqual(x, y)
}

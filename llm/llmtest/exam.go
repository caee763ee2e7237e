package llmtest

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/talewright/talewright/llm"
)

// TestModel examines the models that newModel builds against the contract of
// [llm.Model], one subtest per sentence. A failure prints the sentence as its
// explanation.
//
// Each call of newModel returns a fresh model whose provider answers the first
// request with the first reply of script, and so on: an adapter's test starts a
// fake server that speaks the script ([Reply.Stream] has the chunks, [Gate.Wait]
// the pauses) and stops it with t.Cleanup. The server writes each chunk out at
// once, and a Gate waits with the context of the server's request, so that the
// exam sees whether a client that went away was noticed. The script asks for
// nothing but:
//
//   - text, reasoning, calls and usage in pieces, with any finish reason;
//   - Err in place of the first chunk, as a refused request with the Status,
//     the meaning of Code, and RetryAfter in whole seconds;
//   - Err after text, as a failure that the provider reports within the stream;
//   - Cut after text, as a connection that drops;
//   - Gate before the first chunk or after some.
//
// Every case ends with a verdict. A model that does not return in time, because it
// ignores its context for example or works already in Generate, fails after a minute;
// then all gates of the script are opened, so that a provider that still waits at one
// comes to its end and can be stopped.
//
// TestModel counts goroutines: do not call it from a parallel test. Run it with
// the race detector as well.
func TestModel(t *testing.T, newModel func(t *testing.T, script ...Reply) llm.Model) {
	t.Helper()
	for _, c := range examCases {
		t.Run(c.name, func(t *testing.T) {
			err := c.verdict(func(script ...Reply) llm.Model { return newModel(t, script...) })
			if err != nil {
				t.Errorf("%v\nexplanation: %s", err, c.explanation)
			}
		})
	}
}

// examCase is one question of the exam. A nil error is a pass.
type examCase struct {
	// name is the subtest's.
	name string
	// explanation is the sentence of the contract that the case is about.
	explanation string
	// run returns what is wrong. It may build several models.
	run func(build builder) error
}

// verdict runs the case. At its end all gates are open, so that what
// newModel has started can be stopped whatever the model does.
func (c examCase) verdict(build builder) error {
	var gates []*Gate
	defer func() {
		for _, gate := range gates {
			gate.Open()
		}
	}()
	return c.run(func(script ...Reply) llm.Model {
		for _, reply := range script {
			if reply.Gate != nil {
				gates = append(gates, reply.Gate)
			}
		}
		return build(script...)
	})
}

// builder makes the model under examination for one script.
type builder func(script ...Reply) llm.Model

// patience is how long the exam waits for what has to happen at once, on a machine that is busy.
const patience = time.Minute

// transcript is all that a consumer saw of one reply. After it has been read,
// the sequence is over: the error, if any, was the last that came.
type transcript struct {
	chunks llm.Chunks
	err    error
}

// response sums up the chunks.
func (tr transcript) response() llm.Response {
	var c llm.Collector
	for _, chunk := range tr.chunks {
		_ = c.Add(chunk) // a script of the exam is within the limits
	}
	return c.Response()
}

// read ranges over one reply of the model until it ends or goOn says no. The
// second result is a breach of the rules that hold for every reply, or that the
// model did not return in time.
func read(ctx context.Context, model llm.Model, req llm.Request, goOn func(llm.Chunk) bool) (
	transcript, error) {
	type outcome struct {
		transcript transcript
		breach     error
	}
	// The channel has room, so that a model that returns too late can go away.
	ended := make(chan outcome, 1)
	go func() {
		tr, breach := observe(ctx, model, req, goOn)
		ended <- outcome{tr, breach}
	}()
	timer := time.NewTimer(patience)
	defer timer.Stop()
	select {
	case out := <-ended:
		return out.transcript, out.breach
	case <-timer.C:
		return transcript{}, fmt.Errorf("the model has not returned after %v", patience)
	}
}

// observe is read without the time limit. It goes on ranging after an error or
// Done, because what follows them is a breach that it has to see.
func observe(ctx context.Context, model llm.Model, req llm.Request, goOn func(llm.Chunk) bool) (
	tr transcript, breach error) {
	done := false
	for chunk, err := range model.Generate(ctx, req) {
		switch {
		case tr.err != nil:
			return tr, fmt.Errorf("after the error %q came another chunk %v or error %v",
				tr.err, chunk, err)
		case done:
			return tr, fmt.Errorf("after Done came another chunk %v or error %v", chunk, err)
		case err != nil && chunk != nil:
			return tr, fmt.Errorf("beside the error %q stands a chunk, %v", err, chunk)
		case err != nil:
			tr.err = err
			continue
		}
		if breach := checkChunk(chunk); breach != nil {
			return tr, breach
		}
		tr.chunks = append(tr.chunks, chunk)
		_, done = chunk.(llm.Done)
		if goOn != nil && !goOn(chunk) {
			return tr, nil
		}
	}
	if !done && tr.err == nil {
		return tr, errors.New("the reply ended without Done and without an error")
	}
	return tr, checkError(ctx, tr.err)
}

// checkChunk looks at one chunk alone.
func checkChunk(chunk llm.Chunk) error {
	var text string
	switch chunk := chunk.(type) {
	case llm.TextDelta:
		text = chunk.Text
	case llm.ReasoningDelta:
		text = chunk.Text
	case llm.CallDelta:
		text = chunk.Arguments
		if chunk.Index < 0 {
			return fmt.Errorf("a call has the index %d", chunk.Index)
		}
	case llm.Seal, llm.UsageReport, llm.Warning, llm.Done:
	default:
		return fmt.Errorf("%T is none of the chunk types", chunk)
	}
	if !utf8.ValidString(text) {
		return fmt.Errorf("the chunk %q is not valid UTF-8", text)
	}
	return nil
}

// checkError looks at the error that ended a reply: the context's own if the
// context has ended, otherwise a typed one.
func checkError(ctx context.Context, err error) error {
	if err == nil || ctx.Err() != nil && errors.Is(err, ctx.Err()) {
		return nil
	}
	if failure, ok := errors.AsType[*llm.Error](err); !ok || failure.Code == "" {
		return fmt.Errorf("the error %q (%T) is no *llm.Error with a code", err, err)
	}
	return nil
}

// generate calls Generate and leaves the sequence alone. A model that works already
// then, and hangs, is reported like one that hangs later.
func generate(model llm.Model) (sequence, error) {
	begun := make(chan sequence, 1)
	go func() { begun <- model.Generate(context.Background(), question()) }()
	timer := time.NewTimer(patience)
	defer timer.Stop()
	select {
	case seq := <-begun:
		return seq, nil
	case <-timer.C:
		return nil, fmt.Errorf("Generate has not returned after %v", patience)
	}
}

// readAll reads a reply that has to be complete.
func readAll(model llm.Model) (llm.Response, error) {
	tr, breach := read(context.Background(), model, question(), nil)
	if breach != nil {
		return llm.Response{}, breach
	}
	if tr.err != nil {
		return llm.Response{}, fmt.Errorf("unexpected error: %w", tr.err)
	}
	return tr.response(), nil
}

// question is a small but complete request.
func question() llm.Request {
	return llm.Request{
		Messages: []llm.Message{
			{Role: llm.System, Text: "You are the keeper of a haunted inn. 你是旅店老板。"},
			{Role: llm.User, Text: "I knock."},
			{Role: llm.Assistant, ToolCalls: []llm.ToolCall{
				{ID: "call_0", Name: "roll", Arguments: `{"dice":"1d20"}`},
			}},
			{Role: llm.Tool, ToolCallID: "call_0", Text: "17"},
		},
		Tools: []llm.ToolSpec{{
			Name:        "roll",
			Description: "Rolls dice.",
			Parameters:  []byte(`{"type":"object","properties":{"dice":{"type":"string"}}}`),
		}},
		Options: llm.Options{Temperature: new(0.5), MaxTokens: new(200), Stop: []string{"###"}},
	}
}

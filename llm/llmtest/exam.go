package llmtest

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/talewright/talewright/llm"
)

// TestModel tests the models that newModel builds against the contract of [llm.Model], one subtest
// per sentence. A failure prints the sentence as its explanation.
//
// Each call of newModel returns a new model whose provider answers the first request with the first
// reply of script, and so on. An adapter's test starts a fake server that sends the script
// ([Reply.Stream] returns the chunks, [Gate.Wait] makes the pauses) and stops it with t.Cleanup.
// The server writes each chunk at once. A Gate waits with the context of the server's request, so
// that TestModel can check whether the client closed the connection. A script contains only:
//
//   - text, reasoning, calls and usage in pieces, with any finish reason;
//   - Err instead of the first chunk: a refused request with the Status, the meaning of Code, and
//     RetryAfter in whole seconds;
//   - Err after text: a failure that the provider reports within the stream;
//   - Cut after text: a connection that drops;
//   - Gate before the first chunk or after some chunks.
//
// Every case ends with a result. A model that does not return in time, for example because it
// ignores its context or because Generate itself blocks, fails after a minute. Then all gates of
// the script are opened, so that a provider that still waits can finish and be stopped.
//
// TestModel counts goroutines: do not call it from a parallel test. Run it with the race detector
// as well.
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

// examCase is one case of the test. A nil error is a pass.
type examCase struct {
	// name is the name of the subtest.
	name string
	// explanation is the sentence of the contract that the case tests.
	explanation string
	// run returns the failure. It may build several models.
	run func(build builder) error
}

// verdict runs the case. At the end it opens all gates, so that everything that newModel started
// can be stopped.
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

// builder makes the tested model for one script.
type builder func(script ...Reply) llm.Model

// patience is how long the test waits for an event that should happen at once, on a busy machine.
const patience = time.Minute

// transcript is everything that a consumer received of one reply. After it has been read, the
// sequence has ended. If there was an error, it was the last element.
type transcript struct {
	chunks llm.Chunks
	err    error
}

// response sums up the chunks.
func (tr transcript) response() llm.Response {
	var c llm.Collector
	for _, chunk := range tr.chunks {
		_ = c.Add(chunk) // a script of the test is within the limits
	}
	return c.Response()
}

// read ranges over one reply of the model until it ends or goOn returns false. The second result is
// a violation of the rules for every reply, or a timeout of the model.
func read(ctx context.Context, model llm.Model, req llm.Request, goOn func(llm.Chunk) bool) (
	transcript, error) {
	type outcome struct {
		transcript transcript
		breach     error
	}
	out, late := within("the model", func() outcome {
		tr, breach := observe(ctx, model, req, goOn)
		return outcome{tr, breach}
	})
	return out.transcript, cmp.Or(late, out.breach)
}

// within returns the result of a call that must return in time. what names the call in the error.
func within[T any](what string, call func() T) (result T, err error) {
	ended := make(chan T, 1) // buffered, so that a late call can end
	go func() { ended <- call() }()
	timer := time.NewTimer(patience)
	defer timer.Stop()
	select {
	case result = <-ended:
	case <-timer.C:
		err = fmt.Errorf("%s has not returned after %v", what, patience)
	}
	return result, err
}

// observe is read without the time limit. It continues after an error or Done, because any later
// element is a violation.
func observe(ctx context.Context, model llm.Model, req llm.Request, goOn func(llm.Chunk) bool) (
	tr transcript, breach error) {
	done := false
	for chunk, err := range model.Generate(ctx, req) {
		switch {
		case tr.err != nil:
			return tr, fmt.Errorf("after the error %q came a further chunk %v or error %v",
				tr.err, chunk, err)
		case done:
			return tr, fmt.Errorf("after Done came a further chunk %v or error %v", chunk, err)
		case err != nil && chunk != nil:
			return tr, fmt.Errorf("the element with the error %q also has a chunk, %v", err, chunk)
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

// checkChunk checks one chunk.
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
		return fmt.Errorf("%T is not a chunk type", chunk)
	}
	if !utf8.ValidString(text) {
		return fmt.Errorf("the chunk %q is not valid UTF-8", text)
	}
	return nil
}

// checkError checks the error that ended a reply: the context's error if the context has ended,
// otherwise an *llm.Error.
func checkError(ctx context.Context, err error) error {
	if err == nil || ctx.Err() != nil && errors.Is(err, ctx.Err()) {
		return nil
	}
	if failure, ok := errors.AsType[*llm.Error](err); !ok || failure.Code == "" {
		return fmt.Errorf("the error %q (%T) is not an *llm.Error with a code", err, err)
	}
	return nil
}

// generate calls Generate and does not range over the sequence. If Generate itself blocks, this is
// reported like a model that blocks later.
func generate(model llm.Model) (sequence, error) {
	return within("Generate", func() sequence { return model.Generate(context.Background(), question()) })
}

// readAll reads a reply that must be complete.
func readAll(model llm.Model) (llm.Response, error) {
	tr, err := readComplete(model, question())
	return tr.response(), err
}

// readComplete reads a whole reply, which must not fail.
func readComplete(model llm.Model, req llm.Request) (transcript, error) {
	tr, err := read(context.Background(), model, req, nil)
	if err == nil && tr.err != nil {
		err = fmt.Errorf("unexpected error: %w", tr.err)
	}
	return tr, err
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

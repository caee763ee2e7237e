package llmtest_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/llm/llmtest"
)

// collectChunks reads a reply chunk by chunk.
func collectChunks(model llm.Model, req llm.Request) (chunks llm.Chunks, failure error) {
	for chunk, err := range model.Generate(context.Background(), req) {
		if err != nil {
			return chunks, err
		}
		chunks = append(chunks, chunk)
	}
	return chunks, nil
}

// LL-14: a recording plays back chunk by chunk, including errors.
func TestRecordAndPlay(t *testing.T) {
	t.Parallel()
	script := []llmtest.Reply{
		{Text: "The dragon 🐉 wakes.\n", Piece: 3, Usage: &llm.Usage{PromptTokens: 9}},
		llmtest.Text("b").AndCall("f", "x", "<&>"),
		{Text: "half", Cut: true},
		llmtest.Fail(&llm.Error{Code: llm.CodeRateLimit, Status: 429, Retry: true, RetryAfter: 1.5e9}),
		{Chunks: llm.Chunks{}},
	}
	recorder := llmtest.NewRecorder(llmtest.NewScripted(script...))
	requests := []llm.Request{
		said(llm.User, "a"), said(llm.User, "b"), said(llm.User, "a"), said(llm.System, "规则 <b>"),
		{Options: llm.Options{Seed: new(int64(1)), Extra: map[string]json.RawMessage{"min_p": json.RawMessage("0.1")}}},
	}
	type outcome struct {
		chunks llm.Chunks
		text   string
		code   llm.ErrorCode
	}
	record := func(model llm.Model, req llm.Request) outcome {
		chunks, err := collectChunks(model, req)
		if err == nil {
			return outcome{chunks: chunks}
		}
		failure, _ := errors.AsType[*llm.Error](err)
		return outcome{chunks, err.Error(), failure.Code}
	}
	var want []outcome
	for _, req := range requests {
		want = append(want, record(recorder, req))
	}
	data, err := recorder.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	if lines := bytes.Count(data, []byte("\n")); lines != len(requests) {
		t.Errorf("%d lines, want %d:\n%s", lines, len(requests), data)
	}
	player, err := llmtest.NewPlayer(data)
	if err != nil {
		t.Fatal(err)
	}
	// In a different order: only the two equal requests must keep their order.
	for _, i := range []int{4, 0, 3, 2, 1} {
		got := record(player, requests[i])
		if diff := cmp.Diff(want[i], got, cmp.AllowUnexported(outcome{})); diff != "" {
			t.Errorf("request %d (-recorded +played):\n%s", i, diff)
		}
	}
	if player.Unplayed() != 0 {
		t.Errorf("%d replies unplayed", player.Unplayed())
	}
	// A second recording, made from the player, has the same bytes.
	player, err = llmtest.NewPlayer(data)
	if err != nil {
		t.Fatal(err)
	}
	second := llmtest.NewRecorder(player)
	for _, req := range requests {
		record(second, req)
	}
	if again, err := second.Bytes(); err != nil || !bytes.Equal(again, data) {
		t.Errorf("recorded again:\n%s\nwant\n%s (%v)", again, data, err)
	}
}

// Only the model's own replies are recorded.
func TestRecorderLeavesOut(t *testing.T) {
	t.Parallel()
	block := llmtest.Block()
	recorder := llmtest.NewRecorder(llmtest.NewScripted(
		llmtest.Reply{Text: "abandoned", Piece: 2}, block, llmtest.Text("kept"),
	))
	for range recorder.Generate(t.Context(), said(llm.User, "1")) {
		break
	}
	ctx, cancel := context.WithCancel(t.Context())
	go func() { <-block.Gate.Reached(); cancel() }()
	if _, err := llm.Collect(recorder.Generate(ctx, said(llm.User, "2"))); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	if _, err := llm.Collect(recorder.Generate(t.Context(), said(llm.User, "3"))); err != nil {
		t.Fatal(err)
	}
	bad := llm.Request{Extra: map[string]json.RawMessage{"x": json.RawMessage("{")}}
	if _, err := llm.Collect(recorder.Generate(t.Context(), bad)); err == nil {
		t.Error("a request without JSON was sent")
	}
	data, err := recorder.Bytes()
	if err != nil || bytes.Count(data, []byte("\n")) != 1 || !bytes.Contains(data, []byte("kept")) {
		t.Errorf("recording:\n%s%v", data, err)
	}
}

// A changed request fails, and the error shows the lines that changed.
func TestPlayerShowsDifference(t *testing.T) {
	t.Parallel()
	prompt := func(lore, line string) llm.Request {
		return llm.Request{Model: "m", Messages: []llm.Message{
			{Role: llm.System, Text: "You are the keeper of an inn.\n" + lore + "\nAnswer in one line."},
			{Role: llm.User, Text: line},
		}}
	}
	recorder := llmtest.NewRecorder(llmtest.NewScripted(llmtest.Text("1"), llmtest.Text("2")))
	for _, req := range []llm.Request{
		said(llm.User, "something else"), prompt("The cellar is haunted.", "I knock."),
	} {
		if _, err := llm.Collect(recorder.Generate(t.Context(), req)); err != nil {
			t.Fatal(err)
		}
	}
	data, err := recorder.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	player, err := llmtest.NewPlayer(data)
	if err != nil {
		t.Fatal(err)
	}
	_, err = llm.Collect(player.Generate(t.Context(), prompt("The cellar is flooded.", "I knock.")))
	failure, ok := errors.AsType[*llm.Error](err)
	if !ok || !errors.Is(err, llmtest.ErrNotRecorded) {
		t.Fatalf("the error is %v", err)
	}
	const want = `the request differs from the nearest of 2 recorded, number 2 (- recorded, + now); if the change is meant, record again:
  … 4 equal line(s)
        "role": "system",
        "content": "You are the keeper of an inn.\n
-         The cellar is haunted.\n
+         The cellar is flooded.\n
          Answer in one line."
      },
  … 6 equal line(s)
`
	if failure.Message != want {
		t.Errorf("message:\n%s\nwant:\n%s", failure.Message, want)
	}
}

func TestPlayerRefuses(t *testing.T) {
	t.Parallel()
	recorder := llmtest.NewRecorder(llmtest.NewScripted(llmtest.Text("1")))
	if _, err := llm.Collect(recorder.Generate(t.Context(), said(llm.User, "a"))); err != nil {
		t.Fatal(err)
	}
	data, err := recorder.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	player, err := llmtest.NewPlayer(data)
	if err != nil {
		t.Fatal(err)
	}
	if player.Unplayed() != 1 {
		t.Errorf("%d unplayed, want 1", player.Unplayed())
	}
	for _, want := range []string{"", "recorded 1 time(s) and is made once more"} {
		_, err := llm.Collect(player.Generate(t.Context(), said(llm.User, "a")))
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
	empty, err := llmtest.NewPlayer(nil)
	if err != nil {
		t.Fatal(err)
	}
	_, err = llm.Collect(empty.Generate(t.Context(), said(llm.User, "a")))
	if !errors.Is(err, llmtest.ErrNotRecorded) || !strings.Contains(err.Error(), "empty") {
		t.Errorf("empty recording: %v", err)
	}
	_, err = llmtest.NewPlayer([]byte("{}\n\n{\"request\":5}\noops\n"))
	for _, want := range []string{"line 1: there is no", "line 3: request", "line 4"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v does not mention %q", err, want)
		}
	}
}

// A recording that was reformatted by hand still matches.
func TestPlayerIgnoresLayout(t *testing.T) {
	t.Parallel()
	player, err := llmtest.NewPlayer([]byte(
		`{ "chunks": [ {"type":"done","reason":"stop"} ],` +
			` "request": { "messages": [ {"content":"a", "role":"user"} ] } }`))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := llm.Collect(player.Generate(t.Context(), said(llm.User, "a"))); err != nil {
		t.Error(err)
	}
}

// FuzzPlayer reads recordings of all kinds: it returns an error, or a model that plays the
// recording.
func FuzzPlayer(f *testing.F) {
	f.Add([]byte(`{"request":{"messages":[]},"chunks":[{"type":"text","text":"x"}],"error":{"code":"server"}}`))
	f.Add([]byte("{\"request\":{\"messages\":null},\"chunks\":null}\n\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		player, err := llmtest.NewPlayer(data)
		if err != nil {
			return
		}
		before := player.Unplayed()
		_, err = llm.Collect(player.Generate(context.Background(), llm.Request{}))
		played := !errors.Is(err, llmtest.ErrNotRecorded)
		if player.Unplayed() != before && !played || player.Unplayed() == before && played {
			t.Errorf("%d of %d unplayed after %v", player.Unplayed(), before, err)
		}
	})
}

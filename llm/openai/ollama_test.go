package openai_test

import (
	"cmp"
	"context"
	"errors"
	"os"
	"testing"

	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/llm/openai"
)

// LL-16: a real Ollama, where TALEWRIGHT_OLLAMA names its address. What a small model
// says is anything; how it is said is what counts.
func TestOllama(t *testing.T) {
	address := os.Getenv("TALEWRIGHT_OLLAMA")
	if address == "" {
		t.Skip("TALEWRIGHT_OLLAMA names no server, such as http://127.0.0.1:11434")
	}
	for name, native := range map[string]*openai.Ollama{"chat completions": nil, "native": {NumCtx: 4096}} {
		t.Run(name, func(t *testing.T) {
			playOllama(t, newClient(t, openai.Config{BaseURL: address + "/v1", Model: cmp.Or(os.Getenv("TALEWRIGHT_OLLAMA_MODEL"), "qwen3:0.6b"), Ollama: native}))
		})
	}
}

func playOllama(t *testing.T, model llm.Model) {
	ask := llm.Request{Messages: []llm.Message{{Role: llm.User, Text: "hello"}}, Options: llm.Options{MaxTokens: new(64), Temperature: new(0.0)}}

	got, err := llm.Collect(model.Generate(t.Context(), ask))
	if err != nil || got.Message.Text+got.Message.Reasoning == "" || got.Finish != llm.FinishStop && got.Finish != llm.FinishLength {
		t.Errorf("%+v, %v", got, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	for _, err := range model.Generate(ctx, ask) {
		if cancel(); err != nil && !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	}
	ask.Model = "no-such-model-of-talewright"
	_, err = llm.Collect(model.Generate(t.Context(), ask))
	t.Logf("a model that is not there: %v", err)
}

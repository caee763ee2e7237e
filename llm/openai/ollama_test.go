package openai_test

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/memstore"
	"github.com/talewright/talewright/campaign/setting"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/llm/openai"
	"github.com/talewright/talewright/memvars/tree"
)

// LL-16: a real Ollama, where TALEWRIGHT_OLLAMA names its address. What a small model
// says is anything, and that of internal/randomgguf says noise; how it is said is what counts.
func TestOllama(t *testing.T) {
	address := os.Getenv("TALEWRIGHT_OLLAMA")
	if address == "" {
		t.Skip("TALEWRIGHT_OLLAMA names no server, such as http://127.0.0.1:11434")
	}
	name := cmp.Or(os.Getenv("TALEWRIGHT_OLLAMA_MODEL"), "qwen3:0.6b")
	for kind, native := range map[string]*openai.Ollama{"chat completions": nil, "native": {NumCtx: 4096}} {
		t.Run(kind, func(t *testing.T) {
			model := newClient(t, openai.Config{BaseURL: address + "/v1", Model: name, Ollama: native})
			playOllama(t, model)
			playOllamaCampaign(t, model)
		})
	}
	t.Run("a prompt that is cut", func(t *testing.T) {
		model := newClient(t, openai.Config{BaseURL: address, Model: name, Ollama: &openai.Ollama{NumCtx: 256}})
		got, err := llm.Collect(model.Generate(t.Context(), llm.Request{
			Messages: []llm.Message{
				{Role: llm.System, Text: strings.Repeat("the door and the bell in the rain\n", 100)},
				{Role: llm.User, Text: strings.Repeat("the bell ", 200)},
			},
			Options: llm.Options{MaxTokens: new(8)},
		}))
		if err != nil {
			t.Skipf("it refuses what is too long: %v", err) // newer servers may
		}
		if !slices.ContainsFunc(got.Warnings, func(w llm.Warning) bool { return w.Code == openai.PromptCut }) {
			t.Errorf("no warning: %+v, %+v", got.Warnings, got.Usage)
		}
	})
	t.Run("embeddings", func(t *testing.T) {
		vectors, _, err := newClient(t, openai.Config{BaseURL: address + "/v1", Model: name}).Embed(t.Context(), "", []string{"the bell", "the door"})
		if err != nil || len(vectors) != 2 || len(vectors[0]) == 0 || len(vectors[0]) != len(vectors[1]) {
			t.Errorf("%d vectors, %v", len(vectors), err)
		}
	})
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
	var refused *llm.Error
	if _, err = llm.Collect(model.Generate(t.Context(), ask)); !errors.As(err, &refused) || refused.Code != llm.CodeNotFound {
		t.Errorf("a model that is not there: %v", err)
	}
	ask.Model = ""
	ask.Options.MaxTokens = new(200)
	ask.Options.Format = &llm.Format{Name: "mood", Schema: json.RawMessage(
		`{"type": "object", "properties": {"mood": {"type": "string", "enum": ["calm", "angry"]}}, "required": ["mood"]}`)}
	got, err = llm.Collect(model.Generate(t.Context(), ask))
	var answer struct{ Mood string }
	if err != nil || json.Unmarshal([]byte(got.Message.Text), &answer) != nil || answer.Mood != "calm" && answer.Mood != "angry" {
		t.Errorf("by a schema: %+v, %v", got, err)
	}
}

// playOllamaCampaign plays turns whose text is what the model says, and plays them again.
func playOllamaCampaign(t *testing.T, model llm.Model) {
	g, problems := game.Compile(game.Content{})
	if err := problems.Err(); err != nil {
		t.Fatal(err)
	}
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	engine, err := campaign.NewEngine(campaign.Config{
		Game: g, Store: &memstore.Store{}, Model: model, Now: func() time.Time { return now },
		// It says one word: noise knows no end, and what is cut off is asked for again.
		Options: llm.Options{MaxTokens: new(60), Stop: []string{" "}},
	})
	if err != nil {
		t.Fatal(err)
	}
	setup := state.Setup{ID: "real", Characters: []state.Character{{ID: "ren", Name: "Ren"}}, Settings: setting.Snapshot{"dialog.manual_type": tree.Text("free_chat")}}
	if _, err := engine.Create(t.Context(), setup); err != nil {
		t.Fatal(err)
	}
	completed := 0
	for _, line := range []string{"The bell rings.", "I open the door.", "雨停了。"} {
		o, err := engine.Turn(t.Context(), "real", turn.Submit{ActorID: "ren", Text: line})
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%s after %d replies", o.Status, o.RetriesUsed+1)
		if o.Status == turn.Completed {
			completed++
		}
	}
	if completed == 0 {
		t.Error("no turn was completed")
	}
	saved, err := engine.Campaign(t.Context(), "real")
	if err != nil {
		t.Fatal(err)
	}
	again, err := engine.Rebuild(t.Context(), "real")
	if err := cmp.Or(err, turn.Same(again, saved)); err != nil {
		t.Errorf("rebuilt: %v", err)
	}
}

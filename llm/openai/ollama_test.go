package openai_test

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/setting"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/llm/openai"
	"github.com/talewright/talewright/memvars/tree"
)

// LL-16: a real Ollama, if TALEWRIGHT_OLLAMA contains its address. The text of a small model is
// arbitrary, and the model of internal/randomgguf writes noise; only the form of the answers is
// tested. With -update its answers, except the answers of the campaign, are recorded.
func TestOllama(t *testing.T) {
	address := os.Getenv("TALEWRIGHT_OLLAMA")
	if address == "" {
		t.Skip("TALEWRIGHT_OLLAMA names no server, such as http://127.0.0.1:11434")
	}
	name := cmp.Or(os.Getenv("TALEWRIGHT_OLLAMA_MODEL"), "qwen3:0.6b")
	for kind, config := range ollamaKinds(address, name) {
		t.Run(kind, func(t *testing.T) {
			var written tape
			config.HTTPClient = &http.Client{Transport: &written}
			playOllama(t, config)
			if flag.Lookup("update").Value.String() == "true" {
				written.save(t, kind)
			}
			playOllamaCampaign(t, newClient(t, config))
		})
	}
}

// LL-16: recorded answers of a real Ollama, without the server.
func TestOllamaRecorded(t *testing.T) {
	t.Parallel()
	for kind, config := range ollamaKinds("http://127.0.0.1:1", "noise") {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			played := readTape(t, kind)
			config.HTTPClient = &http.Client{Transport: played}
			playOllama(t, config)
			if len(played.left) > 0 {
				t.Errorf("%d answers were not asked for", len(played.left))
			}
		})
	}
}

// ollamaKinds are the two protocols of a server.
func ollamaKinds(address, name string) map[string]openai.Config {
	return map[string]openai.Config{
		"chat":   {BaseURL: address + "/v1", Model: name},
		"native": {BaseURL: address, Model: name, Ollama: &openai.Ollama{NumCtx: 256}},
	}
}

// playOllama requests a text and interrupts an answer. Then it requests a model that does not
// exist, an answer with a schema, embeddings, and an answer to a prompt that is longer than the
// context.
func playOllama(t *testing.T, config openai.Config) {
	model, err := openai.New(config)
	if err != nil {
		t.Fatal(err)
	}
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
	vectors, _, err := model.Embed(t.Context(), "", []string{"the bell", "the door"})
	if err != nil || len(vectors) != 2 || len(vectors[0]) == 0 || len(vectors[0]) != len(vectors[1]) {
		t.Errorf("%d vectors, %v", len(vectors), err)
	}
	if config.Ollama == nil {
		return // the model determines the context length
	}
	got, err = llm.Collect(model.Generate(t.Context(), llm.Request{
		Messages: []llm.Message{
			{Role: llm.System, Text: strings.Repeat("the door and the bell in the rain\n", 100)},
			{Role: llm.User, Text: strings.Repeat("the bell ", 200)},
		},
		Options: llm.Options{MaxTokens: new(8)},
	}))
	if err != nil {
		t.Logf("it refuses what is too long: %v", err) // newer servers may do this
		return
	}
	if !slices.ContainsFunc(got.Warnings, func(w llm.Warning) bool { return w.Code == "prompt_cut" }) {
		t.Errorf("no warning: %+v, %+v", got.Warnings, got.Usage)
	}
}

// playOllamaCampaign plays turns with the model's text, and replays them.
func playOllamaCampaign(t *testing.T, model llm.Model) {
	g, problems := game.Compile(game.Content{})
	if err := problems.Err(); err != nil {
		t.Fatal(err)
	}
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	engine, err := campaign.New(campaign.Config{
		Game: g, Store: &campaign.MemoryStore{}, Model: model, Now: func() time.Time { return now },
		// The limit is one word: noise never ends, and a truncated reply is requested again.
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

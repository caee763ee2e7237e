package openai_test

import (
	"slices"
	"testing"

	"github.com/talewright/talewright/internal/wire/wiretest"
	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/llm/openai"
)

// LL-16: a third-party server uses the dialect.
func TestAimock(t *testing.T) {
	wiretest.Aimock(t, func(t *testing.T, address string) llm.Model {
		return newClient(t, openai.Config{BaseURL: address + "/v1", Key: "test-key"})
	})
}

// LL-16: a second third-party server, which does not number calls and ends them with "stop".
func TestMockAPI(t *testing.T) {
	wiretest.MockAPI(t, "test-key", func(t *testing.T, address string) llm.Model {
		return newClient(t, openai.Config{BaseURL: address + "/v1", Key: "test-key"})
	})
}

// LL-02, LL-16: the address and the profile of OpenRouter, as aimock implements it.
func TestAimockOpenRouter(t *testing.T) {
	wiretest.Aimock(t, func(t *testing.T, address string) llm.Model {
		profile, _ := openai.FindProfile("openrouter")
		config := profile.Config()
		config.BaseURL, config.Key = address+"/api/v1", "test-key"
		return newClient(t, config)
	})
}

// LL-18: embeddings of aimock.
func TestAimockEmbeddings(t *testing.T) {
	wiretest.Aimock(t, func(t *testing.T, address string) llm.Model {
		client := newClient(t, openai.Config{BaseURL: address, Key: "test-key"})
		vectors, _, err := client.Embed(t.Context(), "text-embedding-3-small", []string{"the bell"})
		if err != nil || len(vectors) != 1 || !slices.Equal(vectors[0], []float32{0.25, -0.5, 1}) {
			t.Errorf("%v, %v", vectors, err)
		}
		return client
	}, "text", "thinking", "calls", "length", "429", "wrong key", "cut")
}

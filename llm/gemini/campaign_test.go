package gemini_test

import (
	"testing"

	"github.com/talewright/talewright/internal/wire/wiretest"
	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/llm/gemini"
	"github.com/talewright/talewright/llm/llmtest"
	"github.com/talewright/talewright/prompt/shape"
)

// A campaign of 20 turns over a server that speaks the dialect.
func TestCampaign(t *testing.T) {
	wiretest.Play(t, shape.Gemini, gemini.Provider, func(script []llmtest.Reply) (llm.Model, func() [][]byte) {
		server := scriptServer(t, script)
		return newClient(t, gemini.Config{BaseURL: server.URL, Key: "none"}), server.asked
	})
}

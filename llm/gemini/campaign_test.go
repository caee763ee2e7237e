package gemini_test

import (
	"testing"

	"github.com/talewright/talewright/internal/wire/wiretest"
	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/llm/gemini"
	"github.com/talewright/talewright/llm/llmtest"
	"github.com/talewright/talewright/prompt"
)

// recorded returns a client of a server that sends a script, with a tape between them.
func recorded(t *testing.T, script []llmtest.Reply) (llm.Model, *wiretest.Tape) {
	server := scriptServer(t, script)
	tape := wiretest.Record(server)
	return newClient(t, gemini.Config{BaseURL: server.URL, Key: "none"}), tape
}

// A campaign of 20 turns with a server that uses the dialect.
func TestCampaign(t *testing.T) {
	wiretest.Play(t, prompt.ShapeGemini, "gemini", wiretest.Signature, recorded)
}

// The requests, the answers of the test server, and the results.
func TestExchanges(t *testing.T) { wiretest.Exchanges(t, "gemini", recorded) }

// The same call has the same key.
func TestCallKeyIsSent(t *testing.T) { wiretest.CallKeys(t, recorded) }

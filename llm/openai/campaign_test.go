package openai_test

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/talewright/talewright/internal/wire/wiretest"
	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/llm/llmtest"
	"github.com/talewright/talewright/llm/openai"
	"github.com/talewright/talewright/prompt"
	"github.com/talewright/talewright/prompt/tavern"
)

// recorded returns a client of a server that sends a script, with a tape between them.
func recorded(t *testing.T, script []llmtest.Reply) (llm.Model, *wiretest.Tape) {
	server := scriptServer(t, script)
	tape := wiretest.Record(server)
	return newClient(t, openai.Config{BaseURL: server.URL}), tape
}

// LL-02, LL-03: a campaign of 20 turns with a server that uses the dialect. The dialect has no
// signatures: thoughts of other providers are not sent.
func TestCampaign(t *testing.T) { wiretest.Play(t, prompt.ShapeOpenAI, "", "", recorded) }

// LL-05: the same campaign with a server that wants its thinking back together with the calls.
func TestCampaignThinkingGoesBack(t *testing.T) {
	wiretest.Play(t, prompt.ShapeOpenAI, "", wiretest.Thought, func(t *testing.T, script []llmtest.Reply) (llm.Model, *wiretest.Tape) {
		server := scriptServer(t, script)
		tape := wiretest.Record(server)
		return newClient(t, openai.Config{BaseURL: server.URL, Reasoning: "reasoning_content"}), tape
	})
}

// LL-02, LL-03, LL-05: the same campaign in the native protocol of Ollama, which has a member for
// thinking.
func TestCampaignOllama(t *testing.T) {
	wiretest.Play(t, prompt.ShapeOpenAI, "", wiretest.Thought, func(t *testing.T, script []llmtest.Reply) (llm.Model, *wiretest.Tape) {
		server := lineServer(t, script)
		tape := wiretest.Record(server)
		return newClient(t, openai.Config{BaseURL: server.URL, Ollama: &openai.Ollama{NumCtx: 8192}}), tape
	})
}

// LL-18: the same campaign with text completions, with a template for models without chat messages.
func TestCampaignCompletion(t *testing.T) {
	template := tavern.InstructTemplate{UserPrefix: "### Player:\n", AssistantPrefix: "### Keeper:\n", SystemPrefix: "### Rules:\n", Stop: "###", Wrap: true}
	wiretest.PlayText(t, template, func(t *testing.T, script []llmtest.Reply) (llm.Model, *wiretest.Tape) {
		model := llmtest.NewScripted(script...)
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			io.Copy(io.Discard, r.Body)
			out := eventWriter{ResponseWriter: w}
			for chunk, err := range model.Generate(r.Context(), llm.Request{}) {
				failure, failed := errors.AsType[*llm.Error](err)
				switch text, ok := chunk.(llm.TextDelta); {
				case failed && failure.Code == llm.CodeIncomplete:
					panic(http.ErrAbortHandler) // the connection drops
				case failed:
					out.failure(failure)
				case ok:
					out.event(`{"choices":[{"index":0,"text":%s}]}`, quote(text.Text))
				default:
					out.chunk(chunk)
				}
			}
		}))
		t.Cleanup(server.Close)
		tape := wiretest.Record(server)
		return newClient(t, openai.Config{BaseURL: server.URL}).Completion(func(req llm.Request) (string, error) {
			if len(req.Messages) != 1 || !strings.Contains(req.Messages[0].Text, "### Player:\n") {
				return "", fmt.Errorf("%d messages, of which the first is %+v", len(req.Messages), req.Messages[0])
			}
			return req.Messages[0].Text, nil
		}), tape
	})
}

// The requests, the answers of the test server, and the results.
func TestExchanges(t *testing.T) { wiretest.Exchanges(t, "", recorded) }

// The same call has the same key.
func TestCallKeyIsSent(t *testing.T) { wiretest.CallKeys(t, recorded) }

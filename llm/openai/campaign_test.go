package openai_test

import (
	"io"
	"net/http"
	"sync"
	"testing"

	"github.com/talewright/talewright/internal/wire/wiretest"
	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/llm/llmtest"
	"github.com/talewright/talewright/llm/openai"
	"github.com/talewright/talewright/prompt/shape"
)

// A campaign of 20 turns over a server that speaks the dialect. It has no signatures:
// those of other providers are not sent.
func TestCampaign(t *testing.T) {
	wiretest.Play(t, shape.OpenAI, "", func(script []llmtest.Reply) (llm.Model, func() [][]byte) {
		server := scriptServer(t, script)
		var mu sync.Mutex
		var bodies [][]byte
		next := server.Config.Handler
		server.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			body, _ := io.ReadAll(r.Body)
			mu.Lock()
			bodies = append(bodies, body)
			mu.Unlock()
			next.ServeHTTP(w, r)
		})
		return newClient(t, openai.Config{BaseURL: server.URL}), func() [][]byte {
			mu.Lock()
			defer mu.Unlock()
			return bodies
		}
	})
}

package wiretest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/talewright/talewright/internal/testkit"
	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/llm/llmtest"
)

// Tape records the requests to a server and its answers.
type Tape struct {
	mu        sync.Mutex
	exchanges []*exchange
}

type exchange struct {
	path     string
	header   http.Header
	request  []byte
	status   int
	response bytes.Buffer
}

// Record records a server's requests and answers on a tape. Call it before the first request.
func Record(server *httptest.Server) *Tape {
	tape := &Tape{}
	next := server.Config.Handler
	server.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			panic(http.ErrAbortHandler)
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		e := &exchange{path: r.URL.String(), header: r.Header.Clone(), request: body, status: http.StatusOK}
		tape.mu.Lock()
		tape.exchanges = append(tape.exchanges, e)
		tape.mu.Unlock()
		next.ServeHTTP(&head{w, e}, r)
	})
	return tape
}

// Requests returns the bodies of the requests.
func (t *Tape) Requests() [][]byte {
	t.mu.Lock()
	defer t.mu.Unlock()
	var out [][]byte
	for _, e := range t.exchanges {
		out = append(out, e.request)
	}
	return out
}

// Header returns the header of the last request.
func (t *Tape) Header() http.Header {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.exchanges[len(t.exchanges)-1].header
}

// head records an answer.
type head struct {
	http.ResponseWriter
	e *exchange
}

// Unwrap lets http.ResponseController find the original writer.
func (h *head) Unwrap() http.ResponseWriter { return h.ResponseWriter }

func (h *head) WriteHeader(status int) { h.e.status = status; h.ResponseWriter.WriteHeader(status) }

func (h *head) Write(p []byte) (int, error) { h.e.response.Write(p); return h.ResponseWriter.Write(p) }

// String returns the last exchange for a transcript.
func (t *Tape) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	e := t.exchanges[len(t.exchanges)-1]
	var request bytes.Buffer
	if json.Indent(&request, e.request, "", "  ") != nil {
		request.Write(e.request)
	}
	response := strings.ReplaceAll(strings.TrimRight(e.response.String(), "\r\n"), "\r", "")
	return fmt.Sprintf("POST %s\n%s\n\n%d\n%s\n\n", e.path, strings.TrimSpace(request.String()), e.status, response)
}

// Exchanges runs the transcripts of a folder. Each case is a request as JSON. Its output has the
// requests of the adapter, the answers of the test server, and the results of the adapter. The
// command names the answer: calls, told, slow or cut.
func Exchanges(t *testing.T, provider string, open func(t *testing.T, script []llmtest.Reply) (llm.Model, *Tape)) {
	replies := map[string]llmtest.Reply{
		"calls": thinkingCall(provider),
		"told":  {Text: blow, Piece: 20, Usage: &llm.Usage{PromptTokens: 120, CompletionTokens: 12}},
		"slow":  llmtest.Fail(&llm.Error{Code: llm.CodeRateLimit, Status: 429, Message: "slow", RetryAfter: 3_000_000_000, Retry: true}),
		"cut":   {Text: "A troll", Cut: true},
	}
	testkit.Run(t, "testdata/exchanges/*.txt", func(t *testing.T) func(testkit.Case) string {
		return func(c testkit.Case) string {
			reply, ok := replies[c.Name]
			if !ok {
				return fmt.Sprintf("there is no answer %q", c.Name)
			}
			var req llm.Request
			if err := json.Unmarshal([]byte(c.Input), &req); err != nil {
				return err.Error()
			}
			model, tape := open(t, []llmtest.Reply{reply})
			got, failure := llm.Collect(model.Generate(t.Context(), req))
			read, err := json.MarshalIndent(got, "", "  ")
			if err != nil {
				return err.Error()
			}
			return fmt.Sprintf("%s%s\n%v\n", tape, read, failure)
		}
	})
}

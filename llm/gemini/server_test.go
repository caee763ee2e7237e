package gemini_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/llm/gemini"
	"github.com/talewright/talewright/llm/llmtest"
)

// newClient returns a client with its own connections.
func newClient(t testing.TB, config gemini.Config) *gemini.Client {
	t.Helper()
	transport := &http.Transport{}
	t.Cleanup(transport.CloseIdleConnections)
	config.HTTPClient = &http.Client{Transport: transport}
	if config.Key == "" {
		config.Key = "none"
	}
	if config.Model == "" {
		config.Model = "test-model"
	}
	client, err := gemini.New(config)
	if err != nil {
		t.Fatal(err)
	}
	return client
}

// serve returns a client of a server that answers with handler.
func serve(t testing.TB, config gemini.Config, handler http.HandlerFunc) *gemini.Client {
	t.Helper()
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	config.BaseURL = server.URL
	return newClient(t, config)
}

// serveBody returns a client of a server that sends these bytes with status 200.
func serveBody(t testing.TB, body string) *gemini.Client {
	return serve(t, gemini.Config{}, func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		io.WriteString(w, body)
	})
}

// scriptServer serves a scripted model in the dialect.
func scriptServer(t testing.TB, script []llmtest.Reply) *httptest.Server {
	model := llmtest.NewScripted(script...)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		// The server notices a client that has disconnected only after the body is read.
		io.Copy(io.Discard, r.Body)
		out := eventWriter{ResponseWriter: w, usage: "{}"}
		for chunk, err := range model.Generate(r.Context(), llm.Request{}) {
			switch failure, _ := errors.AsType[*llm.Error](err); {
			case err == nil:
				out.chunk(chunk)
			case failure == nil || failure.Code == llm.CodeIncomplete:
				out.open()
				panic(http.ErrAbortHandler) // the connection drops
			default:
				out.failure(failure)
			}
		}
	}))
	t.Cleanup(server.Close)
	return server
}

// eventWriter writes chunks as events. Calls are written as a whole, because the protocol has no
// partial calls.
type eventWriter struct {
	http.ResponseWriter
	opened bool
	calls  []llm.CallDelta
	usage  string
	proof  string // of the thinking: it is sent with the next call or text
}

func (w *eventWriter) event(format string, args ...any) {
	w.open()
	fmt.Fprintf(w, "data: "+format+"\r\n\r\n", args...)
	http.NewResponseController(w.ResponseWriter).Flush()
}

func (w *eventWriter) open() {
	if !w.opened {
		w.opened = true
		w.Header().Set("Content-Type", "text/event-stream")
	}
}

func (w *eventWriter) part(format string, args ...any) {
	w.event(`{"candidates":[{"content":{"parts":[{%s}],"role":"model"},"index":0}],"usageMetadata":%s,"modelVersion":"test"}`,
		fmt.Sprintf(format, args...), w.usage)
}

func (w *eventWriter) signature() string {
	if w.proof == "" {
		return ""
	}
	defer func() { w.proof = "" }()
	return fmt.Sprintf(`,"thoughtSignature":%q`, w.proof)
}

func (w *eventWriter) chunk(chunk llm.Chunk) {
	switch c := chunk.(type) {
	case llm.TextDelta:
		w.part(`"text":%s%s`, quote(c.Text), w.signature())
	case llm.ReasoningDelta:
		w.part(`"text":%s,"thought":true`, quote(c.Text))
	case llm.Seal:
		w.proof = c.Signature
	case llm.CallDelta:
		if c.Index == len(w.calls) {
			w.calls = append(w.calls, c)
			return
		}
		w.calls[c.Index].Arguments += c.Arguments
	case llm.UsageReport:
		w.usage = fmt.Sprintf(`{"promptTokenCount":%d,"candidatesTokenCount":%d}`, c.Usage.PromptTokens, c.Usage.CompletionTokens)
	case llm.Done:
		for _, call := range w.calls {
			w.part(`"functionCall":{"name":%s,"args":%s}%s`, quote(call.Name), call.Arguments, w.signature())
		}
		w.event(`{"candidates":[{"content":{"parts":[{"text":""}],"role":"model"},"finishReason":%q,"index":0}],"usageMetadata":%s}`, stopReason(c.Reason), w.usage)
	}
}

func stopReason(reason llm.FinishReason) string {
	switch reason {
	case llm.FinishStop, llm.FinishToolCalls:
		return "STOP"
	case llm.FinishLength:
		return "MAX_TOKENS"
	case llm.FinishContentFilter:
		return "SAFETY"
	}
	return string(reason)
}

func (w *eventWriter) failure(e *llm.Error) {
	kind := map[llm.ErrorCode]string{
		llm.CodeAuth: "UNAUTHENTICATED", llm.CodeRateLimit: "RESOURCE_EXHAUSTED", llm.CodeContextLength: "INVALID_ARGUMENT",
		llm.CodeNotFound: "NOT_FOUND", llm.CodeServer: "INTERNAL", llm.CodeOverloaded: "UNAVAILABLE",
	}[e.Code]
	details := ""
	if e.RetryAfter > 0 {
		details = fmt.Sprintf(`,"details":[{"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"%ds"}]`, int(e.RetryAfter.Seconds()))
	}
	body := fmt.Sprintf(`{"error":{"code":%d,"message":%s,"status":%q%s}}`, e.Status, quote(e.Message), kind, details)
	if w.opened {
		w.event("%s", body)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(e.Status)
	w.Write([]byte(body))
}

func quote(text string) string {
	literal, _ := json.Marshal(text)
	return string(literal)
}

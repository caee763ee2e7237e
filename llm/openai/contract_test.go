package openai_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"testing"
	"unicode/utf16"

	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/llm/llmtest"
	"github.com/talewright/talewright/llm/openai"
	"github.com/talewright/talewright/llm/wrap"
)

// LL-14: the contract test, with a server that sends the script in the protocol.
func TestContract(t *testing.T) {
	for name, config := range map[string]openai.Config{
		"plain": {}, "splitting": {SplitThinking: &wrap.ThinkSplitter{}}, "sending back": {Reasoning: openai.ReasoningDetails},
	} {
		t.Run(name, func(t *testing.T) {
			llmtest.TestModel(t, func(t *testing.T, script ...llmtest.Reply) llm.Model {
				config.BaseURL = scriptServer(t, script).URL
				return newClient(t, config)
			})
		})
	}
}

// newClient returns a client with its own connections.
func newClient(t *testing.T, config openai.Config) *openai.Client {
	t.Helper()
	transport := &http.Transport{}
	t.Cleanup(transport.CloseIdleConnections)
	config.HTTPClient = &http.Client{Transport: transport}
	if config.Model == "" {
		config.Model = "test-model"
	}
	client, err := openai.New(config)
	if err != nil {
		t.Fatal(err)
	}
	return client
}

// scriptServer serves a scripted model in the protocol.
func scriptServer(t *testing.T, script []llmtest.Reply) *httptest.Server {
	model := llmtest.NewScripted(script...)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		// The server notices a client that has disconnected only after the body is read.
		io.Copy(io.Discard, r.Body)
		out := eventWriter{ResponseWriter: w}
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

// eventWriter writes chunks as events. It splits every character outside of the basic plane into
// its surrogates, each in its own event.
type eventWriter struct {
	http.ResponseWriter
	opened bool
}

func (w *eventWriter) open() {
	if !w.opened {
		w.Header().Set("Content-Type", "text/event-stream")
		w.WriteHeader(http.StatusOK)
		w.opened = true
		w.Write([]byte(": PROCESSING\n\n"))
		w.flush()
	}
}

func (w *eventWriter) flush() { http.NewResponseController(w.ResponseWriter).Flush() }

func (w *eventWriter) event(format string, args ...any) {
	w.open()
	fmt.Fprintf(w, "data: "+format+"\n\n", args...)
	w.flush()
}

func (w *eventWriter) chunk(chunk llm.Chunk) {
	switch c := chunk.(type) {
	case llm.TextDelta:
		for _, literal := range literals(c.Text) {
			w.event(`{"choices":[{"index":0,"delta":{"content":%s}}]}`, literal)
		}
	case llm.ReasoningDelta:
		w.event(`{"choices":[{"index":0,"delta":{"reasoning_content":%s}}]}`, quote(c.Text))
	case llm.CallDelta:
		w.event(`{"choices":[{"index":0,"delta":{"tool_calls":[{"index":%d,"id":%s,`+
			`"type":"function","function":{"name":%s,"arguments":%s}}]}}]}`,
			c.Index, quote(c.ID), quote(c.Name), quote(c.Arguments))
	case llm.UsageReport:
		w.event(`{"choices":[],"usage":{"prompt_tokens":%d,"completion_tokens":%d}}`,
			c.Usage.PromptTokens, c.Usage.CompletionTokens)
	case llm.Done:
		w.event(`{"choices":[{"index":0,"delta":{},"finish_reason":%s}]}`, quote(string(c.Reason)))
		w.event("[DONE]")
	}
}

func (w *eventWriter) failure(e *llm.Error) {
	body := fmt.Sprintf(`{"error":{"message":%s,"code":%d}}`, quote(e.Message), e.Status)
	if w.opened {
		w.event("%s", body)
		return
	}
	if e.RetryAfter > 0 {
		w.Header().Set("Retry-After", strconv.Itoa(int(e.RetryAfter.Seconds())))
	}
	w.WriteHeader(e.Status)
	w.Write([]byte(body))
}

// literals returns a text as quoted pieces, split between surrogates.
func literals(text string) []string {
	var out []string
	piece := ""
	for _, r := range text {
		high, low := utf16.EncodeRune(r)
		if r < 0x10000 {
			piece += string(r)
			continue
		}
		head := quote(piece)
		out = append(out, fmt.Sprintf(`%s\u%04x"`, head[:len(head)-1], high))
		out = append(out, fmt.Sprintf(`"\u%04x"`, low))
		piece = ""
	}
	return append(out, quote(piece))
}

func quote(text string) string {
	literal, _ := json.Marshal(text)
	return string(literal)
}

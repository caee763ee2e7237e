package openai_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/talewright/talewright/internal/wire/wiretest"
	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/llm/llmtest"
	"github.com/talewright/talewright/llm/openai"
)

// lineServer serves a scripted model in the native protocol of Ollama.
func lineServer(t *testing.T, script []llmtest.Reply) *httptest.Server {
	model := llmtest.NewScripted(script...)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body) // the server notices a client that has disconnected only after the body is read
		out := lineWriter{ResponseWriter: w}
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

// lineWriter writes chunks as lines; calls are buffered until they are complete.
type lineWriter struct {
	http.ResponseWriter
	opened bool
	calls  []llm.CallDelta
	counts string
}

func (w *lineWriter) open() {
	if !w.opened {
		w.opened = true
		w.Header().Set("Content-Type", "application/x-ndjson")
		w.WriteHeader(http.StatusOK)
		http.NewResponseController(w.ResponseWriter).Flush()
	}
}

func (w *lineWriter) line(format string, args ...any) {
	w.open()
	fmt.Fprintf(w, format+"\n", args...)
	http.NewResponseController(w.ResponseWriter).Flush()
}

func (w *lineWriter) message(members string) {
	w.line(`{"model":"m","message":{"role":"assistant","content":""%s},"done":false}`, members)
}

func (w *lineWriter) chunk(chunk llm.Chunk) {
	if c, ok := chunk.(llm.CallDelta); ok {
		if n := len(w.calls); n == 0 || w.calls[n-1].Index != c.Index {
			w.calls = append(w.calls, c)
		} else {
			w.calls[n-1].Arguments += c.Arguments
		}
		w.open()
		return
	}
	for _, c := range w.calls {
		arguments := c.Arguments
		if !json.Valid([]byte(arguments)) {
			arguments = quote(arguments)
		}
		w.message(fmt.Sprintf(`,"tool_calls":[{"id":%s,"function":{"name":%s,"arguments":%s}}]`, quote(c.ID), quote(c.Name), arguments))
	}
	w.calls = nil
	switch c := chunk.(type) {
	case llm.TextDelta:
		for _, literal := range literals(c.Text) {
			w.line(`{"model":"m","message":{"role":"assistant","content":%s},"done":false}`, literal)
		}
	case llm.ReasoningDelta:
		w.message(`,"thinking":` + quote(c.Text))
	case llm.UsageReport:
		w.counts = fmt.Sprintf(`,"prompt_eval_count":%d,"eval_count":%d`, c.Usage.PromptTokens, c.Usage.CompletionTokens)
	case llm.Done:
		w.line(`{"model":"m","message":{"role":"assistant","content":""},"done":true,"done_reason":%s,"total_duration":5%s}`, quote(string(c.Reason)), w.counts)
	}
}

func (w *lineWriter) failure(e *llm.Error) {
	if w.opened {
		w.line(`{"error":%s}`, quote(e.Message))
		return
	}
	if e.RetryAfter > 0 {
		w.Header().Set("Retry-After", strconv.Itoa(int(e.RetryAfter.Seconds())))
	}
	w.WriteHeader(e.Status)
	fmt.Fprintf(w, `{"error":%s}`, quote(e.Message))
}

// LL-02, LL-14: the contract test, in the native protocol of Ollama.
func TestOllamaContract(t *testing.T) {
	llmtest.TestModel(t, func(t *testing.T, script ...llmtest.Reply) llm.Model {
		return newClient(t, openai.Config{BaseURL: lineServer(t, script).URL, Ollama: &openai.Ollama{}})
	})
}

// LL-16: the native protocol, as aimock implements it: it uses a different name for thinking than
// Ollama, and does not report the token limit.
func TestAimockOllama(t *testing.T) {
	wiretest.Aimock(t, func(t *testing.T, address string) llm.Model {
		return newClient(t, openai.Config{BaseURL: address, Key: "test-key", Ollama: &openai.Ollama{NumCtx: 8192}})
	}, "thinking", "length")
}

// LL-02: the requests and their addresses.
func TestOllamaRequest(t *testing.T) {
	var path string
	var body map[string]any
	client := serve(t, openai.Config{Ollama: &openai.Ollama{NumCtx: 8192, KeepAlive: "10m"}, Body: raw("truncate", "false")}, func(w http.ResponseWriter, r *http.Request) {
		path = r.URL.Path
		if err := json.NewDecoder(r.Body).Decode(&body); err != nil {
			t.Error(err)
		}
		io.WriteString(w, `{"message":{"content":"ok"},"done":true}`)
	})
	_, err := llm.Collect(client.Generate(t.Context(), llm.Request{Model: "m",
		Messages: []llm.Message{
			{Role: llm.User, Text: "Look.", Images: []llm.Image{{MIME: "image/png", Data: []byte{1, 2}}}},
			{Role: llm.Assistant, ToolCalls: []llm.ToolCall{{ID: "1", Name: "look", Arguments: `{"at":1}`}, {ID: "2", Name: "look", Arguments: "no"}, {ID: "3", Name: "wait"}}},
			{Role: llm.Tool, Name: "look", ToolCallID: "1", Text: "a dragon"},
		},
		Tools: []llm.ToolSpec{{Name: "look"}},
		Options: llm.Options{Temperature: new(0.5), MaxTokens: new(9), RepetitionPenalty: new(1.1), Stop: []string{"#"}, ReasoningEffort: "none",
			ToolChoice: "auto", Format: &llm.Format{Schema: json.RawMessage(`{"type":"object"}`)}}}))
	if err != nil {
		t.Fatal(err)
	}
	var want map[string]any
	if err := json.Unmarshal([]byte(`{"model":"m","stream":true,"truncate":false,"think":false,"keep_alive":"10m","format":{"type":"object"},
		"messages":[{"role":"user","content":"Look.","images":["AQI="]},
			{"role":"assistant","content":"","tool_calls":[{"function":{"name":"look","arguments":{"at":1}}},{"function":{"name":"look","arguments":{"arguments":"no"}}},{"function":{"name":"wait","arguments":{}}}]},
			{"role":"tool","content":"a dragon","tool_name":"look"}],
		"tools":[{"type":"function","function":{"name":"look","parameters":{"type":"object","properties":{}}}}],
		"options":{"temperature":0.5,"num_predict":9,"repeat_penalty":1.1,"stop":["#"],"num_ctx":8192}}`), &want); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, body); diff != "" || path != "/api/chat" {
		t.Errorf("%s %s", path, diff)
	}
	_, err = llm.Collect(client.Generate(t.Context(), llm.Request{Model: "m", Messages: []llm.Message{{Role: llm.User, Images: []llm.Image{{URL: "https://host/i.png"}}}}}))
	if e, ok := errors.AsType[*llm.Error](err); !ok || e.Code != llm.CodeInvalidRequest || !strings.Contains(err.Error(), "messages[0]: images[0]") {
		t.Errorf("an image with an address: %v", err)
	}
}

// The server reads a text as a time with a unit, and accepts seconds only as a number.
func TestOllamaKeepAlive(t *testing.T) {
	for given, want := range map[string]string{"": "null", "10m": `"10m"`, "-1m": `"-1m"`, "-1": "-1", "600": "600", "0": "0", "long": ""} {
		var body struct {
			KeepAlive json.RawMessage `json:"keep_alive"`
		}
		config := openai.Config{BaseURL: "http://localhost", Ollama: &openai.Ollama{KeepAlive: given}}
		if want == "" {
			if _, err := openai.New(config); err == nil || !strings.Contains(err.Error(), `Ollama.KeepAlive is "long"; give`) {
				t.Errorf("%q: %v", given, err)
			}
			continue
		}
		client := serve(t, config, func(w http.ResponseWriter, r *http.Request) {
			if err := json.NewDecoder(r.Body).Decode(&body); err != nil {
				t.Error(err)
			}
			io.WriteString(w, `{"message":{"content":"ok"},"done":true}`)
		})
		if _, err := llm.Collect(client.Generate(t.Context(), llm.Request{Model: "m"})); err != nil || string(body.KeepAlive) != strings.TrimPrefix(want, "null") {
			t.Errorf("%q is sent as %s, %v", given, body.KeepAlive, err)
		}
	}
}

// Wrong answers of servers.
func TestOllamaHostile(t *testing.T) {
	line := func(text string) string { return `{"message":{"content":"` + text + `"},"done":false}` + "\n" }
	const over = `{"message":{"content":""},"done":true,"done_reason":"stop"}` + "\n"
	long := strings.Repeat("many words ", 200)
	for _, c := range []struct {
		reason, body string
		prompt       string
		text         string
		finish       llm.FinishReason
		calls        int
		warning      string
		code         llm.ErrorCode
	}{
		{reason: "well", body: line("A ") + line("tale.") + over, text: "A tale.", finish: llm.FinishStop},
		{reason: "with CRLF and blank lines", body: "\r\n" + strings.ReplaceAll(line("A")+over, "\n", "\r\n\r\n"), text: "A", finish: llm.FinishStop},
		{reason: "done without a reason", body: line("A") + `{"done":true}`, text: "A", finish: llm.FinishStop},
		{reason: "the limit", body: line("A") + strings.Replace(over, "stop", "length", 1), text: "A", finish: llm.FinishLength},
		{reason: "more behind the end", body: line("A") + over + line("B"), text: "A", finish: llm.FinishStop},
		{reason: "no end", body: line("A"), text: "A", code: llm.CodeIncomplete},
		{reason: "half a line at the end", body: line("A") + `{"message":{"con`, text: "A", code: llm.CodeIncomplete},
		{reason: "half a line in the middle", body: line("A") + `{"message":{"con` + "\n" + over, text: "A", code: llm.CodeMalformed},
		{reason: "nothing", code: llm.CodeIncomplete},
		{reason: "a page", body: "<html>busy</html>", code: llm.CodeIncomplete},
		{reason: "no object", body: "[1]\n", code: llm.CodeMalformed},
		{reason: "an error in the middle", body: line("A") + `{"error":"the model crashed"}` + "\n", text: "A", code: llm.CodeServer},
		{reason: "text that is none", body: `{"message":{"content":7}}` + "\n", code: llm.CodeMalformed},
		{reason: "calls", body: `{"message":{"tool_calls":[{"function":{"name":"a","arguments":{"x":1}}},{"function":{"name":"b"}}]}}` + "\n" + over, calls: 2, finish: llm.FinishToolCalls},
		{reason: "half a character at the end", body: line(`A\ud83d`) + over, text: "A\uFFFD", finish: llm.FinishStop},
		{reason: "a prompt that was cut", prompt: long, body: line("A") + `{"done":true,"prompt_eval_count":100,"eval_count":1}`, text: "A", finish: llm.FinishStop, warning: "prompt_cut"},
		{reason: "counts that are none", body: line("A") + `{"done":true,"prompt_eval_count":"many"}`, text: "A", finish: llm.FinishStop, warning: "usage_unreadable"},
		{reason: "a line without end", body: `{"message":{"content":"` + strings.Repeat("x", 17<<20), code: llm.CodeTooLarge},
	} {
		t.Run(c.reason, func(t *testing.T) {
			client := serve(t, openai.Config{Ollama: &openai.Ollama{}}, func(w http.ResponseWriter, r *http.Request) {
				io.Copy(io.Discard, r.Body)
				io.WriteString(w, c.body)
			})
			got, err := llm.Collect(client.Generate(t.Context(), llm.Request{Messages: []llm.Message{{Role: llm.User, Text: "Hello. " + c.prompt}}}))
			if got.Message.Text != c.text || got.Finish != c.finish || len(got.Message.ToolCalls) != c.calls {
				t.Errorf("%q, %q, %+v", got.Message.Text, got.Finish, got.Message.ToolCalls)
			}
			if len(got.Warnings) > 1 || len(got.Warnings) == 1 != (c.warning != "") || c.warning != "" && got.Warnings[0].Code != c.warning {
				t.Errorf("warnings %+v", got.Warnings)
			}
			if e, ok := errors.AsType[*llm.Error](err); (c.code == "") != (err == nil) || ok && e.Code != c.code {
				t.Errorf("error %v, want %q", err, c.code)
			}
		})
	}
}

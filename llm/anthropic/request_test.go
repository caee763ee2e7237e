package anthropic_test

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/talewright/talewright/internal/wire/wiretest"
	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/llm/anthropic"
)

// sent returns a request as it arrives at the server.
func sent(t *testing.T, config anthropic.Config, req llm.Request) (body string, r *http.Request) {
	t.Helper()
	client := serve(t, config, func(w http.ResponseWriter, asked *http.Request) {
		raw, _ := io.ReadAll(asked.Body)
		r = asked
		var out bytes.Buffer
		if err := json.Indent(&out, raw, "", " "); err != nil {
			t.Errorf("%v in %s", err, raw)
		}
		body = out.String()
		io.WriteString(w, halfATale+because("end_turn")+stopped)
	})
	if _, err := llm.Collect(client.Generate(t.Context(), req)); err != nil {
		t.Fatal(err)
	}
	return body, r
}

func raw(name, value string) map[string]json.RawMessage {
	return map[string]json.RawMessage{name: json.RawMessage(value)}
}

// LL-04, LL-11: every field of a request is sent in the dialect.
func TestRequestBody(t *testing.T) {
	mark := raw("cache_control", `{"type":"ephemeral"}`)
	body, r := sent(t, anthropic.Config{Key: "sk-ant-1", Body: map[string]json.RawMessage{"service_tier": json.RawMessage(`"auto"`), "top_k": json.RawMessage("1")}},
		llm.Request{
			Model: "m",
			Messages: []llm.Message{
				{Role: llm.System, Text: "You are the keeper.", Extra: mark},
				{Role: llm.System, Text: "It rains."},
				{Role: llm.User, Text: "What is on the picture?", Images: []llm.Image{{MIME: "image/png", Data: []byte{1, 2}}, {URL: "https://host/i.png"}}},
				{Role: llm.Assistant, Text: "I look.", Reasoning: "Hm.",
					Thoughts:  []llm.Thought{{Provider: "anthropic", Text: "Hm.", Signature: "sig"}, {Provider: "anthropic", Redacted: "xyz"}, {Provider: "gemini", Signature: "other"}},
					ToolCalls: []llm.ToolCall{{ID: "a", Name: "look", Arguments: `{"at":"wall"}`}, {ID: "b", Name: "look"}, {ID: "c", Name: "look", Arguments: "not JSON"}}},
				{Role: llm.Tool, ToolCallID: "a", Text: "a dragon"},
				{Role: llm.Tool, ToolCallID: "b", Text: ""},
				{Role: llm.Tool, ToolCallID: "c", Text: "what?", Extra: mark},
				{Role: llm.Assistant, Text: "It is"},
			},
			Tools: []llm.ToolSpec{
				{Name: "look", Description: "Looks.", Parameters: json.RawMessage(`{"type":"object","properties":{"at":{"type":"string"}},"required":["at"]}`), Extra: mark},
				{Name: "wait"},
			},
			Options: llm.Options{Temperature: new(0.5), TopP: new(0.9), TopK: new(40), MaxTokens: new(77), Stop: []string{"###"}, Seed: new(int64(1)),
				ToolChoice: "look", ReasoningEffort: "low", Format: &llm.Format{Schema: json.RawMessage(`{"type":"object","required":["a"],"properties":{"a":{"type":["integer","null"],"minimum":1}}}`)},
				Extra: raw("metadata", `{"user_id":"u"}`)},
		})
	want := `{
 "max_tokens": 77,
 "messages": [
  {"content": [{"text": "What is on the picture?", "type": "text"},
    {"source": {"data": "AQI=", "media_type": "image/png", "type": "base64"}, "type": "image"},
    {"source": {"url": "https://host/i.png", "type": "url"}, "type": "image"}], "role": "user"},
  {"content": [{"signature": "sig", "thinking": "Hm.", "type": "thinking"}, {"data": "xyz", "type": "redacted_thinking"},
    {"text": "I look.", "type": "text"},
    {"id": "a", "input": {"at": "wall"}, "name": "look", "type": "tool_use"},
    {"id": "b", "input": {}, "name": "look", "type": "tool_use"},
    {"id": "c", "input": {"arguments": "not JSON"}, "name": "look", "type": "tool_use"}], "role": "assistant"},
  {"content": [{"tool_use_id": "a", "content": [{"text": "a dragon", "type": "text"}], "type": "tool_result"},
    {"tool_use_id": "b", "type": "tool_result"},
    {"tool_use_id": "c", "content": [{"text": "what?", "type": "text"}], "type": "tool_result", "cache_control": {"type": "ephemeral"}}], "role": "user"},
  {"content": [{"text": "It is", "type": "text"}], "role": "assistant"}
 ],
 "metadata": {"user_id": "u"},
 "model": "m",
 "output_config": {"effort": "low", "format": {"type": "json_schema", "schema": {"type": "object", "required": ["a"], "additionalProperties": false,
   "properties": {"a": {"anyOf": [{"type": "integer", "description": "{minimum: 1}"}, {"type": "null", "description": "{minimum: 1}"}]}}}}},
 "service_tier": "auto",
 "stop_sequences": ["###"],
 "stream": true,
 "system": [{"text": "You are the keeper.", "type": "text", "cache_control": {"type": "ephemeral"}}, {"text": "It rains.", "type": "text"}],
 "temperature": 0.5, "thinking": {"type": "adaptive"},
 "tool_choice": {"name": "look", "type": "tool"},
 "tools": [{"input_schema": {"type": "object", "properties": {"at": {"type": "string"}}, "required": ["at"]}, "name": "look", "description": "Looks.", "cache_control": {"type": "ephemeral"}},
  {"input_schema": {"type": "object", "properties": {}}, "name": "wait"}],
 "top_k": 40, "top_p": 0.9
}`
	if diff := cmp.Diff(value(t, want), value(t, body)); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if r.URL.Path != "/v1/messages" || r.Header.Get("X-Api-Key") != "sk-ant-1" || r.Header.Get("Anthropic-Version") == "" {
		t.Errorf("%s with %v", r.URL.Path, r.Header)
	}
}

func value(t *testing.T, text string) (v any) {
	t.Helper()
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		t.Fatal(err)
	}
	return v
}

// The same request has the same bytes.
func TestRequestIsStable(t *testing.T) {
	req := llm.Request{Messages: []llm.Message{{Role: llm.User, Text: "Hi.", Extra: map[string]json.RawMessage{
		"a": json.RawMessage("1"), "b": json.RawMessage("2"), "c": json.RawMessage("3"), "d": json.RawMessage("4")}}},
		Extra: map[string]json.RawMessage{"x": json.RawMessage("1"), "y": json.RawMessage("2"), "z": json.RawMessage("3")}}
	first, _ := sent(t, anthropic.Config{}, req)
	for range 10 {
		if again, _ := sent(t, anthropic.Config{}, req); again != first {
			t.Fatalf("%s\nand\n%s", first, again)
		}
	}
}

// Options with words for thinking.
func TestReasoningEffort(t *testing.T) {
	for _, test := range []struct {
		effort  string
		budgets map[string]int
		want    string
	}{
		{"", nil, `null`},
		{"none", nil, `{"type":"disabled"}`},
		{"high", nil, `{"type":"adaptive"}`},
		{"high", map[string]int{"high": 16000}, `{"type":"enabled","budget_tokens":16000}`},
		{"low", map[string]int{"high": 16000}, `{"type":"adaptive"}`},
	} {
		req := hello()
		req.Options.ReasoningEffort = test.effort
		body, _ := sent(t, anthropic.Config{Budgets: test.budgets}, req)
		got := value(t, body).(map[string]any)
		if diff := cmp.Diff(value(t, test.want), got["thinking"]); diff != "" {
			t.Errorf("%q with %v: (-want +got)\n%s", test.effort, test.budgets, diff)
		}
		if got["max_tokens"] != 4096.0 {
			t.Errorf("max_tokens is %v", got["max_tokens"])
		}
	}
}

// A schema whose objects have members without names cannot be expressed, and is not sent.
func TestOpenSchemaNotSent(t *testing.T) {
	for _, schema := range []string{
		`{"type":"object"}`, `{"type":"object","additionalProperties":{"type":"string"}}`,
		`{"type":"object","properties":{"a":{"type":"array","items":{"type":["object","null"]}}}}`,
	} {
		body, _ := sent(t, anthropic.Config{Key: "k", Model: "m"}, llm.Request{
			Messages: []llm.Message{{Role: llm.User, Text: "Hi."}},
			Options:  llm.Options{Format: &llm.Format{Schema: json.RawMessage(schema)}},
		})
		if strings.Contains(body, "output_config") {
			t.Errorf("%s: sent %s", schema, body)
		}
	}
}

// Requests that the server would refuse, or that have no meaning, are refused before they are sent,
// with all mistakes at once.
func TestRequestProblems(t *testing.T) {
	client, err := anthropic.New(anthropic.Config{BaseURL: "http://127.0.0.1:1"})
	if err != nil {
		t.Fatal(err)
	}
	mark := raw("cache_control", `{"type":"ephemeral"}`)
	_, err = llm.Collect(client.Generate(t.Context(), llm.Request{
		Messages: []llm.Message{
			{Role: llm.System, Images: []llm.Image{{URL: "https://host/i.png"}}},
			{Role: llm.User, Text: "a", Extra: mark}, {Role: llm.User, Text: "a", Extra: mark}, {Role: llm.User, Text: "a", Extra: mark},
			{Role: llm.User, Text: "a", Extra: mark}, {Role: llm.User, Text: "a", Extra: mark},
			{Role: llm.System, Text: "It rains."},
			{Role: llm.User},
			{Role: "narrator", Text: "x"},
			{Role: llm.Tool, Text: "x"},
			{Role: llm.User, Images: []llm.Image{{}, {MIME: "text/html", Data: []byte("x")}}},
		},
		Tools:   []llm.ToolSpec{{Name: "look", Parameters: json.RawMessage("{")}},
		Options: llm.Options{Format: &llm.Format{Schema: json.RawMessage("{")}},
	}))
	wiretest.Failure(t, err, llm.Error{Code: llm.CodeInvalidRequest})
	for _, want := range []string{
		"no model is named", "messages[0]: a system message cannot have images", "messages[0] is empty", "messages[6]: a system message comes after",
		"messages[7] is empty", `messages[8]: the role "narrator"`, "messages[9]: the result of a call names no call",
		"messages[10].images[0]: an image has either", `messages[10].images[1]: the MIME type "text/html"`,
		`the parameters of tool "look" are not JSON`, "the schema of Options.Format is not a JSON object", "5 messages and tools carry cache_control; the server takes 4",
	} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("the error does not say %q:\n%v", want, err)
		}
	}
}

func TestConfigProblems(t *testing.T) {
	_, err := anthropic.New(anthropic.Config{BaseURL: "host", Key: "a b", Header: http.Header{"X": {"a\nb"}}, Body: raw("a", "{"), MaxTokens: -1})
	for _, want := range []string{"BaseURL does not begin with http", "Key has white space", `Header["X"]`, `Body["a"]`, "MaxTokens is negative"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("the error does not say %q:\n%v", want, err)
		}
	}
}

// The environment is ignored, both for the key and for the address.
func TestEnvironmentIsNotRead(t *testing.T) {
	t.Setenv("ANTHROPIC_API_KEY", "sk-ant-from-the-environment")
	t.Setenv("ANTHROPIC_AUTH_TOKEN", "token-from-the-environment")
	t.Setenv("ANTHROPIC_BASE_URL", "http://127.0.0.1:1")
	_, r := sent(t, anthropic.Config{}, hello())
	for name, values := range r.Header {
		if strings.Contains(strings.Join(values, " "), "environment") {
			t.Errorf("%s: %v", name, values)
		}
	}
}

// Addresses in all usual forms.
func TestBaseURL(t *testing.T) {
	for _, path := range []string{"", "/", "/v1", "/v1/", "/v1/messages"} {
		var at string
		server := scriptServer(t, nil)
		server.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			at = r.URL.String()
			io.WriteString(w, halfATale+because("end_turn")+stopped)
		})
		client := newClient(t, anthropic.Config{BaseURL: server.URL + path + "?key=k4711"})
		if _, err := llm.Collect(client.Generate(t.Context(), hello())); err != nil || at != "/v1/messages?key=k4711" {
			t.Errorf("%q: asked at %s, %v", path, at, err)
		}
	}
}

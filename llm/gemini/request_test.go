package gemini_test

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
	"github.com/talewright/talewright/llm/gemini"
)

// sent returns a request as it arrives at the server.
func sent(t *testing.T, config gemini.Config, req llm.Request) (body string, r *http.Request) {
	t.Helper()
	client := serve(t, config, func(w http.ResponseWriter, asked *http.Request) {
		raw, _ := io.ReadAll(asked.Body)
		r = asked
		var out bytes.Buffer
		if err := json.Indent(&out, raw, "", " "); err != nil {
			t.Errorf("%v in %s", err, raw)
		}
		body = out.String()
		io.WriteString(w, halfATale+because("STOP"))
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
	body, r := sent(t, gemini.Config{Key: "AIza-1", Header: http.Header{"X-Own": {"1"}},
		Body: map[string]json.RawMessage{"cachedContent": json.RawMessage(`"cachedContents/1"`), "contents": json.RawMessage("1")}},
		llm.Request{
			Model: "m",
			Messages: []llm.Message{
				{Role: llm.System, Text: "You are the keeper.", Extra: raw("cache_control", `{}`)},
				{Role: llm.System, Text: "It rains."},
				{Role: llm.User, Text: "What is on the picture?", Images: []llm.Image{{MIME: "image/png", Data: []byte{1, 2}}, {URL: "https://host/i.png", MIME: "image/png"}}},
				{Role: llm.Assistant, Text: "I look.", Reasoning: "Hm.",
					Thoughts:  []llm.Thought{{Provider: "gemini", Text: "Hm.", Signature: "c2ln"}, {Provider: "anthropic", Signature: "other"}},
					ToolCalls: []llm.ToolCall{{ID: "a", Name: "look", Arguments: `{"at":"wall"}`, Signature: "bW9yZQ=="}, {ID: "call_002", Name: "look"}, {ID: "c", Name: "roll", Arguments: "not JSON"}}},
				{Role: llm.Tool, ToolCallID: "a", Text: "a dragon"},
				{Role: llm.Tool, ToolCallID: "call_002", Text: `{"seen":false}`},
				{Role: llm.Tool, ToolCallID: "c", Text: ""},
				{Role: llm.Assistant, Text: "It is"},
			},
			Tools: []llm.ToolSpec{
				{Name: "look", Description: "Looks.", Parameters: json.RawMessage(`{"type":"object","properties":{"at":{"type":"string"}},"required":["at"]}`)},
				{Name: "wait"},
			},
			Options: llm.Options{Temperature: new(0.5), TopP: new(0.25), TopK: new(40), MaxTokens: new(77), Stop: []string{"###"}, Seed: new(int64(1)), MinP: new(0.5),
				PresencePenalty: new(0.5), FrequencyPenalty: new(0.25), ToolChoice: "look", ReasoningEffort: "low", Format: &llm.Format{Schema: json.RawMessage(`{"type":"object"}`)},
				Extra: raw("generationConfig", `{"responseModalities":["TEXT"],"temperature":2}`)},
		})
	want := `{
 "systemInstruction": {"parts": [{"text": "You are the keeper."}, {"text": "It rains."}], "role": "user"},
 "contents": [
  {"parts": [{"text": "What is on the picture?"}, {"inlineData": {"mimeType": "image/png", "data": "AQI="}},
    {"fileData": {"fileUri": "https://host/i.png", "mimeType": "image/png"}}], "role": "user"},
  {"parts": [{"text": "I look.", "thoughtSignature": "c2ln"},
    {"functionCall": {"id": "a", "name": "look", "args": {"at": "wall"}}, "thoughtSignature": "bW9yZQ=="},
    {"functionCall": {"name": "look"}}, {"functionCall": {"id": "c", "name": "roll", "args": {"arguments": "not JSON"}}}], "role": "model"},
  {"parts": [{"functionResponse": {"id": "a", "name": "look", "response": {"result": "a dragon"}}},
    {"functionResponse": {"name": "look", "response": {"seen": false}}},
    {"functionResponse": {"id": "c", "name": "roll", "response": {"result": ""}}}], "role": "user"},
  {"parts": [{"text": "It is"}], "role": "model"}
 ],
 "cachedContent": "cachedContents/1",
 "generationConfig": {"temperature": 0.5, "topP": 0.25, "topK": 40, "maxOutputTokens": 77, "stopSequences": ["###"], "seed": 1,
  "presencePenalty": 0.5, "frequencyPenalty": 0.25, "responseMimeType": "application/json", "responseJsonSchema": {"type": "object"},
  "responseModalities": ["TEXT"], "thinkingConfig": {"includeThoughts": true, "thinkingLevel": "LOW"}},
 "toolConfig": {"functionCallingConfig": {"mode": "ANY", "allowedFunctionNames": ["look"]}},
 "tools": [{"functionDeclarations": [
  {"name": "look", "description": "Looks.", "parametersJsonSchema": {"type": "object", "properties": {"at": {"type": "string"}}, "required": ["at"]}},
  {"name": "wait"}]}]
}`
	if diff := cmp.Diff(value(t, want), value(t, body)); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if r.URL.String() != "/v1beta/models/m:streamGenerateContent?alt=sse" || r.Header.Get("X-Goog-Api-Key") != "AIza-1" || r.Header.Get("X-Own") != "1" {
		t.Errorf("%s with %v", r.URL, r.Header)
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
	first, _ := sent(t, gemini.Config{}, req)
	for range 10 {
		if again, _ := sent(t, gemini.Config{}, req); again != first {
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
		{"none", nil, `{"thinkingBudget":0}`},
		{"high", nil, `{"includeThoughts":true,"thinkingLevel":"HIGH"}`},
		{"high", map[string]int{"high": 16000}, `{"includeThoughts":true,"thinkingBudget":16000}`},
	} {
		req := hello()
		req.Options.ReasoningEffort = test.effort
		req.Options.Temperature = new(1.0)
		body, _ := sent(t, gemini.Config{Budgets: test.budgets}, req)
		got := value(t, body).(map[string]any)["generationConfig"].(map[string]any)
		if diff := cmp.Diff(value(t, test.want), got["thinkingConfig"]); diff != "" {
			t.Errorf("%q with %v: (-want +got)\n%s", test.effort, test.budgets, diff)
		}
	}
}

// Schema members that the server does not support are removed, and named in a warning.
func TestSchemaReduced(t *testing.T) {
	schema := json.RawMessage(`{"type":"object","$schema":"x","properties":{"not":{"type":"string","pattern":"^a","minLength":1},
		"list":{"type":"array","items":{"not":{}},"prefixItems":[{"const":1}]}},"patternProperties":{},"additionalProperties":{"if":{}}}`)
	req := hello()
	req.Tools = []llm.ToolSpec{{Name: "look", Parameters: schema}}
	var body []byte
	client := serve(t, gemini.Config{}, func(w http.ResponseWriter, r *http.Request) {
		body, _ = io.ReadAll(r.Body)
		io.WriteString(w, halfATale+because("STOP"))
	})
	got, err := llm.Collect(client.Generate(t.Context(), req))
	want := []llm.Warning{{Code: "schema_reduced", Detail: `tool "look": /$schema, tool "look": /additionalProperties/if, tool "look": /patternProperties, ` +
		`tool "look": /properties/list/items/not, tool "look": /properties/list/prefixItems/0/const, tool "look": /properties/not/minLength, tool "look": /properties/not/pattern`}}
	if diff := cmp.Diff(want, got.Warnings); diff != "" || err != nil {
		t.Errorf("%v, (-want +got)\n%s", err, diff)
	}
	if strings.Contains(string(body), "pattern") || !strings.Contains(string(body), `"prefixItems"`) {
		t.Errorf("sent was %s", body)
	}
}

// Requests that the server would refuse, or that have no meaning, are refused before they are sent,
// with all mistakes at once.
func TestRequestProblems(t *testing.T) {
	client, err := gemini.New(gemini.Config{BaseURL: "http://127.0.0.1:1", Key: "none"})
	if err != nil {
		t.Fatal(err)
	}
	_, err = llm.Collect(client.Generate(t.Context(), llm.Request{
		Messages: []llm.Message{
			{Role: llm.System, Images: []llm.Image{{URL: "https://host/i.png"}}},
			{Role: llm.User, Text: "a"},
			{Role: llm.System, Text: "It rains."},
			{Role: llm.User},
			{Role: "narrator", Text: "x"},
			{Role: llm.Tool, Text: "x"},
			{Role: llm.User, Images: []llm.Image{{}, {MIME: "text/html", Data: []byte("x")}}},
		},
		Tools:   []llm.ToolSpec{{Name: "look", Parameters: json.RawMessage("{")}},
		Options: llm.Options{Format: &llm.Format{Schema: json.RawMessage("{")}, Seed: new(int64(1 << 40))},
		Extra:   raw("x", "{"),
	}))
	wiretest.Failure(t, err, llm.Error{Code: llm.CodeInvalidRequest})
	for _, want := range []string{
		"no model is named", "messages[0]: a system message cannot have images", "messages[2]: a system message comes after",
		"messages[3] is empty", `messages[4]: the role "narrator"`, "messages[5]: the result of a call names no call",
		"messages[6].images[0]: an image has either", `messages[6].images[1]: the MIME type "text/html"`, "Seed is 1099511627776",
		`the schema of tool "look" is not JSON`, "the schema of Options.Format is not JSON", `the extra member "x" is not JSON`,
	} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("the error does not say %q:\n%v", want, err)
		}
	}
}

func TestConfigProblems(t *testing.T) {
	_, err := gemini.New(gemini.Config{BaseURL: "http://host?key=hidden-4711", Header: http.Header{"X": {"a\nb"}}, Body: raw("a", "{")})
	for _, want := range []string{"BaseURL has a query", "Key is missing", `Header["X"]`, `Body["a"]`} {
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "4711") {
			t.Errorf("the error does not say %q:\n%v", want, err)
		}
	}
}

// The environment is ignored, both for the key and for the address.
func TestEnvironmentIsNotRead(t *testing.T) {
	for _, name := range []string{"GEMINI_API_KEY", "GOOGLE_CLOUD_PROJECT", "GOOGLE_CLOUD_LOCATION"} {
		t.Setenv(name, "from-the-environment")
	}
	t.Setenv("GOOGLE_GENAI_USE_VERTEXAI", "true")
	t.Setenv("GOOGLE_GEMINI_BASE_URL", "http://127.0.0.1:1")
	_, r := sent(t, gemini.Config{}, hello())
	for name, values := range r.Header {
		if strings.Contains(strings.Join(values, " "), "environment") {
			t.Errorf("%s: %v", name, values)
		}
	}
	if strings.Contains(r.URL.String(), "environment") {
		t.Errorf("asked at %s", r.URL)
	}
}

// Addresses in all usual forms.
func TestBaseURL(t *testing.T) {
	for path, want := range map[string]string{"": "/v1beta", "/": "/v1beta", "/v1beta/": "/v1beta", "/v1": "/v1", "/gate/v1alpha": "/gate/v1alpha", "/gate": "/gate/v1beta"} {
		var at string
		server := scriptServer(t, nil)
		server.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			at = r.URL.Path
			io.WriteString(w, halfATale+because("STOP"))
		})
		client := newClient(t, gemini.Config{BaseURL: server.URL + path})
		if _, err := llm.Collect(client.Generate(t.Context(), hello())); err != nil || at != want+"/models/test-model:streamGenerateContent" {
			t.Errorf("%q: asked at %s, %v", path, at, err)
		}
	}
}

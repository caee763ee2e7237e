package openai_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/talewright/talewright/internal/wire/wiretest"
	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/llm/openai"
)

func TestBaseURL(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"":                            "/v1/chat/completions",
		"/":                           "/v1/chat/completions",
		"/v1":                         "/v1/chat/completions",
		"/v1/":                        "/v1/chat/completions",
		"/v1/chat/completions":        "/v1/chat/completions",
		"/v1/chat/completions/":       "/v1/chat/completions",
		"/api/v1":                     "/api/v1/chat/completions",
		"/api/v1/":                    "/api/v1/chat/completions",
		"/openai/deployments/x?api=2": "/openai/deployments/x/chat/completions?api=2",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var got atomic.Value
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				got.Store(r.Method + " " + r.URL.String())
				io.WriteString(w, eventHi+eventStop)
			}))
			t.Cleanup(server.Close)
			if _, err := ask(t, newClient(t, openai.Config{BaseURL: server.URL + name})); err != nil {
				t.Fatal(err)
			}
			if got.Load() != "POST "+want {
				t.Errorf("asked for %q, want POST %q", got.Load(), want)
			}
		})
	}
}

func TestConfigProblems(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		config openai.Config
		want   []string
	}{
		"no address":        {openai.Config{}, []string{"BaseURL is missing"}},
		"no scheme":         {openai.Config{BaseURL: "localhost:11434/v1"}, []string{"http://"}},
		"no host":           {openai.Config{BaseURL: "http:///v1"}, []string{"host"}},
		"not a URL":         {openai.Config{BaseURL: "http://a b\x7f"}, []string{"not a URL"}},
		"key with a break":  {openai.Config{BaseURL: "http://h", Key: "sk-1\n"}, []string{"Key has"}},
		"body that is none": {openai.Config{BaseURL: "http://h", Body: raw("top_k", "{")}, []string{`Body["top_k"]`}},
		"all at once": {
			openai.Config{Key: "sk 1", Body: raw("a", "")}, []string{"BaseURL", "Key", "Body"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := openai.New(test.config)
			for _, want := range test.want {
				if err == nil || !strings.Contains(err.Error(), want) {
					t.Errorf("error %v does not mention %q", err, want)
				}
			}
			if key := test.config.Key; key != "" && strings.Contains(fmt.Sprint(err), key) {
				t.Errorf("error %v shows the key", err)
			}
		})
	}
}

func raw(name, value string) map[string]json.RawMessage {
	return map[string]json.RawMessage{name: json.RawMessage(value)}
}

// LL-11: the body of a request with all possible members.
func TestRequestBody(t *testing.T) {
	t.Parallel()
	full := llm.Request{
		Messages: []llm.Message{
			{Role: llm.System, Text: "Rules.", Extra: raw("cache_control", `{"type":"ephemeral"}`)},
			{Role: llm.User, Name: "Ann", Text: "I go."},
			{Role: llm.Assistant, Reasoning: "not sent", ToolCalls: []llm.ToolCall{
				{ID: "a", Name: "move", Arguments: `{"to":"x"}`}, {ID: "b", Name: "look"}, {ID: "c", Name: "look", Arguments: `{"at`},
			}},
			{Role: llm.Tool, ToolCallID: "a", Text: "done"},
		},
		Tools: []llm.ToolSpec{
			{Name: "move", Description: "Moves.", Parameters: json.RawMessage(`{"type":"object"}`), Extra: raw("strict", "true")},
			{Name: "look"},
		},
		Options: llm.Options{
			Temperature: new(0.0), TopP: new(0.9), MaxTokens: new(100), Seed: new(int64(7)),
			Stop: []string{"###"}, Extra: raw("min_p", "0.05"),
		},
		Extra: raw("top_k", "40"),
	}
	const messages = `"messages":[` +
		`{"cache_control":{"type":"ephemeral"},"content":"Rules.","role":"system"},` +
		`{"content":"I go.","name":"Ann","role":"user"},` +
		`{"content":null,"role":"assistant","tool_calls":[` +
		`{"function":{"arguments":"{\"to\":\"x\"}","name":"move"},"id":"a","type":"function"},` +
		`{"function":{"arguments":"{}","name":"look"},"id":"b","type":"function"},` +
		`{"function":{"arguments":"{\"arguments\":\"{\\\"at\"}","name":"look"},"id":"c","type":"function"}]},` +
		`{"content":"done","role":"tool","tool_call_id":"a"}]`
	for name, test := range map[string]struct {
		config  openai.Config
		request llm.Request
		want    string
	}{
		"least": {
			request: hello(),
			want: `{"messages":[{"content":"hello","role":"user"}],"model":"test-model",` +
				`"stream":true,"stream_options":{"include_usage":true}}`,
		},
		"model of the request": {
			request: llm.Request{Model: "other"},
			want:    `{"messages":[],"model":"other","stream":true,"stream_options":{"include_usage":true}}`,
		},
		"no stream options": {
			config: openai.Config{NoStreamOptions: true}, request: llm.Request{},
			want: `{"messages":[],"model":"test-model","stream":true}`,
		},
		"everything": {
			config:  openai.Config{Body: raw("provider", `{"order":["x"]}`), Names: map[string]string{"max_tokens": "max_completion_tokens"}},
			request: full,
			want: `{"max_completion_tokens":100,` + messages + `,"min_p":0.05,"model":"test-model",` +
				`"provider":{"order":["x"]},"seed":7,"stop":["###"],"stream":true,` +
				`"stream_options":{"include_usage":true},"temperature":0,"tools":[` +
				`{"function":{"description":"Moves.","name":"move","parameters":{"type":"object"},"strict":true},"type":"function"},` +
				`{"function":{"name":"look","parameters":{"type":"object","properties":{}}},"type":"function"}],` +
				`"top_k":40,"top_p":0.9}`,
		},
		"equal names": {
			config: openai.Config{Body: raw("top_k", "1")},
			request: llm.Request{
				Options: llm.Options{Seed: new(int64(7)), Extra: map[string]json.RawMessage{
					"top_k": json.RawMessage("3"), "seed": json.RawMessage("8"), "stream": json.RawMessage("false"),
				}},
				Extra: raw("top_k", "2"),
			},
			want: `{"messages":[],"model":"test-model","seed":7,"stream":true,` +
				`"stream_options":{"include_usage":true},"top_k":3}`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var got []byte
			client := serve(t, test.config, func(w http.ResponseWriter, r *http.Request) {
				got, _ = io.ReadAll(r.Body)
				io.WriteString(w, eventHi+eventStop)
			})
			if _, err := llm.Collect(client.Generate(t.Context(), test.request)); err != nil {
				t.Fatal(err)
			}
			if string(got) != test.want {
				t.Errorf("sent\n%s\nwant\n%s", got, test.want)
			}
		})
	}
}

// An invalid request is refused before anything is sent.
func TestRequestProblems(t *testing.T) {
	t.Parallel()
	client, err := openai.New(openai.Config{BaseURL: "http://localhost:1"})
	if err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct {
		request llm.Request
		want    string
	}{
		"no model": {hello(), "no model"},
		"parameters that are not JSON": {
			llm.Request{Model: "m", Tools: []llm.ToolSpec{{Name: "move", Parameters: json.RawMessage("{")}}},
			`tool "move"`,
		},
		"extra that is not JSON": {llm.Request{Model: "m", Extra: raw("x", "{")}, "JSON"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := llm.Collect(client.Generate(t.Context(), test.request))
			wiretest.Failure(t, err, llm.Error{Code: llm.CodeInvalidRequest})
			if !strings.Contains(err.Error(), test.want) {
				t.Errorf("error %q does not mention %q", err, test.want)
			}
		})
	}
}

func TestHeaders(t *testing.T) {
	t.Parallel()
	var got http.Header
	header := http.Header{"X-Title": {"Tale"}, "accept": {"*/*"}}
	client := serve(t, openai.Config{Key: "sk-secret", Header: header},
		func(w http.ResponseWriter, r *http.Request) {
			got = r.Header
			io.WriteString(w, eventHi+eventStop)
		})
	header.Set("X-Title", "changed later") // the client has its own copy
	if _, err := ask(t, client); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"Authorization": "Bearer sk-secret", "Content-Type": "application/json",
		"X-Title": "Tale", "Accept": "*/*",
	} {
		if got.Get(name) != want {
			t.Errorf("header %s is %q, want %q", name, got.Get(name), want)
		}
	}
	client = serve(t, openai.Config{}, func(w http.ResponseWriter, r *http.Request) {
		got = r.Header
		io.WriteString(w, eventHi+eventStop)
	})
	if _, err := ask(t, client); err != nil || got.Values("Authorization") != nil {
		t.Errorf("without a key: Authorization %q, error %v", got.Values("Authorization"), err)
	}
}

// The key is sent only to its server.
func TestRedirectIsRefused(t *testing.T) {
	t.Parallel()
	var reached atomic.Bool
	thief := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		reached.Store(true)
	}))
	t.Cleanup(thief.Close)
	client := serve(t, openai.Config{Header: http.Header{"Api-Key": {"sk-secret-value"}}},
		func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, thief.URL, http.StatusPermanentRedirect)
		})
	_, err := ask(t, client)
	wiretest.Failure(t, err, llm.Error{Code: llm.CodeNotFound, Status: 308})
	if reached.Load() || !strings.Contains(err.Error(), thief.URL) {
		t.Errorf("followed: %t; error %q", reached.Load(), err)
	}
}

// No error text contains the key, with any answer of the server.
func TestKeyStaysSecret(t *testing.T) {
	t.Parallel()
	const key, second = "sk-secret-0123456789abcdef", "azure-9876543210"
	padding := strings.Repeat("x", 100)
	for name, handler := range map[string]http.HandlerFunc{
		"refusal": func(w http.ResponseWriter, r *http.Request) {
			w.WriteHeader(401)
			fmt.Fprintf(w, `{"error":{"message":"Incorrect key: %s, %s"}}`,
				r.Header.Get("Authorization"), r.Header.Get("Api-Key"))
		},
		"refusal in plain text": func(w http.ResponseWriter, r *http.Request) {
			w.WriteHeader(500)
			fmt.Fprint(w, r.Header)
		},
		"shortened in the middle of the key": func(w http.ResponseWriter, r *http.Request) {
			fmt.Fprintf(w, "data: %s%s\n\n", padding, r.Header.Get("Authorization"))
		},
		"event named error": func(w http.ResponseWriter, r *http.Request) {
			fmt.Fprintf(w, "event: error\ndata: %s %s\n\n", r.Header.Get("Authorization"), second)
		},
		"broken JSON": func(w http.ResponseWriter, r *http.Request) {
			fmt.Fprintf(w, "data: {%s\n\n", r.Header.Get("Authorization"))
		},
		"web page": func(w http.ResponseWriter, r *http.Request) {
			fmt.Fprintf(w, "<html>%s</html>", r.Header.Get("Authorization"))
		},
		"redirect": func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "http://x.test/"+key, http.StatusFound)
		},
		"cut header": func(w http.ResponseWriter, r *http.Request) {
			connection, _, err := http.NewResponseController(w).Hijack()
			if err == nil {
				fmt.Fprintf(connection, "HTTP/9 %s", r.Header.Get("Authorization"))
				connection.Close()
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			client := serve(t, openai.Config{Key: key, Header: http.Header{"Api-Key": {second}}}, handler)
			_, err := ask(t, client)
			if err == nil {
				t.Fatal("no error")
			}
			data, jsonErr := json.Marshal(err)
			if jsonErr != nil {
				t.Fatal(jsonErr)
			}
			for _, text := range []string{err.Error(), fmt.Sprintf("%+v %#v", err, err), string(data)} {
				if strings.Contains(text, key[:8]) || strings.Contains(text, second[:8]) {
					t.Errorf("the error shows the key: %s", text)
				}
			}
		})
	}
	t.Run("what errors.Is finds stays", func(t *testing.T) {
		t.Parallel()
		client := serve(t, openai.Config{Key: key}, func(w http.ResponseWriter, r *http.Request) {
			fmt.Fprintf(w, "<html>%s</html>", r.Header.Get("Authorization"))
		})
		_, err := ask(t, client)
		expectIncomplete(t, err)
	})
}

// Every option is sent under its name, and a format in the form that the server supports.
func TestOptionsSent(t *testing.T) {
	t.Parallel()
	format := &llm.Format{Name: "plan", Schema: json.RawMessage(`{"type":"object"}`)}
	const (
		closed   = `{"type":"object","required":["a"],"properties":{"a":{"type":["array","null"],"items":{"type":"string"}}},"additionalProperties":false}`
		open     = `{"type":"object","required":["a"],"properties":{"a":{"type":["object","null"]}},"additionalProperties":false}`
		optional = `{"type":"object","required":[],"properties":{"a":{"type":"string"}},"additionalProperties":false}`
	)
	for _, test := range []struct {
		reason  string
		mode    openai.JSONMode
		options llm.Options
		want    string // members in addition to the members of every request
	}{
		{"sampling", 0, llm.Options{
			TopK: new(0), MinP: new(0.5), FrequencyPenalty: new(-1.0), PresencePenalty: new(1.0), RepetitionPenalty: new(1.5),
		}, `"frequency_penalty":-1,"min_p":0.5,"presence_penalty":1,"repetition_penalty":1.5,"top_k":0`},
		{"effort", 0, llm.Options{ReasoningEffort: "low"}, `"reasoning_effort":"low"`},
		{"tool choice", 0, llm.Options{ToolChoice: "required"}, `"tool_choice":"required"`},
		{"one tool", 0, llm.Options{ToolChoice: "roll"}, `"tool_choice":{"function":{"name":"roll"},"type":"function"}`},
		{"schema", openai.JSONSchema, llm.Options{Format: format},
			`"response_format":{"json_schema":{"name":"plan","schema":{"type":"object"}},"type":"json_schema"}`},
		{"schema without open objects", openai.JSONSchema, llm.Options{Format: &llm.Format{Schema: json.RawMessage(closed)}},
			`"response_format":{"json_schema":{"name":"reply","schema":` + closed + `,"strict":true},"type":"json_schema"}`},
		{"schema with an open object inside", openai.JSONSchema, llm.Options{Format: &llm.Format{Schema: json.RawMessage(open)}},
			`"response_format":{"json_schema":{"name":"reply","schema":` + open + `},"type":"json_schema"}`},
		{"schema with an optional member", openai.JSONSchema, llm.Options{Format: &llm.Format{Schema: json.RawMessage(optional)}},
			`"response_format":{"json_schema":{"name":"reply","schema":` + optional + `},"type":"json_schema"}`},
		{"schema without a type", openai.JSONSchema, llm.Options{Format: &llm.Format{Schema: json.RawMessage(`{"anyOf":[` + closed + `]}`)}},
			`"response_format":{"json_schema":{"name":"reply","schema":{"anyOf":[` + closed + `]}},"type":"json_schema"}`},
		{"object instead of a schema", openai.JSONObject, llm.Options{Format: format}, `"response_format":{"type":"json_object"}`},
		{"no schema", openai.JSONSchema, llm.Options{Format: &llm.Format{}}, `"response_format":{"type":"json_object"}`},
		{"another name, and a refused option", openai.JSONSchema, llm.Options{RepetitionPenalty: new(2.0), TopP: new(0.5), MaxTokens: new(9)},
			`"max_tokens":9,"repeat_penalty":2`},
		{"server without formats", openai.JSONNone, llm.Options{Format: format}, ``},
	} {
		var got map[string]json.RawMessage
		config := openai.Config{JSON: test.mode}
		if strings.HasPrefix(test.reason, "another name") {
			config.Names = map[string]string{"repetition_penalty": "repeat_penalty", "top_p": ""}
		}
		client := serve(t, config, func(w http.ResponseWriter, r *http.Request) {
			body, _ := io.ReadAll(r.Body)
			_ = json.Unmarshal(body, &got)
			io.WriteString(w, eventHi+eventStop)
		})
		if _, err := llm.Collect(client.Generate(t.Context(), llm.Request{Options: test.options})); err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{"model", "messages", "stream", "stream_options"} {
			delete(got, name)
		}
		if data, err := json.Marshal(got); err != nil || string(data) != "{"+test.want+"}" {
			t.Errorf("%s: sent %s, want {%s}", test.reason, data, test.want)
		}
	}
}

// Images are sent as parts of the content; an invalid image is refused, and the error names its
// position.
func TestImages(t *testing.T) {
	t.Parallel()
	var got []byte
	client := serve(t, openai.Config{}, func(w http.ResponseWriter, r *http.Request) {
		got, _ = io.ReadAll(r.Body)
		io.WriteString(w, eventHi+eventStop)
	})
	send := func(messages ...llm.Message) error {
		got = nil
		_, err := llm.Collect(client.Generate(t.Context(), llm.Request{Messages: messages}))
		return err
	}
	err := send(llm.Message{Role: llm.User, Text: "What is it?", Images: []llm.Image{
		{MIME: "image/png", Data: []byte{1, 2, 3}}, {URL: "https://x.test/a.jpg", Extra: raw("detail", `"low"`)},
	}}, llm.Message{Role: llm.User, Images: []llm.Image{{URL: "https://x.test/b.jpg"}}})
	const want = `"messages":[{"content":[{"text":"What is it?","type":"text"},` +
		`{"image_url":{"url":"data:image/png;base64,AQID"},"type":"image_url"},` +
		`{"image_url":{"detail":"low","url":"https://x.test/a.jpg"},"type":"image_url"}],"role":"user"},` +
		`{"content":[{"image_url":{"url":"https://x.test/b.jpg"},"type":"image_url"}],"role":"user"}]`
	if err != nil || !strings.Contains(string(got), want) {
		t.Errorf("sent %s, %v", got, err)
	}
	err = send(llm.Message{Images: []llm.Image{{}, {URL: "x", Data: []byte{1}}, {Data: []byte{1}, MIME: "text/html"}}},
		llm.Message{Images: []llm.Image{{MIME: "image/png"}}})
	wiretest.Failure(t, err, llm.Error{Code: llm.CodeInvalidRequest})
	for _, place := range []string{"messages[0].images[0]", "messages[0].images[1]", "messages[0].images[2]: the MIME type \"text/html\"", "messages[1].images[0]"} {
		if !strings.Contains(err.Error(), place) {
			t.Errorf("%v does not mention %s", err, place)
		}
	}
	if got != nil {
		t.Error("it was sent all the same")
	}
}

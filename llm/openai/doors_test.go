package openai_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/talewright/talewright/campaign/memory"
	"github.com/talewright/talewright/internal/wire/wiretest"
	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/llm/openai"
)

// Calls without an id get an id; no id is used twice.
func TestMadeIDs(t *testing.T) {
	t.Parallel()
	got, err := ask(t, serveBody(t, `data: {"choices":[{"delta":{"tool_calls":[`+
		`{"index":0,"function":{"name":"a"}},{"index":1,"id":"call_001","function":{"name":"b"}},`+
		`{"index":2,"function":{"name":"c"}}]}}]}`+"\n\n"+`data: {"choices":[{"delta":{"tool_calls":[`+
		`{"index":2,"id":"late","function":{"arguments":"{}"}},{"index":3,"function":{"name":"d"}}]}}]}`+"\n\n"+eventStop))
	var ids []string
	for _, c := range got.Message.ToolCalls {
		ids = append(ids, c.ID)
	}
	if err != nil || !slices.Equal(ids, []string{"call_002", "call_001", "late", "call_004"}) {
		t.Errorf("ids %v, %v", ids, err)
	}
}

// LL-19: the messages of servers when a model does not support tools, and the results.
func TestServerWithoutTools(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		status int
		words  string
	}{
		{400, `registry.ollama.ai/library/gemma:2b does not support tools`},
		{500, `tools param requires --jinja flag`},
		{400, `"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set`},
		{404, `No endpoints found that support tool use. Try disabling "roll".`},
		{400, `This model does not support function calling`},
	} {
		for _, mode := range []openai.ToolMode{openai.ToolsAuto, openai.ToolsNative, openai.ToolsInText} {
			requests := 0
			client := serve(t, openai.Config{Tools: mode}, func(w http.ResponseWriter, r *http.Request) {
				requests++
				body, _ := io.ReadAll(r.Body)
				if strings.Contains(string(body), `"tools":`) {
					w.WriteHeader(test.status)
					fmt.Fprintf(w, `{"error":{"message":%s}}`, quote(test.words))
					return
				}
				io.WriteString(w, strings.Replace(eventHi, `"Hi, "`, quote(`Well. <tool_call>{"name":"roll"}</tool_call>`), 1)+eventStop)
			})
			req := hello()
			req.Tools = []llm.ToolSpec{{Name: "roll"}}
			for range 2 {
				got, err := llm.Collect(client.Generate(t.Context(), req))
				if mode == openai.ToolsNative {
					wiretest.Failure(t, err, llm.Error{Code: llm.CodeNoTools, Status: test.status})
					continue
				}
				if err != nil || len(got.Message.ToolCalls) != 1 || got.Message.Text != "Well. " || got.Finish != llm.FinishToolCalls {
					t.Errorf("%s: %+v, %v", test.words, got, err)
				}
			}
			if want := map[openai.ToolMode]int{openai.ToolsAuto: 3, openai.ToolsNative: 2, openai.ToolsInText: 2}[mode]; requests != want {
				t.Errorf("%s: %d requests, want %d", test.words, requests, want)
			}
		}
	}
}

// LL-19: a profile may say that a server does not support tools; then tools are never sent
// natively.
func TestProfileWithoutTools(t *testing.T) {
	t.Parallel()
	config := openai.Profile{Name: "old", BaseURL: "http://old", Tools: openai.ToolsInText}.Config()
	client := serve(t, config, func(w http.ResponseWriter, r *http.Request) {
		if body, _ := io.ReadAll(r.Body); strings.Contains(string(body), `"tools":`) || !strings.Contains(string(body), "tool_call") {
			t.Errorf("sent %s", body)
		}
		io.WriteString(w, strings.Replace(eventHi, `"Hi, "`, quote(`<tool_call>{"name":"roll"}</tool_call>`), 1)+eventStop)
	})
	req := hello()
	req.Tools = []llm.ToolSpec{{Name: "roll"}}
	if got, err := llm.Collect(client.Generate(t.Context(), req)); err != nil || len(got.Message.ToolCalls) != 1 {
		t.Errorf("%+v, %v", got, err)
	}
}

// LL-18: text completions, streamed and whole.
func TestCompletion(t *testing.T) {
	t.Parallel()
	render := func(req llm.Request) (string, error) {
		var b strings.Builder
		for _, m := range req.Messages {
			fmt.Fprintf(&b, "[%s] %s\n", m.Role, m.Text)
		}
		return b.String(), nil
	}
	for name, body := range map[string]string{
		"streamed": `data: {"choices":[{"index":0,"text":"Hi, "}]}` + "\n\n" + `data: {"choices":[{"text":"you.","finish_reason":"stop"}]}` + "\n\n" +
			`data: {"choices":[],"usage":{"prompt_tokens":3,"completion_tokens":2}}` + "\n\n" + eventDone,
		"whole": `{"choices":[{"text":"Hi, you.","index":0}],"usage":{"prompt_tokens":3,"completion_tokens":2}}`,
		"an empty end": `data: {"choices":[{"text":"Hi, you."}]}` + "\n\n" +
			`data: {"choices":[{"text":"","finish_reason":"stop"}],"usage":{"prompt_tokens":3}}` + "\n\n",
	} {
		var path string
		var sent map[string]json.RawMessage
		client := serve(t, openai.Config{Names: map[string]string{"repetition_penalty": "rep_pen"}}, func(w http.ResponseWriter, r *http.Request) {
			path = r.URL.Path
			data, _ := io.ReadAll(r.Body)
			_ = json.Unmarshal(data, &sent)
			io.WriteString(w, body)
		})
		req := hello()
		req.Options = llm.Options{MaxTokens: new(9), RepetitionPenalty: new(1.5), Stop: []string{"\n"}}
		got, err := llm.Collect(client.Completion(render).Generate(t.Context(), req))
		if err != nil || got.Message.Text != "Hi, you." || got.Finish != llm.FinishStop || got.Usage.PromptTokens != 3 {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
		if path != "/v1/completions" || string(sent["prompt"]) != `"[user] hello\n"` || sent["messages"] != nil ||
			string(sent["max_tokens"]) != "9" || string(sent["rep_pen"]) != "1.5" || string(sent["stop"]) != `["\n"]` {
			t.Errorf("%s: sent %s to %s", name, sent, path)
		}
	}
	t.Run("cut", func(t *testing.T) {
		_, err := llm.Collect(serveBody(t, `data: {"choices":[{"text":"Hi, "}]}`+"\n\n"+eventDone).Completion(render).Generate(t.Context(), hello()))
		expectIncomplete(t, err)
	})
	t.Run("tools in the text", func(t *testing.T) {
		client := serveBody(t, `data: {"choices":[{"text":"<tool_call>{\"name\":\"roll\"}</tool_call>","finish_reason":"stop"}]}`+"\n\n")
		req := hello()
		req.Tools = []llm.ToolSpec{{Name: "roll"}}
		got, err := llm.Collect(client.Completion(render).Generate(t.Context(), req))
		if err != nil || len(got.Message.ToolCalls) != 1 {
			t.Errorf("%+v, %v", got, err)
		}
	})
	t.Run("refused before it is sent", func(t *testing.T) {
		client := serveBody(t, "")
		failing := func(llm.Request) (string, error) { return "", errors.New("no template") }
		_, err := llm.Collect(client.Completion(failing).Generate(t.Context(), hello()))
		wiretest.Failure(t, err, llm.Error{Code: llm.CodeInvalidRequest})
		req := hello()
		req.Messages[0].Images = []llm.Image{{URL: "https://x.test/a.png"}}
		_, err = llm.Collect(client.Completion(render).Generate(t.Context(), req))
		wiretest.Failure(t, err, llm.Error{Code: llm.CodeInvalidRequest})
	})
}

// CA-43: a memory asks the client for its vectors.
func TestMemoryOfVectors(t *testing.T) {
	t.Parallel()
	near := map[string]string{"Hedda forged a sword.": "[1,0]", "It rains all night.": "[0,1]", "Who made my weapon?": "[0.9,0.1]"}
	client := serve(t, openai.Config{Model: "bge-m3"}, func(w http.ResponseWriter, r *http.Request) {
		var in struct{ Input []string }
		if err := json.NewDecoder(r.Body).Decode(&in); err != nil || len(in.Input) != 1 {
			t.Error(in.Input, err)
		}
		fmt.Fprintf(w, `{"data":[{"index":0,"embedding":%s}]}`, near[in.Input[0]])
	})
	vectors, err := memory.OpenVectors(memory.VectorConfig{Embedder: client})
	if err != nil {
		t.Fatal(err)
	}
	for i, text := range []string{"Hedda forged a sword.", "It rains all night."} {
		if err := vectors.Remember(t.Context(), "c", memory.Turn{ID: fmt.Sprint("t", i), Index: i, Text: text}); err != nil {
			t.Fatal(err)
		}
	}
	items, err := vectors.Recall(t.Context(), memory.Query{Campaign: "c", Texts: []string{"Who made my weapon?"}, Limit: 600})
	if err != nil || len(items) != 2 || items[0].TurnID != "t0" {
		t.Errorf("%+v, %v", items, err)
	}
}

// LL-18: embeddings, and wrong answers of servers.
func TestEmbed(t *testing.T) {
	t.Parallel()
	texts := []string{"inn", "地窖"}
	for _, test := range []struct {
		reason, body string
		status       int
		want         string
		failure      *llm.Error
	}{
		{"in order", `{"data":[{"index":0,"embedding":[1,2]},{"index":1,"embedding":[3,4]}],"usage":{"prompt_tokens":7}}`, 200, "[[1 2] [3 4]] 7", nil},
		{"in another order", `{"data":[{"index":1,"embedding":[3,4]},{"index":0,"embedding":[1,2]}]}`, 200, "[[1 2] [3 4]] -", nil},
		{"without indices", `{"data":[{"embedding":[1,2]},{"embedding":[3,4]}],"usage":"?"}`, 200, "[[1 2] [3 4]] -", nil},
		{"after a byte order mark", "\uFEFF" + `{"data":[{"embedding":[1,2]},{"embedding":[3,4]}]}`, 200, "[[1 2] [3 4]] -", nil},
		{"an error object after a byte order mark", "\uFEFF" + `{"error":{"message":"m","code":"model_not_found"}}`, 200, "", &llm.Error{Code: llm.CodeNotFound}},
		{"a refusal after a byte order mark", "\uFEFF" + `{"error":{"message":"m","code":"context_length_exceeded"}}`, 400, "", &llm.Error{Code: llm.CodeContextLength, Status: 400}},
		{"one is missing", `{"data":[{"index":0,"embedding":[1,2]}]}`, 200, "", &llm.Error{Code: llm.CodeMalformed, Retry: true}},
		{"one twice", `{"data":[{"index":0,"embedding":[1,2]},{"index":0,"embedding":[1,2]}]}`, 200, "", &llm.Error{Code: llm.CodeMalformed, Retry: true}},
		{"one too many", `{"data":[{"embedding":[1]},{"embedding":[1]},{"embedding":[1]}]}`, 200, "", &llm.Error{Code: llm.CodeMalformed, Retry: true}},
		{"an index far away", `{"data":[{"index":2000000000,"embedding":[1]}]}`, 200, "", &llm.Error{Code: llm.CodeMalformed, Retry: true}},
		{"lengths differ", `{"data":[{"embedding":[1,2]},{"embedding":[3]}]}`, 200, "", &llm.Error{Code: llm.CodeMalformed, Retry: true}},
		{"empty vectors", `{"data":[{"embedding":[]},{"embedding":[]}]}`, 200, "", &llm.Error{Code: llm.CodeMalformed, Retry: true}},
		{"no numbers", `{"data":[{"embedding":["x"]},{"embedding":[1]}]}`, 200, "", &llm.Error{Code: llm.CodeMalformed, Retry: true}},
		{"null for a number", `{"data":[{"embedding":[1,null]},{"embedding":[1,2]}]}`, 200, "", &llm.Error{Code: llm.CodeMalformed, Retry: true}},
		{"numbers beyond", `{"data":[{"embedding":[1e400]},{"embedding":[1]}]}`, 200, "", &llm.Error{Code: llm.CodeMalformed, Retry: true}},
		{"more than two texts need", `{"data":[],"rest":"` + strings.Repeat("x", 2<<20) + `"}`, 200, "", &llm.Error{Code: llm.CodeTooLarge}},
		{"cut", `{"data":[{"embedding":[1`, 200, "", &llm.Error{Code: llm.CodeIncomplete, Retry: true}},
		{"empty", ``, 200, "", &llm.Error{Code: llm.CodeIncomplete, Retry: true}},
		{"web page", `<html>`, 200, "", &llm.Error{Code: llm.CodeMalformed, Retry: true}},
		{"error object", `{"error":{"message":"m","code":"model_not_found"}}`, 200, "", &llm.Error{Code: llm.CodeNotFound}},
		{"refusal", `{"error":{"message":"slow"}}`, 429, "", &llm.Error{Code: llm.CodeRateLimit, Status: 429, Retry: true}},
	} {
		var path, sent string
		client := serve(t, openai.Config{}, func(w http.ResponseWriter, r *http.Request) {
			data, _ := io.ReadAll(r.Body)
			path, sent = r.URL.Path, string(data)
			w.WriteHeader(test.status)
			io.WriteString(w, test.body)
		})
		vectors, usage, err := client.Embed(t.Context(), "", texts)
		if test.failure != nil {
			t.Run(test.reason, func(t *testing.T) { wiretest.Failure(t, err, *test.failure) })
			continue
		}
		tokens := "-"
		if usage != nil {
			tokens = fmt.Sprint(usage.PromptTokens)
		}
		if got := fmt.Sprint(vectors, " ", tokens); err != nil || got != test.want {
			t.Errorf("%s: %s, %v", test.reason, got, err)
		}
		if path != "/v1/embeddings" || sent != `{"encoding_format":"float","input":["inn","地窖"],"model":"test-model"}` {
			t.Errorf("%s: sent %s to %s", test.reason, sent, path)
		}
	}
	if vectors, _, err := serveBody(t, "").Embed(t.Context(), "", nil); vectors != nil || err != nil {
		t.Errorf("no texts: %v, %v", vectors, err)
	}
	silent := serve(t, openai.Config{Limits: llm.Limits{First: time.Millisecond}}, func(_ http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		<-r.Context().Done()
	})
	_, _, err := silent.Embed(t.Context(), "", texts)
	wiretest.Failure(t, err, llm.Error{Code: llm.CodeTimeout, Retry: true})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := silent.Embed(ctx, "", texts); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

// Every profile is a configuration that needs at most a key and a model.
func TestProfiles(t *testing.T) {
	t.Parallel()
	all := openai.Profiles()
	if len(all) < 17 || !slices.IsSortedFunc(all, func(a, b openai.Profile) int { return strings.Compare(a.Name, b.Name) }) {
		t.Errorf("%d profiles, or not in order", len(all))
	}
	known, err := json.Marshal(llm.Options{
		Temperature: new(0.0), TopP: new(0.0), MaxTokens: new(0), Seed: new(int64(0)), Stop: []string{""}, TopK: new(0), MinP: new(0.0),
		FrequencyPenalty: new(0.0), PresencePenalty: new(0.0), RepetitionPenalty: new(0.0), ReasoningEffort: "x", ToolChoice: "x",
	})
	if err != nil {
		t.Fatal(err)
	}
	var options map[string]json.RawMessage
	if err := json.Unmarshal(known, &options); err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile("../SERVERS.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range all {
		if line := fmt.Sprintf("| `%s` | `%s` |", p.Name, p.BaseURL); !strings.Contains(string(page), line) {
			t.Errorf("SERVERS.md does not hold %s", line)
		}
		found, ok := openai.FindProfile(strings.ToUpper(p.Name))
		if !ok || found.BaseURL != p.BaseURL {
			t.Errorf("%s is not found", p.Name)
		}
		for name := range p.Names {
			if options[name] == nil {
				t.Errorf("%s renames %q, which is no option", p.Name, name)
			}
		}
		config := p.Config()
		if _, err := openai.New(config); err != nil {
			t.Errorf("%s: %v", p.Name, err)
		}
		if config.Names != nil {
			config.Names["top_k"] = "changed"
		}
	}
	for spelling, name := range map[string]string{"llama.cpp": "llamacpp", "LM Studio": "lmstudio", "x.ai": "xai", "Open-Router": "openrouter"} {
		if p, ok := openai.FindProfile(spelling); !ok || p.Name != name {
			t.Errorf("%s is %q", spelling, p.Name)
		}
	}
	if _, ok := openai.FindProfile("nobody"); ok {
		t.Error("a profile was invented")
	}
	if again, _ := openai.FindProfile("openai"); again.Names["top_k"] != "" || again.Names["max_tokens"] != "max_completion_tokens" {
		t.Errorf("a caller changed the profile: %v", again.Names)
	}
}

// TestProfileOfAServer: an address selects the profile whose usual address has the same host and port.
func TestProfileOfAServer(t *testing.T) {
	for address, want := range map[string]string{
		"http://localhost:11434/v1": "ollama", "http://127.0.0.1:8080": "llamacpp", "http://[::1]:5001/v1/": "koboldcpp",
		"https://API.mistral.ai/v1/chat/completions": "mistral", "http://localhost:9999/v1": "", "localhost:8080": "", "http://%": "", "": "",
	} {
		if p, found := openai.FindProfile(address); p.Name != want || found != (want != "") {
			t.Errorf("%q: %q, want %q", address, p.Name, want)
		}
	}
}

func ExampleFindProfile() {
	profile, _ := openai.FindProfile("mistral")
	config := profile.Config()
	config.Model = "mistral-small-latest"
	fmt.Println(config.BaseURL, config.Names["seed"])
	// Output: https://api.mistral.ai/v1 random_seed
}

// A server gets as many stop texts as it accepts. The text is cut at the others, wherever the pieces
// end, and the reply ends there.
func TestMaxStops(t *testing.T) {
	t.Parallel()
	stops := []string{"\nA:", "\nB:", "\nC:", "\nD:", "\n旅人:", ""}
	for name, test := range map[string]struct {
		pieces []string
		max    int
		want   string
		sent   int
	}{
		"in one piece":             {[]string{"Hi.\n旅人: I go."}, 4, "Hi.", 4},
		"in pieces":                {[]string{"Hi.", "\n", "旅", "人", ": I go."}, 4, "Hi.", 4},
		"a beginning is text":      {[]string{"Hi.\n", "旅人 waits.\n旅"}, 4, "Hi.\n旅人 waits.\n旅", 4},
		"the first one counts":     {[]string{"Hi.\nB: no\n旅人:"}, 4, "Hi.", 4},
		"the server accepts six":   {[]string{"Hi.\n旅人: I go."}, 6, "Hi.\n旅人: I go.", 6},
		"the server accepts any":   {[]string{"Hi.\n旅人: I go."}, 0, "Hi.\n旅人: I go.", 6},
		"the server accepts none":  {[]string{"Hi.", "\nA:"}, -1, "Hi.", 0},
		"no stop text in the text": {[]string{"Hi."}, 4, "Hi.", 4},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var sent struct{ Stop []string }
			client := serve(t, openai.Config{MaxStops: test.max}, func(w http.ResponseWriter, r *http.Request) {
				if err := json.NewDecoder(r.Body).Decode(&sent); err != nil {
					t.Error(err)
				}
				for _, piece := range test.pieces {
					fmt.Fprintf(w, "data: {\"choices\":[{\"delta\":{\"content\":%q}}]}\n\n", piece)
				}
				io.WriteString(w, eventStop)
			})
			req := hello()
			req.Options.Stop = stops
			got, err := llm.Collect(client.Generate(t.Context(), req))
			if err != nil || got.Message.Text != test.want || got.Finish != llm.FinishStop {
				t.Errorf("%q, %v, %v; want %q", got.Message.Text, got.Finish, err, test.want)
			}
			if !slices.Equal(sent.Stop, stops[:test.sent]) {
				t.Errorf("sent %q, want the first %d", sent.Stop, test.sent)
			}
		})
	}
	if p, _ := openai.FindProfile("openai"); p.Config().MaxStops != 4 {
		t.Error("the profile of OpenAI does not limit the stop texts")
	}
}

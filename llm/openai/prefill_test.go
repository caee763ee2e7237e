package openai_test

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/llm/openai"
)

// LL-02: a server that needs marks for the beginning of a reply receives them, and only then.
func TestPrefillMarks(t *testing.T) {
	t.Parallel()
	begun := llm.Message{Role: llm.Assistant, Text: "The door"}
	called := llm.Message{Role: llm.Assistant, ToolCalls: []llm.ToolCall{{ID: "a", Name: "look"}}}
	marked := begun
	marked.Extra = raw("prefix", "false")
	for _, c := range []struct {
		reason, profile string
		last            llm.Message
		body            map[string]json.RawMessage
		want, not       string // in the request
	}{
		{"a mark in the message", "mistral", begun, nil, `{"content":"The door","prefix":true,"role":"assistant"}`, ""},
		{"another name", "moonshot", begun, nil, `{"content":"The door","partial":true,"role":"assistant"}`, "prefix"},
		{"marks in the request", "vllm", begun, nil, `"continue_final_message":true`, "prefix"},
		{"what the host says wins", "mistral", marked, nil, `"prefix":false`, "true,\"role"},
		{"also for the request", "vllm", begun, raw("continue_final_message", "false"), `"continue_final_message":false`, `"continue_final_message":true`},
		{"no begun reply", "mistral", llm.Message{Role: llm.User, Text: "I knock."}, nil, "I knock.", "prefix"},
		{"calls are no begun reply", "vllm", called, nil, `"look"`, "continue_final"},
		{"a server that needs no mark", "llamacpp", begun, nil, `{"content":"The door","role":"assistant"}`, "prefix"},
	} {
		profile, ok := openai.FindProfile(c.profile)
		if !ok || !profile.Prefill {
			t.Fatalf("%s: %v", c.profile, profile)
		}
		config := profile.Config()
		config.Body = c.body
		var sent []byte
		client := serve(t, config, func(w http.ResponseWriter, r *http.Request) {
			sent, _ = io.ReadAll(r.Body)
			io.WriteString(w, eventHi+eventStop)
		})
		if _, err := llm.Collect(client.Generate(t.Context(), llm.Request{Messages: []llm.Message{{Role: llm.User, Text: "Hm."}, c.last}})); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(sent), c.want) || c.not != "" && strings.Contains(string(sent), c.not) {
			t.Errorf("%s: sent %s", c.reason, sent)
		}
	}
}

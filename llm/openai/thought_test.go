package openai_test

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/llm/openai"
)

// LL-05: a server's thinking that led to calls is sent back in the server's own member, without
// thoughts of other providers.
func TestThinkingGoesBack(t *testing.T) {
	t.Parallel()
	const call = `"tool_calls":[{"index":0,"id":"a","function":{"name":"look","arguments":"{}"}}]`
	plain := delta(`"reasoning_content":"A tr"`) + delta(`"reasoning_content":"oll."`) + delta(call) + eventStop
	details := delta(`"reasoning":"A","reasoning_details":[{"type":"reasoning.text","text":"A","index":0,"format":"x","signature":null}]`) +
		delta(`"reasoning":" troll.","reasoning_details":[{"type":"reasoning.text","text":" troll.","index":0,"signature":"s1"}]`) +
		delta(`"reasoning_details":[{"type":"reasoning.encrypted","data":"AAA","index":1},7,{"type":"reasoning.text","text":"B","index":2}]`) + delta(call) + eventStop
	ollama, _ := openai.FindProfile("ollama")
	for _, c := range []struct{ reason, body, member, want string }{
		{"Ollama", strings.ReplaceAll(plain, "reasoning_content", "reasoning"), ollama.Reasoning, `"A troll."`},
		{"a server that wants nothing back", plain, "", `null`},
		{"a text", plain, "reasoning_content", `"A troll."`},
		{"another name", plain, "reasoning", `"A troll."`},
		{"a list whose texts come in pieces", details, openai.ReasoningDetails,
			`[{"format":"x","index":0,"signature":"s1","text":"A troll.","type":"reasoning.text"},{"data":"AAA","index":1,"type":"reasoning.encrypted"},{"index":2,"text":"B","type":"reasoning.text"}]`},
		{"the list of a server that wants a text", details, "reasoning_content", `"A troll."`},
		{"a server that gives no list", plain, openai.ReasoningDetails, `null`},
		{"no calls, nothing back", delta(`"reasoning_content":"A troll."`) + eventStop, "reasoning_content", `null`},
		{"a list that is none", delta(`"reasoning_details":"x"`) + delta(call) + eventStop, openai.ReasoningDetails, `null`},
		{"a list beyond what is kept", strings.Repeat(delta(`"reasoning_details":[{"type":"x"},{"type":"x"}]`), 2100) + delta(call) + eventStop, openai.ReasoningDetails, `null`},
		{"an event beyond what is kept", delta(`"reasoning_details":[{"type":"x","data":"`+strings.Repeat("x", 5<<20)+`"}]`) + delta(call) + eventStop, openai.ReasoningDetails, `null`},
	} {
		var sent struct{ Messages []map[string]json.RawMessage }
		client := serve(t, openai.Config{Reasoning: c.member}, func(w http.ResponseWriter, r *http.Request) {
			if err := json.NewDecoder(r.Body).Decode(&sent); err != nil {
				t.Error(err)
			}
			io.WriteString(w, c.body)
		})
		got, err := llm.Collect(client.Generate(t.Context(), hello()))
		if err != nil {
			t.Errorf("%s: %v", c.reason, err)
			continue
		}
		got.Message.Thoughts = append(got.Message.Thoughts, llm.Thought{Provider: "another", Text: "no", Redacted: `["no"]`})
		req := hello()
		req.Messages = append(req.Messages, got.Message, llm.Message{Role: llm.Tool, ToolCallID: "a", Text: "dark"})
		if _, err := llm.Collect(client.Generate(t.Context(), req)); err != nil {
			t.Fatal(err)
		}
		back := "null"
		for _, name := range []string{"reasoning_content", "reasoning", openai.ReasoningDetails} {
			if raw := sent.Messages[1][name]; raw != nil {
				back = string(raw)
				if name != c.member {
					t.Errorf("%s: %s was sent", c.reason, name)
				}
			}
		}
		if diff := cmp.Diff(c.want, back); diff != "" {
			t.Errorf("%s: %s", c.reason, diff)
		}
	}
}

// A member with a different meaning is refused at once.
func TestReasoningUnderANameOfItsOwn(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"content", "role", "tool_calls"} {
		if _, err := openai.New(openai.Config{BaseURL: "http://host", Reasoning: name}); err == nil || !strings.Contains(err.Error(), "Reasoning") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// delta returns an event whose delta has these members.
func delta(members string) string {
	return `data: {"choices":[{"index":0,"delta":{` + members + `}}]}` + "\n\n"
}

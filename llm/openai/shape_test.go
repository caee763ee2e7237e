package openai_test

import (
	"encoding/json"
	"testing"

	"github.com/talewright/talewright/internal/wire/wiretest"
	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/llm/llmtest"
	"github.com/talewright/talewright/llm/openai"
	"github.com/talewright/talewright/prompt"
)

// alternate reports whether a chat template that requires alternation renders this request: one
// system message at the beginning, then the user and the assistant in turn. Calls and their results
// are not counted, as in the templates.
func alternate(body []byte) bool {
	var request struct {
		Messages []struct {
			Role  string            `json:"role"`
			Calls []json.RawMessage `json:"tool_calls"`
		} `json:"messages"`
	}
	if json.Unmarshal(body, &request) != nil {
		return false
	}
	next := map[string]string{"": "user", "system": "user", "user": "assistant", "assistant": "user"}
	last := ""
	for i, m := range request.Messages {
		switch {
		case m.Role == "tool" || len(m.Calls) > 0:
			continue
		case m.Role == "system" && i > 0, m.Role != "system" && m.Role != next[last]:
			return false
		}
		last = m.Role
	}
	return true
}

// LL-02: a campaign with the profile of a local server sends only messages that a strict template
// renders. Without the shape of the profile it does not.
func TestProfileShapesTheMessages(t *testing.T) {
	play := func(t *testing.T, p openai.Profile, shape string) (refused int) {
		var tape *wiretest.Tape
		proof := ""
		if p.Reasoning != "" {
			proof = wiretest.Thought
		}
		wiretest.Play(t, prompt.ShapeProfile(shape), "", proof, func(t *testing.T, script []llmtest.Reply) (llm.Model, *wiretest.Tape) {
			server := scriptServer(t, script)
			tape = wiretest.Record(server)
			config := p.Config()
			config.BaseURL = server.URL
			return newClient(t, config), tape
		})
		for _, body := range tape.Requests() {
			if !alternate(body) {
				refused++
			}
		}
		return refused
	}
	for _, name := range []string{"koboldcpp", "llamacpp", "lmstudio", "ollama", "tabbyapi", "vllm"} {
		t.Run(name, func(t *testing.T) {
			p, _ := openai.FindProfile(name)
			if n := play(t, p, p.Shape); n > 0 {
				t.Errorf("%d requests with messages that a strict template refuses", n)
			}
		})
	}
	if n := play(t, openai.Profile{}, ""); n == 0 {
		t.Error("messages without a shape alternate: the test shows nothing")
	}
}

// TestShapesAreKnown: every profile names a shape that package prompt has.
func TestShapesAreKnown(t *testing.T) {
	t.Parallel()
	for _, p := range openai.Profiles() {
		if err := (prompt.ShapeRules{Profile: prompt.ShapeProfile(p.Shape)}).Check().Err(); err != nil {
			t.Errorf("%s: %v", p.Name, err)
		}
	}
}

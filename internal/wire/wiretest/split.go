package wiretest

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/talewright/talewright/llm"
)

// splitCharacters are characters that are cut in two, in the ways in which servers cut them: within
// the bytes, and between the escaped surrogates.
var splitCharacters = []struct{ first, second, whole string }{
	{"\xe9\xbe", "\x99", "龙"},
	{"\xf0\x9f", "\x98\x80", "😀"},
	{`\ud83d`, `\ude00`, "😀"},
}

// SplitCharacters tests that characters arrive whole. A server sends the events byte by byte. An
// event with HALF is sent twice, once with each half of a character. WHOLE is the whole character.
// The text and the thinking of the reply must be that character. The arguments of a call, if there
// is one, must be {"at":"…"} with it.
func SplitCharacters(t *testing.T, open func(t *testing.T, address string) llm.Model, events ...string) {
	t.Helper()
	for _, c := range splitCharacters {
		var body strings.Builder
		for _, event := range events {
			event = strings.ReplaceAll(event, "WHOLE", c.whole)
			if strings.Contains(event, "HALF") {
				body.WriteString(strings.ReplaceAll(event, "HALF", c.first))
				event = strings.ReplaceAll(event, "HALF", c.second)
			}
			body.WriteString(event)
		}
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			io.Copy(io.Discard, r.Body)
			for i := range body.Len() {
				io.WriteString(w, body.String()[i:i+1])
				http.NewResponseController(w).Flush()
			}
		}))
		t.Cleanup(server.Close)
		got, err := Drain(t, open(t, server.URL).Generate(t.Context(), llm.Request{Messages: []llm.Message{{Role: llm.User, Text: "Hi."}}}))
		if err != nil || got.Message.Text != c.whole || got.Message.Reasoning != c.whole {
			t.Errorf("%q: text %q, thinking %q, %v", c.first+c.second, got.Message.Text, got.Message.Reasoning, err)
		}
		for _, call := range got.Message.ToolCalls {
			if want := fmt.Sprintf(`{"at":"%s"}`, c.whole); call.Arguments != want {
				t.Errorf("%q: arguments %q", c.first+c.second, call.Arguments)
			}
		}
	}
}

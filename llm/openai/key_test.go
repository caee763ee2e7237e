package openai_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/llm/openai"
)

// TestCallKeyIsSent: the same request under the same name of a call has the same
// Idempotency-Key, whatever the name holds; another request or name has another; a call
// without a name has none.
func TestCallKeyIsSent(t *testing.T) {
	t.Parallel()
	var got string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		got = r.Header.Get("Idempotency-Key")
		io.WriteString(w, eventHi+eventStop)
	}))
	t.Cleanup(server.Close)
	client := newClient(t, openai.Config{BaseURL: server.URL})
	key := func(name, text string) string {
		ctx := t.Context()
		if name != "" {
			ctx = llm.WithCallKey(ctx, name)
		}
		req := llm.Request{Messages: []llm.Message{{Role: llm.User, Text: text}}}
		if _, err := llm.Collect(client.Generate(ctx, req)); err != nil {
			t.Fatal(err)
		}
		return got
	}
	name := "龙\r\nX: y/2/1"
	if a, b := key(name, "Hi"), key(name, "Hi"); len(a) != 32 || a != b {
		t.Errorf("the same call has the keys %q and %q", a, b)
	}
	for _, c := range []struct{ reason, name, text string }{
		{"another call", "mill/2/1", "Hi"}, {"another request", name, "Ho"},
	} {
		if key(c.name, c.text) == key(name, "Hi") {
			t.Errorf("%s has the same key", c.reason)
		}
	}
	if got := key("", "Hi"); got != "" {
		t.Errorf("a call without a name has the key %q", got)
	}
}

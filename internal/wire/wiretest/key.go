package wiretest

import (
	"testing"

	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/llm/llmtest"
)

// CallKeys tests the header for the name of a call, [llm.WithCallKey]. The same request with the
// same name has the same header, for any name. A different request or name has a different header.
// A call without a name has no header.
func CallKeys(t *testing.T, open func(t *testing.T, script []llmtest.Reply) (llm.Model, *Tape)) {
	t.Helper()
	var script []llmtest.Reply
	for range 7 {
		script = append(script, llmtest.Text("You go on."))
	}
	model, tape := open(t, script)
	key := func(name, text string) string {
		ctx := t.Context()
		if name != "" {
			ctx = llm.WithCallKey(ctx, name)
		}
		req := llm.Request{Messages: []llm.Message{{Role: llm.User, Text: text}}}
		got, err := llm.Collect(model.Generate(ctx, req))
		if err != nil || got.Message.Text != "You go on." {
			t.Fatalf("%+v, %v", got, err)
		}
		return tape.Header().Get("Idempotency-Key")
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

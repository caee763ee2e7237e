package main

import (
	"testing"
	"time"

	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/llm/llmtest"
)

// writes is a writer whose texts a test receives one by one.
type writes chan string

func (w writes) Write(text []byte) (int, error) {
	w <- string(text)
	return len(text), nil
}

// TestProgress: a command that takes longer than a tick says so, with the requests of its model, and
// leaves nothing behind. A shorter one says nothing.
func TestProgress(t *testing.T) {
	t.Parallel()
	out := make(writes, 1)
	x := &terminal{}
	x.progress.verb = "score"
	tick := make(chan time.Time)
	stop := x.progress.show(out, tick)
	wants := func(want string) {
		t.Helper()
		if got := <-out; got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	tick <- time.Time{}
	wants("\r\x1b[Kscore: 1 s")
	for range x.counted(llmtest.NewScripted(llmtest.Text("Rain."))).Generate(t.Context(), llm.Request{}) {
	}
	tick <- time.Time{}
	wants("\r\x1b[Kscore: 2 s (1 requests)")
	stop()
	wants("\r\x1b[K")
	stop()
	x.progress.show(out, tick)()
	if len(out) > 0 {
		t.Errorf("a command without a tick wrote %q", <-out)
	}
}

package main

import (
	"strings"
	"testing"
	"time"

	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/llm/llmtest"
)

// TestProgress: a command that takes longer than a tick says so, with the requests of its model, and
// leaves nothing behind. A shorter one says nothing.
func TestProgress(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	x := &terminal{}
	x.progress.verb = "score"
	tick := make(chan time.Time)
	stop := x.progress.show(&out, tick)
	tick <- time.Time{}
	for range x.counted(llmtest.NewScripted(llmtest.Text("Rain."))).Generate(t.Context(), llm.Request{}) {
	}
	tick <- time.Time{}
	stop()
	stop()
	if want := "\r\x1b[Kscore: 1 s\r\x1b[Kscore: 2 s (1 requests)\r\x1b[K"; out.String() != want {
		t.Errorf("%q, want %q", out.String(), want)
	}
	out.Reset()
	x.progress.show(&out, tick)()
	if out.Len() > 0 {
		t.Errorf("%q", out.String())
	}
}

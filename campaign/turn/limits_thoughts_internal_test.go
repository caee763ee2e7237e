package turn

import (
	"strings"
	"testing"

	"github.com/talewright/talewright/llm"
)

// TestThoughtsWithin checks that thoughts are sent back as a whole or not at all, because the
// provider cannot verify a part of them.
func TestThoughtsWithin(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		reason string
		text   string
		want   int
	}{
		{"short ones are kept", "Hm.", 2},
		{"more than a reply may hold is dropped", strings.Repeat("x", MaxReplyBytes), 0},
	} {
		in := Replied{Thoughts: []llm.Thought{{Provider: "p", Text: c.text, Signature: "1"}, {Provider: "p", Redacted: "2"}}}
		if got := len(in.limited().Thoughts); got != c.want {
			t.Errorf("%s: %d thoughts, want %d", c.reason, got, c.want)
		}
	}
}

// TestLimitsLeaveTheAnswer: the warnings of an answer are cut in a copy, because the caller may still use them.
func TestLimitsLeaveTheAnswer(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 1<<20)
	in := Replied{Warnings: []llm.Warning{{Code: long, Detail: long}}}
	if got := in.limited().Warnings[0]; len(got.Code) == len(long) || len(got.Detail) == len(long) || in.Warnings[0] != (llm.Warning{Code: long, Detail: long}) {
		t.Errorf("cut to %d and %d bytes, the caller's to %d and %d", len(got.Code), len(got.Detail), len(in.Warnings[0].Code), len(in.Warnings[0].Detail))
	}
}

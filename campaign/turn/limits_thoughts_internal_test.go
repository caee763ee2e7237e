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

package effect_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/talewright/talewright/rules/effect"
)

func ExampleRewrite_In() {
	e := effect.Rewrite{Target: effect.RewriteReply, Find: "elf", Text: "faerie"}
	text, err := e.In("The elf bows. Another elf laughs.")
	fmt.Println(text, err)
	// Output: The faerie bows. Another faerie laughs. <nil>
}

// A rewrite replaces plain text, and its result is limited.
func TestRewriteIsBounded(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("a", 2000)
	for _, tc := range []struct {
		reason   string
		e        effect.Rewrite
		in, want string // want "" is an error
	}{
		{"the whole", effect.Rewrite{Target: "line", Text: "I wait."}, "I run.", "I wait."},
		{"no pattern", effect.Rewrite{Target: "line", Find: ".", Text: "!"}, "I run.", "I run!"},
		{"nor a template", effect.Rewrite{Target: "line", Find: "run", Text: "$0 {{user}}"}, "I run.", "I $0 {{user}}."},
		{"deleted", effect.Rewrite{Target: "prompt", Find: " run"}, "I run.", "I."},
		{"not found", effect.Rewrite{Target: "prompt", Find: "walk", Text: "run"}, "I run.", "I run."},
		{"not found in a text that is long already", effect.Rewrite{Target: "prompt", Find: "b", Text: "run"},
			strings.Repeat("a", 1048576+1), strings.Repeat("a", 1048576+1)},
		{"to the bound", effect.Rewrite{Target: "reply", Text: strings.Repeat("a", 1048576)}, "x",
			strings.Repeat("a", 1048576)},
		{"beyond it as a whole", effect.Rewrite{Target: "reply", Text: strings.Repeat("a", 1048576+1)}, "x", ""},
		{"beyond it piece by piece", effect.Rewrite{Target: "reply", Find: "a", Text: long}, long, ""},
		{"a whole prompt", effect.Rewrite{Target: "prompt", Text: "x"}, "I run.", ""},
		{"no target", effect.Rewrite{Text: "x"}, "I run.", ""},
	} {
		got, err := tc.e.In(tc.in)
		switch {
		case tc.want == "" && (err == nil || got != tc.in):
			t.Errorf("%s: %d bytes, %v; want an error and the text as it was", tc.reason, len(got), err)
		case tc.want != "" && (err != nil || got != tc.want):
			t.Errorf("%s: %q, %v", tc.reason, got, err)
		}
	}
}

package rules_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/talewright/talewright/rules"
)

func ExampleRewrite_In() {
	e := rules.Rewrite{Target: rules.RewriteReply, Find: "elf", Text: "faerie"}
	text, err := e.In("The elf bows. Another elf laughs.")
	fmt.Println(text, err)
	// Output: The faerie bows. Another faerie laughs. <nil>
}

// A rewrite replaces plain text, and what it makes of a text has a bound.
func TestRewriteIsBounded(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("a", 2000)
	for _, tc := range []struct {
		reason   string
		e        rules.Rewrite
		in, want string // want "" is an error
	}{
		{"the whole", rules.Rewrite{Target: "line", Text: "I wait."}, "I run.", "I wait."},
		{"no pattern", rules.Rewrite{Target: "line", Find: ".", Text: "!"}, "I run.", "I run!"},
		{"nor a template", rules.Rewrite{Target: "line", Find: "run", Text: "$0 {{user}}"}, "I run.", "I $0 {{user}}."},
		{"deleted", rules.Rewrite{Target: "prompt", Find: " run"}, "I run.", "I."},
		{"not found", rules.Rewrite{Target: "prompt", Find: "walk", Text: "run"}, "I run.", "I run."},
		{"not found in a text that is long already", rules.Rewrite{Target: "prompt", Find: "b", Text: "run"},
			strings.Repeat("a", rules.MaxRewritten+1), strings.Repeat("a", rules.MaxRewritten+1)},
		{"to the bound", rules.Rewrite{Target: "reply", Text: strings.Repeat("a", rules.MaxRewritten)}, "x",
			strings.Repeat("a", rules.MaxRewritten)},
		{"beyond it as a whole", rules.Rewrite{Target: "reply", Text: strings.Repeat("a", rules.MaxRewritten+1)}, "x", ""},
		{"beyond it piece by piece", rules.Rewrite{Target: "reply", Find: "a", Text: long}, long, ""},
		{"a whole prompt", rules.Rewrite{Target: "prompt", Text: "x"}, "I run.", ""},
		{"no target", rules.Rewrite{Text: "x"}, "I run.", ""},
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

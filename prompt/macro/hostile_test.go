package macro_test

import (
	"strings"
	"testing"

	"github.com/talewright/talewright/internal/testkit"
	"github.com/talewright/talewright/prompt/macro"
)

// hostile returns texts of about n bytes that could cause quadratic time or unlimited memory.
func hostile(n int) map[string]string {
	r := func(unit string) string { return strings.Repeat(unit, n/len(unit)+1) }
	deep := n / len("{{reverse::}}")
	return map[string]string{
		"braces":            r("{"),
		"open":              r("{{"),
		"open spaced":       r("{{ "),
		"closing braces":    r("}}"),
		"never closed":      r("{{reverse::"),
		"nested":            strings.Repeat("{{reverse::", deep) + "x" + strings.Repeat("}}", deep),
		"scopes opened":     r("{{if 1}}"),
		"scopes nested":     strings.Repeat("{{if 1}}", n/15) + "x" + strings.Repeat("{{/if}}", n/15),
		"scopes closed":     r("{{/if}}"),
		"crossed tags":      strings.Repeat("{{a}}{{b}}", n/20) + strings.Repeat("{{/a}}{{/b}}", n/24),
		"unable openers":    strings.Repeat("{{user}}", n/17) + strings.Repeat("{{/user}}", n/17),
		"else":              "{{if 1}}" + r("{{else}}") + "{{/if}}",
		"comments":          r("{{//"),
		"scoped comments":   strings.Repeat("{{//}}", n/13) + strings.Repeat("{{///}}", n/13),
		"separators":        "{{random" + r("::a") + "}}",
		"blank lines":       "{{if 1}}" + r(" \n") + "{{/if}}",
		"trims":             r("\n{{trim}}\n"),
		"angle":             r("<"),
		"half angle":        r("<charifnotgrou"),
		"escapes":           r(`\{`),
		"unknown":           r("{{x}}"),
		"variables":         r("{{.a++}}"),
		"growing variable":  "{{setvar::a::0123456789}}" + r("{{setvar::a::{{getvar::a}}{{getvar::a}}}}"),
		"growing text":      r("{{addvar::a::x}}{{getvar::a}}"),
		"growing list":      "{{setvar::l::[]}}" + r("{{addvar::l::x}}"),
		"many keys":         r("{{setvarkey::o::k::v}}"),
		"spaces":            r("{{space::1000}}"),
		"picks":             r("{{pick::a,b}}"),
		"flags":             "{{" + r("!") + "user}}",
		"condition":         "{{if " + r("!") + "}}x{{/if}}",
		"invalid bytes":     r("{{\xff"),
		"time zone":         r("{{time_UTC+"),
		"commas":            "{{random:" + r("a,") + "}}",
		"long name":         "{{" + r("a") + "}}",
		"many names":        manyNames(n),
		"variable operator": r("{{.a||"),
	}
}

func manyNames(n int) string {
	var b strings.Builder
	for b.Len() < n {
		b.WriteString("{{setvar::v")
		b.WriteString(strings.Repeat("x", b.Len()%7))
		b.WriteString("::1}}")
	}
	return b.String()
}

// TestHostileTexts expands each text at 100 kB. With more than linear work the test would time out;
// limits keep the results small.
func TestHostileTexts(t *testing.T) {
	t.Parallel()
	size := 100_000
	if testkit.Race {
		size = 10_000
	}
	for name, text := range hostile(size) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			env := macro.Env{User: "Mara", Char: "Orin", Random: func() float64 { return 0.5 }}
			run := macro.NewRun(env)
			got := run.Expand(text, macro.Full)
			if len(got) > 1<<20+len(text) {
				t.Errorf("the result has %d bytes", len(got))
			}
			if got := run.Expand(text, macro.Names); len(got) > 2*len(text)+1024 {
				t.Errorf("in mode names the result has %d bytes", len(got))
			}
			if n := len(run.Trace().Problems); n > 1000 {
				t.Errorf("%d problems", n)
			}
		})
	}
}

// FuzzExpand checks properties of every text: no panic; same input, same output; mode Names changes
// only names; Off changes nothing.
func FuzzExpand(f *testing.F) {
	for _, text := range hostile(60) {
		f.Add(text)
	}
	for _, text := range seedTemplates(f) {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		expand := func(mode macro.Mode) string {
			return macro.NewRun(macro.Env{
				User: "Mara", Char: "Orin", Random: func() float64 { return 0.25 },
				Vars: map[string]any{"hp": 7.0, "list": "[1]"},
			}).Expand(text, mode)
		}
		first := expand(macro.Full)
		if second := expand(macro.Full); first != second {
			t.Errorf("two results: %q, %q", first, second)
		}
		if !strings.ContainsAny(text, "{<\\") && first != text {
			t.Errorf("%q became %q", text, first)
		}
		if names := expand(macro.Names); !strings.ContainsAny(text, "<{") && names != text {
			t.Errorf("mode names: %q became %q", text, names)
		}
		if off := expand(macro.Off); off != text {
			t.Errorf("mode off: %q became %q", text, off)
		}
	})
}

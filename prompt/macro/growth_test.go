package macro_test

import (
	"testing"
	"time"

	"github.com/talewright/talewright/internal/testkit"
	"github.com/talewright/talewright/prompt/macro"
)

// TestGrowth runs the parser, every macro that reads its argument, and the values of hosts on texts
// that could cause quadratic work. A result has at most 1 MiB, all results of a run 16 MiB, a time
// pattern 1 KiB.
func TestGrowth(t *testing.T) {
	expand := func(mode macro.Mode) func(string) {
		return func(text string) {
			run := macro.NewRun(macro.Env{
				User: "Mara", Char: "Orin", Clock: time.Unix(1e9, 0), Random: func() float64 { return 0.5 },
			})
			run.Expand(text, mode)
			run.Vars()
		}
	}
	syntax := []testkit.Atom{
		testkit.Repeat("{"), testkit.Repeat("{{"), testkit.Repeat("{{ "), testkit.Repeat("}}"),
		testkit.Repeat("{{a"), testkit.Repeat("{{user'"), testkit.Repeat("{{//"), testkit.Repeat("{{.a x"),
		testkit.Repeat("{{.a = {{.b.c}}"), testkit.Repeat("{{random::"), testkit.Repeat("{{\u3000"),
		testkit.Repeat("{{if 1}}"), testkit.Repeat("{{/if}}"), testkit.Repeat("{{else}}"), testkit.Repeat("\n{{trim}}\n"),
		testkit.Repeat("<charifnotgrou"), testkit.Repeat(`\{`), testkit.Repeat("{{time_UTC+"), testkit.Repeat("{{unknown::x}}"),
		testkit.Nest("{{reverse::", "x", "}}"), testkit.Nest("{{if 1}}", "x", "{{/if}}"), testkit.Nest("{{if {{user}}}}", "x", "{{/if}}"),
		testkit.Nest("{{foo}}", "x", "{{/foo}}"), testkit.Nest("{{.a = ", "x", "}}"), testkit.Nest("{{//}}", "x", "{{///}}"),
		testkit.Nest("{{datetimeformat::LLLL ", "LLLL", "}}"), testkit.Nest("{{random::a::", "x", "}}"), testkit.Nest("{{trim}}", " ", "{{/trim}}"),
		{Head: "{{if 1}}", Open: "\u3000", Tail: "x{{/if}}"}, {Head: "{{if 1}}x\n", Open: " \n", Tail: "{{/if}}"},
	}
	var calls []testkit.Atom
	for _, text := range []string{
		"{{reverse::灯塔}}", "{{newline::9}}", "{{space::9}}", "{{random::a,b}}", "{{pick::a::b}}", "{{roll::9d6}}",
		"{{time::UTC+2}}", "{{datetimeformat::LLLL}}", "{{timeDiff::2025-01-01::2024-01-01}}", "{{idleDuration}}",
		"{{setvar::v::x}}{{getvar::v}}", "{{addvar::v::x}}", "{{incvar::n}}{{decvar::n}}", "{{hasvar::v}}{{deletevar::v}}",
		"{{setvarkey::o::k::v}}{{getvarkey::o::k}}", "{{setvarkey::l::9::v}}{{getvarkey::l::length}}", "{{setvarkey::t::1e2::v}}",
		"{{setvar::l::[]}}{{addvar::l::x}}", "{{.v ??= 1}}{{.v || 2}}{{.v += 1}}{{.v -= 1}}{{.v >= 2}}", "{{setvar::m::{{trim}}}}{{getvar::m}}",
		"{{lastMessage}}{{input}}{{group}}{{notChar}}", "{{description}}{{greeting}}{{mesExamples}}", "{{outlet::o}}{{var::a.b}}",
		"{{systemPrompt}}{{instructStop}}{{hasExtension::x}}",
	} {
		calls = append(calls, testkit.Repeat(text))
	}
	arguments := []testkit.Atom{
		{Head: "{{reverse::", Open: "灯", Tail: "}}"}, {Head: "{{random::", Open: "a,", Tail: "}}"}, {Head: "{{pick", Open: "::a", Tail: "}}"},
		{Head: "{{random::", Open: `\,`, Tail: "}}"}, {Head: "{{roll::", Open: "9", Tail: "}}"}, {Head: "{{datetimeformat::", Open: "[", Tail: "}}"},
		{Head: "{{setvar::v::", Open: "9", Tail: "}}{{.v++}}{{.v > 1}}"}, {Head: "{{setvar::v::", Open: " ", Tail: "}}{{.v}}"},
		{Head: "{{setvar::v::", Open: "[", Close: "]", Tail: "}}{{addvar::v::x}}{{getvarkey::v::0}}"},
		{Head: "{{setvar::v::", Open: `{"a":`, Mid: "1", Close: "} ", Tail: "}}{{setvarkey::v::b::x}}{{getvarkey::v::a}}"},
		{Head: "{{setvar::v::[0", Open: ",0", Tail: "]}}{{setvarkey::v::0::x}}{{getvar::v}}"},
		{Head: `{{setvar::v::{"a":0`, Open: `,"a":0`, Tail: "} }}{{setvarkey::v::0::x}}{{getvar::v}}"},
		{Head: "{{timeDiff::", Open: "2", Tail: "::2025-01-01}}"}, {Head: "{{time::UTC+", Open: "1", Tail: "}}"},
	}
	examples := func(text string) { macro.SplitExamples(text) }
	format := func(text string) { macro.FormatTime(time.Unix(1e9, 0), text) }
	testkit.Growth(t,
		testkit.Reader{Name: "syntax", Read: expand(macro.Full), Atoms: syntax},
		testkit.Reader{Name: "syntax of players", Read: expand(macro.Names), Atoms: syntax},
		testkit.Reader{Name: "macros", Read: expand(macro.Full), Atoms: calls},
		testkit.Reader{Name: "arguments", Read: expand(macro.Full), Atoms: arguments},
		testkit.Reader{Name: "SplitExamples", Read: examples, Atoms: []testkit.Atom{
			testkit.Repeat("<START>"), testkit.Repeat("<START"), testkit.Repeat("<start>\n x"), testkit.Repeat(" "),
		}},
		testkit.Reader{Name: "FormatTime", Read: format, Atoms: []testkit.Atom{
			testkit.Repeat("["), testkit.Repeat("]"), testkit.Repeat("[a]"), testkit.Repeat("LLLL"),
			testkit.Repeat(`\`), testkit.Nest("[", "x", "]"), testkit.Repeat("[]]"),
		}},
	)
}

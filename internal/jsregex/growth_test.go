package jsregex_test

import (
	"testing"

	"github.com/talewright/talewright/internal/jsregex"
	"github.com/talewright/talewright/internal/testkit"
)

// TestGrowth: parsing patterns, making code and searching texts have linear cost.
func TestGrowth(t *testing.T) {
	compileAndRun := func(letters string) func(string) {
		flags, _ := jsregex.ParseFlags(letters)
		return func(pattern string) {
			if re, err := jsregex.CompileMarked(pattern, flags); err == nil {
				_, _ = re.Match("\x01abc")
				_ = re.RunAway()
				_ = re.Groups()
			}
		}
	}
	patterns := []testkit.Atom{
		testkit.Repeat("a{1000}"), testkit.Repeat("[a-z]{0,1000}"), testkit.Repeat("(?:ab){9}"),
		testkit.Repeat("(a)"), testkit.Repeat("(?:a|b)?"), testkit.Repeat("a|"), testkit.Repeat("(?=a)"),
		testkit.Repeat(`[\w-]`), testkit.Repeat("魔"), testkit.Repeat("(?:魔|法)"), testkit.Repeat(`\b`),
		testkit.Repeat("[a-l]"), testkit.Repeat("x?"), testkit.Repeat("(?:a*)*"), testkit.Repeat("^|"),
		testkit.Nest("(", "a", ")"), testkit.Nest("(?:a|", "b", ")"), testkit.Nest("(?:a?", "b", "){2}"),
		testkit.Nest("(?!", "b", ")"), {Head: "(a)", Open: `\1`}, {Head: "[", Open: "a-c", Tail: "]"},
		{Head: "[", Open: `\w`, Tail: "]"}, testkit.Repeat("{1"), testkit.Repeat("["), testkit.Repeat("("),
		{Head: "(?:", Open: "word|", Tail: "x)*y"}, {Head: `\`, Open: "1"}, testkit.Repeat(`\1`),
	}
	search := func(pattern, letters string) testkit.Reader {
		re := compile(t, pattern, letters)
		return testkit.Reader{Name: "search " + pattern, Read: func(text string) {
			_, _ = re.Match(text)
			for range re.All(re.Text(text)) {
			}
		}, Atoms: []testkit.Atom{
			testkit.Repeat("a"), testkit.Repeat("魔法，"), testkit.Repeat("ab "), testkit.Repeat("🐉"),
			testkit.Repeat("\n"), {Open: "a", Tail: "!"}, testkit.Repeat("é"),
		}}
	}
	testkit.Growth(t,
		testkit.Reader{Name: "compile", Read: compileAndRun(""), Atoms: patterns},
		testkit.Reader{Name: "compile, flags iu", Read: compileAndRun("iu"), Atoms: patterns},
		search(`(?=\w+!)\w+\?`, ""), search(`([\u4e00-\u9fa5]+)[，。]\1`, ""), search(`((a*)*)*$`, "i"),
		search(`.`, ""), search(`\b(\w+)\b`, "iu"), search(`(?<=(a+))b`, ""), search(`(?:)`, ""),
	)
}

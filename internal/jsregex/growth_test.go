package jsregex_test

import (
	"testing"

	"github.com/talewright/talewright/internal/growthtest"
	"github.com/talewright/talewright/internal/jsregex"
)

// TestGrowth: patterns are read and made into code, and texts searched, in proportion
// to their length.
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
	patterns := []growthtest.Atom{
		growthtest.Repeat("a{1000}"), growthtest.Repeat("[a-z]{0,1000}"), growthtest.Repeat("(?:ab){9}"),
		growthtest.Repeat("(a)"), growthtest.Repeat("(?:a|b)?"), growthtest.Repeat("a|"), growthtest.Repeat("(?=a)"),
		growthtest.Repeat(`[\w-]`), growthtest.Repeat("魔"), growthtest.Repeat("(?:魔|法)"), growthtest.Repeat(`\b`),
		growthtest.Repeat("[a-l]"), growthtest.Repeat("x?"), growthtest.Repeat("(?:a*)*"), growthtest.Repeat("^|"),
		growthtest.Nest("(", "a", ")"), growthtest.Nest("(?:a|", "b", ")"), growthtest.Nest("(?:a?", "b", "){2}"),
		growthtest.Nest("(?!", "b", ")"), {Head: "(a)", Open: `\1`}, {Head: "[", Open: "a-c", Tail: "]"},
		{Head: "[", Open: `\w`, Tail: "]"}, growthtest.Repeat("{1"), growthtest.Repeat("["), growthtest.Repeat("("),
		{Head: "(?:", Open: "word|", Tail: "x)*y"}, {Head: `\`, Open: "1"}, growthtest.Repeat(`\1`),
	}
	search := func(pattern, letters string) growthtest.Reader {
		re := compile(t, pattern, letters)
		return growthtest.Reader{Name: "search " + pattern, Read: func(text string) {
			_, _ = re.Match(text)
			for range re.All(re.Text(text)) {
			}
		}, Atoms: []growthtest.Atom{
			growthtest.Repeat("a"), growthtest.Repeat("魔法，"), growthtest.Repeat("ab "), growthtest.Repeat("🐉"),
			growthtest.Repeat("\n"), {Open: "a", Tail: "!"}, growthtest.Repeat("é"),
		}}
	}
	growthtest.Run(t,
		growthtest.Reader{Name: "compile", Read: compileAndRun(""), Atoms: patterns},
		growthtest.Reader{Name: "compile, flags iu", Read: compileAndRun("iu"), Atoms: patterns},
		search(`(?=\w+!)\w+\?`, ""), search(`([\u4e00-\u9fa5]+)[，。]\1`, ""), search(`((a*)*)*$`, "i"),
		search(`.`, ""), search(`\b(\w+)\b`, "iu"), search(`(?<=(a+))b`, ""), search(`(?:)`, ""),
	)
}

package tiktoken_test

import (
	"testing"

	"github.com/talewright/talewright/internal/testkit"
	"github.com/talewright/talewright/prompt/tiktoken"
)

// TestGrowth checks that the work of every vocabulary grows only slightly faster than the text.
func TestGrowth(t *testing.T) {
	atoms := []testkit.Atom{
		testkit.Repeat("a"), testkit.Repeat("A"), testkit.Repeat(" "), testkit.Repeat("\n"),
		testkit.Repeat(" \n"), testkit.Repeat("\n \t"), testkit.Repeat("1"), testkit.Repeat("雨"),
		testkit.Repeat("."), testkit.Repeat("/\n"), testkit.Repeat("'s"), testkit.Repeat("\u0301"),
		testkit.Repeat("\xff"), testkit.Repeat("\x7f"), testkit.Repeat("aA "), testkit.Repeat("<|endoftext|>"),
		{Open: " ", Mid: "x"}, {Head: "\n", Open: "\t", Mid: "x"}, {Open: "\u3000", Mid: "\n\nx"},
	}
	var readers []testkit.Reader
	for _, name := range tiktoken.Encodings() {
		counter, err := tiktoken.New(name)
		if err != nil {
			t.Fatal(err)
		}
		readers = append(readers, testkit.Reader{Name: name, Atoms: atoms, Size: 4 << 10,
			Read: func(text string) { counter.Count(text) }})
	}
	testkit.Growth(t, readers...)
}

package tiktoken_test

import (
	"testing"

	"github.com/talewright/talewright/internal/growthtest"
	"github.com/talewright/talewright/prompt/tiktoken"
)

// TestGrowth holds every vocabulary to work that hardly grows faster than the text.
func TestGrowth(t *testing.T) {
	atoms := []growthtest.Atom{
		growthtest.Repeat("a"), growthtest.Repeat("A"), growthtest.Repeat(" "), growthtest.Repeat("\n"),
		growthtest.Repeat(" \n"), growthtest.Repeat("\n \t"), growthtest.Repeat("1"), growthtest.Repeat("雨"),
		growthtest.Repeat("."), growthtest.Repeat("/\n"), growthtest.Repeat("'s"), growthtest.Repeat("\u0301"),
		growthtest.Repeat("\xff"), growthtest.Repeat("\x7f"), growthtest.Repeat("aA "), growthtest.Repeat("<|endoftext|>"),
		{Open: " ", Mid: "x"}, {Head: "\n", Open: "\t", Mid: "x"}, {Open: "\u3000", Mid: "\n\nx"},
	}
	var readers []growthtest.Reader
	for _, name := range tiktoken.Encodings() {
		counter, err := tiktoken.New(name)
		if err != nil {
			t.Fatal(err)
		}
		readers = append(readers, growthtest.Reader{Name: name, Atoms: atoms, Size: 4 << 10,
			Read: func(text string) { counter.Count(text) }})
	}
	growthtest.Run(t, readers...)
}

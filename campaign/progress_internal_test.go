package campaign

import (
	"slices"
	"testing"

	"github.com/talewright/talewright/internal/growthtest"
)

func TestSentencesAddUp(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int{
		"":                       0,
		"One":                    1,
		"One. Two! Three?":       3,
		"等等……她说。走！\n\n好":         4,
		"3.5 is a number":        2,
		"...":                    1,
		"\xff\xfe. broken bytes": 2,
	} {
		pieces := slices.Collect(sentences(text))
		sum := ""
		for _, p := range pieces {
			sum += p
		}
		if sum != text || len(pieces) != want {
			t.Errorf("%q: %d pieces %q, want %d", text, len(pieces), pieces, want)
		}
	}
}

// TestGrowthOfSentences: a text is cut in proportion to its length.
func TestGrowthOfSentences(t *testing.T) {
	growthtest.Run(t, growthtest.Reader{Name: "sentences", Read: func(text string) {
		for range sentences(text) {
		}
	}, Atoms: []growthtest.Atom{growthtest.Repeat("The wind turns. "), growthtest.Repeat("風。"), growthtest.Repeat("."),
		growthtest.Repeat("\xff"), growthtest.Repeat("a")}})
}

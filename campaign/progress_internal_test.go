package campaign

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/talewright/talewright/internal/testkit"
)

func TestSentencesAddUp(t *testing.T) {
	t.Parallel()
	for _, want := range [][]string{
		nil, {"One"}, {"One.", " Two!", " Three?"}, {"等等……", "她说。", "走！\n\n", "好"}, {"3.5 is a number.", " ..."}, {"...and v1.2.", " On"},
		{"\xff\xfe.", " broken bytes"}, {"“走！”", "他说。", "「好。」", "她笑了。\n", "“等等。”"},
		{`"Go!"`, ` he says.`, ` *She nods.*`, ` (Slowly.)`, " \n", `"Yes."`}, {"Go!.", "5 come."}, {"?!", " Hm.\n", "*A bell.*\n", "[End]"},
	} {
		text := strings.Join(want, "")
		if diff := cmp.Diff(want, slices.Collect(sentences(text))); diff != "" {
			t.Errorf("%q (-want +got):\n%s", text, diff)
		}
	}
}

// TestSentencesEnd: a caller may stop after any sentence.
func TestSentencesEnd(t *testing.T) {
	t.Parallel()
	for n := range 3 {
		var got []string
		for s := range sentences("One. Two. Three.") {
			if got = append(got, s); len(got) == n+1 {
				break
			}
		}
		if want := []string{"One.", " Two.", " Three."}[:n+1]; !slices.Equal(got, want) {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// TestGrowthOfSentences: the time for splitting a text is linear in its length.
func TestGrowthOfSentences(t *testing.T) {
	testkit.Growth(t, testkit.Reader{Name: "sentences", Read: func(text string) {
		for range sentences(text) {
		}
	}, Atoms: []testkit.Atom{testkit.Repeat("The wind turns. "), testkit.Repeat("風。"), testkit.Repeat("."),
		testkit.Repeat("\xff"), testkit.Repeat("a")}})
}

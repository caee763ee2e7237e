package utf8text

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// Applying the edits to one text gives the other text, and no shorter list does.
func TestCompareProperties(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(3, 4))
	text := func() []string {
		out := make([]string, random.IntN(9))
		for i := range out {
			out[i] = string(rune('a' + random.IntN(3)))
		}
		return out
	}
	for range 2000 {
		a, b := text(), text()
		var before, after []string
		changes := 0
		for _, e := range compare(a, b) {
			if e.kind != '+' {
				before = append(before, e.line)
			}
			if e.kind != '-' {
				after = append(after, e.line)
			}
			if e.kind != ' ' {
				changes++
			}
		}
		if !slices.Equal(before, a) || !slices.Equal(after, b) {
			t.Fatalf("edits of %q, %q give %q, %q", a, b, before, after)
		}
		if want := len(a) + len(b) - 2*longestCommon(a, b); changes != want {
			t.Fatalf("%q, %q: %d changes, want %d", a, b, changes, want)
		}
	}
}

// longestCommon computes the length of the longest common subsequence in the simplest way.
func longestCommon(a, b []string) int {
	switch {
	case len(a) == 0 || len(b) == 0:
		return 0
	case a[0] == b[0]:
		return 1 + longestCommon(a[1:], b[1:])
	}
	return max(longestCommon(a[1:], b), longestCommon(a, b[1:]))
}

// Very long texts are compared in limited time, and still completely.
func TestCompareLong(t *testing.T) {
	t.Parallel()
	a := strings.Split(strings.Repeat("a\n", 5000)+"end", "\n")
	b := strings.Split(strings.Repeat("b\n", 5000)+"end", "\n")
	edits := compare(a, b)
	if len(edits) != 10001 || edits[0].kind != '-' || edits[9999].kind != '+' || edits[10000].kind != ' ' {
		t.Errorf("%d edits", len(edits))
	}
}

package tokens

import (
	"math"
	"testing"

	"github.com/talewright/talewright/internal/testkit"
)

func TestEstimate(t *testing.T) {
	tests := []struct {
		name, text, reason string
		want               int
	}{
		{"nothing", "", "an empty text costs nothing", 0},
		{"a line end", "\n", "a text that is there has a token at least", 1},
		{"a word", "lamp", "a short word is one token", 1},
		{"a long word", "lighthouse", "4 letters beyond the sixth: 220 hundredths", 3},
		{"words", "the old lamp", "single blanks are free", 3},
		{"digits", "1234", "two started groups of three", 2},
		{"Han", "这个世界", "four times 88", 4},
		{"kana", "かな", "twice 90", 2},
		{"Hangul", "한글", "twice 85", 2},
		{"full width", "，，", "twice 130", 3},
		{"other letters", "дом", "three times 40", 2},
		{"no UTF-8", "\xff\xff", "twice 55", 2},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := Estimate(test.text); got != test.want {
				t.Errorf("Estimate(%q) = %d, want %d: %s", test.text, got, test.want, test.reason)
			}
		})
	}
}

func TestEstimateAllocatesNothing(t *testing.T) {
	if n := testkit.Allocs(10, func() { Estimate("The lamp turns 3 times，灯塔。") }); n > 0 {
		t.Errorf("%v allocations", n)
	}
}

// TestLeast: the least weight of a number of tokens gives this number, and a smaller weight gives
// fewer.
func TestLeast(t *testing.T) {
	t.Parallel()
	for n := 2; n < 50; n++ {
		if w := Least(n); Tokens(w) != n || Tokens(w-1) != n-1 {
			t.Errorf("%d tokens begin at a weight of %d", n, w)
		}
	}
	for _, n := range []int{1, 0, -5, math.MinInt} {
		if w := Least(n); w != 0 {
			t.Errorf("%d tokens begin at a weight of %d", n, w)
		}
	}
	if w := Least(math.MaxInt); w < math.MaxInt-200 {
		t.Errorf("the largest weight is %d", w)
	}
}

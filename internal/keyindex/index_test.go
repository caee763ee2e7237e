package keyindex_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/talewright/talewright/internal/keyindex"
	"github.com/talewright/talewright/internal/testkit"
)

// slowScan is the simplest scan: every key at every position.
func slowScan(keys []keyindex.Key, text string) []int32 {
	var hits []int32
	word := func(i int) bool { return i >= 0 && i < len(text) && keyindex.IsWordByte(text[i]) }
	edge := func(e keyindex.Edge, w bool) bool {
		return e == keyindex.AnyEdge || w == (e == keyindex.WordEdge)
	}
	for id, k := range keys {
		for i := 0; i+len(k.Text) <= len(text); i++ {
			if text[i:i+len(k.Text)] == k.Text && edge(k.Left, word(i-1)) &&
				edge(k.Right, word(i+len(k.Text))) && (!k.Check || i%2 == 0) {
				hits = append(hits, int32(id))
				break
			}
		}
	}
	return hits
}

func TestScanAgainstSlow(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(1, 2))
	alphabets := [][]string{
		{"a", "b"}, {"a", "b", "_", " "}, {"a", "魔", "法", "é"},
		strings.Split("abcdefghijklmnopqrstuvwxyz 0-", ""), {"魔", "法", "师", "a", "\x00"},
	}
	word := func(letters []string, n int) string {
		var b strings.Builder
		for range n {
			b.WriteString(letters[rng.IntN(len(letters))])
		}
		return b.String()
	}
	sets := 400
	if testkit.Race {
		sets = 100
	}
	for range sets {
		letters := alphabets[rng.IntN(len(alphabets))]
		keys := make([]keyindex.Key, 1+rng.IntN([]int{3, 40, 800}[rng.IntN(3)]))
		for i := range keys {
			keys[i] = keyindex.Key{Text: word(letters, 1+rng.IntN(1+rng.IntN(14)))}
			if rng.IntN(4) == 0 {
				keys[i].Left = keyindex.Edge(rng.IntN(3))
				keys[i].Right = keyindex.Edge(rng.IntN(3))
				keys[i].Check = rng.IntN(3) == 0
			}
		}
		x := keyindex.Build(keys)
		for range 5 {
			text := word(letters, rng.IntN([]int{4, 40, 9000}[rng.IntN(3)]))
			got := x.Scan(nil, []byte(text), func(_, start, _ int) bool { return start%2 == 0 })
			slices.Sort(got)
			if len(text) > 1000 && len(keys) > 100 {
				text = text[:1000]
				got = x.Scan(nil, []byte(text), func(_, start, _ int) bool { return start%2 == 0 })
				slices.Sort(got)
			}
			if want := slowScan(keys, text); !slices.Equal(got, want) {
				t.Fatalf("keys %+v\ntext %q\ngot %v\nwant %v", keys, text, got, want)
			}
		}
	}
}

func TestFold(t *testing.T) {
	t.Parallel()
	rows := []struct{ name, in, want string }{
		{"ascii, longer than a block", "HELLO World_[@`{Z", "hello world_[@`{z"},
		{"final sigma", "ΟΔΟΣ", "οδος"},
		{"sigma inside", "ΣΑΣ ΣΣ", "σας σς"},
		{"sigma alone", "Σ", "σ"},
		{"sigma before an ignorable and a letter", "ΑΣ'Α", "ασ'α"},
		{"sigma after an ignorable", "Α'Σ", "α'ς"},
		{"dotted capital i", "İX", "i\u0307x"},
		{"kelvin", "\u212a", "k"},
		{"ideographs", "魔法ABC师", "魔法abc师"},
		{"invalid", "a\xffB", "a\ufffdb"},
		{"truncated three-byte", "魔\xe9\xad", "魔\ufffd\ufffd"},
		{"surrogate bytes", "\xe3\x80", "\ufffd\ufffd"},
	}
	for _, r := range rows {
		if got := keyindex.FoldString(r.in); got != r.want {
			t.Errorf("%s: %q folds to %q, want %q", r.name, r.in, got, r.want)
		}
	}
}

func TestSpace(t *testing.T) {
	t.Parallel()
	if got := keyindex.TrimSpace("\ufeff\u3000 a\u0085\u200b\u2028"); got != "a\u0085\u200b" {
		t.Errorf("got %q", got)
	}
}

func TestScanDoesNotAllocate(t *testing.T) {
	x := keyindex.Build([]keyindex.Key{{Text: "dragon"}, {Text: "魔法"}, {Text: "HP", Left: keyindex.NonWordEdge}})
	text := []byte("a dragon and 魔法 with HP 5")
	var hits []int32
	x.Scan(hits, text, nil)
	hits = make([]int32, 0, 8)
	n := testkit.Allocs(100, func() { hits = x.Scan(hits[:0], text, nil) })
	if n > 0 || len(hits) != 3 {
		t.Errorf("%v allocations, hits %v", n, hits)
	}
}

// TestNewerLettersHaveNoCase pins a difference to JavaScript: letters that came
// with Unicode 16 (Garay) are not lower-cased, Go's tables do not have them.
func TestNewerLettersHaveNoCase(t *testing.T) {
	t.Parallel()
	if got := keyindex.FoldString("\U00010d50"); got != "\U00010d50" {
		t.Errorf("folded to %q: the tables know Garay now, the difference is gone", got)
	}
}

package keyindex_test

import (
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/talewright/talewright/internal/keyindex"
	"github.com/talewright/talewright/internal/testkit"
)

// pieceSize is long enough for the clock, and short enough to end before a different process gets
// the processor.
const pieceSize = 40000

// yardstick measures R, a loop that adds all bytes, in ns/B.
func yardstick() float64 {
	sum := 0
	r := nsPerByte(pieces(testkit.New(1), "en", pieceSize), func(text string) { sum += addBytes(text) })
	if sum == 0 {
		panic("no text")
	}
	return r
}

// foldAndScan measures folding and a full scan, in ns/B.
func foldAndScan(x *keyindex.Index, texts []string) float64 {
	var hits []int32
	var buf []byte
	return nsPerByte(texts, func(text string) {
		buf, _ = keyindex.Fold(buf[:0], text)
		hits = x.Scan(hits[:0], buf, nil)
	})
}

// TestPerfScan compares fold and full scan with R, with the growth in the number of keys, and with
// the loop over all keys (C).
func TestPerfScan(t *testing.T) {
	testkit.Need(t)
	for _, row := range []struct {
		keys         int
		lang         string
		limitR, fast float64
	}{
		{500, "en", 10, 25}, {500, "mix", 10, 25}, {500, "zh", 7, 25},
		{5000, "en", 16, 250}, {5000, "zh", 9, 250},
		{50000, "en", 40, 1500}, {50000, "zh", 20, 1500},
	} {
		src := testkit.New(1)
		keys := src.Keys(row.keys, false)
		x := keyindex.Build(toKeys(keys))
		texts := pieces(src, row.lang, pieceSize)
		name := fmt.Sprintf("%d keys, %s", row.keys, row.lang)
		testkit.AtMost(t, name+", fold and scan in R", row.limitR, func() float64 { return foldAndScan(x, texts) / yardstick() })
		testkit.AtMost(t, name+", share of the loop over all keys", 1/row.fast, func() float64 {
			return foldAndScan(x, texts) / containsAll(keys, texts[:1])
		})
	}
}

// containsAll measures the reference C, in ns/B.
func containsAll(keys []string, texts []string) float64 {
	found := 0
	ns := nsPerByte(texts, func(text string) {
		for _, k := range keys {
			if strings.Contains(text, k) {
				found++
			}
		}
	})
	if found == 0 {
		panic("no key is found")
	}
	return ns
}

func TestPerfFold(t *testing.T) {
	testkit.Need(t)
	for lang, limit := range map[string]float64{"en": 2, "zh": 2.5} {
		texts := pieces(testkit.New(1), lang, pieceSize)
		testkit.AtMost(t, "fold "+lang+" in R", limit, func() float64 {
			var buf []byte
			return nsPerByte(texts, func(text string) { buf, _ = keyindex.Fold(buf[:0], text) }) / yardstick()
		})
	}
}

// TestPerfGrowth: a hundred times as many keys, and additional short keys.
func TestPerfGrowth(t *testing.T) {
	testkit.Need(t)
	src := testkit.New(1)
	keys := src.Keys(50000, false)
	texts := pieces(src, "en", pieceSize)
	few, many := keyindex.Build(toKeys(keys[:500])), keyindex.Build(toKeys(keys))
	testkit.AtMost(t, "50,000 keys against 500", 6, func() float64 { return foldAndScan(many, texts) / foldAndScan(few, texts) })

	base := keyindex.Build(toKeys(keys[:5000]))
	more := slices.Concat(keys[:5000], shortKeys(80, 500))
	with := keyindex.Build(toKeys(more))
	mixed := pieces(src, "mix", pieceSize)
	testkit.AtMost(t, "80 two-byte and 500 three-byte keys more, in R", 10, func() float64 {
		return (foldAndScan(with, mixed) - foldAndScan(base, mixed)) / yardstick()
	})
}

func TestPerfBuild(t *testing.T) {
	testkit.Need(t)
	keys := testkit.New(1).Keys(50000, false)
	list := toKeys(keys)
	var x *keyindex.Index
	testkit.AtMost(t, "index build in sorts of the keys", 4, func() float64 {
		one := []string{strings.Repeat("k", len(keys))}
		sorted := make([]string, len(keys))
		sort := nsPerByte(one, func(string) { copy(sorted, keys); slices.Sort(sorted) })
		return nsPerByte(one, func(string) { x = keyindex.Build(list) }) / sort
	})
	testkit.AtMost(t, "bytes per key", 120, func() float64 {
		var before, after runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&before)
		x := keyindex.Build(list)
		runtime.GC()
		runtime.ReadMemStats(&after)
		runtime.KeepAlive(x)
		return float64(after.HeapAlloc-before.HeapAlloc) / float64(len(keys))
	})
	if x.Len() != len(keys) {
		t.Error("keys are missing")
	}
}

func TestPerfAdversarial(t *testing.T) {
	testkit.Need(t)
	for _, set := range adversarialSets {
		keys, text := adversarial(set)
		x := keyindex.Build(toKeys(keys))
		testkit.AtMost(t, set+" in R", 2000, func() float64 { return foldAndScan(x, []string{text}) / yardstick() })
	}
}

package keyindex_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/talewright/talewright/internal/keyindex"
	"github.com/talewright/talewright/internal/keyindex/keytest"
)

func toKeys(texts []string) []keyindex.Key {
	keys := make([]keyindex.Key, len(texts))
	for i, t := range texts {
		keys[i].Text = t
	}
	return keys
}

// pieces cuts fresh text into pieces, so that no pass sees one twice.
func pieces(s *keytest.Source, lang string, size int) [][]byte {
	total := 1 << 20
	text := s.Text(lang, total)
	var list [][]byte
	for len(text) > size {
		cut := size
		for cut < len(text) && text[cut]&0xc0 == 0x80 {
			cut++
		}
		list = append(list, []byte(text[:cut]))
		text = text[cut:]
	}
	return list
}

func BenchmarkFold(b *testing.B) {
	for _, lang := range []string{"en", "zh", "mix"} {
		for _, size := range []int{400, 40000, 1000000} {
			b.Run(fmt.Sprintf("lang=%s/size=%d", lang, size), func(b *testing.B) {
				b.ReportAllocs()
				text := keytest.New(1).Text(lang, size)
				var buf []byte
				b.SetBytes(int64(len(text)))
				for b.Loop() {
					buf, _ = keyindex.Fold(buf[:0], text)
				}
				if len(buf) != len(text) {
					b.Fatalf("%d bytes of %d", len(buf), len(text))
				}
			})
		}
	}
}

func BenchmarkIndexBuild(b *testing.B) {
	for _, n := range []int{500, 5000, 50000} {
		b.Run(fmt.Sprintf("keys=%d", n), func(b *testing.B) {
			b.ReportAllocs()
			keys := toKeys(keytest.New(1).Keys(n, false))
			for b.Loop() {
				if keyindex.Build(keys).Len() != n {
					b.Fatal("keys are missing")
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/key")
		})
	}
}

func BenchmarkScanText(b *testing.B) {
	for _, n := range []int{500, 5000, 50000} {
		for _, set := range []string{"rare", "dense"} {
			src := keytest.New(1)
			texts := src.Keys(n, set == "dense")
			x := keyindex.Build(toKeys(texts))
			for _, lang := range []string{"en", "zh", "mix"} {
				for _, size := range []int{400, 40000} {
					b.Run(fmt.Sprintf("keys=%d/lang=%s/size=%d/set=%s", n, lang, size, set), func(b *testing.B) {
						b.ReportAllocs()
						benchmarkScan(b, x, pieces(src, lang, size), texts)
					})
				}
			}
		}
	}
}

// benchmarkScan scans piece after piece and checks the first one's hits against
// a search key by key.
func benchmarkScan(b *testing.B, x *keyindex.Index, texts [][]byte, keys []string) {
	want := 0
	for _, k := range keys {
		if strings.Contains(string(texts[0]), k) {
			want++
		}
	}
	hits := x.Scan(nil, texts[0], nil)
	if len(hits) != want {
		b.Fatalf("%d hits, want %d", len(hits), want)
	}
	i, n := 0, 0
	for b.Loop() {
		hits = x.Scan(hits[:0], texts[i], nil)
		n += len(texts[i])
		i = (i + 1) % len(texts)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(n), "ns/B")
}

func BenchmarkScanShortKeys(b *testing.B) {
	for _, two := range []int{0, 8, 80} {
		for _, three := range []int{0, 200, 1000} {
			b.Run(fmt.Sprintf("two=%d/three=%d", two, three), func(b *testing.B) {
				b.ReportAllocs()
				src := keytest.New(1)
				keys := slices.Clone(src.Keys(5000, false))
				for i := range two {
					keys = append(keys, string([]byte{byte('a' + i%26), byte('a' + i/26)}))
				}
				for i := range three {
					keys = append(keys, string(rune(0x5000+i)))
				}
				benchmarkScan(b, keyindex.Build(toKeys(keys)), pieces(src, "mix", 40000), keys)
			})
		}
	}
}

// adversarial returns the key sets that are worst for the index.
func adversarial(set string) (keys []string, text string) {
	const size = 40000
	letters := "abcdefghijklmnopqrstuvwxyz"
	switch set {
	case "nested":
		for i := 1; i <= 2000; i++ {
			keys = append(keys, strings.Repeat("a", i))
		}
		return keys, strings.Repeat("a", size)
	case "sharedprefix":
		for i := range 50000 {
			keys = append(keys, fmt.Sprintf("the very same prefix%05d", i))
		}
		return keys, strings.Repeat("the very same prefix", size/20)
	case "ab":
		for i := range 44000 {
			k := ""
			for x := uint(i) + 1<<16; x > 1; x >>= 1 {
				k += string(letters[x&1])
			}
			keys = append(keys, k)
		}
		return keys, strings.Repeat("abbabaabbaababba", size/16)
	case "longkey":
		return []string{strings.Repeat("a", 20000) + "b"}, strings.Repeat("a", size)
	case "repeats":
		for i := range 1000 {
			keys = append(keys, strings.Repeat("a", 500+i)+"b")
		}
		return keys, strings.Repeat("a", size)
	}
	for i := range 26 * 26 * 26 { // trigrams
		keys = append(keys, string([]byte{letters[i%26], letters[i/26%26], letters[i/676]}))
	}
	for i := range 20000 {
		keys = append(keys, string([]byte{letters[i%26], letters[i/26%26], letters[i/676%26], letters[i/17576]}))
	}
	return keys, keytest.New(1).Text("en", size)
}

var adversarialSets = []string{"nested", "sharedprefix", "ab", "longkey", "repeats", "trigrams"}

func BenchmarkScanAdversarial(b *testing.B) {
	for _, set := range adversarialSets {
		b.Run("set="+set, func(b *testing.B) {
			b.ReportAllocs()
			keys, text := adversarial(set)
			benchmarkScan(b, keyindex.Build(toKeys(keys)), [][]byte{[]byte(text)}, keys)
		})
	}
}

// nsPerByte returns the best of several passes.
func nsPerByte(n int, f func()) float64 {
	best := time.Duration(1 << 62)
	for range 9 {
		start := time.Now()
		f()
		best = min(best, time.Since(start))
	}
	return float64(best.Nanoseconds()) / float64(n)
}

// addBytes is the yardstick R: one plain loop over the text.
func addBytes(text []byte) (sum int) {
	for _, c := range text {
		sum += int(c)
	}
	return sum
}

// TestPerfScan checks the target ratios against a loop over the bytes (R).
func TestPerfScan(t *testing.T) {
	if os.Getenv("PERF") == "" || testing.Short() {
		t.Skip("measures time: set PERF=1")
	}
	plain := []byte(keytest.New(1).Text("en", 1<<20))
	sum := 0
	r := nsPerByte(len(plain), func() { sum += addBytes(plain) })
	t.Logf("R = %.3f ns/B (sum %d)", r, sum)
	for _, row := range []struct {
		keys   int
		lang   string
		limitR float64
	}{
		{500, "en", 10}, {500, "zh", 7}, {5000, "en", 16}, {5000, "zh", 9}, {50000, "en", 40}, {50000, "zh", 20},
	} {
		src := keytest.New(1)
		x := keyindex.Build(toKeys(src.Keys(row.keys, false)))
		text := src.Text(row.lang, 1<<20)
		var hits []int32
		var buf []byte
		got := nsPerByte(len(text), func() {
			buf, _ = keyindex.Fold(buf[:0], text)
			hits = x.Scan(hits[:0], buf, nil)
		}) / r
		t.Logf("%d keys, %s: %.1f R, must be at most %.0f R", row.keys, row.lang, got, row.limitR)
		if got > row.limitR {
			t.Errorf("%d keys, %s: %.1f R", row.keys, row.lang, got)
		}
	}
}

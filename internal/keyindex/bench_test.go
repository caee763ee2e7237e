package keyindex_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/talewright/talewright/internal/keyindex"
	"github.com/talewright/talewright/internal/testkit"
)

func toKeys(texts []string) []keyindex.Key {
	keys := make([]keyindex.Key, len(texts))
	for i, t := range texts {
		keys[i].Text = t
	}
	return keys
}

// pieces cuts new text into pieces, so that no pass reads a piece twice.
func pieces(s *testkit.Source, lang string, size int) []string {
	total := 1 << 20
	text := s.Text(lang, total)
	var list []string
	for len(text) > size {
		cut := size
		for cut < len(text) && text[cut]&0xc0 == 0x80 {
			cut++
		}
		list = append(list, text[:cut])
		text = text[cut:]
	}
	return list
}

func BenchmarkFold(b *testing.B) {
	for _, lang := range []string{"en", "zh", "mix"} {
		for _, size := range []int{400, 40000, 1000000} {
			b.Run(fmt.Sprintf("lang=%s/size=%d", lang, size), func(b *testing.B) {
				b.ReportAllocs()
				text := testkit.New(1).Text(lang, size)
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
			keys := toKeys(testkit.New(1).Keys(n, false))
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
			src := testkit.New(1)
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

// benchmarkScan scans piece after piece and compares the first piece's hits with a search for each
// key.
func benchmarkScan(b *testing.B, x *keyindex.Index, texts []string, keys []string) {
	want := 0
	for _, k := range keys {
		if strings.Contains(texts[0], k) {
			want++
		}
	}
	hits := x.Scan(nil, []byte(texts[0]), nil)
	if len(hits) != want {
		b.Fatalf("%d hits, want %d", len(hits), want)
	}
	raw := make([][]byte, len(texts))
	for i, text := range texts {
		raw[i] = []byte(text)
	}
	i, n := 0, 0
	for b.Loop() {
		hits = x.Scan(hits[:0], raw[i], nil)
		n += len(raw[i])
		i = (i + 1) % len(raw)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(n), "ns/B")
}

func BenchmarkScanShortKeys(b *testing.B) {
	for _, two := range []int{0, 8, 80} {
		for _, three := range []int{0, 200, 1000} {
			b.Run(fmt.Sprintf("two=%d/three=%d", two, three), func(b *testing.B) {
				b.ReportAllocs()
				src := testkit.New(1)
				keys := slices.Clone(src.Keys(5000, false))
				keys = append(keys, shortKeys(two, three)...)
				benchmarkScan(b, keyindex.Build(toKeys(keys)), pieces(src, "mix", 40000), keys)
			})
		}
	}
}

// shortKeys returns keys of two and of three bytes.
func shortKeys(two, three int) (keys []string) {
	for i := range two {
		keys = append(keys, string([]byte{byte('a' + i%26), byte('a' + i/26)}))
	}
	for i := range three {
		keys = append(keys, string(rune(0x5000+i)))
	}
	return keys
}

// adversarial returns the worst key sets for the index.
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
	return keys, testkit.New(1).Text("en", size)
}

var adversarialSets = []string{"nested", "sharedprefix", "ab", "longkey", "repeats", "trigrams"}

func BenchmarkScanAdversarial(b *testing.B) {
	for _, set := range adversarialSets {
		b.Run("set="+set, func(b *testing.B) {
			b.ReportAllocs()
			keys, text := adversarial(set)
			benchmarkScan(b, keyindex.Build(toKeys(keys)), []string{text}, keys)
		})
	}
}

// nsPerByte runs f over new pieces and adds the best time of each piece: other processes then
// disturb one piece of one pass, not the whole figure.
func nsPerByte(texts []string, f func(text string)) float64 {
	best := make([]time.Duration, len(texts))
	n := 0
	for pass := range 9 {
		for i, text := range texts {
			start := time.Now()
			f(text)
			if took := time.Since(start); pass == 0 || took < best[i] {
				best[i] = took
			}
		}
	}
	sum := time.Duration(0)
	for i := range best {
		sum += best[i]
		n += len(texts[i])
	}
	return float64(sum.Nanoseconds()) / float64(n)
}

// addBytes is the reference R: one simple loop over the text.
func addBytes(text string) (sum int) {
	for i := range len(text) {
		sum += int(text[i])
	}
	return sum
}

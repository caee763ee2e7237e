package segment

import (
	"bytes"
	"compress/flate"
	"encoding/binary"
	"io"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/go-ego/gse"
	"github.com/talewright/talewright/internal/testkit"
)

func mustLoad(t testing.TB) *Segmenter {
	t.Helper()
	s, err := Load()
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// sentence joins words of the dictionary, and parts of words.
func sentence(rnd *rand.Rand, s *Segmenter) string {
	var b strings.Builder
	for range 1 + rnd.IntN(12) {
		word := []rune(s.base.word(int32(rnd.IntN(len(s.base.ends)))))
		if rnd.IntN(3) == 0 {
			word = word[rnd.IntN(len(word)):]
		}
		b.WriteString(string(word))
	}
	return b.String()
}

// edges are the places where Cut divides the text.
func edges(s *Segmenter, text string) (places []int) {
	at := 0
	for _, word := range s.Cut(text) {
		at += len(word)
		places = append(places, at)
	}
	return places
}

// A few characters around a place give the same decision as the whole text, with names and without.
func TestCutIsLocal(t *testing.T) {
	t.Parallel()
	plain := mustLoad(t)
	rnd := rand.New(rand.NewPCG(1, 2))
	for range testkit.Cases(300, 60) {
		text := sentence(rnd, plain)
		runes := []rune(text)
		from := rnd.IntN(len(runes))
		name := string(runes[from:min(from+2+rnd.IntN(3), len(runes))])
		for _, s := range []*Segmenter{plain, plain.With(name)} {
			places := edges(s, text)
			for at := range text {
				if at > 0 && s.isCut(text, at) != slices.Contains(places, at) {
					t.Fatalf("%s, name %s: a cut at %d is %v, but %q",
						text, name, at, s.isCut(text, at), s.Cut(text))
				}
			}
		}
	}
}

// A name alone is one word.
func TestNameIsWhole(t *testing.T) {
	t.Parallel()
	testkit.WithoutRace(t)
	plain := mustLoad(t)
	rnd := rand.New(rand.NewPCG(3, 4))
	var names []string
	for range testkit.Cases(300, 60) {
		runes := []rune(sentence(rnd, plain))
		if len(runes) >= 2 {
			names = append(names, string(runes[:min(len(runes), 2+rnd.IntN(6))]))
		}
	}
	named := plain.With(names...)
	for _, name := range named.list {
		_, known := plain.costOf(name)
		if words := named.Cut(name); len(words) != 1 && !known {
			t.Errorf("the name %s is cut as %q", name, words)
		}
	}
}

// costOfWords is the cost of a given division.
func costOfWords(s *Segmenter, words []string) (sum int64) {
	for _, word := range words {
		one := int64(unknown)
		s.base.each(word, func(size int, cost int32) {
			if size == len(word) {
				one = int64(cost)
			}
		})
		sum += one
	}
	return sum
}

// gseLibrary returns the segmenter of the library whose dictionary the package embeds.
func gseLibrary(t *testing.T) *gse.Segmenter {
	t.Helper()
	library := gse.Segmenter{NotLoadHMM: true, SkipLog: true}
	if err := library.LoadDictEmbed("zh"); err != nil {
		t.Fatal(err)
	}
	return &library
}

// The cuts are compared with the library, which loads its dictionary for this. Of equally likely
// divisions the library sometimes takes a different one. The embedded dictionary has the Chinese
// words of the library; UPDATE_WORDS=1 writes it again.
func TestLibrary(t *testing.T) {
	if testing.Short() {
		t.Skip("loads the dictionary of the library")
	}
	t.Parallel()
	testkit.WithoutRace(t)
	library := gseLibrary(t)
	words := pack(library)
	if os.Getenv("UPDATE_WORDS") != "" {
		var out bytes.Buffer
		w, err := flate.NewWriter(&out, flate.BestCompression)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write(words); err != nil || w.Close() != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile("words/words.bin", out.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
		packed = out.Bytes()
	}
	embedded, err := io.ReadAll(flate.NewReader(bytes.NewReader(packed)))
	if err != nil || !bytes.Equal(embedded, words) {
		t.Fatalf("the embedded dictionary is not that of the library: %v; UPDATE_WORDS=1 writes it", err)
	}
	s := mustLoad(t)
	rnd := rand.New(rand.NewPCG(5, 6))
	for range 1000 {
		text := sentence(rnd, s)
		got, want := s.Cut(text), library.Slice(text)
		if !slices.Equal(got, want) && costOfWords(s, got) != costOfWords(s, want) {
			t.Errorf("Cut(%q) = %q, the library has %q", text, got, want)
		}
	}
}

// allHan reports whether s consists of Chinese characters only.
func allHan(s string) bool {
	return s != "" && strings.IndexFunc(s, func(r rune) bool { return !isHan(r) }) < 0
}

// pack returns the Chinese words of the library in the form that unpack reads.
func pack(library *gse.Segmenter) []byte {
	type word struct {
		text string
		freq uint64
	}
	var words []word
	for _, token := range library.Dict.Tokens {
		if text := token.Text(); allHan(text) {
			words = append(words, word{text, uint64(token.Freq())})
		}
	}
	slices.SortFunc(words, func(a, b word) int { return strings.Compare(a.text, b.text) })
	data := binary.AppendUvarint(nil, uint64(library.Dict.TotalFreq()))
	last := ""
	for _, w := range words {
		shared := 0
		for shared < min(len(last), len(w.text)) && last[shared] == w.text[shared] {
			shared++
		}
		data = binary.AppendUvarint(data, uint64(shared))
		data = binary.AppendUvarint(data, uint64(len(w.text)-shared))
		data = append(data, w.text[shared:]...)
		data = binary.AppendUvarint(data, w.freq)
		last = w.text
	}
	return data
}

// TestDamagedDictionary: damaged bytes are an error.
func TestDamagedDictionary(t *testing.T) {
	t.Parallel()
	for _, data := range []string{"", "\x05", "\x05\x03\x01a\x01", "\x05\x00\x09a\x01"} {
		if _, err := unpack([]byte(data)); err == nil {
			t.Errorf("%q is read", data)
		}
	}
}

// FuzzIsWord: no text and no range panics, and a word begins and ends where Cut divides.
func FuzzIsWord(f *testing.F) {
	for _, text := range []string{
		"学习魔法", "这是魔法吗", "精灵elf族", "\xff魔\xe9法", "约翰·史密斯", strings.Repeat("一", 200),
	} {
		f.Add(text, 3, 9)
	}
	s := mustLoad(f).With("林小雨", "斗破苍穹")
	f.Fuzz(func(t *testing.T, text string, start, end int) {
		if strings.Join(s.Cut(text), "") != text {
			t.Fatalf("Cut(%q) loses text", text)
		}
		got := s.IsWord(text, start, end)
		if !allHan(text) || len(text) > 3*around || start < 0 || start >= end || end > len(text) {
			return
		}
		places := append(edges(s, text), 0)
		if want := slices.Contains(places, start) && slices.Contains(places, end); got != want {
			t.Errorf("IsWord(%q, %d, %d) = %v, but %q", text, start, end, got, s.Cut(text))
		}
	})
}

package tiktoken

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/dlclark/regexp2/v2"
	"github.com/tiktoken-go/tokenizer"
)

// slow is byte-pair encoding by its definition: the whole vocabulary in a map, the interpreted
// pattern, one merge at a time.
type slow struct {
	ranks map[string]int
	cut   *regexp2.Regexp
}

func newSlow(t testing.TB, encoding, cut string) slow {
	codec, err := tokenizer.Get(tokenizer.Encoding(encoding))
	if err != nil {
		t.Fatal(err)
	}
	ranks := map[string]int{}
	for id := range uint(highestID) {
		if token, err := codec.Decode([]uint{id}); err == nil {
			ranks[token] = int(id)
		}
	}
	return slow{ranks, compile(cut)}
}

func (s slow) count(text string) int {
	sum := 0
	m, _ := s.cut.FindStringMatch(string([]rune(text)))
	for ; m != nil; m, _ = s.cut.FindNextMatch(m) {
		sum += s.merge(m.String())
	}
	return sum
}

func (s slow) merge(piece string) int {
	var parts []string
	for i := range len(piece) {
		parts = append(parts, piece[i:i+1])
	}
	for {
		best, at := highestID, -1
		for i := range len(parts) - 1 {
			if rank, ok := s.ranks[parts[i]+parts[i+1]]; ok && rank < best {
				best, at = rank, i
			}
		}
		if at < 0 {
			return len(parts)
		}
		parts[at] += parts[at+1]
		parts = append(parts[:at+1], parts[at+2:]...)
	}
}

// units are the pieces of random texts: all classes that the patterns distinguish.
var units = []string{
	" ", " ", "  ", "\n", "\n", "\r\n", "\t", "\u3000", "\u00a0", "\u2028", "\u0085",
	"a", "Word", "ELF", "dragon", "'s", "'LL", "don't", "1", "2024", "!", "...", "/", "//", "\"",
	"魔法", "世", "。", "é", "e\u0301", "\u0301", "नमस्ते", "ी", "ſ", "ß", "Ǆ", "😀", "\xff",
	"\u200d", "\x7f", "\x1e", "\x00",
}

func randomText(rnd *rand.Rand) string {
	var b strings.Builder
	for range 1 + rnd.IntN(24) {
		b.WriteString(units[rnd.IntN(len(units))])
	}
	return b.String()
}

// The counter agrees with the definition.
func TestOracle(t *testing.T) {
	t.Parallel()
	for _, e := range encodings {
		cut := e.cut
		if cut == "" {
			cut = `'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+`
		}
		t.Run(e.name, func(t *testing.T) {
			t.Parallel()
			counter, err := New(e.name)
			if err != nil {
				t.Fatal(err)
			}
			oracle := newSlow(t, e.name, cut)
			rnd := rand.New(rand.NewPCG(1, 2))
			for range 600 {
				text := randomText(rnd)
				if got, want := counter.Count(text), oracle.count(text); got != want {
					t.Fatalf("Count(%q) = %d, want %d", text, got, want)
				}
			}
		})
	}
}

// The claim of [standIn]: it and U+007F are only in their own tokens.
func TestStandIn(t *testing.T) {
	t.Parallel()
	for _, e := range encodings {
		for token := range newSlow(t, e.name, "").ranks {
			if len(token) > 1 && strings.ContainsAny(token, standIn+"\x7f") {
				t.Errorf("%s has the token %q", e.name, token)
			}
		}
	}
}

func TestHasBlankLine(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		text string
		want bool
	}{
		{"", false}, {"\n", false}, {"a\n\nb", false}, {"a\r\n\r\nb", false}, {" \n ", false},
		{"\n \n", true}, {"\n\u3000\r", true},
		{"a\n b\n \tc\n\u00a0\n", true}, {"\n\n \n", true}, {"\n a\n", false},
	} {
		if got := hasBlankLine(tc.text); got != tc.want {
			t.Errorf("hasBlankLine(%q) = %v", tc.text, got)
		}
	}
}

// FuzzCount compares the counter with the definition on short texts.
func FuzzCount(f *testing.F) {
	for _, text := range []string{
		"", "hello world", "a\n \n\n  \nb", "!!\u0301\n \n", "魔法师\n\u3000\n",
		"\xff\xfe \n \n", "//\n/ी\n \nx", "\x7f",
	} {
		f.Add(text)
	}
	e := encodings[0]
	counter, err := New(e.name)
	if err != nil {
		f.Fatal(err)
	}
	oracle := newSlow(f, e.name, e.cut)
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 500 {
			return // the definition is slow
		}
		if got, want := counter.Count(text), oracle.count(text); got != want {
			t.Errorf("Count(%q) = %d, want %d", text, got, want)
		}
	})
}

package tokenize

import (
	"strings"
	"testing"
)

// The text that readers search for each claim is limited, whatever the text contains.
func TestSentencesAreBounded(t *testing.T) {
	for _, atom := range []string{"dies，", "dies ", "死", "死了，", "a", " ", "“死了，”", "“”死", "Dr. ", "3.", "dies:"} {
		text := New(strings.Repeat(atom, 40*maxSentence), nil)
		covered := 0
		for _, s := range text.Sentences {
			spoken := strings.Count(string(text.Chars[s.Start:s.End]), string(MaskRune))
			if size := s.End - s.Start - spoken; size > 2*maxSentence {
				t.Fatalf("%q: a sentence of %d characters, want at most %d", atom, size, 2*maxSentence)
			}
			covered += s.End - s.Start
		}
		if lost := len(text.Chars) - covered - len(text.Sentences)*2; lost > 0 && atom != " " {
			t.Errorf("%q: %d of %d characters are in no sentence", atom, lost, len(text.Chars))
		}
	}
}

// A sentence of ordinary length is not split, and speech in it does not count.
func TestLongSentences(t *testing.T) {
	for _, text := range []string{
		strings.Repeat("word, ", maxSentence/6),
		"She says “" + strings.Repeat("one more word, ", maxSentence) + "” and leaves.",
	} {
		if got := New(text, nil).Sentences; len(got) != 1 {
			t.Errorf("%.20s…: %d sentences, want 1", text, len(got))
		}
	}
}

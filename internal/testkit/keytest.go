package testkit

import (
	"math/rand/v2"
	"strings"
)

// This file makes the keys and texts for the benchmarks of key search, from a seed. It uses a
// vocabulary of syllable words with a Zipf distribution, and ideographs. Keys are planted in the
// texts.

// Source makes keys and texts. The same seed gives the same keys and texts.
type Source struct {
	rng   *rand.Rand
	words []string
	known map[string]bool // the words
	zipf  *rand.Zipf
	keys  []string
}

const (
	vocabulary = 30000
	ideographs = 3500
	firstHan   = 0x4e00
)

// New returns a source.
func New(seed uint64) *Source {
	s := &Source{rng: rand.New(rand.NewPCG(seed, 1)), known: map[string]bool{}}
	for len(s.words) < vocabulary {
		if w := s.syllables(); !s.known[w] {
			s.known[w] = true
			s.words = append(s.words, w)
		}
	}
	s.zipf = rand.NewZipf(s.rng, 1.1, 4, vocabulary-1)
	return s
}

func (s *Source) syllables() string {
	const consonants, vowels = "bcdfghjklmnprstvwz", "aeiou"
	var b strings.Builder
	for range 1 + s.rng.IntN(4) {
		b.WriteByte(consonants[s.rng.IntN(len(consonants))])
		b.WriteByte(vowels[s.rng.IntN(len(vowels))])
		if s.rng.IntN(3) == 0 {
			b.WriteByte(consonants[s.rng.IntN(len(consonants))])
		}
	}
	return b.String()
}

// Word returns a word with the text's own distribution.
func (s *Source) Word() string { return s.words[s.zipf.Uint64()] }

// Han returns n ideographs.
func (s *Source) Han(n int) string {
	r := make([]rune, n)
	for i := range r {
		x := s.rng.Float64()
		r[i] = firstHan + rune(x*x*ideographs) // the first ideographs are the most common ones
	}
	return string(r)
}

// Keys returns n distinct keys: 45 % words, 15 % phrases, 40 % of two to four ideographs. Nine of
// ten are rare: texts contain them where they are planted, and otherwise only by chance. The others
// have the text's own distribution; with dense set, all have. Texts that are made later have the
// keys planted.
func (s *Source) Keys(n int, dense bool) []string {
	seen := map[string]bool{}
	for len(s.keys) < n {
		k := s.key(dense)
		if seen[k] { // the common words are used up: lengthen them
			k += s.syllables()
		}
		if len(k) >= 4 && !seen[k] {
			seen[k] = true
			s.keys = append(s.keys, k)
		}
	}
	return s.keys
}

func (s *Source) key(dense bool) string {
	word, han := s.Word, s.Han
	if !dense && s.rng.IntN(10) > 0 {
		word = s.rareWord
		han = s.rareHan
	}
	switch p := s.rng.IntN(100); {
	case p < 45:
		return word()
	case p < 60:
		return word() + " " + word()
	}
	return han(2 + s.rng.IntN(3))
}

// rareWord returns a word that is not in the vocabulary. Texts contain it where it is planted, and
// by chance as a part of longer words.
func (s *Source) rareWord() string {
	w := s.syllables()
	for s.known[w] {
		w += s.syllables()
	}
	return w
}

// rareHan returns n ideographs, all equally likely.
func (s *Source) rareHan(n int) string {
	r := make([]rune, n)
	for i := range r {
		r[i] = firstHan + rune(s.rng.IntN(ideographs))
	}
	return string(r)
}

// Text returns at least size bytes, with a key planted at regular intervals. It has English-like
// words ("en"), ideographs ("zh") or both ("mix": phrases of three to fifteen words in one
// language).
func (s *Source) Text(lang string, size int) string {
	var b strings.Builder
	zh := lang == "zh"
	phrase := 0
	for i := 1; b.Len() < size; i++ {
		if phrase--; lang == "mix" && phrase < 0 {
			zh, phrase = s.rng.IntN(2) == 0, 2+s.rng.IntN(13)
		}
		switch {
		case len(s.keys) > 0 && (!zh && i%60 == 0 || zh && i%20 == 0):
			b.WriteString(s.keys[s.rng.IntN(len(s.keys))])
		case zh:
			b.WriteString(s.Han(2))
		default:
			b.WriteString(s.Word())
		}
		if !zh {
			b.WriteByte(' ')
		}
	}
	return b.String()
}

// Package tokenize splits a narration into characters, words, numbers, clauses and sentences. It uses
// only the text and no state.
package tokenize

import (
	"slices"
	"strings"

	"github.com/talewright/talewright/campaign/conflict/internal/lexicon"
)

// A Text is a narration split into characters, words, clauses and sentences.
type Text struct {
	Source    string
	Bytes     BytePlaces
	Chars     []rune // normalised and masked; claims are read from it
	ASCII     string // Chars with one byte for each character, 0x80 for non-ASCII ones
	Words     *lexicon.Hits
	Sentences []Sentence
	Clauses   []Clause
}

// New splits a narration. labels are words of the class [lexicon.CardLabel] in addition to those of
// the lexicon.
func New(narration string, labels []string) *Text {
	t := &Text{Source: narration}
	t.Chars, t.Bytes = Normal(narration)
	maskSpeech(t.Chars)
	t.ASCII = asciiOf(t.Chars)
	t.Words = lexicon.Find(t.Chars)
	findLabels(t, labels)
	t.Sentences = cutSentences(t.Chars)
	t.Clauses = cutClauses(t.Chars, t.Sentences, t.Words.All(lexicon.Connective))
	return t
}

// findLabels adds labels of cards to the found words.
func findLabels(t *Text, list []string) {
	if len(list) == 0 {
		return
	}
	var labels Names
	for _, label := range list {
		labels.Add(label, nil, nil)
	}
	labels.Sort()
	all := slices.Clone(t.Words.All(lexicon.CardLabel))
	for pos := range t.Chars {
		if n := labels.At(t.Chars, pos, nil); n != nil {
			all = append(all, lexicon.Between(pos, pos+len(n.Text)))
		}
	}
	t.Words.Set(lexicon.CardLabel, lexicon.Sorted(all))
}

// CharAt returns the character that contains the byte offset.
func (t *Text) CharAt(offset int) int {
	return t.Bytes.CharAt(offset)
}

// Quote returns the original bytes of the narration for a span.
func (t *Text) Quote(s lexicon.Span) string {
	return t.Source[t.Bytes.Of(s.Start):t.Bytes.Of(s.End)]
}

// Is reports whether the character at pos is c.
func (t *Text) Is(pos int, c rune) bool {
	return 0 <= pos && pos < len(t.Chars) && t.Chars[pos] == c
}

// IsOneOf reports whether the character at pos is one of chars.
func (t *Text) IsOneOf(pos int, chars string) bool {
	return 0 <= pos && pos < len(t.Chars) && strings.ContainsRune(chars, t.Chars[pos])
}

// HasWord reports whether [start, end) contains the ASCII word.
func (t *Text) HasWord(start, end int, word string) bool {
	for p := start; p+len(word) <= end; p++ {
		if t.ASCII[p:p+len(word)] == word && (p == 0 || !lexicon.IsWord(t.Chars[p-1])) &&
			(p+len(word) == len(t.Chars) || !lexicon.IsWord(t.Chars[p+len(word)])) {
			return true
		}
	}
	return false
}

package tokenize

import (
	"slices"

	"github.com/talewright/talewright/campaign/conflict/internal/lexicon"
)

// maxWord limits the length of ASCII words, in characters. Longer words match nothing and would
// otherwise be read repeatedly.
const maxWord = 64

// WordAt returns the ASCII word at pos, empty if there is none. A longer word than maxWord is
// truncated.
func (t *Text) WordAt(pos int) lexicon.Span {
	end := pos
	for end < len(t.Chars) && end-pos < maxWord && lexicon.IsWord(t.Chars[end]) {
		end++
	}
	return lexicon.Between(pos, end)
}

// Word returns a span of ASCII words as a string.
func (t *Text) Word(s lexicon.Span) string { return t.ASCII[s.Start:s.End] }

// WordIs reports whether the ASCII word at pos is w.
func (t *Text) WordIs(pos int, w string) bool { return t.Word(t.WordAt(pos)) == w }

// WordBefore returns the ASCII word that ends before end, with only spaces between. It is empty if
// there is none after from. If the word is longer than maxWord, only its end is returned.
func (t *Text) WordBefore(from, end int) lexicon.Span {
	for end > from && t.Chars[end-1] == ' ' {
		end--
	}
	start := end
	for start > from && end-start < maxWord && lexicon.IsWord(t.Chars[start-1]) {
		start--
	}
	return lexicon.Between(start, end)
}

// WordBeforeIs reports whether the word before pos is w.
func (t *Text) WordBeforeIs(pos int, w string) bool {
	s := t.WordBefore(0, pos)
	return t.Word(s) == w
}

// SkipSpace returns the first position at or after pos that is not a space.
func (t *Text) SkipSpace(pos int) int {
	for t.Is(pos, ' ') {
		pos++
	}
	return pos
}

// SkipWords returns the position after words of the classes and the spaces between them.
func (t *Text) SkipWords(pos int, tags ...lexicon.Class) int {
	for range maxSkipped {
		pos = t.SkipSpace(pos)
		longest := pos
		for _, class := range tags {
			if w, ok := t.Words.At(class, pos); ok {
				longest = max(longest, w.End)
			}
		}
		if longest == pos {
			break
		}
		pos = longest
	}
	return t.SkipSpace(pos)
}

// maxSkipped limits the words that SkipWords skips, so a text of only such words is not read
// repeatedly.
const maxSkipped = 8

// Unbroken reports whether [start, end) contains no punctuation and no mask of speech.
func (t *Text) Unbroken(start, end int) bool {
	return !slices.ContainsFunc(t.Chars[start:max(start, end)], IsBreak)
}

// Clean reports whether the words between two parts of a claim keep it valid: no punctuation, and
// no word that cancels a claim.
func (t *Text) Clean(start, end int) bool {
	return start <= end && t.Unbroken(start, end) &&
		!t.Words.Has(start, end, lexicon.Unreal, lexicon.Negation, lexicon.Intention, lexicon.Perception, lexicon.Modal)
}

// EndsClause reports whether the clause ends at pos, ignoring 了.
func (t *Text) EndsClause(pos int) bool {
	if t.Is(pos, '了') {
		pos++
	}
	pos = t.SkipSpace(pos)
	return pos >= len(t.Chars) || IsBreak(t.Chars[pos])
}

package prose

import (
	"slices"

	"github.com/talewright/talewright/campaign/conflict/internal/lexicon"
)

// maxWord bounds the ASCII words that are read, in characters: what is longer is no
// word that anything here looks for, and is not read over and over.
const maxWord = 64

// WordAt returns the ASCII word at pos, empty if there is none; of a longer word than
// maxWord its beginning.
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

// WordBefore returns the ASCII word that ends right before end, with spaces
// between, empty if there is none after from; of a longer word than maxWord its end.
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

// CompoundBefore returns what WordBefore does, with the words that hyphens join to it:
// cross-legged.
func CompoundBefore(t *Text, from, end int) lexicon.Span {
	w := t.WordBefore(from, end)
	for w.Start-2 >= from && w.End-w.Start < maxWord && t.Chars[w.Start-1] == '-' && lexicon.IsLetter(t.Chars[w.Start-2]) {
		w.Start = t.WordBefore(from, w.Start-1).Start
	}
	return w
}

// IsCompound reports whether a span of words has a hyphen.
func IsCompound(t *Text, s lexicon.Span) bool { return slices.Contains(t.Chars[s.Start:s.End], '-') }

// WordBeforeIs reports whether the word before pos is w.
func (t *Text) WordBeforeIs(pos int, w string) bool {
	s := t.WordBefore(0, pos)
	return t.Word(s) == w
}

// SkipSpace returns the first place at or after pos that is no space.
func (t *Text) SkipSpace(pos int) int {
	for t.Is(pos, ' ') {
		pos++
	}
	return pos
}

// SkipWords moves past words of the classes and the spaces between them.
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

// maxSkipped bounds the words that skipWords moves past, so that a text of
// nothing else is not read over and over.
const maxSkipped = 8

// Unbroken reports whether no mark of punctuation or speech lies in [start, end).
func (t *Text) Unbroken(start, end int) bool {
	return !slices.ContainsFunc(t.Chars[start:max(start, end)], IsBreak)
}

// Clean reports whether the words between two parts of a claim leave it whole:
// no punctuation, and nothing that unmakes a claim.
func (t *Text) Clean(start, end int) bool {
	return start <= end && t.Unbroken(start, end) &&
		!t.Words.Has(start, end, lexicon.Unreal, lexicon.Negation, lexicon.Intention, lexicon.Perception, lexicon.Modal)
}

// EndsClause reports whether the clause ends at pos, save for 了.
func (t *Text) EndsClause(pos int) bool {
	if t.Is(pos, '了') {
		pos++
	}
	pos = t.SkipSpace(pos)
	return pos >= len(t.Chars) || IsBreak(t.Chars[pos])
}

// Passive reports whether a form of "to be" or "to get" stands before pos.
func (t *Text) Passive(pos int) bool {
	w := t.WordBefore(0, pos)
	switch t.Word(w) {
	case "is", "are", "was", "were", "been", "get", "gets", "got", "being", "re", "s":
		return true
	}
	return false
}

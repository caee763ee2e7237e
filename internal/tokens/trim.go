package tokens

import (
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Trim shortens a text to at most so many tokens: at its end or, with start, at its beginning. The
// cut is at the end of a sentence or else of a word, if that keeps half of what fits.
func Trim(text string, most int, start bool, count func(text string) int) string {
	if count(text) <= most {
		return text
	}
	ends := make([]int, 0, len(text)) // the offsets of characters
	for i := range text {
		ends = append(ends, i)
	}
	part := func(n int) string { // of n characters
		if start {
			return text[ends[len(ends)-n]:]
		}
		return text[:ends[n]]
	}
	n := sort.Search(len(ends)-1, func(n int) bool { return count(part(n+1)) > most })
	if n == 0 {
		return ""
	}
	kept := part(n)
	if start {
		return strings.TrimSpace(kept[beginningOf(text, kept):])
	}
	return strings.TrimSpace(kept[:endOf(text, kept)])
}

// sentenceEnds are the characters that end a sentence.
const sentenceEnds = ".!?\n。！？…"

// endOf returns the offset at which a beginning of a text is cut.
func endOf(text, kept string) int {
	if next, _ := utf8.DecodeRuneInString(text[len(kept):]); strings.HasSuffix(kept, "\n") || unicode.IsSpace(next) && strings.ContainsRune(sentenceEnds, lastOf(kept)) {
		return len(kept)
	}
	if i := strings.LastIndexAny(kept, sentenceEnds); i >= len(kept)/2 {
		_, size := utf8.DecodeRuneInString(kept[i:])
		return i + size
	}
	if next, _ := utf8.DecodeRuneInString(text[len(kept):]); unicode.IsSpace(next) {
		return len(kept)
	}
	if i := strings.LastIndexFunc(kept, unicode.IsSpace); i >= len(kept)/2 {
		return i
	}
	return len(kept)
}

// beginningOf returns the offset at which the end of a text begins after its cut.
func beginningOf(text, kept string) int {
	if strings.ContainsRune(sentenceEnds, lastOf(strings.TrimSpace(text[:len(text)-len(kept)]))) && startsWord(text, kept) {
		return 0
	}
	if i := strings.IndexAny(kept, sentenceEnds); i >= 0 && i < len(kept)/2 {
		_, size := utf8.DecodeRuneInString(kept[i:])
		return i + size
	}
	if startsWord(text, kept) {
		return 0
	}
	if i := strings.IndexFunc(kept, unicode.IsSpace); i >= 0 && i < len(kept)/2 {
		return i
	}
	return 0
}

// startsWord reports whether a blank is at the cut before the end of a text.
func startsWord(text, kept string) bool {
	first, _ := utf8.DecodeRuneInString(kept)
	return unicode.IsSpace(first) || unicode.IsSpace(lastOf(text[:len(text)-len(kept)]))
}

func lastOf(text string) rune { r, _ := utf8.DecodeLastRuneInString(text); return r }

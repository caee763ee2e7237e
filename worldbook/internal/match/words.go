package match

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/talewright/talewright/internal/keyindex"
)

// Words decides whether text[start:end] is a whole word of text.
type Words interface {
	IsWord(text string, start, end int) bool
}

// ChineseWords approximates word edges for Chinese without a dictionary. In scripts with blanks
// between words an edge is where letters (also with accents), digits and underscores end. This also
// applies to keys of several words. A Chinese key is not a whole word if a usual ending that forms
// a new noun comes directly after it. The text before the key does not matter.
type ChineseWords struct{}

// phrases marks a rule that also checks the edges of keys of several words (see Builder.addPlain).
func (ChineseWords) phrases() {}

// nounEndings are characters that usually continue the noun before them.
const nounEndings = "师者家士员学院手兵匠徒派宗门塔阵术器具品性化界史书力值级类型"

// IsWord implements [Words].
func (ChineseWords) IsWord(text string, start, end int) bool {
	first, _ := utf8.DecodeRuneInString(text[start:end])
	before, _ := utf8.DecodeLastRuneInString(text[:start])
	if start > 0 && spacedLetter(first) && spacedLetter(before) {
		return false
	}
	if end >= len(text) {
		return true
	}
	next, _ := utf8.DecodeRuneInString(text[end:])
	last, _ := utf8.DecodeLastRuneInString(text[start:end])
	if spacedLetter(last) && spacedLetter(next) {
		return false
	}
	return !unicode.Is(unicode.Han, last) || !strings.ContainsRune(nounEndings, next)
}

// spacedLetter reports whether a character is part of a word in a script with blanks between words.
func spacedLetter(r rune) bool {
	if r < utf8.RuneSelf {
		return keyindex.IsWordByte(byte(r))
	}
	return (unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r)) && !unicode.In(r, unicode.Han, unicode.Hiragana,
		unicode.Katakana, unicode.Hangul, unicode.Bopomofo, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)
}

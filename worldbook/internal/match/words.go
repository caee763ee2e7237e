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

// ChineseWords is an approximation of word edges for Chinese that needs no
// dictionary. Beside letters and digits of other scripts the ASCII rule holds. A
// Chinese key is no whole word if one of the usual endings that make a new noun
// out of another stands right behind it. What stands before it does not matter.
type ChineseWords struct{}

// nounEndings are characters that mostly continue the noun before them.
const nounEndings = "师者家士员学院手兵匠徒派宗门塔阵术器具品性化界史书力值级类型"

// IsWord implements [Words].
func (ChineseWords) IsWord(text string, start, end int) bool {
	if start > 0 && keyindex.IsWordByte(text[start-1]) && keyindex.IsWordByte(text[start]) {
		return false
	}
	if end >= len(text) {
		return true
	}
	if keyindex.IsWordByte(text[end]) && keyindex.IsWordByte(text[end-1]) {
		return false
	}
	next, _ := utf8.DecodeRuneInString(text[end:])
	last, _ := utf8.DecodeLastRuneInString(text[start:end])
	return !unicode.Is(unicode.Han, last) || !strings.ContainsRune(nounEndings, next)
}

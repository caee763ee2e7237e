package worldbook

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/talewright/talewright/internal/keyindex"
)

// WordBoundary decides whether text[start:end] is a whole word of text. A text
// is one message, folded to lower case unless the key is case sensitive. Plug in
// a dictionary segmenter for languages without blanks.
type WordBoundary interface {
	IsWord(text string, start, end int) bool
}

// ChineseWords is an approximation of word edges for Chinese that needs no
// dictionary. Beside letters and digits of other scripts the ASCII rule holds. A
// Chinese key is no whole word if one of the usual endings that make a new noun
// out of another stands right behind it (魔法师, 魔法学院 by 学): 师 者 家 士 员
// 学 院 and a few more. What stands before it does not matter. It is right about
// 学习魔法, 魔法师 and 这是魔法吗, and wrong about words that only a dictionary
// knows.
type ChineseWords struct{}

// nounEndings are characters that mostly continue the noun before them.
const nounEndings = "师者家士员学院手兵匠徒派宗门塔阵术器具品性化界史书力值级类型"

// IsWord implements [WordBoundary].
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

// words returns the rule for whole words, nil for the ASCII rule.
func (s *Settings) words() WordBoundary {
	switch {
	case s.Words != nil:
		return s.Words
	case s.WholeWords == WordsChinese:
		return ChineseWords{}
	}
	return nil
}

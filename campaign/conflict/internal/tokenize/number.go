package tokenize

import (
	"strings"

	"github.com/talewright/talewright/campaign/conflict/internal/lexicon"
)

// maxNumber is the largest value of a number; larger numbers are read as this value.
const maxNumber = 1_000_000_000

// A Number is a number in a text.
type Number struct {
	lexicon.Span
	Value int
	Vague bool // 一点: one point, or a little
}

// NumberAt reads digits, Chinese numerals below a thousand or an English word at pos. Fractions,
// percentages, ranges and dice are not numbers.
func (t *Text) NumberAt(pos int) (Number, bool) {
	if n, ok := t.RollAt(pos); ok {
		return n, true
	}
	n, ok := t.Digits(pos)
	if !ok {
		n, ok = numerals(t, pos)
	}
	if !ok {
		n, ok = numberWord(t, pos)
	}
	if !ok || continuesNumber(t, n.End) {
		return Number{}, false
	}
	return n, true
}

// continuesNumber reports whether the text at pos makes the number before it a part of something
// else: 3.5, 50%, 2d6, 1-3, 三成.
func continuesNumber(t *Text, pos int) bool {
	if pos >= len(t.Chars) {
		return false
	}
	switch c := t.Chars[pos]; {
	case lexicon.IsWord(c):
		// 5hp is a number with its unit, 2d6 is not.
		_, ok := t.Words.At(lexicon.HPWord, pos)
		return !ok
	case c == '%', c == '成', c == '分', c == '倍', c == '半', c == '来', c == '多', c == '几':
		return true
	case c == '.', c == '-', c == '~', c == '～', c == '至', c == '到', c == ',', c == '–':
		if pos+1 == len(t.Chars) {
			return false
		}
		next := t.Chars[pos+1]
		return lexicon.IsDigit(next) || c >= '~' && IsNumeral(next)
	case IsNumeral(c):
		return true
	}
	return false
}

// Digits reads any number of ASCII digits at pos. The value is limited to maxNumber.
func (t *Text) Digits(pos int) (Number, bool) {
	n := Number{Span: lexicon.Between(pos, pos)}
	for n.End < len(t.Chars) && lexicon.IsDigit(t.Chars[n.End]) {
		n.Value = min(maxNumber, n.Value*10+int(t.Chars[n.End]-'0'))
		n.End++
	}
	return n, n.End > pos
}

// IsNumeral reports whether c is a Chinese numeral.
func IsNumeral(c rune) bool {
	_, ok := numeral(c)
	return ok
}

// zeroToTen are the usual Chinese numerals from 0 to 10.
const zeroToTen = "零一二三四五六七八九十"

// numeral returns the value of a Chinese numeral.
func numeral(c rune) (value int, ok bool) {
	switch c {
	case '〇':
		return 0, true
	case '壹':
		return 1, true
	case '两':
		return 2, true
	case '百':
		return 100, true
	}
	if !lexicon.IsHan(c) {
		return 0, false
	}
	at := strings.IndexRune(zeroToTen, c)
	return at / len("零"), at >= 0
}

// numerals reads a Chinese numeral such as 十二, 二十, 一百零三. A last digit after 百 without 零
// counts tens: 两百五 is 250.
func numerals(t *Text, pos int) (Number, bool) {
	n := Number{Span: lexicon.Between(pos, pos)}
	digit, open := 0, false
	unit := 1 // of a last digit
	for ; n.End < len(t.Chars) && n.End < pos+7; n.End++ {
		v, ok := numeral(t.Chars[n.End])
		if !ok {
			break
		}
		if v < 10 {
			if digit, open = v, true; v == 0 {
				unit = 1
			}
			continue
		}
		if !open || digit == 0 {
			digit = 1
		}
		n.Value += digit * v
		digit, open, unit = 0, false, v/10
	}
	n.Value += digit * unit
	n.Vague = n.End == pos+1 && t.Chars[pos] == '一' && t.Is(n.End, '点')
	return n, n.End > pos
}

// numberWords are the English words for numbers.
var numberWords = map[string]int{
	"zero": 0, "one": 1, "single": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7,
	"eight": 8, "nine": 9, "ten": 10, "eleven": 11, "twelve": 12, "thirteen": 13,
	"fourteen": 14, "fifteen": 15, "sixteen": 16, "seventeen": 17, "eighteen": 18,
	"nineteen": 19, "twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70,
	"eighty": 80, "ninety": 90,
}

// IsNumberWord reports whether a lower-case word is an English number.
func IsNumberWord(word string) bool {
	_, ok := numberWords[word]
	return ok
}

// BeginsNumber reports whether a number, a part or dice may begin at pos.
func (t *Text) BeginsNumber(pos int) bool {
	c := t.Chars[pos]
	if !lexicon.IsLetter(c) {
		return lexicon.IsDigit(c) || IsNumeral(c)
	}
	word := t.Word(t.WordAt(pos))
	return c == 'd' || IsNumberWord(word) || parts[word] > 0
}

func numberWord(t *Text, pos int) (Number, bool) {
	w := t.WordAt(pos)
	if n := w.End - w.Start; n < 3 || n > 9 {
		return Number{}, false
	}
	value, ok := numberWords[t.Word(w)]
	if ok && t.Is(w.End, '-') { // twenty-one
		ones := t.WordAt(w.End + 1)
		more, is := numberWords[t.Word(ones)]
		return Number{Span: lexicon.Between(w.Start, ones.End), Value: value + more}, is && value >= 20 && 0 < more && more < 10
	}
	return Number{Span: w, Value: value}, ok
}

// PartAt reads a part of a whole at pos, in per cent: 三分之一, 三成, 一半, 30%, a third, two thirds, half.
func (t *Text) PartAt(pos int) (Number, bool) {
	n, ok := t.Digits(pos)
	if !ok {
		n, ok = numerals(t, pos)
	}
	next := t.SkipSpace(n.End)
	switch {
	case !ok:
		word := t.WordAt(pos)
		if times, is := numberWords[t.Word(word)]; is {
			n.Value, next = times, word.End+1
		} else {
			n.Value, next = 1, pos
		}
		word = t.WordAt(next)
		part, is := parts[strings.TrimSuffix(t.Word(word), "s")]
		return Number{Span: lexicon.Between(pos, word.End), Value: min(100, n.Value*part)}, is
	case t.Is(next, '%'):
		n.End = next + 1
	case t.Is(next, '成'):
		n.Value, n.End = 10*n.Value, next+1
	case n.Value == 1 && t.Is(next, '半'):
		n.Value, n.End = 50, next+1
	case t.Is(next, '分') && t.Is(next+1, '之'):
		of, is := numerals(t, next+2)
		if !is || n.Value == 0 {
			return Number{}, false
		}
		n.Value, n.End = 100*of.Value/n.Value, of.End
	default:
		return Number{}, false
	}
	return n, n.Value <= 100
}

// parts are the English words for parts of a whole, in per cent.
var parts = map[string]int{"half": 50, "third": 33, "quarter": 25, "fifth": 20, "sixth": 17, "tenth": 10}

// Package tokens estimates how many tokens a text has, without a vocabulary.
//
// It is the only estimate of the library: the budget of a world book and the budget of a prompt use
// the same count.
package tokens

import (
	"math"
	"unicode"
	"unicode/utf8"
)

// Hundredths of a token.
const (
	word         = 100 // run of ASCII letters
	longWord     = 30  // each letter beyond the sixth
	digitGroup   = 75  // each started group of three
	blankRun     = 100 // more than one blank
	symbols      = 75  // run of other ASCII
	moreSymbols  = 35  // each character of it beyond the first
	han          = 88
	kana         = 90
	hangul       = 85
	fullWidth    = 130 // CJK punctuation and full-width forms
	otherLetter  = 40
	anythingElse = 55
)

// class of an ASCII character.
const (
	symbol = iota
	letter
	digit
	lineEnd
	blank
)

// asciiClass has the class of each ASCII character.
var asciiClass = func() (table [128]byte) {
	for c := range table {
		switch {
		case 'a' <= c|0x20 && c|0x20 <= 'z':
			table[c] = letter
		case '0' <= c && c <= '9':
			table[c] = digit
		case c == '\r' || c == '\n':
			table[c] = lineEnd
		case c == ' ' || c == '\t':
			table[c] = blank
		}
	}
	return table
}()

// Estimate returns the estimate for text: 0 for the empty text, at least 1 for any
// other. It makes one pass and allocates nothing.
func Estimate(text string) int {
	if text == "" {
		return 0
	}
	return Tokens(Weight(text))
}

// Tokens returns the estimate for one or several texts with this total weight, which must not all
// be empty.
func Tokens(weight int) int { return max((weight+99)/100, 1) }

// Least returns the least weight of this number of tokens, 0 for one token or fewer.
func Least(tokens int) int {
	if tokens <= 1 {
		return 0
	}
	return 100*min(tokens-1, math.MaxInt/100) + 1
}

// Weight returns the weight of a text, in hundredths of a token. If texts are joined with line ends
// between them, the total weight is the sum of their weights.
func Weight(text string) int {
	sum := 0
	for i := 0; i < len(text); {
		if c := text[i]; c < utf8.RuneSelf {
			class := asciiClass[c]
			run := i + 1
			for run < len(text) && text[run] < utf8.RuneSelf && asciiClass[text[run]] == class {
				run++
			}
			sum += asciiRun(class, run-i)
			i = run
			continue
		}
		r, size := utf8.DecodeRuneInString(text[i:])
		sum += runeCost(r, size)
		i += size
	}
	return sum
}

func asciiRun(class byte, n int) int {
	switch class {
	case letter:
		return word + longWord*max(n-6, 0)
	case digit:
		return digitGroup * ((n + 2) / 3)
	case lineEnd:
		return 0
	case blank:
		if n > 1 {
			return blankRun
		}
		return 0
	}
	return symbols + moreSymbols*(n-1)
}

func runeCost(r rune, size int) int {
	switch {
	case r == utf8.RuneError && size == 1:
		return anythingElse
	case 0x4E00 <= r && r <= 0x9FFF, 0x3400 <= r && r <= 0x4DBF,
		0xF900 <= r && r <= 0xFAFF, 0x20000 <= r && r <= 0x3FFFF:
		return han
	case 0x3040 <= r && r <= 0x30FF, 0x31F0 <= r && r <= 0x31FF, 0xFF66 <= r && r <= 0xFF9F:
		return kana
	case 0xAC00 <= r && r <= 0xD7AF, 0x1100 <= r && r <= 0x11FF:
		return hangul
	case 0x3000 <= r && r <= 0x303F, 0xFF00 <= r && r <= 0xFFEF:
		return fullWidth
	case unicode.IsLetter(r):
		return otherLetter
	}
	return anythingElse
}

// Package utf8text repairs texts that are not UTF-8, and shortens and displays texts.
package utf8text

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// Mend returns the text with a question mark for each byte that is not part of a character. Unlike
// strings.ToValidUTF8 it keeps every other byte at its offset, so that positions in the result are
// positions in the text.
func Mend(text string) string {
	if utf8.ValidString(text) {
		return text
	}
	out := []byte(text)
	for i := 0; i < len(out); {
		r, size := utf8.DecodeRune(out[i:])
		if r == utf8.RuneError && size == 1 {
			out[i] = '?'
		}
		i += size
	}
	return string(out)
}

// WordSet returns the words of a text as a set.
func WordSet(text string) map[string]bool {
	set := map[string]bool{}
	for word := range strings.FieldsSeq(text) {
		set[word] = true
	}
	return set
}

// Narrow converts full-width digits and number signs to ASCII.
func Narrow(s string) string {
	ascii := true
	for i := range len(s) {
		ascii = ascii && s[i] < utf8.RuneSelf
	}
	if ascii {
		return s
	}
	return strings.Map(func(r rune) rune {
		switch {
		case r >= '０' && r <= '９':
			return r - '０' + '0'
		case r == '－':
			return '-'
		case r == '＋':
			return '+'
		case r == '．':
			return '.'
		}
		return r
	}, s)
}

// Cut shortens a text to at most limit bytes, at the end of a character.
func Cut(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	for limit > 0 && !utf8.RuneStart(text[limit]) {
		limit--
	}
	return text[:limit]
}

// Clip shortens a text for people to at most limit characters and an ellipsis.
func Clip(text string, limit int) string {
	n := 0
	for i := range text {
		if n == limit {
			return text[:i] + "…"
		}
		n++
	}
	return text
}

// Visible returns the text with some characters in Go notation (\r, \x1b, \u202e). These are line
// ends other than "\n", control characters other than tabs, and marks that change the writing
// direction. Such characters would change the look of the lines around them. Use it for texts of
// players and models that are printed for people or compared line by line.
func Visible(text string) string {
	if !strings.ContainsFunc(text, unseen) {
		return text
	}
	var b strings.Builder
	for _, r := range text {
		if unseen(r) {
			quoted := strconv.QuoteRuneToASCII(r)
			b.WriteString(quoted[1 : len(quoted)-1])
			continue
		}
		b.WriteRune(r)
	}
	return b.String()
}

// unseen reports whether Visible replaces a character. Marks that only set the direction of their
// neighbours are not replaced.
func unseen(r rune) bool {
	switch {
	case r == '\n', r == '\t':
		return false
	case r == '\u2028', r == '\u2029', r >= '\u202a' && r <= '\u202e', r >= '\u2066' && r <= '\u2069':
		return true
	}
	return unicode.IsControl(r)
}

// Ordinal returns the English ending of a number in an order: st, nd, rd or th.
func Ordinal(n int) string {
	if n/10%10 == 1 {
		return "th"
	}
	switch n % 10 {
	case 1:
		return "st"
	case 2:
		return "nd"
	case 3:
		return "rd"
	}
	return "th"
}

// UnicodeEscape decodes the escape \uXXXX of JSON and JavaScript at the start of a text. It returns the
// length of the escape, or 0 for a text that does not start with an escape. It decodes a surrogate pair
// to one character. It decodes half a pair to the replacement character.
func UnicodeEscape(s string) (r rune, length int) {
	unit, ok := codeUnit(s)
	switch {
	case !ok:
		return 0, 0
	case !utf16.IsSurrogate(unit):
		return unit, 6
	}
	low, _ := codeUnit(s[6:])
	if r = utf16.DecodeRune(unit, low); r != utf8.RuneError {
		return r, 12
	}
	return r, 6
}

// codeUnit reads \uXXXX at the start of a text.
func codeUnit(s string) (unit rune, ok bool) {
	if len(s) < 6 || s[:2] != `\u` {
		return 0, false
	}
	n, err := strconv.ParseUint(s[2:6], 16, 32)
	return rune(n), err == nil
}

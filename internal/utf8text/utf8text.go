// Package utf8text mends texts that are not UTF-8.
package utf8text

import (
	"strings"
	"unicode/utf8"
)

// Mend returns the text with a question mark for each byte that belongs to no
// character. Unlike strings.ToValidUTF8 it leaves every other byte at its offset,
// so that places in the result are places in the text.
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

// Narrow turns full-width digits and number signs into ASCII.
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

// Cut shortens a text to at most limit bytes, at a character.
func Cut(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	for limit > 0 && !utf8.RuneStart(text[limit]) {
		limit--
	}
	return text[:limit]
}

// Clip shortens a text that is shown to people to at most limit characters and an ellipsis.
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

// Package utf8text mends texts that are not UTF-8, and shortens and shows texts.
package utf8text

import (
	"strconv"
	"strings"
	"unicode"
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

// Visible returns the text with what would change the look of the lines around it as Go writes it (\r, \x1b,
// \u202e): ends of lines other than "\n", control characters other than tabs, and marks that turn the
// direction of writing. Whoever prints the words of players and models for people needs it, as does who
// compares them line by line.
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

// unseen reports whether a character is one of those. Marks that only say which way their neighbours read
// are none.
func unseen(r rune) bool {
	switch {
	case r == '\n', r == '\t':
		return false
	case r == '\u2028', r == '\u2029', r >= '\u202a' && r <= '\u202e', r >= '\u2066' && r <= '\u2069':
		return true
	}
	return unicode.IsControl(r)
}

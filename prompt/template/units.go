package template

import (
	"cmp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/talewright/talewright/internal/keyindex"
)

// Texts of templates are lists of UTF-16 units, as in JavaScript. They are kept as UTF-8, in which
// half of a surrogate pair has the three bytes that its number would have.

// plain reports whether a text has only ASCII, so that units are bytes.
func plain(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// char returns the first character of a text and its bytes. Half of a pair is a character.
func char(s string) (r rune, size int) {
	r, size = utf8.DecodeRuneInString(s)
	if r == utf8.RuneError && size == 1 && len(s) >= 3 && s[0] == 0xED && s[1] >= 0xA0 {
		return 0xD000 | rune(s[1]&0x3F)<<6 | rune(s[2]&0x3F), 3
	}
	return r, size
}

// length returns the number of units.
func length(s string) int {
	n := 0
	for i := range len(s) {
		switch c := s[i]; {
		case c >= 0xF0:
			n += 2
		case c < 0x80 || c >= 0xC0:
			n++
		}
	}
	return n
}

// unitsOf returns the units of a text.
func unitsOf(s string) []uint16 {
	out := make([]uint16, 0, len(s))
	for len(s) > 0 {
		r, size := char(s)
		s = s[size:]
		if r >= 0x10000 {
			r -= 0x10000
			out = append(out, 0xD800|uint16(r>>10), 0xDC00|uint16(r&0x3FF))
			continue
		}
		out = append(out, uint16(r))
	}
	return out
}

// textOf returns the text of units.
func textOf(units []uint16) string {
	var b strings.Builder
	b.Grow(len(units))
	for i := 0; i < len(units); i++ {
		u := units[i]
		if isHigh(u) && i+1 < len(units) && isLow(units[i+1]) {
			i++
			b.WriteRune(0x10000 + (rune(u)-0xD800)<<10 + rune(units[i]) - 0xDC00)
			continue
		}
		writeUnit(&b, rune(u))
	}
	return b.String()
}

// writeUnit writes a character, which may be half of a pair.
func writeUnit(b *strings.Builder, r rune) {
	if r >= 0xD800 && r <= 0xDFFF {
		b.Write([]byte{0xED, byte(0x80 | r>>6&0x3F), byte(0x80 | r&0x3F)})
		return
	}
	b.WriteRune(r)
}

func isHigh(u uint16) bool { return u >= 0xD800 && u <= 0xDBFF }
func isLow(u uint16) bool  { return u >= 0xDC00 && u <= 0xDFFF }

// concat joins two texts. Two halves of a pair become a character.
func concat(a, b string) string {
	if n := len(a) - 3; n >= 0 && len(b) >= 3 && a[n] == 0xED && b[0] == 0xED {
		last, _ := char(a[n:])
		next, _ := char(b)
		if isHigh(uint16(last)) && isLow(uint16(next)) {
			return a[:n] + mend(a[n:]+b[:3]) + b[3:]
		}
	}
	return a + b
}

// mend joins halves of pairs that have become neighbours in a text.
func mend(s string) string {
	if strings.Contains(s, "\xED") {
		return textOf(unitsOf(s))
	}
	return s
}

// part returns the units of a text from one place up to a second one. Both places are within the text.
func part(s string, from, to int) string {
	if from >= to {
		return ""
	}
	if plain(s) {
		return s[from:to]
	}
	return textOf(unitsOf(s)[from:to])
}

// unitAt returns the number of units before a byte offset.
func unitAt(s string, offset int) int { return length(s[:offset]) }

// compareTexts orders two texts by their units.
func compareTexts(a, b string) int {
	i := 0
	for i < len(a) && i < len(b) && a[i] == b[i] {
		i++
	}
	if i == len(a) || i == len(b) {
		return len(a) - len(b)
	}
	// In UTF-8 all characters beyond U+FFFF are last, in UTF-16 they are before U+E000.
	x, y := a[i], b[i]
	if x >= 0xF0 && y >= 0xEE && y < 0xF0 {
		return -1
	}
	if y >= 0xF0 && x >= 0xEE && x < 0xF0 {
		return 1
	}
	return int(x) - int(y)
}

// trimStart removes white space at the beginning, trimEnd at the end.
func trimStart(s string) string { return strings.TrimLeftFunc(s, keyindex.IsSpace) }
func trimEnd(s string) string   { return strings.TrimRightFunc(s, keyindex.IsSpace) }

// upper converts letters to capitals as JavaScript does, including letters that become several.
func upper(s string) string {
	if plain(s) {
		return strings.ToUpper(s)
	}
	var b strings.Builder
	for len(s) > 0 {
		r, size := char(s)
		s = s[size:]
		if several := manyUpper[r]; several != "" {
			b.WriteString(several)
		} else {
			writeUnit(&b, unicode.ToUpper(r))
		}
	}
	return b.String()
}

// manyUpper are letters whose capitals are several letters.
var manyUpper = map[rune]string{
	'ß': "SS", 'ŉ': "ʼN", 'ǰ': "J\u030C", 'ΐ': "\u0399\u0308\u0301", 'ΰ': "\u03A5\u0308\u0301", 'և': "ԵՒ",
	'ﬀ': "FF", 'ﬁ': "FI", 'ﬂ': "FL", 'ﬃ': "FFI", 'ﬄ': "FFL", 'ﬅ': "ST", 'ﬆ': "ST",
}

// lower converts letters to small ones as JavaScript does, with the form of Σ at the end of a word.
func lower(s string) string {
	if plain(s) {
		return strings.ToLower(s)
	}
	var b strings.Builder
	inWord := false // a letter with two cases precedes
	for len(s) > 0 {
		r, size := char(s)
		s = s[size:]
		switch {
		case r == 'İ':
			b.WriteString("i̇")
		case r == 'Σ' && inWord && !continuesWord(s):
			b.WriteRune('ς')
		default:
			writeUnit(&b, unicode.ToLower(r))
		}
		if !isMark(r) {
			inWord = isCased(r)
		}
	}
	return b.String()
}

// continuesWord reports whether a text begins with a letter that has two cases, after any marks.
func continuesWord(s string) bool {
	for i, r := range s {
		if i > 64 || !isMark(r) {
			return isCased(r)
		}
	}
	return false
}

// isCased reports whether a letter has two cases.
func isCased(r rune) bool { return unicode.In(r, unicode.Lu, unicode.Ll, unicode.Lt) }

// isMark reports whether a character within a word does not divide it.
func isMark(r rune) bool {
	return unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf, unicode.Lm, unicode.Sk) ||
		strings.ContainsRune("'.:·’‘", r)
}

// collate orders two texts as a person sorts them: signs, digits, letters without their case, and then
// small letters first. With numeric, numbers are ordered by their value. Letters outside of ASCII are
// ordered by their units.
func collate(a, b string, numeric bool) int {
	rank := func(r rune) rune {
		switch {
		case r >= utf8.RuneSelf:
			return r
		case unicode.IsLetter(r):
			return 256 + unicode.ToLower(r)
		case unicode.IsDigit(r):
			return 128 + r
		}
		return r
	}
	number := func(s string) (digits string, size int) {
		size = len(s) - len(strings.TrimLeft(s, "0123456789"))
		return strings.TrimLeft(s[:size], "0"), size
	}
	x, y := a, b
	for x != "" && y != "" {
		m, size := number(x)
		n, other := number(y)
		if !numeric || size == 0 || other == 0 {
			var r, q rune
			r, size = char(x)
			q, other = char(y)
			if order := int(rank(r)) - int(rank(q)); order != 0 {
				return cmp.Compare(order, 0)
			}
		} else if order := cmp.Or(cmp.Compare(len(m), len(n)), strings.Compare(m, n)); order != 0 {
			return order
		}
		x, y = x[size:], y[other:]
	}
	return cmp.Or(cmp.Compare(len(x), len(y)), -strings.Compare(a, b))
}

// clean replaces bytes that are not UTF-8.
func clean(s string) string { return strings.ToValidUTF8(s, "\uFFFD") }

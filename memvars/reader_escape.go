package memvars

import (
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// unescape decodes the escapes of a string. A backslash before any other character stays: the path
// grammar has its own escapes.
func unescape(s string) string {
	if strings.IndexByte(s, '\\') < 0 {
		return s
	}
	var b strings.Builder
	b.Grow(len(s))
	for i := 0; i < len(s); {
		if s[i] != '\\' || i+1 == len(s) {
			b.WriteByte(s[i])
			i++
			continue
		}
		n := escape(&b, s[i:])
		if n == 0 {
			b.WriteByte('\\')
			n = 1
		}
		i += n
	}
	return b.String()
}

// escape decodes the escape at the start of s and returns its length, 0 if it is not an escape.
func escape(b *strings.Builder, s string) int {
	if i := strings.IndexByte(`ntrbfv0/\'"`+"`", s[1]); i >= 0 {
		b.WriteByte("\n\t\r\b\f\v\x00/\\'\"`"[i])
		return 2
	}
	switch s[1] {
	case '\n':
		return 2
	case '\r':
		if strings.HasPrefix(s, "\\\r\n") {
			return 3
		}
		return 2
	case 'x':
		if r, ok := hex(s[2:], 2); ok {
			b.WriteRune(r)
			return 4
		}
	case 'u':
		return unicodeEscape(b, s)
	}
	return 0
}

// unicodeEscape decodes \uXXXX and \u{…}. Two halves of a surrogate pair become one character, as
// in JavaScript strings. A single half becomes the replacement character.
func unicodeEscape(b *strings.Builder, s string) int {
	if strings.HasPrefix(s, `\u{`) {
		end := strings.IndexByte(s[:min(len(s), 12)], '}')
		if end < 4 {
			return 0
		}
		r, ok := hex(s[3:end], end-3)
		if !ok || r > utf8.MaxRune {
			return 0
		}
		b.WriteRune(r)
		return end + 1
	}
	r, ok := hex(s[2:], 4)
	if !ok {
		return 0
	}
	if utf16.IsSurrogate(r) && strings.HasPrefix(s[6:], `\u`) {
		if low, ok := hex(s[8:], 4); ok {
			if pair := utf16.DecodeRune(r, low); pair != utf8.RuneError {
				b.WriteRune(pair)
				return 12
			}
		}
	}
	b.WriteRune(r)
	return 6
}

// hex reads a fixed number of hexadecimal digits.
func hex(s string, digits int) (rune, bool) {
	if len(s) < digits {
		return 0, false
	}
	n, err := strconv.ParseUint(s[:digits], 16, 32)
	return rune(n), err == nil
}

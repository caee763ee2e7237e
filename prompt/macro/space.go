package macro

import (
	"strings"
	"unicode/utf8"

	"github.com/talewright/talewright/internal/keyindex"
)

// White space is that of JavaScript everywhere: presets are full of U+3000 and
// U+00A0.

// spaceAt returns the length of the white space character at a place, 0 if another
// one stands there.
func spaceAt(s string, at int) int {
	if at >= len(s) {
		return 0
	}
	if c := s[at]; c < utf8.RuneSelf {
		if c == ' ' || '\t' <= c && c <= '\r' {
			return 1
		}
		return 0
	}
	if r, size := utf8.DecodeRuneInString(s[at:]); keyindex.IsSpace(r) {
		return size
	}
	return 0
}

// skipSpace returns the place of the first byte from pos on that is no space.
func skipSpace(src string, pos int) int {
	for {
		size := spaceAt(src, pos)
		if size == 0 {
			return pos
		}
		pos += size
	}
}

func trim(s string) string      { return keyindex.TrimSpace(s) }
func trimLeft(s string) string  { return strings.TrimLeftFunc(s, keyindex.IsSpace) }
func trimRight(s string) string { return strings.TrimRightFunc(s, keyindex.IsSpace) }

package keyindex

import (
	"strings"
	"unicode"
)

// IsSpace reports whether r is white space to JavaScript: the Unicode category
// Zs, tab, line feed, vertical tab, form feed, carriage return, U+2028, U+2029
// and U+FEFF. U+0085 and U+200B are not.
func IsSpace(r rune) bool {
	switch r {
	case '\t', '\n', '\v', '\f', '\r', ' ', '\u00a0', '\u2028', '\u2029', '\ufeff':
		return true
	}
	return r > 0x7f && unicode.Is(unicode.Zs, r)
}

// TrimSpace removes JavaScript white space from both ends.
func TrimSpace(s string) string { return strings.TrimFunc(s, IsSpace) }

// HasSpace reports whether s contains JavaScript white space.
func HasSpace(s string) bool { return strings.IndexFunc(s, IsSpace) >= 0 }

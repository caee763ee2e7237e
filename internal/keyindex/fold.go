package keyindex

import (
	"encoding/binary"
	"unicode"
	"unicode/utf8"
)

const (
	sigmaCapital = 'Σ'
	sigmaFinal   = 'ς'
	sigmaSmall   = 'σ'
	iDotted      = 'İ'
	kelvin       = '\u212a'
)

// Fold appends the lower case of s to dst as JavaScript's toLowerCase returns it: code point by
// code point, with two exceptions. U+0130 becomes i and U+0307, and a capital sigma at the end of a
// word becomes a final sigma. Invalid UTF-8 becomes U+FFFD.
//
// intoASCII reports whether a character outside ASCII became an ASCII character (the Kelvin sign,
// U+0130). Then a regular expression on the unfolded text finds different word boundaries than the
// folded text has.
func Fold(dst []byte, s string) (out []byte, intoASCII bool) {
	i := 0
	for i < len(s) {
		if s[i] < utf8.RuneSelf {
			n := asciiRun(s[i:])
			dst = appendLower(dst, s[i:i+n])
			i += n
			continue
		}
		if n := caselessRun(s[i:]); n > 0 {
			dst = append(dst, s[i:i+n]...)
			i += n
			continue
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		switch r {
		case iDotted:
			dst = append(dst, "i\u0307"...)
			intoASCII = true
		case kelvin:
			dst = append(dst, 'k')
			intoASCII = true
		case sigmaCapital:
			if isFinalSigma(s, i, i+size) {
				dst = utf8.AppendRune(dst, sigmaFinal)
			} else {
				dst = utf8.AppendRune(dst, sigmaSmall)
			}
		default:
			dst = utf8.AppendRune(dst, unicode.ToLower(r))
		}
		i += size
	}
	return dst, intoASCII
}

// FoldString returns the folded form of s. It copies only a text that changes.
func FoldString(s string) string {
	out, _ := Fold(make([]byte, 0, len(s)), s)
	if string(out) == s {
		return s
	}
	return string(out)
}

// asciiRun returns the length of the ASCII prefix of s, which is not empty.
func asciiRun(s string) int {
	i := 0
	for i+8 <= len(s) && load8(s[i:])&0x8080808080808080 == 0 {
		i += 8
	}
	for i < len(s) && s[i] < utf8.RuneSelf {
		i++
	}
	return i
}

// appendLower appends s, which is ASCII, in lower case, eight bytes at a time.
func appendLower(dst []byte, s string) []byte {
	i := 0
	for ; i+8 <= len(s); i += 8 {
		dst = binary.LittleEndian.AppendUint64(dst, lower8(load8(s[i:])))
	}
	for ; i < len(s); i++ {
		c := s[i]
		if 'A' <= c && c <= 'Z' {
			c |= 0x20
		}
		dst = append(dst, c)
	}
	return dst
}

// lower8 lower-cases eight ASCII bytes: a byte from A to Z has its high bit set
// in the first sum and not in the second.
func lower8(w uint64) uint64 {
	const ones = 0x0101010101010101
	atLeastA := w + (0x80-'A')*ones
	aboveZ := w + (0x7f-'Z')*ones
	return w | (atLeastA&^aboveZ&(0x80*ones))>>2
}

// load8 reads eight bytes, the first one lowest.
func load8(s string) uint64 {
	_ = s[7] // one bounds check instead of eight
	return uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
		uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
}

// caselessRun returns the length of a prefix of well-formed three-byte characters from U+3000 to
// U+9FFF. These characters have no case.
func caselessRun(s string) int {
	const (
		twoHeads = 0x0000c0c0f0c0c0f0 // the bits that show the byte structure of two characters
		twoWide  = 0x00008080e08080e0
	)
	i := 0
	for i+8 <= len(s) {
		w := load8(s[i:])
		if w&twoHeads != twoWide || !caselessLead(byte(w)) || !caselessLead(byte(w>>24)) {
			break
		}
		i += 6
	}
	for i+3 <= len(s) && caselessLead(s[i]) && s[i+1]&0xc0 == 0x80 && s[i+2]&0xc0 == 0x80 {
		i += 3
	}
	return i
}

// caselessLead reports whether c is from 0xe3 to 0xe9: the first byte of the characters of caselessRun.
func caselessLead(c byte) bool { return c-0xe3 <= 0xe9-0xe3 }

// isFinalSigma applies the Final_Sigma rule of Unicode to s[start:end]: a cased letter before it
// and no cased letter after it. Case-ignorable characters are skipped.
func isFinalSigma(s string, start, end int) bool {
	before := false
	for i := start; i > 0; {
		r, size := utf8.DecodeLastRuneInString(s[:i])
		i -= size
		if isCaseIgnorable(r) {
			continue
		}
		before = isCased(r)
		break
	}
	if !before {
		return false
	}
	for _, r := range s[end:] {
		if !isCaseIgnorable(r) {
			return !isCased(r)
		}
	}
	return true
}

func isCased(r rune) bool {
	return unicode.IsUpper(r) || unicode.IsLower(r) || unicode.IsTitle(r) ||
		unicode.In(r, unicode.Other_Lowercase, unicode.Other_Uppercase)
}

// isCaseIgnorable follows the Unicode property: marks, format characters,
// modifiers, and the punctuation inside words.
func isCaseIgnorable(r rune) bool {
	switch r {
	case '\'', '.', ':', '·', '\u0387', '\u055f', '\u05f4', '\u2018', '\u2019',
		'\u2024', '\u2027', '\ufe13', '\ufe52', '\ufe55', '\uff07', '\uff0e', '\uff1a':
		return true
	}
	return unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf, unicode.Lm, unicode.Sk)
}

package jsregex

import (
	"encoding/binary"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// Without flag u JavaScript matches by UTF-16 units: a character above U+FFFF is two units. Go
// texts cannot contain half of a pair. So pattern and text represent such a unit by a private
// character: unitBase plus the unit's distance from the first surrogate. All characters above
// U+FFFF are replaced, so there are no collisions.
const (
	unitBase       = 0x100000
	firstSurrogate = 0xd800
	firstLow       = 0xdc00
	lastSurrogate  = 0xdfff
)

// standIn returns the private character for half of a pair.
func standIn(unit rune) rune { return unit - firstSurrogate + unitBase }

// isStandIn reports whether r represents half of a pair.
func isStandIn(r rune) bool {
	return unitBase <= r && r <= unitBase+lastSurrogate-firstSurrogate
}

// units returns a pattern as UTF-16 units.
func units(pattern string) []rune {
	list := make([]rune, 0, len(pattern))
	for _, r := range pattern {
		if r > 0xffff {
			hi, lo := utf16.EncodeRune(r)
			list = append(list, hi, lo)
			continue
		}
		list = append(list, r)
	}
	return list
}

// standInUnits replaces the surrogates in a tree.
func standInUnits(root *node) {
	root.walk(func(n *node) bool {
		switch n.op {
		case opChar:
			if utf16.IsSurrogate(n.ch) {
				n.ch = standIn(n.ch)
			}
		case opClass:
			var out []charRange
			for _, x := range n.set.ranges {
				out = x.split(out)
			}
			n.set.ranges = out
		}
		return true
	})
}

// split appends the parts of a range before, in and after the surrogates.
func (x charRange) split(out []charRange) []charRange {
	if x.lo < firstSurrogate {
		out = append(out, charRange{x.lo, min(x.hi, firstSurrogate-1)})
	}
	if lo, hi := max(x.lo, firstSurrogate), min(x.hi, lastSurrogate); lo <= hi {
		out = append(out, charRange{standIn(lo), standIn(hi)})
	}
	if x.hi > lastSurrogate {
		out = append(out, charRange{max(x.lo, lastSurrogate+1), x.hi})
	}
	return out
}

// textUnits replaces the characters above U+FFFF in a text.
func textUnits(text string) string {
	if !hasAstral(text) {
		return text
	}
	var b strings.Builder
	b.Grow(len(text) + len(text)/4)
	for _, r := range text {
		if r > 0xffff {
			hi, lo := utf16.EncodeRune(r)
			b.WriteRune(standIn(hi))
			r = standIn(lo)
		}
		b.WriteRune(r)
	}
	return b.String()
}

// hasAstral reports whether text has a character above U+FFFF: its first byte has the upper four
// bits set. It checks eight bytes at a time.
func hasAstral(text string) bool {
	const high = 0x8080808080808080
	b := []byte(text) // not copied
	i := 0
	for ; i+8 <= len(b); i += 8 {
		w := binary.LittleEndian.Uint64(b[i:])
		if w&(w<<1)&(w<<2)&(w<<3)&high != 0 {
			return true
		}
	}
	for ; i < len(b); i++ {
		if b[i] >= 0xf0 {
			return true
		}
	}
	return false
}

// joinPair returns the character of two private characters, or false if they are not a pair.
func joinPair(hi, lo rune) (r rune, ok bool) {
	if !isStandIn(hi) || !isStandIn(lo) {
		return utf8.RuneError, false
	}
	r = utf16.DecodeRune(hi-unitBase+firstSurrogate, lo-unitBase+firstSurrogate)
	return r, r != utf8.RuneError
}

// joinUnits converts pairs of private characters back to characters. It drops halves of a pair at both
// ends, and returns nothing for a text with a half in the middle. whole reports whether there was no half.
func joinUnits(w []rune) (out []rune, whole bool) {
	out = make([]rune, 0, len(w))
	whole = true
	for i, size := 0, 1; i < len(w); i += size {
		pair, isPair := joinPair(w[i], w[min(i+1, len(w)-1)])
		switch size = 1; {
		case isPair:
			out, size = append(out, pair), 2
		case !isStandIn(w[i]):
			out = append(out, w[i])
		case len(out) > 0 && i+1 < len(w):
			return nil, false // not a literal
		default:
			whole = false
		}
	}
	return out, whole
}

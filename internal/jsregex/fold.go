package jsregex

import (
	"slices"
	"unicode"
)

// foldsAlike reports whether every character that a regex accepts for r folds to the same
// character. It is false for sigma, both Turkish i, and characters whose form depends on their
// neighbours.
func foldsAlike(r rune, flags Flags) bool {
	switch r {
	case 'Σ', 'σ', 'ς', 'İ', 'ı':
		return false
	}
	differs := func(x rune) bool { return unicode.ToLower(x) != unicode.ToLower(r) }
	return !flags.IgnoreCase || !slices.ContainsFunc(equivalents(r, flags.Unicode), differs)
}

// sameUnderFold reports whether a regex with flag i accepts for r exactly those characters that
// have the same folded form as r. The caller must handle the Kelvin sign, see [keyindex.Fold].
func sameUnderFold(r rune, flags Flags) bool {
	if !foldsAlike(r, flags) {
		return false
	}
	if r < 0x80 {
		return true
	}
	if r >= 0x1f80 && r <= 0x1fff || r == '\u212a' {
		return false // the upper case has several characters, or it is the Kelvin sign
	}
	if r > 0xffff {
		return unicode.SimpleFold(r) == r // without flag u it has no case
	}
	low, up := unicode.ToLower(r), unicode.ToUpper(r)
	if low == up {
		return unicode.SimpleFold(r) == r
	}
	return unicode.ToUpper(low) == up && unicode.SimpleFold(low) == up && unicode.SimpleFold(up) == low
}

// equivalents lists the characters that a regex accepts for r with flag i, including r. Without
// flag u, characters are equal if their single upper-case units are equal. A character outside
// ASCII never equals an ASCII character.
func equivalents(r rune, u bool) []rune {
	list := []rune{r}
	for x := unicode.SimpleFold(r); x != r; x = unicode.SimpleFold(x) {
		if u || canonical(x) == canonical(r) {
			list = append(list, x)
		}
	}
	return list
}

// canonical returns the upper case that flag i compares without flag u.
func canonical(r rune) rune {
	if r >= 0x1f80 && r <= 0x1fff && unicode.IsTitle(unicode.ToTitle(r)) {
		return r
	}
	up := unicode.ToUpper(r)
	if up < 0x80 && r >= 0x80 || up > 0xffff {
		return r
	}
	return up
}

// equalIgnoringCase reports whether two characters are equal with flag i.
func (f Flags) equalIgnoringCase(a, b rune) bool {
	if a == b {
		return true
	}
	for x := unicode.SimpleFold(a); x != a; x = unicode.SimpleFold(x) {
		if x == b {
			return f.Unicode || canonical(a) == canonical(b)
		}
	}
	return false
}

package macro

import "unicode/utf8"

// runeUnits returns the number of UTF-16 units of a character.
func runeUnits(r rune) int {
	if r > 0xffff {
		return 2
	}
	return 1
}

// utf16Length returns the number of UTF-16 units of a text.
func utf16Length(text string) (n int) {
	for _, r := range text {
		n += runeUnits(r)
	}
	return n
}

// textUnit returns the UTF-16 unit at an index. Half of a pair is the replacement character.
func textUnit(text string, index int) string {
	for _, r := range text {
		switch n := runeUnits(r); {
		case index == 0 && n == 1:
			return string(r)
		case index < n:
			return string(utf8.RuneError)
		default:
			index -= n
		}
	}
	return ""
}

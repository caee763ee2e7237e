package jsregex

import "unicode/utf8"

// widthAt returns the number of bytes of the character at a position, 0 at the end.
func widthAt(text string, at int) int {
	if at < len(text) && text[at] < utf8.RuneSelf {
		return 1
	}
	_, w := utf8.DecodeRuneInString(text[at:])
	return w
}

// isEdge reports whether a position is between characters.
func isEdge(text string, at int32) bool {
	return int(at) == len(text) || text[at]&0xc0 != 0x80
}

// runeBefore returns the character before a position, runeAfter the character after it. The
// character must exist.
func runeBefore(text string, at int32) rune {
	r, _ := utf8.DecodeLastRuneInString(text[:at])
	return r
}

func runeAfter(text string, at int32) rune {
	r, _ := utf8.DecodeRuneInString(text[at:])
	return r
}

// atBoundary reports whether a word begins or ends at a position.
func atBoundary(text string, at int32, flags Flags) bool {
	both := flags.IgnoreCase && flags.Unicode
	before := at > 0 && isLetter(runeBefore(text, at), both)
	after := int(at) < len(text) && isLetter(runeAfter(text, at), both)
	return before != after
}

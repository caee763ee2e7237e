package lexicon

// A Span is a range of characters of the narration, end excluded.
type Span struct{ Start, End int }

// Between returns the span from start to end.
func Between(start, end int) Span { return Span{start, end} }

// IsLetter reports whether r is a small ASCII letter.
func IsLetter(r rune) bool { return 'a' <= r && r <= 'z' }

// IsDigit reports whether r is an ASCII digit.
func IsDigit(r rune) bool { return '0' <= r && r <= '9' }

// IsWord reports whether r belongs to a word written in ASCII.
func IsWord(r rune) bool { return IsLetter(r) || IsDigit(r) }

// Joined reports whether a and b are in the same ASCII word or number. 5hp is two: a number and its
// unit.
func Joined(a, b rune) bool {
	return IsLetter(a) && IsLetter(b) || IsDigit(a) && IsDigit(b)
}

// IsHan reports whether r is one of the common Chinese characters.
func IsHan(r rune) bool { return '㐀' <= r && r <= '鿿' }

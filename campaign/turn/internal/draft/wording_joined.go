package draft

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// The wording files join, shorten and measure texts of models.

// Joined returns a text with the text that continues it. raw is more before trimming; its leading
// blanks decide the separator. If more begins with the whole text, it replaces the text.
func Joined(text, more, raw string) string {
	if strings.HasPrefix(more, text) {
		return more
	}
	last, _ := utf8.DecodeLastRuneInString(text)
	first, _ := utf8.DecodeRuneInString(more)
	blank := raw[:len(raw)-len(strings.TrimLeftFunc(raw, unicode.IsSpace))]
	switch {
	case more == "" || unicode.IsSpace(last) || unicode.IsSpace(first): // no separator is needed
		return text + more
	case strings.Contains(blank, "\n\n"):
		return text + "\n\n" + more
	case strings.Contains(blank, "\n"):
		return text + "\n" + more
	case blank != "" || needsBlankAfter(last) && needsBlankBefore(first):
		return text + " " + more
	}
	return text + more
}

// needsBlankAfter reports whether a blank follows a character before the next word. It is false for
// opening signs and for scripts without blanks between words.
func needsBlankAfter(r rune) bool {
	return hasBlanks(r) && !strings.ContainsRune("([{“‘«¿¡$/-", r)
}

// needsBlankBefore reports whether a blank comes between a word and the character after it. It is
// false for closing signs and for scripts without blanks between words.
func needsBlankBefore(r rune) bool {
	return hasBlanks(r) && !strings.ContainsRune(".,;:!?)]}%'”’»…", r)
}

// hasBlanks reports whether a character belongs to a script with blanks between words.
func hasBlanks(r rune) bool {
	return (r < 0x2E80 || unicode.Is(unicode.Hangul, r)) && !unicode.In(r, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)
}

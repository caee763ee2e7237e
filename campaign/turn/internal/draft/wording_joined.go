package draft

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// The wording files join, shorten and measure texts of models.

// Joined appends more to text. raw is the appended text before trimming; its leading blanks decide
// the separator. If more repeats the whole text, it replaces the text.
func Joined(text, more, raw string) string {
	if rest, repeats := strings.CutPrefix(more, text); repeats {
		return text + rest
	}
	if more == "" {
		return text + more
	}
	last, _ := utf8.DecodeLastRuneInString(text)
	first, _ := utf8.DecodeRuneInString(more)
	blank := raw[:len(raw)-len(strings.TrimLeftFunc(raw, unicode.IsSpace))]
	switch {
	case unicode.IsSpace(last) || unicode.IsSpace(first): // a blank is there
	case strings.Contains(blank, "\n\n"):
		return text + "\n\n" + more
	case strings.Contains(blank, "\n"):
		return text + "\n" + more
	case blank != "" || spacedAfter(last) && spacedBefore(first):
		return text + " " + more
	}
	return text + more
}

// spacedAfter reports whether a blank follows a character before the next word. It is false for
// opening signs and for scripts without blanks between words.
func spacedAfter(r rune) bool { return spaced(r) && !strings.ContainsRune("([{“‘«¿¡$/-", r) }

// spacedBefore reports whether a blank comes between a word and the character after it. It is false
// for closing signs and for scripts without blanks between words.
func spacedBefore(r rune) bool {
	return spaced(r) && !strings.ContainsRune(".,;:!?)]}%'”’»…", r)
}

// spaced reports whether a character belongs to a script with blanks between words.
func spaced(r rune) bool {
	return (r < 0x2E80 || unicode.Is(unicode.Hangul, r)) && !unicode.In(r, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)
}

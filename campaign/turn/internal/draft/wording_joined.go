package draft

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// The wording part puts texts of models together, shortens and measures them.

// Joined puts a text behind another one. raw is the text as it came, which tells whether it
// began with a blank. A text that repeats all that is there counts as the whole.
func Joined(text, more, raw string) string {
	if rest, repeats := strings.CutPrefix(more, text); repeats {
		return text + rest
	}
	if text == "" || more == "" {
		return text + more
	}
	last, _ := utf8.DecodeLastRuneInString(text)
	first, _ := utf8.DecodeRuneInString(more)
	blank := raw[:len(raw)-len(strings.TrimLeftFunc(raw, unicode.IsSpace))]
	switch {
	case unicode.IsSpace(last) || unicode.IsSpace(first):
		return text + more
	case strings.Contains(blank, "\n\n"):
		return text + "\n\n" + more
	case strings.Contains(blank, "\n"):
		return text + "\n" + more
	case blank != "" || spacedAfter(last) && spacedBefore(first):
		return text + " " + more
	}
	return text + more
}

// spacedAfter reports whether a blank follows on a sign, where a word comes next: not on an
// opening sign, nor in a script without blanks between words.
func spacedAfter(r rune) bool { return spaced(r) && !strings.ContainsRune("([{“‘«¿¡$/-", r) }

// spacedBefore reports whether a blank stands before a sign, where a word was before: not before
// a closing sign, nor in a script without blanks between words.
func spacedBefore(r rune) bool {
	return spaced(r) && !strings.ContainsRune(".,;:!?)]}%'”’»…", r)
}

// spaced reports whether a sign belongs to a script that has blanks between words.
func spaced(r rune) bool {
	return (r < 0x2E80 || unicode.Is(unicode.Hangul, r)) && !unicode.In(r, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)
}

package report

import (
	"strconv"

	"github.com/talewright/talewright/internal/utf8text"
)

// A problem that only says "unknown" sends an author to the documentation. Most unknown
// words are slips of the pen, so the text names the word that was meant; where none is
// near, it names all that would do.

// Hint says what to write instead of a word from a short list: the one that was probably
// meant, or else the whole list.
func Hint[T ~string](given T, known ...T) string {
	words := make([]string, len(known))
	for i, k := range known {
		words[i] = string(k)
	}
	if word, ok := utf8text.Closest(string(given), words); ok {
		return "did you mean " + strconv.Quote(word) + "?"
	}
	return Choices(known)
}

// Choices lists words to choose from.
func Choices[T ~string](words []T) string {
	out := "write "
	for i, w := range words {
		switch i {
		case 0:
		case len(words) - 1:
			out += " or "
		default:
			out += ", "
		}
		out += string(w)
	}
	return out
}

// MeantOr says which of the ids in use was probably meant, or else what to do.
func MeantOr(given string, ids []string, otherwise string) string {
	if word, ok := utf8text.Closest(given, ids); ok {
		return "did you mean " + strconv.Quote(word) + "?"
	}
	return otherwise
}

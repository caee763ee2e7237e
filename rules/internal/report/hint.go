package report

import (
	"strconv"

	"github.com/talewright/talewright/internal/utf8text"
)

// A problem that only says "unknown" sends an author to the documentation. Most unknown words are
// typing errors, so the text names the probable word. If none is similar, it lists all valid words.

// Hint returns what to write instead of an unknown word: the probable word of a short list, or else
// the whole list.
func Hint[T ~string](given T, known ...T) string {
	words := make([]string, len(known))
	for i, k := range known {
		words[i] = string(k)
	}
	if word, ok := utf8text.Suggest(string(given), words); ok {
		return "did you mean " + strconv.Quote(word) + "?"
	}
	return Choices(known)
}

// Choices lists the words to choose from.
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

// MeantOr suggests the probable id among the used ids, or else returns otherwise.
func MeantOr(given string, ids []string, otherwise string) string {
	if word, ok := utf8text.Suggest(given, ids); ok {
		return "did you mean " + strconv.Quote(word) + "?"
	}
	return otherwise
}

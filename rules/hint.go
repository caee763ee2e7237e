package rules

import (
	"slices"
	"strconv"
	"strings"
)

// A problem that only says "unknown" sends an author to the documentation. Most unknown
// words are slips of the pen, so the text names the word that was meant; where none is
// near, it names all that would do.

// hint says what to write instead of a word from a short list: the one that was probably
// meant, or else the whole list.
func hint[T ~string](word T, known ...T) string {
	words := make([]string, len(known))
	for i, k := range known {
		words[i] = string(k)
	}
	if meant, ok := closest(string(word), words); ok {
		return "did you mean " + strconv.Quote(meant) + "?"
	}
	last := len(words) - 1
	return "write " + strings.Join(words[:last], ", ") + " or " + words[last]
}

// meantOr says which of the ids in use was probably meant, or else what to do.
func meantOr(word string, ids []string, otherwise string) string {
	if meant, ok := closest(word, ids); ok {
		return "did you mean " + strconv.Quote(meant) + "?"
	}
	return otherwise
}

// maxWord bounds the words that are compared, in bytes.
const maxWord = 200

// closest returns the known word with the fewest slips to the one given, the first of
// equals. A third of the letters may be wrong: beyond that it would be guessing.
func closest(word string, known []string) (string, bool) {
	// Nobody slips in the middle of a novel.
	if len(word) > maxWord {
		return "", false
	}
	// Short words have no third letter to lose: "hp" is not a slip of "mp".
	best, least := "", len([]rune(word))/3+1
	for _, k := range known {
		if len(k) > maxWord {
			continue
		}
		if n := slips(strings.ToLower(word), strings.ToLower(k), least); n < least {
			best, least = k, n
		}
	}
	return best, best != ""
}

// slips counts the letters to insert, remove, replace or swap with their neighbour that
// lead from one word to another. It gives up at a limit.
func slips(from, to string, limit int) int {
	a, b := []rune(from), []rune(to)
	if max(len(a)-len(b), len(b)-len(a)) >= limit {
		return limit
	}
	// Three rows are enough: letters swapped with their neighbour look two rows back.
	rows := [3][]int{make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)}
	before, last, row := rows[0], rows[1], rows[2]
	for j := range last {
		last[j] = j
	}
	for i := range a {
		row[0] = i + 1
		for j := range b {
			change := last[j]
			if a[i] != b[j] {
				change++
			}
			row[j+1] = min(change, last[j+1]+1, row[j]+1)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				row[j+1] = min(row[j+1], before[j-1]+1)
			}
		}
		if slices.Min(row) >= limit {
			return limit
		}
		before, last, row = last, row, before
	}
	return min(last[len(b)], limit)
}

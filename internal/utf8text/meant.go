package utf8text

import (
	"slices"
	"strings"
	"unicode"
)

// The meant part finds the word that was meant by one that is not known.

// MaxWord bounds the words that are compared, in bytes.
const MaxWord = 200

// Closest returns the known word with the fewest slips to the one given, the first of
// equals. A third of the letters may be wrong, of Chinese characters, which say more each,
// the half: beyond that it would be guessing.
func Closest(word string, known []string) (string, bool) {
	// Nobody slips in the middle of a novel.
	if len(word) > MaxWord {
		return "", false
	}
	// Short words have no third letter to lose: "hp" is not a slip of "mp".
	share := 3
	if strings.ContainsFunc(word, func(r rune) bool { return unicode.Is(unicode.Han, r) }) {
		share = 2
	}
	best, least := "", len([]rune(word))/share+1
	for _, k := range known {
		if len(k) > MaxWord {
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

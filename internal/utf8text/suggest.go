package utf8text

import (
	"slices"
	"strings"
	"unicode"
)

// MaxWord is the greatest length in bytes of the words that are compared.
const MaxWord = 200

// Suggest returns the known word with the fewest typos compared with the given word; of equal ones,
// the first. A third of the letters may be wrong. Of Chinese characters, which carry more meaning
// each, half may be wrong. Beyond that, the result would be a guess.
func Suggest(word string, known []string) (string, bool) {
	// Longer words are not typos.
	if len(word) > MaxWord {
		return "", false
	}
	// Words with fewer than three letters have no third that may be wrong: "hp" is not a typo of
	// "mp".
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

// slips returns the number of letters to insert, remove, replace or swap with a neighbour that lead
// from one word to the other. It stops at a limit.
func slips(from, to string, limit int) int {
	a, b := []rune(from), []rune(to)
	if max(len(a)-len(b), len(b)-len(a)) >= limit {
		return limit
	}
	// Three rows are enough: a swap of neighbours needs the row before the last one.
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

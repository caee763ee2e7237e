package cast

import (
	"cmp"
	"iter"
	"slices"
	"strings"
	"unicode"
)

// mentioned returns the indexes of the names that a line mentions, in the order of mention.
//
// A word that several names share belongs to the first of them. A word is mentioned if it is a word
// of the line. A word of a script without blanks is mentioned if it occurs anywhere in the line. A
// single character of such a script counts only if it is the whole name.
func mentioned(line string, names []string) []int {
	type mention struct{ place, name int }
	text := readLine(line)
	usedWords := map[string]bool{}
	var found []mention
	for i, name := range names {
		place := -1
		for w := range words(name) {
			if usedWords[w.text] || w.packed && w.signs == 1 && !isOneWord(name) {
				continue
			}
			usedWords[w.text] = true
			if at := text.find(w); at >= 0 && (place < 0 || at < place) {
				place = at
			}
		}
		if place >= 0 {
			found = append(found, mention{place, i})
		}
	}
	// Names at the same position, such as 白 and 白露, are in list order.
	slices.SortStableFunc(found, func(a, b mention) int { return cmp.Compare(a.place, b.place) })
	out := make([]int, len(found))
	for i, m := range found {
		out[i] = m.name
	}
	return out
}

// isOneWord reports whether a name is a single word.
func isOneWord(name string) bool {
	n := 0
	for range words(name) {
		if n++; n > 1 {
			return false
		}
	}
	return n == 1
}

// lineWords is a line prepared for searching words.
type lineWords struct {
	text  string         // its words, folded, each with a line feed after it
	first map[string]int // the first position of each word that is separated by blanks
}

func readLine(line string) lineWords {
	var text strings.Builder
	text.Grow(len(line))
	first := map[string]int{}
	for w := range words(line) {
		if _, known := first[w.text]; !known && !w.packed {
			first[w.text] = text.Len()
		}
		text.WriteString(w.text)
		text.WriteByte('\n')
	}
	return lineWords{text.String(), first}
}

// find returns the first position of a word, or -1 if not found.
func (l lineWords) find(w word) int {
	if w.packed {
		return strings.Index(l.text, w.text)
	}
	if at, ok := l.first[w.text]; ok {
		return at
	}
	return -1
}

// word is a piece of a name or a line.
type word struct {
	text   string // folded
	packed bool   // the word is of a script without blanks between words
	signs  int    // the number of characters without combining marks
}

// words splits a text into runs of letters, digits and underscores, and where a script without
// blanks meets a different script. Marks belong to the character before them.
func words(text string) iter.Seq[word] {
	return func(yield func(word) bool) {
		var run []rune
		kind, signs := noWord, 0
		for _, r := range text {
			next := kindOf(r)
			if next == mark {
				if kind != noWord {
					run = append(run, r)
				}
				continue
			}
			if next != kind {
				if kind != noWord && !yield(word{string(run), kind >= packed, signs}) {
					return
				}
				run, kind, signs = run[:0], next, 0
			}
			if next != noWord {
				run, signs = append(run, fold(r)), signs+1
			}
		}
		if kind != noWord {
			yield(word{string(run), kind >= packed, signs})
		}
	}
}

// Kinds of characters. The kinds of scripts without blanks follow, one for each script.
const (
	noWord  = iota
	mark    // a combining character
	blanked // a letter or digit of a script that separates words by blanks, or an underscore
	packed  // the first script that does not
)

// packedScripts are the scripts without blanks between words, or without blanks after a name, such
// as Korean, where particles follow the name directly. Scripts that are mixed within words form one
// entry.
var packedScripts = [][]*unicode.RangeTable{
	{unicode.Han, unicode.Bopomofo},
	{unicode.Hiragana, unicode.Katakana},
	{unicode.Hangul},
	{unicode.Thai}, {unicode.Lao}, {unicode.Khmer}, {unicode.Myanmar}, {unicode.Tibetan},
	{unicode.Tai_Tham}, {unicode.New_Tai_Lue}, {unicode.Yi}, {unicode.Javanese}, {unicode.Balinese},
}

func kindOf(r rune) int {
	const firstPacked = 0x0E00 // Thai is the first of packedScripts; smaller characters need no search
	switch {
	case r < unicode.MaxASCII:
		if r == '_' || '0' <= r && r <= '9' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' {
			return blanked
		}
		return noWord
	case unicode.IsMark(r):
		return mark
	case !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.Is(unicode.Nl, r):
		return noWord
	case r == 'ー' || r == 'ｰ': // used in kana, and of no script
		return packed + 1
	case r >= firstPacked:
		for i, tables := range packedScripts {
			if unicode.In(r, tables...) {
				return packed + i
			}
		}
	}
	return blanked
}

// fold makes characters equal that differ only in case, or in the width of Latin letters.
func fold(r rune) rune {
	if 'ａ' <= r && r <= 'ｚ' || 'Ａ' <= r && r <= 'Ｚ' || '０' <= r && r <= '９' {
		r -= 'ａ' - 'a'
	}
	if r < unicode.MaxASCII {
		if 'A' <= r && r <= 'Z' {
			r += 'a' - 'A'
		}
		return r
	}
	least := r
	for next := unicode.SimpleFold(r); next != r; next = unicode.SimpleFold(next) {
		if !unicode.IsMark(next) { // one form of iota is a mark
			least = min(least, next)
		}
	}
	if least < unicode.MaxASCII {
		return fold(least) // the Kelvin sign is a k
	}
	return least
}

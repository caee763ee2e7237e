package jsregex

import (
	"slices"
	"strings"
	"unicode/utf16"

	"github.com/talewright/talewright/internal/keyindex"
)

// Limits of the languages that are enumerated.
const (
	maxWords     = 200
	maxClassSize = 12
	maxWordRunes = 200
)

// wordEdge represents \b in an enumerated word. It is not a character.
const wordEdge rune = -1

// finiteWords enumerates the language of n, if it is finite and small. A word is a list of characters and
// edges.
func finiteWords(n *node) ([][]rune, bool) {
	switch n.op {
	case opEmpty:
		return [][]rune{{}}, true
	case opChar:
		return [][]rune{{n.ch}}, !utf16.IsSurrogate(n.ch)
	case opClass:
		return n.set.words()
	case opGroup:
		return finiteWords(n.subs[0])
	case opBoundary: // an index cannot check the condition \B
		return [][]rune{{wordEdge}}, !n.negate
	case opConcat:
		list := [][]rune{{}}
		for _, s := range n.subs {
			more, ok := finiteWords(s)
			if list, ok = concatenations(list, more, ok); !ok {
				return nil, false
			}
		}
		return list, true
	case opAlternate:
		var list [][]rune
		for _, s := range n.subs {
			more, ok := finiteWords(s)
			if list = append(list, more...); !ok || len(list) > maxWords {
				return nil, false
			}
		}
		return list, true
	case opRepeat:
		return repeatedWords(n)
	}
	return nil, false
}

// words lists the characters of a small class that contains only characters.
func (c *class) words() ([][]rune, bool) {
	if c.negate || len(c.kinds)+len(c.props) > 0 {
		return nil, false
	}
	var list [][]rune
	for _, x := range c.ranges {
		for r := x.lo; r <= x.hi; r++ {
			if list = append(list, []rune{r}); len(list) > maxClassSize || utf16.IsSurrogate(r) {
				return nil, false
			}
		}
	}
	return list, true
}

// repeatedWords enumerates a bounded repeat: the powers of its body from min to max.
func repeatedWords(n *node) ([][]rune, bool) {
	if n.max == unbounded || n.max > 8 {
		return nil, false
	}
	body, ok := finiteWords(n.subs[0])
	power := [][]rune{{}}
	var list [][]rune
	for i := 0; i <= n.max && ok; i++ {
		if i >= n.min {
			list = append(list, power...)
		}
		if i < n.max {
			power, ok = concatenations(power, body, ok)
		}
	}
	return list, ok && len(list) <= maxWords
}

// concatenations appends every word of b to every word of a.
func concatenations(a, b [][]rune, ok bool) ([][]rune, bool) {
	if !ok || len(a)*len(b) > maxWords {
		return nil, false
	}
	list := make([][]rune, 0, len(a)*len(b))
	for _, x := range a {
		for _, y := range b {
			if len(x)+len(y) > maxWordRunes {
				return nil, false
			}
			list = append(list, append(slices.Clip(x), y...))
		}
	}
	return list, true
}

// literalKeys converts a regex that is only an alternation of texts, with or without \b around
// them, to keys of an index. With flag i the keys are folded and the text must be folded too. It
// returns nil for any other regex.
func literalKeys(root *node, flags Flags) []keyindex.Key {
	if flags.Sticky {
		return nil
	}
	list, ok := finiteWords(root)
	if !ok {
		return nil
	}
	var keys []keyindex.Key
	for _, w := range list {
		k, possible, ok := wordKey(w, flags)
		if !ok {
			return nil
		}
		if possible && !slices.Contains(keys, k) {
			keys = append(keys, k)
		}
	}
	return keys
}

// wordKey converts one word to a key. possible is false for a word that can never match because of
// an edge inside it.
func wordKey(w []rune, flags Flags) (k keyindex.Key, possible, ok bool) {
	w, ok = joinUnits(w)
	if !ok {
		return k, false, false
	}
	var text strings.Builder
	last := wordEdge
	pending := false
	for i, r := range w {
		if r == wordEdge { // its condition depends on the next character
			if flags.Unicode && flags.IgnoreCase { // with these flags \w has more letters than the index
				return k, false, false
			}
			pending = true
			continue
		}
		if r == '\n' || r == '\x01' || flags.IgnoreCase && !sameUnderFold(r, flags) {
			return k, false, false
		}
		if pending && last == wordEdge { // at the beginning
			k.Left = neighbourCondition(r)
		} else if pending && isWord(last) == isWord(r) {
			return k, false, true // an edge between two word characters, or between two others
		}
		pending = false
		last = w[i]
		text.WriteRune(r)
	}
	if last == wordEdge { // the empty text, or only edges
		return k, false, false
	}
	if pending {
		k.Right = neighbourCondition(last)
	}
	k.Text = text.String()
	if flags.IgnoreCase {
		k.Text = keyindex.FoldString(k.Text)
	}
	return k, true, true
}

// neighbourCondition returns the condition of \b on the neighbour of r.
func neighbourCondition(r rune) keyindex.Edge {
	if isWord(r) {
		return keyindex.NonWordEdge
	}
	return keyindex.WordEdge
}

package prompt

import (
	"sort"
	"strings"
)

// truncate cuts whole lines off an item until its text has at most room tokens.
// It fails, and changes nothing, if the item may not be cut or no line that is
// not blank would be left.
func (b *build) truncate(it *item, room int) bool {
	cut := it.block.Truncate
	if cut != CutStart && cut != CutEnd || it.turns != nil || room <= 0 {
		return false
	}
	lines := strings.SplitAfter(it.text, "\n")
	rest := func(removed int) string {
		if cut == CutStart {
			return strings.Join(lines[removed:], "")
		}
		return strings.TrimSuffix(strings.Join(lines[:len(lines)-removed], ""), "\n")
	}
	// A text has fewer tokens with every line that goes, so bisection finds the
	// smallest cut with few counts; the result is checked, should a counter
	// disagree.
	removed := 1 + sort.Search(len(lines)-1, func(i int) bool {
		return b.count(rest(i+1)) <= room
	})
	if removed >= len(lines) {
		return false
	}
	text := rest(removed)
	tokens := b.count(text)
	if strings.TrimSpace(text) == "" || tokens > room {
		return false
	}
	it.before, it.removed = it.tokens, removed
	it.whole, it.text, it.tokens = it.text, text, tokens
	return true
}

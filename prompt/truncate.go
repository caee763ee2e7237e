package prompt

import (
	"sort"
	"strings"
	"unicode/utf8"

	"github.com/talewright/talewright/internal/keyindex"
)

// bound cuts an item to the bound of its block.
func (b *build) bound(it *item) {
	room, cut := it.block.MaxTokens, it.block.cut()
	if room <= 0 || it.turns != nil || it.tokens <= room {
		return
	}
	if b.cutLines(it, cut, room) {
		return
	}
	// No line of it is short enough.
	line := strings.TrimSuffix(it.text, "\n")
	lines := strings.Count(line, "\n")
	if cut == CutStart {
		line = line[strings.LastIndexByte(line, '\n')+1:]
	} else {
		line, _, _ = strings.Cut(line, "\n")
	}
	b.resize(it, b.cutLine(line, cut, room), lines)
}

// cut is the end at which a block is cut to its bound.
func (block *Block) cut() Cut {
	if block.Truncate == CutStart {
		return CutStart
	}
	return CutEnd
}

// cutLine returns as much of a line as has at most room tokens.
func (b *build) cutLine(line string, cut Cut, room int) string {
	part := func(n int) string {
		if cut == CutStart {
			for n < len(line) && !utf8.RuneStart(line[n]) {
				n++
			}
			return line[n:]
		}
		n = len(line) - n
		for n > 0 && n < len(line) && !utf8.RuneStart(line[n]) {
			n--
		}
		return line[:n]
	}
	gone := sort.Search(len(line), func(n int) bool { return b.count(part(n)) <= room })
	return part(gone)
}

// truncate cuts whole lines off an item until its text has at most room tokens.
// It fails, and changes nothing, if the item may not be cut or no line that is
// not blank would be left.
func (b *build) truncate(it *item, room int) bool {
	cut := it.block.Truncate
	if cut != CutStart && cut != CutEnd || it.turns != nil || room <= 0 {
		return false
	}
	whole := it.size
	if !b.cutLines(it, cut, room) {
		return false
	}
	it.whole = &whole
	return true
}

// cutLines is truncate for the end that is given.
func (b *build) cutLines(it *item, cut Cut, room int) bool {
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
	if keyindex.TrimSpace(text) == "" || b.count(text) > room {
		return false
	}
	b.resize(it, text, removed)
	return true
}

// resize gives an item a part of its text.
func (b *build) resize(it *item, text string, removed int) {
	if it.before == 0 {
		it.before = it.tokens
	}
	it.text, it.tokens, it.removed = text, b.count(text), it.removed+removed
}

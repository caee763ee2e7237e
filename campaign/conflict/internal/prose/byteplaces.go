package prose

import "sort"

// BytePlaces are the bytes where the characters of a text begin.
type BytePlaces struct {
	at   []int // by character; none if each of them is one byte
	size int   // of the text
}

// Of returns the byte where a character begins, and the size of the text for the one
// behind the last.
func (p BytePlaces) Of(char int) int {
	switch {
	case p.at == nil:
		return char
	case char == len(p.at):
		return p.size
	}
	return p.at[char]
}

// CharAt returns the character that holds a byte, the one behind the last for what lies
// behind the text.
func (p BytePlaces) CharAt(offset int) int {
	switch {
	case p.at == nil:
		return min(max(offset, 0), p.size)
	case offset >= p.size:
		return len(p.at)
	}
	return max(sort.SearchInts(p.at, offset+1)-1, 0)
}

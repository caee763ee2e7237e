package tokenize

import "sort"

// BytePlaces are the byte positions of the characters of a text.
type BytePlaces struct {
	at   []int32 // by character; nil if each of them is one byte
	size int     // of the text
}

// Of returns the byte position of a character. For the position after the last character it returns
// the size of the text.
func (p BytePlaces) Of(char int) int {
	switch {
	case p.at == nil:
		return char
	case char == len(p.at):
		return p.size
	}
	return int(p.at[char])
}

// CharAt returns the character that contains a byte, or the number of characters for a byte after
// the text.
func (p BytePlaces) CharAt(offset int) int {
	switch {
	case p.at == nil:
		return min(max(offset, 0), p.size)
	case offset >= p.size:
		return len(p.at)
	}
	return max(sort.Search(len(p.at), func(i int) bool { return int(p.at[i]) > offset })-1, 0)
}

package tokenize

import (
	"sort"
	"unicode/utf8"
)

// BytePlaces are the byte positions of the characters of a text.
type BytePlaces struct {
	text  string
	marks []int32 // of each markEvery-th character; nil if each character is one byte
}

// markEvery is the number of characters between two marks. A search reads at most as many.
const markEvery = 32

// placesOf returns the places of a text with n characters.
func placesOf(text string, n int) BytePlaces {
	p := BytePlaces{text: text}
	if n == len(text) {
		return p
	}
	p.marks = make([]int32, 0, n/markEvery+1)
	char := 0
	for at := range text {
		if char%markEvery == 0 {
			p.marks = append(p.marks, int32(at))
		}
		char++
	}
	if n%markEvery == 0 {
		p.marks = append(p.marks, int32(len(text)))
	}
	return p
}

// Of returns the byte position of a character. For the position after the last character it returns
// the size of the text.
func (p BytePlaces) Of(char int) int {
	if p.marks == nil {
		return char
	}
	at := int(p.marks[char/markEvery])
	for range char % markEvery {
		_, size := utf8.DecodeRuneInString(p.text[at:])
		at += size
	}
	return at
}

// CharAt returns the character that contains a byte, or the number of characters for a byte after
// the text.
func (p BytePlaces) CharAt(offset int) int {
	if p.marks == nil {
		return min(max(offset, 0), len(p.text))
	}
	mark := max(0, sort.Search(len(p.marks), func(i int) bool { return int(p.marks[i]) > offset })-1)
	char, at := mark*markEvery, int(p.marks[mark])
	for at < len(p.text) {
		_, size := utf8.DecodeRuneInString(p.text[at:])
		if at += size; at > offset {
			break
		}
		char++
	}
	return char
}

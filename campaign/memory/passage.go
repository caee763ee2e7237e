package memory

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// passageSize is how long passages get, in quarters of a token: a character of a script without
// blanks counts four, any other one.
const passageSize = 240

// Passages divides a text into the pieces in which it is remembered, in their order: some
// sixty tokens each, which end with a sentence if there is one, else between words if there
// are any. Blanks around them are left out, all else is in just one of them.
func Passages(text string) []string {
	var out []string
	var p passage
	for i, r := range text {
		n := 1
		if blankless(r) {
			n = 4
		}
		if p.size+n > passageSize {
			out = appendPassage(out, p.cut(text, i))
		}
		p.size += n
		p.mark(i+runeLen(text[i:], r), r)
	}
	return appendPassage(out, text[p.from:])
}

// runeLen is how many bytes the character at the beginning of a text takes.
func runeLen(text string, r rune) int {
	if r != utf8.RuneError {
		return utf8.RuneLen(r)
	}
	_, n := utf8.DecodeRuneInString(text)
	return n
}

// passage is the one that is being read.
type passage struct {
	from, size     int
	ended          bool // the character before ends a sentence, or closes one that has ended
	sentence, word edge // where it may be cut
}

// edge is a place in the text and the size of the passage up to it.
type edge struct{ at, size int }

// mark notes where a passage may end, behind the character that ends at a place.
func (p *passage) mark(at int, r rune) {
	switch {
	case strings.ContainsRune("\n。！？…", r):
		p.ended, p.sentence = true, edge{at, p.size}
	case strings.ContainsRune(".!?;", r):
		p.ended = true
	case strings.ContainsRune("\"'”’」』）)*", r):
		if p.ended && p.sentence.at > p.from && p.sentence.size == p.size-1 {
			p.sentence = edge{at, p.size} // it belongs to the sentence that it closes
		}
	case unicode.IsSpace(r):
		if p.ended {
			p.sentence = edge{at, p.size}
		}
		p.word, p.ended = edge{at, p.size}, false
	case strings.ContainsRune("，、；：", r):
		p.word, p.ended = edge{at, p.size}, false
	default:
		p.ended = false
	}
}

// cut ends the passage at the best place before the given one, and returns it.
func (p *passage) cut(text string, at int) string {
	best := p.sentence
	if best.size < passageSize/4 { // there is none, or only a short beginning
		best = p.word
	}
	if best.size < passageSize/4 {
		best = edge{at, p.size}
	}
	piece := text[p.from:best.at]
	p.from, p.size = best.at, p.size-best.size
	p.sentence, p.word = p.sentence.after(best), p.word.after(best)
	return piece
}

// after is the edge in the passage that begins at another one.
func (e edge) after(begin edge) edge {
	if e.at <= begin.at {
		return edge{}
	}
	return edge{e.at, e.size - begin.size}
}

func appendPassage(out []string, text string) []string {
	if text = strings.TrimSpace(text); text == "" {
		return out
	}
	return append(out, text)
}

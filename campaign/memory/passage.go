package memory

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/talewright/talewright/internal/utf8text"
)

// passageSize is the maximum size of a passage, in quarters of a token: a character of a script
// without spaces counts four, any other character one.
const passageSize = 240

// Passage is a piece of the text of a turn, or of its summary.
type Passage struct{ ID, Text string }

// Passages splits the texts of a turn into pieces of about sixty tokens, in order: first the
// player's line and the answer, then the summary. A piece ends with a sentence if possible, else
// between words if possible. Surrounding white space is removed; all other text is in exactly one
// piece. The ID is the ID of the turn and a number.
func (t Turn) Passages() []Passage {
	var out []Passage
	for i, text := range pieces(t.storedText()) {
		out = append(out, Passage{passageID(t.ID, i), text})
	}
	for i, text := range pieces(utf8text.Cut(t.Summary, maxTurnBytes)) {
		out = append(out, Passage{passageID(t.ID, -1-i), text})
	}
	return out
}

// passageID returns the ID of a passage from its number in the turn: 0, 1 … for the text, -1, -2 …
// for the summary.
func passageID(turn string, part int) string {
	if part < 0 {
		return turn + "/summary/" + strconv.Itoa(-part)
	}
	return turn + "/" + strconv.Itoa(part+1)
}

// pieces splits a text.
func pieces(text string) []string {
	var out []string
	var p piece
	for i, r := range text {
		n := 1
		if blankless(r) {
			n = 4
		}
		if p.size+n > passageSize {
			out = appendPiece(out, p.cut(text, i))
		}
		p.size += n
		p.mark(i+runeLen(text[i:], r), r)
	}
	return appendPiece(out, text[p.from:])
}

// runeLen returns the number of bytes of the first character of a text.
func runeLen(text string, r rune) int {
	if r != utf8.RuneError {
		return utf8.RuneLen(r)
	}
	_, n := utf8.DecodeRuneInString(text)
	return n
}

// piece is the passage that is being read.
type piece struct {
	from, size     int
	ended          bool // the previous character ends a sentence, or closes an ended one
	sentence, word edge // the last places where it may be cut
}

// edge is a position in the text and the size of the passage up to it.
type edge struct{ at, size int }

// mark records where a passage may end, after the character that ends at a position.
func (p *piece) mark(at int, r rune) {
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

// cut ends the passage at the best position before the given one, and returns it.
func (p *piece) cut(text string, at int) string {
	best := p.sentence
	if best.size < passageSize/4 { // there is no sentence end, or only after a short beginning
		best = p.word
	}
	if best.size < passageSize/4 {
		best = edge{at, p.size}
	}
	text = text[p.from:best.at]
	p.from, p.size = best.at, p.size-best.size
	p.sentence, p.word = p.sentence.after(best), p.word.after(best)
	return text
}

// after returns the edge relative to the passage that begins at a different edge.
func (e edge) after(begin edge) edge {
	if e.at <= begin.at {
		return edge{}
	}
	return edge{e.at, e.size - begin.size}
}

func appendPiece(out []string, text string) []string {
	if text = strings.TrimSpace(text); text == "" {
		return out
	}
	return append(out, text)
}

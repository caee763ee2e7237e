package memory

import (
	"unicode"
	"unicode/utf8"
)

// maxTerm is the maximum number of characters of a word that are used.
const maxTerm = 32

// terms splits a text into terms. A term is valid until the next one.
func terms(text string, yield func(term []byte)) {
	var c cutter
	c.yield = yield
	for i := 0; i < len(text); {
		r, size := rune(text[i]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRuneInString(text[i:])
		}
		i += size
		c.take(fold(r))
	}
	c.endWord()
	c.endPairs()
}

// cutter holds the term that is being read.
type cutter struct {
	yield func([]byte)
	word  []byte // of a script with spaces
	n     int    // its characters
	last  rune   // the previous character, of a script without spaces; 0: none
	alone bool   // last is not part of a pair yet
	pair  [2 * utf8.UTFMax]byte
}

func (c *cutter) take(r rune) {
	switch {
	case blankless(r):
		c.endWord()
		if c.last != 0 {
			c.yield(utf8.AppendRune(utf8.AppendRune(c.pair[:0], c.last), r))
		}
		c.alone, c.last = c.last == 0, r
	case isWord(r):
		c.endPairs()
		if c.n < maxTerm {
			c.word = utf8.AppendRune(c.word, r)
		}
		c.n++
	case r == '\'' || r == '’':
		c.endPairs()
		if c.n > 0 && c.n < maxTerm { // as in o'clock; endWord removes it at the end of a word
			c.word = append(c.word, '\'')
			c.n++
		}
	default:
		c.endWord()
		c.endPairs()
	}
}

// endPairs ends a run of characters of a script without spaces.
func (c *cutter) endPairs() {
	if c.last != 0 && c.alone {
		c.yield(utf8.AppendRune(c.pair[:0], c.last))
	}
	c.last, c.alone = 0, false
}

func (c *cutter) endWord() {
	if c.n == 0 {
		return
	}
	word := stem(c.word)
	if len(word) > 1 || word[0] <= '9' { // a letter alone says nothing
		c.yield(word)
	}
	c.word, c.n = c.word[:0], 0
}

// stem removes the English endings of a possessive and a plural from a word. It does little harm to
// words of other languages, because they lose the ending everywhere. A word begins with a letter or
// a digit.
func stem(w []byte) []byte {
	for w[len(w)-1] == '\'' {
		w = w[:len(w)-1]
	}
	n := len(w)
	switch {
	case n > 2 && w[n-2] == '\'' && w[n-1] == 's':
		return w[:n-2]
	case n > 4 && string(w[n-3:]) == "ies":
		return append(w[:n-3], 'y')
	case n > 3 && w[n-1] == 's' && w[n-2] != 's' && w[n-2] != 'u' && w[n-2] != 'i':
		return w[:n-1]
	}
	return w
}

// fold maps capital and full-width letters to small ones.
func fold(r rune) rune {
	if 0xFF01 <= r && r <= 0xFF5E {
		r += '!' - 0xFF01
	}
	return unicode.ToLower(r)
}

func isWord(r rune) bool {
	if r < utf8.RuneSelf {
		return 'a' <= r && r <= 'z' || '0' <= r && r <= '9'
	}
	return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r))
}

// blankless reports whether a character belongs to a script without spaces between words. It also
// reports true for Korean, whose words change their endings so much that pairs of characters work
// better.
func blankless(r rune) bool {
	const first = 0x0E00 // Thai
	return r >= first && r != utf8.RuneError && (r == 'ー' || unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana,
		unicode.Hangul, unicode.Bopomofo, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar))
}

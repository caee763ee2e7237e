package segment

import (
	"slices"
	"unicode/utf8"
)

// around is the greatest number of characters on each side that decide a cut. Usually a few decide:
// those up to the next place that no word spans.
const around = 64

// path finds the most likely division of Chinese text into words, from left to right.
type path struct {
	s    *Segmenter
	text string
	pos  int // next place to examine
	// at has an element for every byte up to the end of the farthest word. An element with a from
	// is the end of a word.
	at []place
}

// place is the end of the cheapest division so far.
type place struct {
	cost int64
	from int32 // start of its last word, plus one
}

func (s *Segmenter) newPath(text string) *path {
	return &path{s: s, text: text, at: make([]place, 1, 96)}
}

// each calls found for every word that is a prefix of text.
func (s *Segmenter) each(text string, found func(size int, cost int32)) {
	s.base.each(text, found)
	if s.names != nil {
		s.names.each(text, found)
	}
}

// longestWord returns the length of the longest word.
func (s *Segmenter) longestWord() int {
	if s.names == nil {
		return s.base.max
	}
	return max(s.base.max, s.names.max)
}

// longest returns the length of the longest word that begins with r.
func (s *Segmenter) longest(r rune) int {
	if s.names == nil {
		return s.base.longest(r)
	}
	return max(s.base.longest(r), s.names.longest(r))
}

// step adds the words that begin at the next place.
func (p *path) step() {
	_, size := utf8.DecodeRuneInString(p.text[p.pos:])
	here := p.at[p.pos].cost
	single := false
	p.s.each(p.text[p.pos:], func(n int, cost int32) {
		single = single || n == size
		p.reach(p.pos+n, here+int64(cost))
	})
	if !single {
		p.reach(p.pos+size, here+unknown)
	}
	p.pos += size
}

// reach records a word from p.pos to end. Of equal costs the earlier start is kept, which makes the
// last word the longer one.
func (p *path) reach(end int, cost int64) {
	if n := end + 1 - len(p.at); n > 0 {
		p.at = append(p.at, make([]place, n)...)
	}
	if e := &p.at[end]; e.from == 0 || cost < e.cost {
		*e = place{cost, int32(p.pos) + 1}
	}
}

// done reports whether the division up to end is final: the next place is at or after end, and no
// word spans it.
func (p *path) done(end int) bool {
	return p.pos >= end && len(p.at) == p.pos+1
}

// ends returns the ends of the words of the division up to the next place, last
// one first.
func (p *path) ends(list []int) []int {
	for end := p.pos; end > 0; end = int(p.at[end].from) - 1 {
		list = append(list, end)
	}
	return list
}

// isCut reports whether the division has a cut at a place between two Chinese characters.
func (s *Segmenter) isCut(text string, at int) bool {
	from := s.clearBefore(text, at)
	if from == at {
		return true
	}
	p := s.newPath(limit(hanPrefix(text[from:]), at-from))
	for !p.done(at - from) {
		p.step()
	}
	var ends [2 * around]int
	return slices.Contains(p.ends(ends[:0]), at-from)
}

// limit cuts a text off around characters after at.
func limit(text string, at int) string {
	n := 0
	for i := range text[at:] {
		if n++; n > around {
			return text[:at+i]
		}
	}
	return text
}

// clearBefore returns the last place at or before at, within the same Chinese characters, that no
// word spans.
func (s *Segmenter) clearBefore(text string, at int) int {
	clear := at
	for i, n := at, 0; i > 0 && n < around && clear-i < s.longestWord(); n++ {
		r, size := utf8.DecodeLastRuneInString(text[:i])
		if !isHan(r) {
			break
		}
		i -= size
		if i+s.longest(r) <= clear {
			continue
		}
		s.each(text[i:], func(size int, _ int32) {
			if i+size > clear {
				clear = i
			}
		})
	}
	return clear
}

// cutRun appends the words of a text of Chinese characters.
func (s *Segmenter) cutRun(words []string, run string) []string {
	var ends []int
	p := s.newPath(run)
	for run != "" {
		p.text, p.pos, p.at = run, 0, p.at[:1]
		for p.step(); !p.done(0); {
			p.step()
		}
		ends = p.ends(ends[:0])
		start := 0
		for _, end := range slices.Backward(ends) {
			words = append(words, run[start:end])
			start = end
		}
		run = run[start:]
	}
	return words
}

package parse

import (
	"slices"
	"sort"
	"strings"
	"sync"

	"github.com/talewright/talewright/campaign/conflict/internal/lexicon"
	"github.com/talewright/talewright/campaign/conflict/internal/tokenize"
)

// A Match is a place of the text where a pattern fits.
type Match struct {
	lexicon.Span
	Pattern *lexicon.Pattern
	Parts   []lexicon.Span // by element
}

// The maximum distance, in characters, between two elements of a pattern.
const (
	nearChinese, nearEnglish = 8, 26
	farChinese, farEnglish   = 60, 160
)

// Matches returns the places where patterns fit. For each beginning of a pattern there is at most
// one. The work is linear in the number of words found in the text.
func (p *Passage) Matches(patterns []lexicon.Pattern) []Match {
	var out []Match
	s := scratches.Get().(*scratch)
	defer scratches.Put(s)
	s.slots = [4]slotList{}
	for i := range patterns {
		pattern := &patterns[i]
		if pattern.Chinese && !p.hasHan || !pattern.Chinese && !p.hasLetters {
			continue
		}
		out = p.match(pattern, s, out)
	}
	return out
}

// match appends the places where one pattern fits. It reads the elements from the last to the
// first, and remembers for each word the next word with which it continues.
func (p *Passage) match(pattern *lexicon.Pattern, s *scratch, out []Match) []Match {
	last := len(pattern.Elements) - 1
	var lists [lexicon.MaxElements][]lexicon.Span
	for _, e := range pattern.Elements {
		if e.Slot == 0 && !slices.ContainsFunc(e.Classes, func(c lexicon.Class) bool { return len(p.Words.All(c)) > 0 }) {
			return out
		}
	}
	for i, e := range pattern.Elements {
		if lists[i] = p.wordsOf(e, s, i); len(lists[i]) == 0 {
			return out
		}
	}
	// next[i][k] is the index in lists[i+1] with which word k of element i continues, -1 for none.
	var next [lexicon.MaxElements][]int
	good := func(i, k int) bool { return i == last || next[i][k] >= 0 }
	for i := last - 1; i >= 0; i-- {
		next[i] = slices.Grow(s.next[i][:0], len(lists[i]))[:len(lists[i])]
		s.next[i] = next[i]
		after, following := lists[i+1], pattern.Elements[i+1]
		for k, w := range lists[i] {
			next[i][k] = -1
			// The nearest word that continues decides; a few are tried.
			from := sort.Search(len(after), func(n int) bool { return after[n].Start >= w.End })
			for n := from; n < min(from+maxTried, len(after)); n++ {
				if !p.reaches(w.End, after[n].Start, following, pattern.Chinese) {
					break
				}
				if good(i+1, n) {
					next[i][k] = n
					break
				}
			}
		}
	}
	for k, w := range lists[0] {
		if !good(0, k) {
			continue
		}
		m := Match{Span: w, Pattern: pattern, Parts: make([]lexicon.Span, last+1)}
		for i, n := 0, k; ; i++ {
			m.Parts[i], m.End = lists[i][n], lists[i][n].End
			if i == last {
				break
			}
			n = next[i][n]
		}
		out = append(out, m)
	}
	return out
}

// A scratch holds the reusable buffers of a search, and the positions of the slots.
type scratch struct {
	words [lexicon.MaxElements][]lexicon.Span // by element
	next  [lexicon.MaxElements][]int
	slots [4]slotList
}

type slotList struct {
	known bool
	list  []lexicon.Span
}

var scratches = sync.Pool{New: func() any { return &scratch{} }}

// maxTried limits the words that are tried as the next element of a pattern.
const maxTried = 8

// reaches reports whether an element may begin at start if the element before it ends at end.
func (p *Passage) reaches(end, start int, e lexicon.Element, chinese bool) bool {
	near, far := nearEnglish, farEnglish
	if chinese {
		near, far = nearChinese, farChinese
	}
	switch {
	case e.Near:
		return p.SkipSpace(end) >= start
	case e.Far:
		return start-end <= far && p.SentenceAt(end) == p.SentenceAt(start)
	}
	return start-end <= near && !slices.ContainsFunc(p.Chars[end:start], func(c rune) bool { return tokenize.IsBreak(c) && c != ':' && c != '、' })
}

// wordsOf returns the positions of an element, sorted by start.
func (p *Passage) wordsOf(e lexicon.Element, s *scratch, i int) []lexicon.Span {
	if e.Slot == 0 {
		if len(e.Classes) == 1 {
			return p.Words.All(e.Classes[0])
		}
		all, only := s.words[i][:0], []lexicon.Span(nil)
		for _, c := range e.Classes {
			if list := p.Words.All(c); len(all)+len(only) == 0 {
				only = list
			} else if len(list) > 0 {
				all = append(append(all, only...), list...)
				only = nil
			}
		}
		if len(all) == 0 {
			return only
		}
		s.words[i] = all
		return sorted(all)
	}
	at := &s.slots[strings.IndexByte("#%$@", e.Slot)]
	if !at.known {
		at.known, at.list = true, p.slotWords(e.Slot)
	}
	return at.list
}

func (p *Passage) slotWords(slot byte) (all []lexicon.Span) {
	switch slot {
	case '$':
		return p.Words.All(lexicon.CardLabel)
	case '%':
		for _, place := range p.Places {
			all = append(all, place.Span)
		}
	case '@':
		for _, list := range [][]Mention{p.mentions, p.Named, p.possessors} {
			for _, m := range list {
				if len(m.IDs) > 0 {
					all = append(all, m.Span)
				}
			}
		}
		return sorted(all)
	case '#':
		for pos := 0; pos < len(p.Chars); pos++ {
			if c := p.Chars[pos]; !lexicon.IsWord(c) && !tokenize.IsNumeral(c) || pos > 0 && (lexicon.Joined(p.Chars[pos-1], c) || tokenize.IsNumeral(p.Chars[pos-1]) && tokenize.IsNumeral(c)) {
				continue
			}
			if n, ok := p.NumberAt(pos); ok {
				all = append(all, n.Span)
				pos = n.End - 1
			}
		}
	}
	return all
}

// sorted sorts spans and keeps the longest for each start.
func sorted(all []lexicon.Span) []lexicon.Span {
	slices.SortFunc(all, func(a, b lexicon.Span) int {
		if a.Start != b.Start {
			return a.Start - b.Start
		}
		return b.End - a.End
	})
	return slices.CompactFunc(all, func(a, b lexicon.Span) bool { return a.Start == b.Start })
}

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
	Parts   []lexicon.Span // by element; none if words were weighed
}

// The maximum distance, in characters, between two elements of a pattern.
const (
	nearChinese, nearEnglish = 8, 26
	farChinese, farEnglish   = 60, 160
)

// Matches returns the places where the wide patterns fit, or all others. For each beginning of a pattern there is at most
// one. The work is linear in the number of words found in the text.
func (p *Passage) Matches(patterns []lexicon.Pattern, wide bool) []Match {
	s := scratches.Get().(*scratch)
	defer scratches.Put(s)
	out := s.matches[:0]
	s.slots = [len(lexicon.Slots)]slotList{}
	for i := range patterns {
		pattern := &patterns[i]
		if pattern.Wide != wide || pattern.Chinese && !p.hasHan || !pattern.Chinese && !p.hasLetters {
			continue
		}
		if last := pattern.Elements[len(pattern.Elements)-1]; last.Limit > 0 {
			out = p.weigh(pattern, last, s, out)
			continue
		}
		out = p.match(pattern, s, out)
	}
	s.matches = out[:0]
	defer clear(out)
	return slices.Clone(out)
}

// match appends the places where one pattern fits. It reads the elements from the last to the
// first, and remembers for each word the next word with which it continues.
func (p *Passage) match(pattern *lexicon.Pattern, s *scratch, out []Match) []Match {
	last := len(pattern.Elements) - 1
	var lists [lexicon.MaxElements][]lexicon.Span
	for _, e := range pattern.Elements {
		if e.Slot == 0 && !slices.ContainsFunc(e.Classes, func(c lexicon.Class) bool { return p.Words.Count(c) > 0 }) {
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
	good := func(i, k int) bool {
		return p.fits(lists[i][k], pattern.Elements[i]) && (i == last || next[i][k] >= 0)
	}
	for i := last - 1; i >= 0; i-- {
		next[i] = slices.Grow(s.next[i][:0], len(lists[i]))[:len(lists[i])]
		s.next[i] = next[i]
		after, following := lists[i+1], pattern.Elements[i+1]
		for k, w := range lists[i] {
			next[i][k] = -1
			// The nearest word that continues decides; a few are tried.
			from := sort.Search(len(after), func(n int) bool { return after[n].Start >= w.End })
			for n := from; n < min(from+maxTried, len(after)); n++ {
				if !p.reaches(w.End, after[n].Start, following, pattern) {
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
	words   [lexicon.MaxElements][]lexicon.Span // by element
	next    [lexicon.MaxElements][]int
	slots   [len(lexicon.Slots)]slotList
	weights []weight
	names   []lexicon.Span
	found   []word
	matches []Match
}

type slotList struct {
	known bool
	list  []lexicon.Span
}

var scratches = sync.Pool{New: func() any { return &scratch{} }}

// maxTried limits the words that are tried as the next element of a pattern.
const maxTried = 8

// reaches reports whether an element may begin at start if the element before it ends at end.
func (p *Passage) reaches(end, start int, e lexicon.Element, pattern *lexicon.Pattern) bool {
	near, far := nearEnglish, farEnglish
	if pattern.Chinese {
		near, far = nearChinese, farChinese
	}
	switch {
	case e.Near:
		return p.SkipSpace(end) >= start
	case e.Far && (e.Wide || !pattern.Strict):
		return start-end <= far && p.SentenceAt(end) == p.SentenceAt(start)
	case start-end > near:
		return false
	case pattern.Strict && e.Far:
		return p.Clean(end, start) && !p.Words.Has(end, start, lexicon.Cut, lexicon.Creature, lexicon.Preposition, lexicon.InPlace, lexicon.Pronoun) && (e.Slot == 0 || len(p.NamedIn(lexicon.Between(end, start))) == 0) &&
			(e.Slot != '%' || p.isOnePlace(end, start))
	case e.Light:
		return p.isLight(end, start)
	case pattern.Strict && !e.Free:
		return p.Unbroken(end, start) && p.isLight(end, start)
	}
	return !slices.ContainsFunc(p.Chars[end:start], func(c rune) bool { return tokenize.IsBreak(c) && c != ':' && c != '、' })
}

// isOnePlace reports whether no place is complete in [start, end): 站在窗边俯瞰大厅, 走进大厅旁的地窖.
func (p *Passage) isOnePlace(start, end int) bool {
	i, _ := slices.BinarySearchFunc(p.Places, start, func(here Place, at int) int { return here.Start - at })
	return (i == len(p.Places) || p.Places[i].Start >= end) && !p.Words.Has(start, end-1, lexicon.Localizer)
}

// isLight reports whether [pos, end) contains only adverbs, articles and similar words.
func (p *Passage) isLight(pos, end int) bool {
	for pos < end {
		next := max(p.SkipFillers(pos, end), p.SkipWords(pos, lexicon.AmountFiller, lexicon.Determiner, lexicon.Along))
		if next == pos {
			return false
		}
		pos = next
	}
	return true
}

// fits reports whether the text around a word allows it as an element.
func (p *Passage) fits(w lexicon.Span, e lexicon.Element) bool {
	if e.Ends && !p.EndsClause(w.End) || e.Begins && !p.beginsClause(w.Start) || e.Begins && e.Slot == '@' && (p.IsPossessor(Mention{Span: w}) || p.EndsClause(w.End)) {
		return false
	}
	if e.Slot == '@' && len(e.After) > 0 && !e.Begins {
		if m, ok := p.CalledAt(w.Start); ok && (m.Pronoun || p.IsPossessor(m)) {
			return false
		}
	}
	after := p.SkipSpace(w.End)
	if slices.ContainsFunc(e.After, func(c lexicon.Class) bool { return p.Words.HasAt(c, after) }) {
		return false
	}
	before := w.Start
	for len(e.Before) > 0 && p.Is(before-1, ' ') {
		before--
	}
	ends := func(c lexicon.Class) bool {
		_, ok := p.Words.EndsAt(c, before)
		return ok
	}
	if slices.ContainsFunc(e.Before, ends) {
		return false
	}
	if the := p.WordBefore(0, before); e.Slot == '%' && p.Word(the) == "the" { // in the Hall
		before = max(0, the.Start-1)
		return !slices.ContainsFunc(e.Before, ends)
	}
	return true
}

// beginsClause reports whether only adverbs, marks and an article are before pos in its clause.
func (p *Passage) beginsClause(pos int) bool {
	if the := p.WordBefore(0, pos); p.Words.HasAt(lexicon.Determiner, the.Start) {
		pos = the.Start
	}
	return p.OpensLine(pos)
}

// wordsOf returns the positions of an element, sorted by start.
func (p *Passage) wordsOf(e lexicon.Element, s *scratch, i int) []lexicon.Span {
	if e.Slot == 0 {
		all := s.words[i][:0]
		for _, c := range e.Classes {
			all = p.Words.Append(all, c)
		}
		s.words[i] = all
		if len(e.Classes) == 1 {
			return all
		}
		return lexicon.Sorted(all)
	}
	at := &s.slots[strings.IndexByte(lexicon.Slots, e.Slot)]
	if !at.known {
		at.known, at.list = true, p.slotWords(e.Slot)
	}
	return at.list
}

func (p *Passage) slotWords(slot byte) (all []lexicon.Span) {
	switch slot {
	case '$':
		return p.Words.All(lexicon.CardLabel)
	case '&':
		for _, k := range p.Keywords {
			all = append(all, k.Span)
		}
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
		return lexicon.Sorted(all)
	case '#', '^', '*', 'M', 'N':
		return p.slotNumbers(slot, lexicon.Between(0, len(p.Chars)))
	}
	return all
}

// slotNumbers returns the positions of the numbers, parts or rolls that begin in a span.
func (p *Passage) slotNumbers(slot byte, s lexicon.Span) (all []lexicon.Span) {
	from, _ := slices.BinarySearch(p.numbers, s.Start)
	end := 0
	for _, pos := range p.numbers[from:] {
		if pos >= s.End {
			break
		}
		if pos < end {
			continue
		}
		n, ok := p.NumberAt(pos)
		switch ok = ok && p.counts(n); slot {
		case '^':
			n, ok = p.PartAt(pos)
		case '*':
			n, ok = p.RollAt(pos)
		case 'M', 'N':
			ok = ok && slices.Contains(p.Cast.HP[slot], n.Value)
		}
		if ok {
			all, end = append(all, n.Span), n.End
		}
	}
	return all
}

// findNumbers finds the positions where a number, a part or a roll may begin.
func (p *Passage) findNumbers() {
	for pos, c := range p.Chars {
		isInside := pos > 0 && (lexicon.Joined(p.Chars[pos-1], c) || tokenize.IsNumeral(p.Chars[pos-1]) && tokenize.IsNumeral(c))
		if !isInside && p.BeginsNumber(pos) && !p.continuesNumber(pos) {
			p.numbers = append(p.numbers, pos)
		}
	}
}

// counts reports whether a number says how many. 第二 does not, nor does 一 in words such as 一口气.
func (p *Passage) counts(n tokenize.Number) bool {
	if p.Is(n.Start-1, '第') {
		return false
	}
	return n.End > n.Start+1 || !p.Is(n.Start, '一') || n.End == len(p.Chars) || !lexicon.IsHan(p.Chars[n.End]) ||
		p.IsOneOf(n.End, "点格滴级个") || p.Words.HasAt(lexicon.HPWord, n.End)
}

// continuesNumber reports whether the digit at pos is the second part of a range, a fraction or dice:
// 1-3, 2.5, 三分之一, 2d6.
func (p *Passage) continuesNumber(pos int) bool {
	if pos < 2 || !lexicon.IsDigit(p.Chars[pos]) {
		return p.Is(pos-2, '分') && p.Is(pos-1, '之')
	}
	return p.IsOneOf(pos-1, "-–~～.") && lexicon.IsDigit(p.Chars[pos-2]) || p.Is(pos-1, 'd') && !lexicon.IsLetter(p.Chars[pos-2])
}

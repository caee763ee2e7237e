package parse

import (
	"slices"

	"github.com/talewright/talewright/campaign/conflict/internal/lexicon"
)

// A weight is a word with points.
type weight struct {
	lexicon.Span
	points int
}

// weigh appends a match for each two sentences whose words have enough points for the last element of a
// pattern. Words that a mood cancels do not count. The match is in the sentence with more points. If the
// pattern has an area, the sentences must also name one.
func (p *Passage) weigh(pattern *lexicon.Pattern, e lexicon.Element, out []Match) []Match {
	words := p.weights(e)
	for from := 0; from < len(words); {
		i := p.SentenceAt(words[from].Start)
		if i < 0 {
			from++
			continue
		}
		here := p.Sentences[i].Span
		both := lexicon.Between(here.Start, p.Sentences[min(i+1, len(p.Sentences)-1)].End)
		next, to := from, from // words[from:next] are in the first sentence, words[next:to] in the second
		for ; to < len(words) && words[to].Start < both.End; to++ {
			if words[to].Start < here.End {
				next = to + 1
			}
		}
		m, ok := p.heavy(words[from:next], words[next:to], e.Limit)
		if ok && len(pattern.Elements) > 1 {
			var place lexicon.Span
			place, ok = p.placeIn(both)
			m.Parts = append(m.Parts, place)
		}
		if !ok {
			from = next
			continue
		}
		from = to
		m.Pattern, m.Parts = pattern, append(m.Parts, m.Span)
		out = append(out, m)
	}
	return out
}

// heavy returns the place of the words of two sentences if they have enough points.
func (p *Passage) heavy(first, second []weight, limit int) (m Match, ok bool) {
	most := 0
	for _, list := range [][]weight{first, second} {
		for _, w := range list {
			most += max(0, w.points)
		}
	}
	if most < limit {
		return m, false
	}
	a, before := p.told(first)
	b, after := p.told(second)
	if m.Span = a; after > before {
		m.Span = b
	}
	return m, before+after >= limit
}

// weights returns the words of an element with their points, in the order of the text.
func (p *Passage) weights(e lexicon.Element) (out []weight) {
	n := 0
	for _, c := range e.Classes {
		n += len(p.Words.All(c))
	}
	out = make([]weight, 0, n)
	for i, c := range e.Classes {
		for _, w := range p.Words.All(c) {
			out = append(out, weight{w, e.Points[i]})
		}
	}
	slices.SortStableFunc(out, func(a, b weight) int { return a.Start - b.Start })
	return out
}

// told returns the place and the points of the words that may be stated as facts.
func (p *Passage) told(words []weight) (at lexicon.Span, points int) {
	for _, w := range words {
		if !p.Suspected(w.Span, false) {
			continue
		}
		if points += w.points; at.End == 0 {
			at.Start = w.Start
		}
		at.End = max(at.End, w.End)
	}
	return at, points
}

// placeIn returns the first name of an area in a span that may be stated as a fact.
func (p *Passage) placeIn(s lexicon.Span) (lexicon.Span, bool) {
	i, _ := slices.BinarySearchFunc(p.Places, s.Start, func(at Place, start int) int { return at.Start - start })
	for _, at := range p.Places[i:] {
		if at.End > s.End {
			break
		}
		if p.Suspected(at.Span, false) {
			return at.Span, true
		}
	}
	return lexicon.Span{}, false
}

package parse

import (
	"iter"
	"slices"

	"github.com/talewright/talewright/campaign/conflict/internal/lexicon"
	"github.com/talewright/talewright/campaign/conflict/internal/tokenize"
)

// A weight is a word with points.
type weight struct {
	lexicon.Span
	points    int
	told      bool // may be stated as a fact
	isChecked bool // told is known
}

// weigh appends a match for each two sentences whose words have enough points for the last element of a
// pattern. Words that a mood cancels do not count. The match is the two sentences. If the pattern has an area,
// they must also name one.
func (p *Passage) weigh(pattern *lexicon.Pattern, e lexicon.Element, s *scratch, out []Match) []Match {
	hasPlace := pattern.Elements[0].Slot == '%'
	if hasPlace && len(p.Places) == 0 || p.mostPoints(e) < e.Limit {
		return out
	}
	words := p.weights(e, s)
	for i, from := 0, 0; i < len(p.Sentences); i++ {
		both := lexicon.Between(p.Sentences[i].Start, p.Sentences[min(i+1, len(p.Sentences)-1)].End)
		for from < len(words) && words[from].Start < both.Start {
			from++
		}
		if from == len(words) {
			break
		}
		to := from
		for to < len(words) && words[to].Start < both.End {
			to++
		}
		if !p.isHeavy(words[from:to], e.Limit) {
			continue
		}
		m := Match{Span: both, Pattern: pattern}
		if !hasPlace {
			out = append(out, m)
			continue
		}
		for range p.PlacesIn(both) {
			out = append(out, m)
			break
		}
	}
	return out
}

// mostPoints returns the points of all words of an element that speak for it.
func (p *Passage) mostPoints(e lexicon.Element) (sum int) {
	for i, c := range e.Classes {
		if e.Points[i] > 0 {
			sum += e.Points[i] * p.Words.Count(c)
		}
	}
	return sum
}

// isHeavy reports whether the words that may be stated as facts have enough points. A
// repeated word counts once.
func (p *Passage) isHeavy(words []weight, limit int) bool {
	most, sum := 0, 0
	for _, w := range words {
		most += max(0, w.points)
	}
	if most < limit {
		return false
	}
	for i := range words {
		w := &words[i]
		if !w.isChecked {
			w.told, w.isChecked = p.Suspected(w.Span), true
		}
		if w.told && !slices.ContainsFunc(words[:i], func(before weight) bool { return p.Quote(before.Span) == p.Quote(w.Span) }) {
			sum += w.points
		}
	}
	return sum >= limit
}

// weights returns the words of an element with their points, in the order of the text.
func (p *Passage) weights(e lexicon.Element, s *scratch) []weight {
	out := s.weights[:0]
	for i, c := range e.Classes {
		for w := range p.Words.After(c, 0) {
			out = append(out, weight{Span: w, points: e.Points[i]})
		}
	}
	slices.SortStableFunc(out, func(a, b weight) int { return a.Start - b.Start })
	s.weights = out
	return out
}

// PlacesIn yields the names of areas in a span that may be stated as facts.
func (p *Passage) PlacesIn(s lexicon.Span) iter.Seq[Place] {
	return func(yield func(Place) bool) {
		i, _ := slices.BinarySearchFunc(p.Places, s.Start, func(at Place, start int) int { return at.Start - start })
		for _, at := range p.Places[i:] {
			if at.End > s.End || p.Suspected(at.Span) && !yield(at) {
				return
			}
		}
	}
}

// NumbersIn returns the numbers in a span that say how many and may be stated as facts.
func (p *Passage) NumbersIn(s lexicon.Span) (out []tokenize.Number) {
	for _, at := range p.slotNumbers('#', s) {
		if n, ok := p.NumberAt(at.Start); ok && at.End <= s.End && p.Suspected(at) {
			out = append(out, n)
		}
	}
	return out
}

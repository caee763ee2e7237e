package conflict

import (
	"slices"
	"strings"

	"github.com/talewright/talewright/campaign/conflict/internal/lexicon"
	"github.com/talewright/talewright/campaign/conflict/internal/parse"
)

// collectWide adds the suspicions of the wide patterns. Such a suspicion is about all characters, areas and
// numbers that its two sentences name and the state does not explain. A hint is about the areas of a kind, such as
// stables if there are straw and a saddle.
func (n *net) collectWide() {
	p := n.passage
	for _, m := range n.matches(true) {
		d := rowOf(m.Pattern.Kind)
		if m.Pattern.Elements[len(m.Pattern.Elements)-1].Limit == 0 {
			if !n.isTold(m) {
				continue
			}
			m.Span = lexicon.Between(p.Sentences[p.SentenceAt(m.Start)].Start, p.Sentences[min(p.SentenceAt(m.End-1)+1, len(p.Sentences)-1)].End)
		}
		if len(n.list) == MaxQuestions || n.isAsked(m) || d.field == FieldHP && n.isExplained(m.Span, d.field) {
			continue
		}
		q := Question{Kind: m.Pattern.Kind}
		if d.field == FieldHP {
			q.Values = n.amountsIn(m.Span)
		}
		first := m.Pattern.Elements[0]
		isHint := len(m.Pattern.Elements) > 1 && first.Slot != '%' && len(m.Parts) == 0
		if isHint {
			q.Places = n.areasOf(first.Classes[0])
			isKnown := func(c suspicion) bool { return c.Kind == q.Kind && slices.Equal(c.Places, q.Places) }
			if len(q.Places) == 0 || slices.ContainsFunc(n.list, isKnown) { // one question about an area is enough
				continue
			}
		} else if first.Slot == '%' {
			for at := range p.PlacesIn(m.Span) {
				q.Places = addNew(q.Places, maxListed, at.IDs...)
			}
		}
		open := 0
		if d.who {
			if q.Who, open = n.openFirst(q, m.Span, d, isHint); open == 0 {
				continue
			}
		}
		n.quote(&q, m.Span)
		n.last = suspicion{q, m.Span, open}
		n.finishLast()
	}
}

// areasOf returns the areas whose names have a word of a class, in their order. All names are searched
// once, as one text.
func (n *net) areasOf(kind lexicon.Class) (out []string) {
	if n.areaWords == nil {
		var names []rune
		for _, a := range n.View.Areas {
			names = append(names, []rune(strings.ToLower(a.Name+", "+strings.Join(a.Aliases, ", ")+"\n"))...)
			n.areaEnds = append(n.areaEnds, len(names))
		}
		n.areaWords = lexicon.Find(names)
	}
	for _, w := range n.areaWords.All(kind) {
		at, _ := slices.BinarySearch(n.areaEnds, w.Start+1)
		out = addNew(out, maxListed, n.View.Areas[at].ID)
	}
	return out
}

// isAsked reports whether a suspicion about the same as a match is in its sentences or beside them.
func (n *net) isAsked(m parse.Match) bool {
	field, raises, near := rowOf(m.Pattern.Kind).field, m.Pattern.Kind == askAlive, n.around(m.Span)
	return slices.ContainsFunc(n.list, func(c suspicion) bool {
		return c.Start < near.End && near.Start < c.End && rowOf(c.Kind).field == field && (c.Kind == askAlive) == raises
	})
}

// isExplained reports whether the state explains what a pattern finds in a span about a part of the state.
func (n *net) isExplained(s lexicon.Span, field string) bool {
	return slices.ContainsFunc(n.explained, func(c suspicion) bool {
		return c.Start < s.End && s.Start < c.End && rowOf(c.Kind).field == field
	})
}

// isOpen reports whether the state does not explain a question about a character.
func (n *net) isOpen(q Question, id string, d *row) bool {
	switch {
	case n.opts.Ask == askAll:
		return true
	case q.Kind == askFallen && n.View.changedHP(id, -1): // a settled loss leaves blood and pain
		return false
	case d.field == FieldPosition && n.View.placeSupports(n.View.character(id), q.Places, true, false): // the other areas may be seen from there
		return false
	}
	return !n.explainsFor(q, id, d, map[string]*hpEvidence{})
}

// acts reports whether a mention may be of somebody who acts now: not his letters, the coat that he left, or him in a dream.
func (n *net) acts(m parse.Mention) bool {
	return !m.Pronoun && !n.passage.IsPossessor(m) && n.passage.Suspected(m.Span)
}

// openFirst returns the characters that a span names. Those come first about whom the state does not explain
// the question, and open is their number. A hint at an area that names nobody is about the acting character.
func (n *net) openFirst(q Question, s lexicon.Span, d *row, isHint bool) (who []string, open int) {
	var rest []string
	named := n.passage.NamedIn(s)
	if len(named) == 0 && d.field != FieldPosition { // the amount has a sentence of its own
		named = n.passage.NamedIn(n.around(s))
	}
	if len(named) == 0 && d.field == FieldPosition && isHint {
		named = []parse.Mention{{IDs: []string{n.View.ActorID}}}
	}
	for _, m := range named {
		for _, id := range m.IDs {
			isNew := n.View.character(id) != nil && !slices.Contains(who, id) && !slices.Contains(rest, id)
			switch {
			case !isNew, n.isDead(id) && q.Kind != askFallen && (q.Kind != askAlive || !n.acts(m)):
			case n.isOpen(q, id, d):
				who = append(who, id)
			default:
				rest = append(rest, id)
			}
		}
	}
	if open = len(who); len(rest) > 0 && (d.field == FieldHP || q.Kind == askFallen) {
		open = 0 // the text may tell what is settled for somebody
	}
	who = append(who, rest...)
	return who[:min(len(who), maxCandidates)], open
}

package conflict

import (
	"slices"

	"github.com/talewright/talewright/campaign/conflict/internal/lexicon"
	"github.com/talewright/talewright/campaign/conflict/internal/parse"
)

// collectWide adds the suspicions of the wide patterns. Such a suspicion is about all characters, areas and
// numbers that its two sentences name and the state does not explain.
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
		if len(m.Pattern.Elements) > 1 {
			for at := range p.PlacesIn(m.Span) {
				q.Places = addNew(q.Places, maxListed, at.IDs...)
			}
		}
		open := 0
		if d.who {
			if q.Who, open = n.openFirst(q, m.Span, d); open == 0 {
				continue
			}
		}
		n.quote(&q, m.Span)
		n.last = suspicion{q, m.Span, open}
		n.finishLast()
	}
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
	case d.field == FieldPosition && n.arrived(id, q.Places): // the other areas may be seen from there
		return false
	}
	return !n.explainsFor(q, id, d, map[string]*hpEvidence{})
}

// arrived reports whether a character went to one of some areas in the turn.
func (n *net) arrived(id string, areas []string) bool {
	return slices.ContainsFunc(n.View.Actions, func(a Action) bool {
		return slices.ContainsFunc(a.Moves, func(m Move) bool { return m.CharacterID == id && n.View.inside(m.To, areas) })
	})
}

// acts reports whether a mention may be of somebody who acts now: not his letters, the coat that he left, or him in a dream.
func (n *net) acts(m parse.Mention) bool {
	return !m.Pronoun && !n.passage.IsPossessor(m) && n.passage.Suspected(m.Span)
}

// openFirst returns the characters that a span names. Those come first about whom the state does not explain
// the question, and open is their number.
func (n *net) openFirst(q Question, s lexicon.Span, d *row) (who []string, open int) {
	var rest []string
	named := n.passage.NamedIn(s)
	if len(named) == 0 && d.field == FieldHP { // the amount has a sentence of its own
		named = n.passage.NamedIn(n.around(s))
	}
	for _, m := range named {
		for _, id := range m.IDs {
			isNew := n.View.character(id) != nil && !slices.Contains(who, id) && !slices.Contains(rest, id)
			switch {
			case !isNew, n.isDead(id) && (q.Kind != askAlive || !n.acts(m)):
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

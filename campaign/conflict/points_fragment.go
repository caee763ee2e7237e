package conflict

import (
	"github.com/talewright/talewright/campaign/conflict/internal/lexicon"
	"github.com/talewright/talewright/campaign/conflict/internal/parse"
)

// fragments reads clauses that contain only an amount: two points of health; that's 14 damage;
// minus 1 HP; 两点血; 血条矮了一截——整整九点. They do not say what happens to it, so every meaning that the
// state supports is accepted.
func fragments(p *parse.Passage) []pointsClaim {
	var out []pointsClaim
	for k := range p.Clauses {
		if c, ok := fragment(p, k); ok {
			out = append(out, c)
		}
	}
	return out
}

// fragment reads the k-th clause as an amount. Without a unit, a word for hit points or damage must
// come before it in the sentence.
func fragment(p *parse.Passage, k int) (pointsClaim, bool) {
	clause := p.Clauses[k]
	lead := clause.Start
	if lead >= len(p.Chars) {
		return pointsClaim{}, false
	}
	for range 4 {
		next := p.SkipWords(p.SkipFillers(p.SkipWords(lead, lexicon.FragmentLead), clause.End), lexicon.AmountFiller, lexicon.FragmentLead)
		if next == lead {
			break
		}
		lead = next
	}
	n, ok := p.NumberAt(lead)
	if !ok || n.Value == 0 || n.Vague || n.End > clause.End {
		return pointsClaim{}, false
	}
	c := pointsClaim{Span: lexicon.Between(n.Start, n.End), Delta: -n.Value, loose: true, either: true}
	for _, t := range []lexicon.Class{lexicon.HPWord, lexicon.Damage} {
		if w, ok := unitAfter(p, n, t); ok && w.End <= clause.End && p.EndsClause(p.SkipWords(w.End, lexicon.FragmentEnd)) {
			c.End, c.dealt = w.End, t == lexicon.Damage
			return c, true
		}
	}
	pos := n.End
	switch points := p.WordAt(p.SkipSpace(pos)); {
	case p.Is(pos, '点'):
		pos++
	case p.Word(points) == "points" || p.Word(points) == "point":
		pos = points.End
		if of := p.WordAt(p.SkipSpace(pos)); p.Word(of) == "of" { // three points of it
			pos = p.WordAt(p.SkipSpace(of.End)).End
		}
	default:
		return pointsClaim{}, false
	}
	c.End = pos
	s := p.Sentences[clause.Sentence]
	return c, !clause.First && p.EndsClause(pos) && speaksOfPoints(p, s.Start, clause.Start)
}

// alike repeats a claim for the next character with the same change: Aldous is six hit points the
// worse for it, and so are you; 夏可也是.
func alike(p *parse.Passage, c pointsClaim) (pointsClaim, bool) {
	k := p.ClauseAt(c.Start)
	if k < 0 {
		return c, false
	}
	for i := k + 1; i < min(k+4, len(p.Clauses)); i++ {
		next := p.Clauses[i]
		if next.Sentence != p.Clauses[k].Sentence {
			return c, false
		}
		if m, ok := alsoOf(p, next.Span, i); ok {
			c.target, c.Span = &m, lexicon.Between(m.Start, m.End)
			return c, true
		}
	}
	return c, false
}

// alsoOf returns the character for which a clause repeats a claim: and so are you; Aldous,
// amazingly, is too; 夏可也是.
func alsoOf(p *parse.Passage, clause lexicon.Span, k int) (parse.Mention, bool) {
	pos := p.SkipSpace(clause.Start)
	if w := p.WordAt(pos); p.Word(w) == "and" {
		pos = p.SkipSpace(w.End)
	}
	if so := p.WordAt(pos); p.Word(so) == "so" || p.Word(so) == "as" {
		verb := p.WordAt(p.SkipSpace(so.End))
		m, ok := p.NamedAt(p.SkipSpace(verb.End))
		return m, ok && isAuxiliary(p.Word(verb)) && p.EndsClause(m.End)
	}
	m, ok := p.NamedAt(pos)
	for last := k; ok && last < min(k+3, len(p.Clauses)); last++ { // Aldous, amazingly, is too
		if c := p.Clauses[last]; p.HasWord(c.Start, c.End, "too") && p.WordIs(c.End-3, "too") {
			verb := p.WordBefore(c.Start, c.End-3)
			return m, isAuxiliary(p.Word(verb)) && (verb.Start == c.Start || last == k && verb.Start == p.SkipSpace(m.End))
		}
	}
	if !ok || !p.Is(m.End, '也') && !p.Is(m.End, '亦') {
		return m, false
	}
	at := m.End + 1
	for p.IsOneOf(at, "是一样如此然同") {
		at++
	}
	return m, at > m.End+1 && p.EndsClause(at)
}

func isAuxiliary(word string) bool {
	switch word {
	case "is", "are", "was", "were", "did", "does", "do", "has", "have", "had":
		return true
	}
	return false
}

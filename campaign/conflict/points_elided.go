package conflict

import (
	"github.com/talewright/talewright/campaign/conflict/internal/lexicon"
	"github.com/talewright/talewright/campaign/conflict/internal/parse"
)

// elidedClaims reads amounts whose unit is earlier in the sentence: 带走三点生命值，她还剩下七点; 你的生命值是七，夏可的是四;
// you lose five hit points, which leaves you on seventeen.
func elidedClaims(p *parse.Passage) []pointsClaim {
	var out []pointsClaim
	for k, clause := range p.Clauses {
		from := p.Sentences[clause.Sentence].Start
		if clause.First || !speaksOfPoints(p, from, clause.Start) {
			continue
		}
		if c, ok := elided(p, k); ok {
			out = append(out, c)
		} else if c, ok := changedThen(p, k); ok {
			out = append(out, c)
		}
	}
	return out
}

// speaksOfPoints reports whether [start, end) contains a word for hit points or damage. 血 alone
// means blood.
func speaksOfPoints(p *parse.Passage, start, end int) bool {
	if p.Words.Has(start, end, lexicon.Damage) {
		return true
	}
	for _, w := range p.Words.All(lexicon.HPWord)[p.Words.From(lexicon.HPWord, start):] {
		if w.Start >= end {
			break
		}
		if w.End > w.Start+1 || !p.Is(w.Start, '血') || p.IsOneOf(w.Start-1, "点掉扣回失丢少补满") || p.IsOneOf(w.End, "只还剩") {
			return true
		}
	}
	return false
}

// changedThen reads the amount by which the hit points of the clause before changed: HP跳了一下，少了整整5点.
func changedThen(p *parse.Passage, k int) (pointsClaim, bool) {
	clause, last := p.Clauses[k], p.Clauses[k-1]
	verb := p.SkipFillers(clause.Start, clause.End)
	w, ok := p.Words.Within(lexicon.HPWord, last.Start, last.End)
	if !ok || !lexicon.IsHan(p.Chars[clause.Start]) || isLimit(p, w) || !speaksOfPoints(p, w.Start, w.End) && w.End == w.Start+1 {
		return pointsClaim{}, false
	}
	for _, t := range []lexicon.Class{lexicon.HPDown, lexicon.HPUp} {
		v, ok := p.Words.At(t, verb)
		if !ok {
			continue
		}
		n, ok := p.NumberAt(p.SkipWords(v.End, lexicon.AmountFiller))
		if !ok || n.Value == 0 || n.Vague || !p.Is(n.End, '点') || !p.EndsClause(n.End+1) {
			continue
		}
		c := pointsClaim{Span: lexicon.Between(v.Start, n.End+1), Delta: -n.Value, loose: true}
		if t == lexicon.HPUp {
			c.Delta = n.Value
		}
		return c, true
	}
	return pointsClaim{}, false
}

// countsPoints reports whether the k-th clause begins with the hit points of a character, so a
// number after it is a number of hit points: HP跌破警戒线，显示为9.
func countsPoints(p *parse.Passage, k int) bool {
	c := p.Clauses[k]
	w, ok := p.Words.Within(lexicon.HPWord, c.Start, c.End)
	if !ok || isLimit(p, w) || !speaksOfPoints(p, w.Start, w.End) {
		return false
	}
	m, named := p.LastCalled(c.Start, w.Start)
	return p.Opens(c.Start, w.Start) || named && m.Owner && p.Opens(c.Start, m.Start)
}

func elided(p *parse.Passage, k int) (pointsClaim, bool) {
	clause := p.Clauses[k].Span
	end := clause.End
	if p.IsOneOf(end-1, "了") {
		end--
	}
	point := p.Is(end-1, '点')
	if point {
		end--
	}
	start := end
	for start > clause.Start && start > end-4 && !p.IsOneOf(start-1, " ") {
		if n, ok := p.NumberAt(start - 1); ok && n.End == end {
			start--
			continue
		}
		break
	}
	if w := p.WordBefore(clause.Start, end); start == end && w.Start < w.End {
		start = w.Start
	}
	n, ok := p.NumberAt(start)
	if !ok || n.End != end || n.Value == 0 || n.Vague {
		return pointsClaim{}, false
	}
	m, ok := p.LastCalled(clause.Start, start)
	if v, value := p.Words.At(lexicon.ValueVerb, p.SkipFillers(clause.Start, start)); !ok && value && v.End == start && (point || countsPoints(p, k-1)) {
		return pointsClaim{Span: lexicon.Between(v.Start, clause.End), Value: n.Value, loose: true}, true
	}
	if !ok || len(m.IDs) != 1 || p.StrangeText(m.End, start) > 8 || p.Words.Has(m.End, start, lexicon.Creature, lexicon.CardLabel) {
		return pointsClaim{}, false
	}
	c := pointsClaim{Span: lexicon.Between(m.Start, clause.End), Delta: -n.Value, target: &m, either: true}
	if lexicon.IsHan(p.Chars[start-1]) || p.Is(start-1, '的') {
		return c, point && !p.IsOneOf(start-1, "晨夜午第早晚上下到") || p.Is(start-1, '是') && p.Is(start-2, '的')
	}
	switch before := p.WordBefore(clause.Start, start); p.Word(before) {
	case "on", "at", "with", "to", "another":
		return c, true
	}
	return pointsClaim{}, false
}

// standsSomehow reads a word for hit points, any verb with 在, 到 or 至, and a number at the end of
// its clause: HP稳在12.
func standsSomehow(p *parse.Passage, w lexicon.Span) (pointsClaim, bool) {
	if isLimit(p, w) || !speaksOfPoints(p, w.Start, w.End) {
		return pointsClaim{}, false
	}
	for i := w.End + 2; i < min(w.End+5, len(p.Chars)); i++ {
		n, ok := p.NumberAt(i)
		if !ok || !p.IsOneOf(i-1, "在到至") || !lexicon.IsHan(p.Chars[i-2]) {
			continue
		}
		end := n.End
		if p.Is(end, '点') {
			end++
		}
		return pointsClaim{Span: lexicon.Between(w.Start, end), Value: n.Value}, !n.Vague && p.EndsClause(end) && p.Clean(w.End, i)
	}
	return pointsClaim{}, false
}

// changedSomehow reads a word for hit points, any verb, and an amount at the end of its clause:
// 生命值噌噌往上跳了三点. The verb is unknown, so every meaning that the state supports is accepted.
func changedSomehow(p *parse.Passage, w lexicon.Span) (pointsClaim, bool) {
	if !lexicon.IsHan(p.Chars[w.End-1]) || isLimit(p, w) {
		return pointsClaim{}, false
	}
	for i := w.End + 1; i < min(w.End+maxValueGap, len(p.Chars)); i++ {
		n, ok := p.NumberAt(i)
		if !ok {
			continue
		}
		end := n.End
		if p.Is(end, '点') {
			end++
		}
		c := pointsClaim{Span: lexicon.Between(w.Start, end), Delta: -n.Value, either: true}
		return c, end > n.End && n.Value > 0 && !n.Vague && p.EndsClause(end) && p.Unbroken(w.End, i) && p.IsOneOf(i-1, "了到至出回下上去掉过") &&
			!p.Words.Has(w.End, i, lexicon.Creature, lexicon.HPWord, lexicon.Damage, lexicon.Unreal, lexicon.Negation, lexicon.Modal)
	}
	return pointsClaim{}, false
}

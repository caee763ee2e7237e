package conflict

import (
	"github.com/talewright/talewright/campaign/conflict/internal/lexicon"
	"github.com/talewright/talewright/campaign/conflict/internal/parse"
	"github.com/talewright/talewright/campaign/conflict/internal/tokenize"
)

// standingClaims reads claims of present hit points: full (满血, back to full health), left (只剩六点生命值,
// leaves you with four hit points), from and to (16 -> 11), and the short form of a name with its
// hit points (Kessa 21/27 HP, 沈青崖（16/20）).
func standingClaims(p *parse.Passage) []pointsClaim {
	var out []pointsClaim
	add := func(c pointsClaim, ok bool) {
		if ok {
			out = append(out, c)
		}
	}
	for _, w := range p.Words.All(lexicon.HPWord) {
		add(filled(p, w))
		add(countedBefore(p, w))
		add(fromTo(p, w))
		add(bloodCount(p, w))
	}
	for _, w := range p.Words.All(lexicon.FullHealth) {
		add(fullTold(p, w))
	}
	for _, w := range p.Words.All(lexicon.LeaveVerb) {
		add(leaves(p, w))
	}
	for _, m := range p.Named {
		add(afterName(p, m))
	}
	return out
}

// filled reads an hp word that is claimed to be full: 生命值已经回满, HP is full again.
func filled(p *parse.Passage, w lexicon.Span) (pointsClaim, bool) {
	if isLimit(p, w) {
		return pointsClaim{}, false
	}
	limit := w.End + 10
	if lexicon.IsLetter(p.Chars[w.Start]) {
		limit = w.End + 24
	}
	f, ok := p.Words.Within(lexicon.Full, w.End, min(limit, len(p.Chars)))
	if !ok || !p.Clean(w.End, f.Start) || p.IsOneOf(f.Start-1, "离距") {
		return pointsClaim{}, false
	}
	if lexicon.IsLetter(p.Chars[w.Start]) && lexicon.IsLetter(p.Chars[f.Start]) {
		// "HP is at its maximum": a verb of value is between them. "full of holes" is not a claim.
		if !p.Words.Has(w.End, f.Start, lexicon.ValueVerb) || p.Word(p.WordAt(p.SkipSpace(f.End))) == "of" {
			return pointsClaim{}, false
		}
	}
	return pointsClaim{Span: lexicon.Between(w.Start, f.End), Value: maximal}, true
}

// fullTold reads 满血 and "full health", which need no hp word next to them.
func fullTold(p *parse.Passage, w lexicon.Span) (pointsClaim, bool) {
	c := pointsClaim{Span: w, Value: maximal}
	if lexicon.IsHan(p.Chars[w.Start]) {
		return c, !p.Is(w.End, '的') && !p.IsOneOf(w.Start-1, "非未")
	}
	for _, after := range []string{"potion", "potions", "is", "check"} {
		if p.Word(p.WordAt(p.SkipSpace(w.End))) == after {
			return c, false
		}
	}
	// To, at, back to, in: the state of a character.
	before := p.WordBefore(0, w.Start)
	switch p.Word(before) {
	case "to", "at", "in", "with", "of":
		c.Start = before.Start
		back := p.WordBefore(0, before.Start)
		switch p.Word(back) {
		case "back", "restored", "healed", "returned", "recovered", "return", "returns", "up", "again":
			c.Start = back.Start
		}
		return c, true
	}
	return c, false
}

// countedBefore reads "N/M HP" with the number first, in a panel.
func countedBefore(p *parse.Passage, w lexicon.Span) (pointsClaim, bool) {
	end := w.Start
	for end > 0 && p.Chars[end-1] == ' ' {
		end--
	}
	start := end
	slash := -1
	for start > 0 && end-start < 12 && (lexicon.IsDigit(p.Chars[start-1]) || p.Chars[start-1] == '/') {
		start--
		if p.Chars[start] == '/' {
			slash = start
		}
	}
	if slash <= start {
		return pointsClaim{}, false
	}
	c, ok := valueAt(p, start, start)
	c.End = w.End
	return c, ok && c.Max != 0
}

// fromTo reads "HP: 16 -> 11" and 生命值从16掉到11: the second number is the value.
func fromTo(p *parse.Passage, w lexicon.Span) (pointsClaim, bool) {
	pos := p.SkipSpace(w.End)
	for p.IsOneOf(pos, ":（([【") {
		pos = p.SkipSpace(pos + 1)
	}
	n, ok := p.Digits(pos)
	if !ok {
		return pointsClaim{}, false
	}
	end := n.End
	if p.Is(end, '/') {
		if most, ok := p.Digits(end + 1); ok {
			end = most.End
		}
	}
	pos, ok = tokenize.Arrow(p.Text, p.SkipSpace(end))
	if !ok {
		return pointsClaim{}, false
	}
	c, ok := valueAt(p, w.Start, p.SkipSpace(pos))
	c.Listed = true
	return c, ok
}

// bloodCount reads 掉血4点 and 回血3点.
func bloodCount(p *parse.Passage, w lexicon.Span) (pointsClaim, bool) {
	sign := 0
	switch {
	case !p.Is(w.Start, '血') || w.End != w.Start+1:
	case p.IsOneOf(w.Start-1, "掉扣失减损耗"):
		sign = -1
	case p.IsOneOf(w.Start-1, "回加补涨"):
		sign = 1
	}
	if sign == 0 {
		return pointsClaim{}, false
	}
	n, ok := p.NumberAt(p.SkipWords(w.End, lexicon.AmountFiller))
	c := pointsClaim{Span: lexicon.Between(w.Start-1, n.End), Delta: sign * n.Value}
	return c, ok && n.Value != 0 && !n.Vague && (p.Is(n.End, '点') || p.EndsClause(n.End))
}

// leaves reads 只剩六点生命值 and "leaves you with four hit points".
func leaves(p *parse.Passage, verb lexicon.Span) (pointsClaim, bool) {
	if lexicon.IsHan(p.Chars[verb.Start]) {
		n, ok := amount(p, p.SkipWords(verb.End, lexicon.AmountFiller))
		if !ok {
			return pointsClaim{}, false
		}
		w, ok := unitAfter(p, n, lexicon.HPWord)
		return pointsClaim{Span: lexicon.Between(verb.Start, w.End), Value: n.Value}, ok && n.Start-verb.End < 6
	}
	m, ok := p.NamedAt(p.SkipSpace(verb.End))
	if !ok {
		return pointsClaim{}, false
	}
	w := p.WordAt(p.SkipSpace(m.End))
	switch p.Word(w) {
	case "with", "at", "on":
	default:
		return pointsClaim{}, false
	}
	pos := p.SkipSpace(w.End)
	for range 2 {
		switch only := p.WordAt(pos); p.Word(only) {
		case "only", "just", "barely", "exactly":
			pos = p.SkipSpace(only.End)
		}
	}
	c, ok := valueOfHP(p, verb.Start, pos)
	c.target = &m
	return c, ok
}

// afterName reads a name with its hit points in brackets: 沈青崖（16/20）. The maximum must be that of
// the named character, so 4/11 Harbor Street is not a claim.
func afterName(p *parse.Passage, m parse.Mention) (pointsClaim, bool) {
	if len(m.IDs) != 1 || m.Pronoun {
		return pointsClaim{}, false
	}
	pos := p.SkipSpace(m.End)
	if p.IsOneOf(pos, "（([:】") {
		pos = p.SkipSpace(pos + 1)
	}
	if pos == m.End || pos >= len(p.Chars) || !lexicon.IsDigit(p.Chars[pos]) {
		return pointsClaim{}, false
	}
	c, ok := valueAt(p, m.Start, pos)
	who := p.Cast.Person(m.IDs[0])
	if !ok || who == nil || c.Max != who.MaxHP {
		return c, false
	}
	named := m
	c.target = &named
	return c, true
}

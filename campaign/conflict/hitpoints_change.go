package conflict

import (
	"github.com/talewright/talewright/campaign/conflict/internal/lexicon"
	"github.com/talewright/talewright/campaign/conflict/internal/parse"
	"strings"
)

// amountOf reads "verb N points of noun": 失去了5点生命值, takes 6 points of fire damage. sign is the
// direction of the verb.
func amountOf(p *parse.Passage, verb lexicon.Span, noun lexicon.Class, sign int) (hpFact, bool) {
	if participle(p, verb) {
		return hpFact{}, false
	}
	// 治愈了你4点生命值 has its target before the number.
	pos := p.SkipSpace(p.SkipWords(verb.End, lexicon.AmountFiller))
	var target *parse.Mention
	_, counted := p.NumberAt(pos) // a character may be called 五
	if m, ok := p.NamedAt(pos); ok && !counted && lexicon.IsHan(p.Chars[verb.Start]) {
		target = &m
		pos = p.SkipWords(m.End, lexicon.AmountFiller)
	}
	n, ok := amount(p, pos)
	if !ok || n.Value == 0 {
		return hpFact{}, false
	}
	w, ok := unitAfter(p, n, noun)
	if !ok {
		return hpFact{}, false
	}
	c := hpFact{Span: lexicon.Between(verb.Start, w.End), Delta: sign * n.Value, Vague: n.Vague}
	// "restores 5 hp to Su" has its target after it; "lose 5 hp to poison" has none.
	if target == nil && !p.Words.HasAt(lexicon.LossVerb, verb.Start) && noun != lexicon.Damage {
		target = toTarget(p, w.End)
	}
	c.target = target
	return c, true
}

// givenTo reads "gives Lin back three hit points".
func givenTo(p *parse.Passage, verb lexicon.Span) (hpFact, bool) {
	m, ok := p.NamedAt(p.SkipSpace(verb.End))
	if !ok || m.Owner || !lexicon.IsLetter(p.Chars[verb.Start]) {
		return hpFact{}, false
	}
	if back := p.WordAt(p.SkipSpace(m.End)); p.Word(back) == "back" {
		m.End = back.End
	}
	return numbered(p, verb, m, lexicon.HPWord, +1)
}

// participle reports whether an English verb in -ing states no fact. It states one only after a
// comma (…, losing 4 hp).
func participle(p *parse.Passage, verb lexicon.Span) bool {
	n := verb.End - verb.Start
	if n < 4 || p.ASCII[verb.End-3:verb.End] != "ing" {
		return false
	}
	i := p.ClauseAt(verb.Start)
	return i < 0 || p.Clauses[i].First || !p.Opens(p.Clauses[i].Start, verb.Start)
}

// dealtTo reads damage to a tracked target: 对你造成5点伤害, deals 5 damage to Su, deals Su 5 damage.
// Damage without a target is not a claim.
func dealtTo(p *parse.Passage, verb lexicon.Span) (hpFact, bool) {
	if lexicon.IsHan(p.Chars[verb.Start]) {
		c, ok := amountOf(p, verb, lexicon.Damage, -1)
		if !ok || c.target != nil {
			return c, ok
		}
		c.target = sufferer(p, verb.Start)
		return c, c.target != nil
	}
	if m, ok := p.NamedAt(p.SkipSpace(verb.End)); ok {
		return numbered(p, verb, m, lexicon.Damage, -1)
	}
	c, ok := amountOf(p, verb, lexicon.Damage, -1)
	if ok {
		c.target = toTarget(p, c.End)
	}
	return c, ok && c.target != nil
}

// sufferer returns the mention after 对, 给 or 让 shortly before pos.
func sufferer(p *parse.Passage, pos int) *parse.Mention {
	i := p.ClauseAt(pos)
	if i < 0 {
		return nil
	}
	m, ok := p.LastMention(p.Clauses[i].Start, pos)
	if !ok || m.Owner || pos-m.End > 6 || !p.IsOneOf(m.Start-1, "对给让为向使令") {
		return nil
	}
	if p.Words.Has(m.End, pos, lexicon.Negation, lexicon.Intention) {
		return nil
	}
	// 对苏晴的护盾造成…: the damage goes to the shield.
	for at := m.End; at < pos; at++ {
		if p.Chars[at] == '的' {
			return nil
		}
	}
	return &m
}

// costs reads "costs Su 3 hp".
func costs(p *parse.Passage, verb lexicon.Span) (hpFact, bool) {
	m, ok := p.NamedAt(p.SkipSpace(verb.End))
	if !ok {
		return hpFact{}, false
	}
	return numbered(p, verb, m, lexicon.HPWord, -1)
}

// numbered reads "verb X N noun".
func numbered(p *parse.Passage, verb lexicon.Span, m parse.Mention, noun lexicon.Class, sign int) (hpFact, bool) {
	n, ok := amount(p, p.SkipSpace(m.End))
	if !ok || n.Value == 0 {
		return hpFact{}, false
	}
	w, ok := unitAfter(p, n, noun)
	return hpFact{Span: lexicon.Between(verb.Start, w.End), Delta: sign * n.Value, target: &m}, ok
}

// strikesFor reads "hits Su for 5 damage", "heals you for 4 hp" and "is hit for 5 damage".
func strikesFor(p *parse.Passage, verb lexicon.Span, noun lexicon.Class, sign int) (hpFact, bool) {
	pos := verb.End
	var target *parse.Mention
	if m, ok := p.NamedAt(p.SkipSpace(verb.End)); ok {
		target, pos = &m, m.End
	} else if m, ok := p.CalledAt(p.SkipSpace(verb.End)); ok && p.IsPossessor(m) && p.PartOfBody(p.SkipSpace(m.End)) { // clips your jaw for 4
		target, pos = &m, m.End
	} else if !isStruck(p, verb) {
		return hpFact{}, false
	}
	for n := 0; !p.WordBeforeIs(pos, "for"); n++ {
		w := p.WordAt(p.SkipSpace(pos))
		if w.Start == w.End || n == 5 {
			return hpFact{}, false
		}
		pos = w.End
	}
	n, ok := amount(p, p.SkipSpace(pos))
	if !ok || n.Value == 0 {
		return hpFact{}, false
	}
	end, ok := hpAfter(p, n, noun)
	return hpFact{Span: lexicon.Between(verb.Start, end), Delta: sign * n.Value, target: target}, ok
}

// toTarget returns the mention after "to" at pos: restores 5 hp to Su.
func toTarget(p *parse.Passage, pos int) *parse.Mention {
	if !p.Is(pos, ' ') {
		return nil
	}
	w := p.WordAt(pos + 1)
	if word := p.Word(w); word != "to" && word != "for" {
		return nil
	}
	if m, ok := p.NamedAt(p.SkipSpace(w.End)); ok {
		return &m
	}
	if word := p.Chars[w.Start]; word == 't' {
		return &parse.Mention{} // to an untracked character
	}
	return nil
}

// isStruck reports whether a verb of striking is passive; in "the ogre's club" it is a noun.
func isStruck(p *parse.Passage, verb lexicon.Span) bool {
	if !p.Passive(verb.Start) {
		return false
	}
	if !p.WordBeforeIs(verb.Start, "s") {
		return true
	}
	switch word := p.Word(verb); word {
	case "struck", "shot", "stung", "torn", "bitten", "hurt", "hit":
		return true
	default:
		return strings.HasSuffix(word, "ed")
	}
}

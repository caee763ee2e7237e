package claims

import (
	"github.com/talewright/talewright/campaign/conflict/internal/lexicon"
	"github.com/talewright/talewright/campaign/conflict/internal/prose"
	"github.com/talewright/talewright/campaign/conflict/internal/reading"
)

// hpClaims returns what the text says about hit points, in order.
func hpClaims(p *reading.Passage) []HP {
	var out []HP
	add := func(c HP, ok bool) {
		if ok {
			out = append(out, c)
		}
	}
	each := func(t lexicon.Class, read func(*reading.Passage, lexicon.Span) (HP, bool)) {
		for _, w := range p.Words[t] {
			add(read(p, w))
		}
	}
	// English loses hit points and damage alike, Chinese 失去 only the former.
	each(lexicon.LossVerb, func(p *reading.Passage, w lexicon.Span) (HP, bool) {
		if c, ok := amountOf(p, w, lexicon.HPWord, -1); ok || lexicon.IsHan(p.Chars[w.Start]) {
			return c, ok
		}
		return amountOf(p, w, lexicon.Damage, -1)
	})
	each(lexicon.HurtVerb, func(p *reading.Passage, w lexicon.Span) (HP, bool) { return amountOf(p, w, lexicon.Damage, -1) })
	each(lexicon.GainVerb, func(p *reading.Passage, w lexicon.Span) (HP, bool) {
		if c, ok := givenTo(p, w); ok {
			return c, true
		}
		return amountOf(p, w, lexicon.HPWord, +1)
	})
	each(lexicon.Mends, func(p *reading.Passage, w lexicon.Span) (HP, bool) { return amountOf(p, w, lexicon.Injury, +1) })
	each(lexicon.DealVerb, dealtTo)
	each(lexicon.CostVerb, costs)
	each(lexicon.StrikeVerb, func(p *reading.Passage, w lexicon.Span) (HP, bool) { return strikesFor(p, w, lexicon.Damage, -1) })
	each(lexicon.HealVerb, func(p *reading.Passage, w lexicon.Span) (HP, bool) { return strikesFor(p, w, lexicon.HPWord, +1) })
	each(lexicon.HPWord, hpWordClaim)
	each(lexicon.DownTo, leftWith)
	each(lexicon.HaveVerb, haveLeft)
	each(lexicon.Damage, damageTo)
	each(lexicon.HPWord, leftOf)
	out = append(out, tableClaims(p)...)
	out = append(out, takenClaims(p)...)
	out = append(out, standingClaims(p)...)
	return inOrder(out, func(c HP) lexicon.Span { return c.Span })
}

// amountOf reads "verb N points of noun": 失去了5点生命值, takes 6 points of fire
// damage. sign is the direction of the verb.
func amountOf(p *reading.Passage, verb lexicon.Span, noun lexicon.Class, sign int) (HP, bool) {
	if participle(p, verb) {
		return HP{}, false
	}
	// 治愈了你4点生命值 names its target before the number.
	pos := p.SkipSpace(p.SkipWords(verb.End, lexicon.AmountFiller))
	var target *reading.Mention
	if m, ok := p.NamedAt(pos); ok && lexicon.IsHan(p.Chars[verb.Start]) {
		target = &m
		pos = p.SkipWords(m.End, lexicon.AmountFiller)
	}
	n, ok := amount(p, pos)
	if !ok || n.Value == 0 {
		return HP{}, false
	}
	w, ok := unitAfter(p, n, noun)
	if !ok {
		return HP{}, false
	}
	c := HP{Span: lexicon.Between(verb.Start, w.End), Delta: sign * n.Value, Vague: n.Vague}
	// "restores 5 hp to Su" names it after; "lose 5 hp to poison" names none.
	if target == nil && !p.Words.HasAt(lexicon.LossVerb, verb.Start) && noun != lexicon.Damage {
		target = toTarget(p, w.End)
	}
	c.target = target
	return c, true
}

// givenTo reads "gives Lin back three hit points".
func givenTo(p *reading.Passage, verb lexicon.Span) (HP, bool) {
	m, ok := p.NamedAt(p.SkipSpace(verb.End))
	if !ok || m.Owner || !lexicon.IsLetter(p.Chars[verb.Start]) {
		return HP{}, false
	}
	if back := p.WordAt(p.SkipSpace(m.End)); p.Word(back) == "back" {
		m.End = back.End
	}
	return numbered(p, verb, m, lexicon.HPWord, +1)
}

// participle reports whether an English verb in -ing tells no fact: it does so
// only where it goes on after a comma (…, losing 4 hp).
func participle(p *reading.Passage, verb lexicon.Span) bool {
	n := verb.End - verb.Start
	if n < 4 || p.ASCII[verb.End-3:verb.End] != "ing" {
		return false
	}
	i := p.ClauseAt(verb.Start)
	return i < 0 || p.Clauses[i].First || !p.Opens(p.Clauses[i].Start, verb.Start)
}

// amount reads a number at pos, in English after at most two words that qualify
// it: a nasty 6, an additional four.
func amount(p *reading.Passage, pos int) (prose.Number, bool) {
	for range 3 {
		if n, ok := p.NumberAt(pos); ok {
			return n, true
		}
		w := p.WordAt(pos)
		if w.Start == w.End || lexicon.IsDigit(p.Chars[w.Start]) || !p.Is(w.End, ' ') {
			break
		}
		if _, ok := p.Words.At(lexicon.Preposition, pos); ok {
			break
		}
		pos = p.SkipSpace(w.End)
	}
	return prose.Number{}, false
}

// unitAfter returns the word of the class that follows a number, after 点 and a
// few words that qualify it.
func unitAfter(p *reading.Passage, n prose.Number, noun lexicon.Class) (lexicon.Span, bool) {
	pos := p.SkipSpace(n.End)
	if pos < len(p.Chars) && lexicon.IsLetter(p.Chars[pos]) {
		return englishUnit(p, pos, noun)
	}
	// 5点宝贵的生命值, 5点火焰与暗影伤害: the sorts of damage may be longer.
	limit := 5
	if noun == lexicon.Damage {
		limit = 8
	}
	for i := pos; i <= min(pos+limit, len(p.Chars)-1); i++ {
		if w, ok := p.Words.At(noun, i); ok {
			return w, p.Clean(pos, i) && !isLimit(p, w)
		}
		if prose.IsBreak(p.Chars[i]) || lexicon.IsWord(p.Chars[i]) || i > pos && prose.IsNumeral(p.Chars[i]) {
			break
		}
	}
	return lexicon.Span{}, false
}

// englishUnit finds the noun within four words, none of which begins another
// phrase.
func englishUnit(p *reading.Passage, pos int, noun lexicon.Class) (lexicon.Span, bool) {
	points := true // 4 of your hit points, points of health; but not potions of health
	for range 5 {
		if w, ok := p.Words.At(noun, pos); ok {
			return w, true
		}
		w := p.WordAt(pos)
		if word := p.Word(w); word == "of" && !points {
			return lexicon.Span{}, false
		} else if word != "of" {
			points = word == "point" || word == "points"
		}
		switch p.Word(w) {
		case "", "and", "or", "to", "from", "but", "with", "by", "for", "the", "a", "an", "on",
			"in", "at", "temporary", "temp", "max", "maximum", "bonus", "less", "fewer", "no":
			return lexicon.Span{}, false
		}
		if lexicon.IsDigit(p.Chars[w.Start]) || !p.Is(w.End, ' ') {
			return lexicon.Span{}, false
		}
		pos = p.SkipSpace(w.End)
	}
	return lexicon.Span{}, false
}

// isLimit reports whether an hp word speaks of the limit and not of the hit
// points: 生命值上限, 最大生命值, max hp.
func isLimit(p *reading.Passage, w lexicon.Span) bool {
	if p.IsOneOf(w.End, "上") && p.Is(w.End+1, '限') || p.Is(w.Start-1, '大') {
		return true
	}
	before := p.WordBefore(0, w.Start)
	switch p.Word(before) {
	case "max", "maximum", "temporary", "temp":
		return true
	}
	return false
}

// toTarget returns the mention after "to" at pos: restores 5 hp to Su.
func toTarget(p *reading.Passage, pos int) *reading.Mention {
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
		return &reading.Mention{} // to somebody untracked
	}
	return nil
}

// dealtTo reads damage done to a tracked target: 对你造成5点伤害, deals 5 damage
// to Su, deals Su 5 damage. Damage that names no target is no claim.
func dealtTo(p *reading.Passage, verb lexicon.Span) (HP, bool) {
	if lexicon.IsHan(p.Chars[verb.Start]) {
		c, ok := amountOf(p, verb, lexicon.Damage, -1)
		if !ok || c.target != nil {
			return c, ok
		}
		if c.target = sufferer(p, verb.Start); c.target != nil {
			return c, true
		}
		// 砸在程默的手背上，造成2点伤害: the one hit is named before.
		i := p.ClauseAt(verb.Start)
		c.victim, c.dealt = i >= 0 && p.Opens(p.Clauses[i].Start, verb.Start), true
		return c, c.victim
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

// damageTo reads the short form "Damage to Su: 2d6 + 3 = 11".
func damageTo(p *reading.Passage, w lexicon.Span) (HP, bool) {
	to := p.WordAt(p.SkipSpace(w.End))
	m, ok := p.NamedAt(p.SkipSpace(to.End))
	if p.Word(to) != "to" || !ok || !p.Is(p.SkipSpace(m.End), ':') {
		return HP{}, false
	}
	colon := p.SkipSpace(m.End)
	at, _ := notation(p, colon+1)
	if at < 0 {
		at = p.SkipSpace(colon + 1)
	}
	n, ok := p.Digits(at)
	if _, dice := p.DiceAt(at); !ok || dice || n.Value == 0 {
		return HP{}, false
	}
	return HP{Span: lexicon.Between(w.Start, n.End), Delta: -n.Value, target: &m, Listed: true}, true
}

// sufferer returns the mention after 对, 给 or 让 that stands shortly before pos.
func sufferer(p *reading.Passage, pos int) *reading.Mention {
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
	// 对苏晴的护盾造成…: the shield suffers.
	for at := m.End; at < pos; at++ {
		if p.Chars[at] == '的' {
			return nil
		}
	}
	return &m
}

// costs reads "costs Su 3 hp".
func costs(p *reading.Passage, verb lexicon.Span) (HP, bool) {
	m, ok := p.NamedAt(p.SkipSpace(verb.End))
	if !ok {
		return HP{}, false
	}
	return numbered(p, verb, m, lexicon.HPWord, -1)
}

// numbered reads "verb X N noun".
func numbered(p *reading.Passage, verb lexicon.Span, m reading.Mention, noun lexicon.Class, sign int) (HP, bool) {
	n, ok := amount(p, p.SkipSpace(m.End))
	if !ok || n.Value == 0 {
		return HP{}, false
	}
	w, ok := unitAfter(p, n, noun)
	return HP{Span: lexicon.Between(verb.Start, w.End), Delta: sign * n.Value, target: &m}, ok
}

// strikesFor reads "hits Su for 5 damage", "heals you for 4 hp" and "is hit for
// 5 damage".
func strikesFor(p *reading.Passage, verb lexicon.Span, noun lexicon.Class, sign int) (HP, bool) {
	pos := verb.End
	var target *reading.Mention
	if m, ok := p.NamedAt(p.SkipSpace(verb.End)); ok {
		target, pos = &m, m.End
	} else if !p.Passive(verb.Start) {
		return HP{}, false
	}
	for n := 0; !p.WordBeforeIs(pos, "for"); n++ {
		w := p.WordAt(p.SkipSpace(pos))
		if w.Start == w.End || n == 5 {
			return HP{}, false
		}
		pos = w.End
	}
	n, ok := amount(p, p.SkipSpace(pos))
	if !ok || n.Value == 0 {
		return HP{}, false
	}
	end, ok := pointsAfter(p, n, noun)
	return HP{Span: lexicon.Between(verb.Start, end), Delta: sign * n.Value, target: target}, ok
}

// pointsAfter returns the end of "N", "N points" or "N damage".
func pointsAfter(p *reading.Passage, n prose.Number, noun lexicon.Class) (int, bool) {
	// Without a unit the number must be the end of it: "stabs you for 4." but not
	// "shot you for 4 coins".
	for _, t := range []lexicon.Class{noun, lexicon.Damage, lexicon.HPWord} {
		if w, ok := unitAfter(p, n, t); ok {
			return w.End, true
		}
	}
	w := p.WordAt(p.SkipSpace(n.End))
	switch p.Word(w) {
	case "":
		return n.End, n.End == len(p.Chars) || !lexicon.IsHan(p.Chars[n.End])
	case "point", "points":
		return w.End, true
	case "and", "before", "as", "with":
		return n.End, true
	}
	return n.End, false
}

package conflict

import (
	"slices"

	"github.com/talewright/talewright/campaign/conflict/internal/lexicon"
	"github.com/talewright/talewright/campaign/conflict/internal/parse"
)

// claimsIn returns the claims of the text about hit points, in order.
func claimsIn(p *parse.Passage) []pointsClaim {
	var out []pointsClaim
	add := func(c pointsClaim, ok bool) {
		if ok {
			out = append(out, c)
		}
	}
	each := func(t lexicon.Class, read func(*parse.Passage, lexicon.Span) (pointsClaim, bool)) {
		for _, w := range p.Words.All(t) {
			add(read(p, w))
		}
	}
	// English verbs of loss apply to hit points and damage, Chinese 失去 only to hit points.
	each(lexicon.LossVerb, func(p *parse.Passage, w lexicon.Span) (pointsClaim, bool) {
		if c, ok := amountOf(p, w, lexicon.HPWord, -1); ok || lexicon.IsHan(p.Chars[w.Start]) {
			return c, ok
		}
		return amountOf(p, w, lexicon.Damage, -1)
	})
	each(lexicon.HurtVerb, func(p *parse.Passage, w lexicon.Span) (pointsClaim, bool) {
		return amountOf(p, w, lexicon.Damage, -1)
	})
	each(lexicon.GainVerb, func(p *parse.Passage, w lexicon.Span) (pointsClaim, bool) {
		if c, ok := givenTo(p, w); ok {
			return c, true
		}
		return amountOf(p, w, lexicon.HPWord, +1)
	})
	each(lexicon.Mends, func(p *parse.Passage, w lexicon.Span) (pointsClaim, bool) {
		return amountOf(p, w, lexicon.Injury, +1)
	})
	each(lexicon.DealVerb, dealtTo)
	each(lexicon.CostVerb, costs)
	each(lexicon.StrikeVerb, func(p *parse.Passage, w lexicon.Span) (pointsClaim, bool) {
		return strikesFor(p, w, lexicon.Damage, -1)
	})
	each(lexicon.HealVerb, func(p *parse.Passage, w lexicon.Span) (pointsClaim, bool) {
		return strikesFor(p, w, lexicon.HPWord, +1)
	})
	each(lexicon.HPWord, hpWordClaim)
	each(lexicon.DownTo, leftWith)
	each(lexicon.HaveVerb, haveLeft)
	each(lexicon.Damage, damageTo)
	each(lexicon.Damage, fallsOn)
	each(lexicon.HPWord, leftOf)
	out = append(out, tableClaims(p)...)
	out = append(out, takenClaims(p)...)
	out = append(out, standingClaims(p)...)
	out = append(out, listedClaims(p)...)
	each(lexicon.HPWord, changedSomehow)
	each(lexicon.HPWord, standsSomehow)
	out = append(out, looseAmounts(p)...)
	out = append(out, elidedClaims(p)...)
	out = append(out, fragments(p)...)
	for _, c := range out {
		add(alike(p, c))
	}
	// Of two readings of the same words, the one with a target is used.
	slices.SortStableFunc(out, func(a, b pointsClaim) int {
		switch {
		case (a.target != nil) == (b.target != nil):
			return 0
		case a.target != nil:
			return -1
		}
		return 1
	})
	return parse.InOrder(out, func(c pointsClaim) lexicon.Span { return c.Span })
}

// claims returns the asserted claims of a text about hit points, in order.
func claims(p *parse.Passage) []pointsClaim {
	return parse.Told(p, claimsIn(p), func(c pointsClaim) lexicon.Span { return c.Span })
}

// Who returns the characters whose hit points a claim is about.
func (claim pointsClaim) Who(p *parse.Passage) parse.Subject {
	if claim.target != nil {
		return parse.Subject{IDs: claim.target.IDs, Party: claim.target.Party}
	}
	if claim.victim {
		return victim(p, claim)
	}
	if claim.loose {
		return ofAmount(p, claim)
	}
	who := p.Subject(claim.Start)
	short := claim.Listed || claim.Max != 0
	if k := p.SentenceAt(claim.Start); short && k >= 0 {
		if _, named := p.LastMention(p.Sentences[k].Start, claim.Start); !named {
			if of, ok := p.PanelSubject(claim.Start); ok {
				return of
			}
			return parse.Subject{IDs: who.IDs, Doubtful: true}
		}
	}
	if len(who.IDs) > 0 && !who.Doubtful {
		return who
	}
	if short || p.InPanel(claim.Start) {
		if of, ok := p.PanelSubject(claim.Start); ok {
			return of
		}
		if short {
			return parse.Subject{IDs: who.IDs, Doubtful: true}
		}
	}
	// 苏晴的剑被震飞，虎口崩裂，体力值跌去四点: the owner of the thing at the beginning of the sentence.
	if len(who.IDs) == 0 && (p.Words.HasAt(lexicon.HPWord, claim.Start) || lexicon.IsHan(p.Chars[claim.Start])) {
		if m, ok := ownerOpening(p, claim.Span); ok {
			return parse.Subject{IDs: m.IDs, Party: m.Party}
		}
	}
	// Your display blinks amber: six hit points left.
	if claim.rest && len(who.IDs) == 0 {
		return ofAmount(p, claim)
	}
	return who
}

// ownerOpening returns the possessor at the beginning of the sentence of a claim, if no other
// person is named before the claim.
func ownerOpening(p *parse.Passage, claim lexicon.Span) (parse.Mention, bool) {
	pos := claim.Start
	k := p.SentenceAt(pos)
	if k < 0 {
		return parse.Mention{}, false
	}
	from := p.Sentences[k].Start
	m, ok := p.LastCalled(from, pos)
	if !ok && k > 0 && p.Opens(from, pos) { // Your display flickers. HP: 6
		from = p.Sentences[k-1].Start
		m, ok = p.LastCalled(from, p.Sentences[k-1].End)
		ok = ok && p.Words.HasAt(lexicon.Display, p.SkipSpace(m.End))
	}
	if !ok || len(m.IDs) != 1 || !p.IsPossessor(m) || !p.Opens(from, m.Start) || p.Words.Has(m.End, pos, lexicon.Creature, lexicon.Perception) {
		return parse.Mention{}, false
	}
	if p.Words.HasAt(lexicon.HPWord, pos) {
		return m, !p.Words.Has(m.End, pos, lexicon.OtherSubject)
	}
	return m, !p.Is(claim.End, '的') && parse.NobodyElse(p, m.End, pos) // 恢复十点生命值的药水
}

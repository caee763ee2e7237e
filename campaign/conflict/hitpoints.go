package conflict

import (
	"github.com/talewright/talewright/campaign/conflict/internal/tokenize"
	"slices"

	"github.com/talewright/talewright/campaign/conflict/internal/lexicon"
	"github.com/talewright/talewright/campaign/conflict/internal/parse"
)

// hpFactsIn returns the claims of the text about hit points, in order.
func hpFactsIn(p *parse.Passage) []hpFact {
	var out []hpFact
	add := func(c hpFact, ok bool) {
		if ok {
			out = append(out, c)
		}
	}
	each := func(t lexicon.Class, read func(*parse.Passage, lexicon.Span) (hpFact, bool)) {
		for _, w := range p.Words.All(t) {
			add(read(p, w))
		}
	}
	// English verbs of loss apply to hit points and damage, Chinese 失去 only to hit points.
	each(lexicon.LossVerb, func(p *parse.Passage, w lexicon.Span) (hpFact, bool) {
		if c, ok := amountOf(p, w, lexicon.HPWord, -1); ok || lexicon.IsHan(p.Chars[w.Start]) {
			return c, ok
		}
		return amountOf(p, w, lexicon.Damage, -1)
	})
	each(lexicon.HurtVerb, func(p *parse.Passage, w lexicon.Span) (hpFact, bool) {
		return amountOf(p, w, lexicon.Damage, -1)
	})
	each(lexicon.GainVerb, func(p *parse.Passage, w lexicon.Span) (hpFact, bool) {
		if c, ok := givenTo(p, w); ok {
			return c, true
		}
		return amountOf(p, w, lexicon.HPWord, +1)
	})
	each(lexicon.DealVerb, dealtTo)
	each(lexicon.CostVerb, costs)
	each(lexicon.StrikeVerb, func(p *parse.Passage, w lexicon.Span) (hpFact, bool) {
		return strikesFor(p, w, lexicon.Damage, -1)
	})
	each(lexicon.HealVerb, func(p *parse.Passage, w lexicon.Span) (hpFact, bool) {
		return strikesFor(p, w, lexicon.HPWord, +1)
	})
	each(lexicon.HPWord, hpWordFact)
	each(lexicon.DownTo, leftWith)
	each(lexicon.HaveVerb, haveLeft)
	// Of two readings of the same words, the one with a target is used.
	slices.SortStableFunc(out, func(a, b hpFact) int {
		switch {
		case (a.target != nil) == (b.target != nil):
			return 0
		case a.target != nil:
			return -1
		}
		return 1
	})
	return parse.InOrder(out, func(c hpFact) lexicon.Span { return c.Span })
}

// hpFacts returns the asserted claims of a text about hit points, in order.
func hpFacts(p *parse.Passage) []hpFact {
	return parse.Told(p, hpFactsIn(p), func(c hpFact) lexicon.Span { return c.Span })
}

// Who returns the characters whose hit points a claim is about.
func (claim hpFact) Who(p *parse.Passage) parse.Subject {
	if claim.target != nil {
		return parse.Subject{IDs: claim.target.IDs, Party: claim.target.Party}
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
	return who
}

// A hpFact is a claim about the hit points of a character.
type hpFact struct {
	lexicon.Span
	// Delta is the claimed change, or 0 for a value.
	Delta int
	// Value and Max are the claimed hit points. Max is 0 if there is none.
	Value, Max int
	// target is the mention in the claim itself (heals Su for 4); nil if the subject must be found.
	target *parse.Mention
	Vague  bool
	Listed bool // in the short form of panels, HP-3
	// victim means damage without a verb for the one who takes it.
	either bool // without a word about what happens to the amount
}

// Undirected reports whether the text does not say what happens to the amount: it may be lost,
// gained, or the present value.
func (claim hpFact) Undirected() bool { return claim.either }

// maximal is the value of hit points that are claimed to be full.
const maximal = -1

// amount reads a number at pos, in English also after at most two describing words: a nasty 6, an
// additional four.
func amount(p *parse.Passage, pos int) (tokenize.Number, bool) {
	for range 3 {
		if n, ok := p.NumberAt(pos); ok {
			return n, true
		}
		if n, ok := single(p, pos); ok {
			return n, true
		}
		w := p.WordAt(pos)
		if w.Start == w.End || lexicon.IsDigit(p.Chars[w.Start]) || !p.Is(w.End, ' ') {
			break
		}
		if p.Words.HasAt(lexicon.Preposition, pos) || p.Words.HasAt(lexicon.Creature, pos) { // gives the dog two
			break
		}
		pos = p.SkipSpace(w.End)
	}
	return tokenize.Number{}, false
}

// single reads "a hit point" and "a single point" as one.
func single(p *parse.Passage, pos int) (tokenize.Number, bool) {
	a := p.WordAt(pos)
	if p.Word(a) != "a" {
		return tokenize.Number{}, false
	}
	next := p.WordAt(p.SkipSpace(a.End))
	switch p.Word(next) {
	case "single", "lone", "solitary":
		a.End = next.End
		next = p.WordAt(p.SkipSpace(next.End))
	}
	switch p.Word(next) {
	case "hit":
		next = p.WordAt(p.SkipSpace(next.End))
	case "health":
		next = p.WordAt(p.SkipSpace(next.End))
	}
	return tokenize.Number{Span: a, Value: 1}, p.Word(next) == "point"
}

// unitAfter returns the word of the class after a number, after 点 and a few describing words.
func unitAfter(p *parse.Passage, n tokenize.Number, noun lexicon.Class) (lexicon.Span, bool) {
	pos := p.SkipSpace(n.End)
	if pos < len(p.Chars) && lexicon.IsLetter(p.Chars[pos]) {
		return englishUnit(p, pos, noun)
	}
	// 5点宝贵的生命值, 5点火焰与暗影伤害: names of kinds of damage may be longer.
	limit := 5
	if noun == lexicon.Damage {
		limit = 8
	}
	for i := pos; i <= min(pos+limit, len(p.Chars)-1); i++ {
		if w, ok := p.Words.At(noun, i); ok {
			return w, p.Clean(pos, i) && !isLimit(p, w)
		}
		if tokenize.IsBreak(p.Chars[i]) || lexicon.IsWord(p.Chars[i]) || i > pos && tokenize.IsNumeral(p.Chars[i]) {
			break
		}
	}
	return lexicon.Span{}, false
}

// englishUnit finds the noun within four words. None of these may begin a different phrase.
func englishUnit(p *parse.Passage, pos int, noun lexicon.Class) (lexicon.Span, bool) {
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

// isLimit reports whether an hp word means the maximum and not the hit points: 生命值上限, 最大生命值, max
// hp.
func isLimit(p *parse.Passage, w lexicon.Span) bool {
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

// hpAfter returns the end of "N", "N points" or "N damage".
func hpAfter(p *parse.Passage, n tokenize.Number, noun lexicon.Class) (int, bool) {
	// Without a unit the number must end the phrase: "stabs you for 4." but not "shot you for 4
	// coins".
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

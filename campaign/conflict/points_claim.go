package conflict

import (
	"github.com/talewright/talewright/campaign/conflict/internal/lexicon"
	"github.com/talewright/talewright/campaign/conflict/internal/prose"
	"github.com/talewright/talewright/campaign/conflict/internal/reading"
)

// A Claim is what a text says about somebody's hit points.
type pointsClaim struct {
	lexicon.Span
	// Delta is the change told, or 0 for a value.
	Delta int
	// Value and Max are the hit points told; Max is 0 if not told.
	Value, Max int
	// target is the mention that the claim names itself (heals Su for 4); nil
	// if the subject is to be found.
	target *reading.Mention
	Vague  bool
	Listed bool // in the short form of panels, HP-3
	// victim: damage told without a verb for the one who suffers it.
	victim bool
	dealt  bool // and it is told as dealt, so that who acts is not who suffers
	either bool // told without saying what becomes of the amount
	rest   bool // told as what is left, in a clause that need not say of whom
	loose  bool // read from the clause as a whole: see ofAmount
}

// Undirected reports whether the text does not say what becomes of the amount: it may be lost,
// gained, or what there is.
func (claim pointsClaim) Undirected() bool { return claim.either }

// maximal is the value of hit points told to be full.
const maximal = -1

// amount reads a number at pos, in English after at most two words that qualify
// it: a nasty 6, an additional four.
func amount(p *reading.Passage, pos int) (prose.Number, bool) {
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
	return prose.Number{}, false
}

// single reads "a hit point" and "a single point" as one.
func single(p *reading.Passage, pos int) (prose.Number, bool) {
	a := p.WordAt(pos)
	if p.Word(a) != "a" {
		return prose.Number{}, false
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
	return prose.Number{Span: a, Value: 1}, p.Word(next) == "point"
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

// numberBefore returns the number that the word before end is.
func numberBefore(p *reading.Passage, from, end int) (prose.Number, bool) {
	w := p.WordBefore(from, end)
	if w.Start == w.End {
		return prose.Number{}, false
	}
	if p.Word(w) == "single" {
		return prose.Number{Span: w, Value: 1}, true
	}
	return p.NumberAt(w.Start)
}

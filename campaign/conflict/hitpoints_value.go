package conflict

import (
	"github.com/talewright/talewright/campaign/conflict/internal/lexicon"
	"github.com/talewright/talewright/campaign/conflict/internal/parse"
	"github.com/talewright/talewright/campaign/conflict/internal/tokenize"
)

// The maximum distances, in characters, between an hp word and its verb.
const (
	maxValueGap        = 10
	maxEnglishValueGap = 20
)

// hpWordFact reads the text after an hp word: a change (生命值减少了3点, HP-3), a value (HP drops to 4,
// HP: 7/12) or nothing left (生命值归零).
func hpWordFact(p *parse.Passage, w lexicon.Span) (hpFact, bool) {
	if isLimit(p, w) {
		return hpFact{}, false
	}
	// The order matters: 减少3 is a change, 减少到3 is a value.
	if c, ok := signed(p, w); ok {
		return c, true
	}
	if c, ok := changeTold(p, w); ok {
		return c, true
	}
	if c, ok := valueTold(p, w); ok {
		return c, true
	}
	for i := w.End; i <= min(w.End+6, len(p.Chars)-1); i++ {
		if e, ok := p.Words.At(lexicon.Emptied, i); ok && p.Clean(w.End, i) {
			return hpFact{Span: lexicon.Between(w.Start, e.End)}, true
		}
	}
	return hpFact{}, false
}

// signed reads "HP-3" and "HP +5", and "-3 HP" with the sign before the number.
func signed(p *parse.Passage, w lexicon.Span) (hpFact, bool) {
	pos := p.SkipSpace(w.End)
	if sign := hpSign(p, pos); sign != 0 {
		n, ok := p.NumberAt(p.SkipSpace(pos + 1))
		c := hpFact{Span: lexicon.Between(w.Start, n.End), Delta: sign * n.Value, Listed: true}
		return c, ok && n.Value != 0 && lexicon.IsDigit(p.Chars[n.Start])
	}
	// Backwards: "-3 HP", "+3点生命值". The sign must not belong to a range.
	end := w.Start
	for end > 0 && p.Chars[end-1] == ' ' {
		end--
	}
	if p.Is(end-1, '点') {
		end--
	}
	start := end
	for start > 0 && end-start < 10 && lexicon.IsDigit(p.Chars[start-1]) {
		start--
	}
	sign := hpSign(p, start-1)
	if sign == 0 || start == end || start > 1 && lexicon.IsWord(p.Chars[start-2]) {
		return hpFact{}, false
	}
	n, _ := p.Digits(start)
	return hpFact{Span: lexicon.Between(start-1, w.End), Delta: sign * n.Value, Listed: true}, n.Value != 0
}

// hpSign returns the direction of + or - at pos, 0 for anything else.
func hpSign(p *parse.Passage, pos int) int {
	switch {
	case p.Is(pos, '+'):
		return 1
	case p.Is(pos, '-'), p.Is(pos, '–'):
		return -1
	}
	return 0
}

// valueTold reads "HP 7/12" and an hp word, a verb of value and a number. Several verbs may follow
// each other: has dropped to.
func valueTold(p *parse.Passage, w lexicon.Span) (hpFact, bool) {
	pos := p.SkipSpace(w.End)
	if p.IsOneOf(pos, "（([【") {
		pos = p.SkipSpace(pos + 1)
	}
	if c, ok := valueAt(p, w.Start, pos); ok && c.Max != 0 {
		return c, true
	}
	limit := w.End + maxValueGap
	if p.Is(w.End, ' ') {
		limit = w.End + maxEnglishValueGap
	}
	// Every verb in reach is tried: in "has dropped to 4" the number is directly after the last
	// one.
	for _, v := range p.Words.All(lexicon.ValueVerb)[p.Words.From(lexicon.ValueVerb, w.End):] {
		if v.Start > limit {
			break
		}
		if !valueGap(p, w.End, v.Start) || p.Is(v.Start, ':') && p.StrangeText(w.End, v.Start) > 0 &&
			!p.Words.Has(w.End, v.Start, lexicon.ValueVerb, lexicon.HPDown, lexicon.HPUp) || // 掉到了个位数：4
			p.Words.Has(w.End, v.End, lexicon.Doubt) { // 生命原本是十八点
			break
		}
		pos := p.SkipWords(v.End, lexicon.AmountFiller)
		if c, ok := valueAt(p, w.Start, pos); ok {
			return c, true
		}
	}
	return hpFact{}, false
}

// valueGap reports whether the text between an hp word and its verb keeps the claim valid: no
// punctuation except a colon, and no other number except as in 从10.
func valueGap(p *parse.Passage, start, end int) bool {
	for i := start; i < end; i++ {
		if lexicon.IsDigit(p.Chars[i]) && !p.Words.Has(max(start, i-4), i, lexicon.Coverb) &&
			!p.WordBeforeIs(i, "from") && !p.IsOneOf(i-1, "0123456789") {
			return false
		}
	}
	return p.Clean(start, end)
}

// valueAt reads N or N/M at pos as the hit points of a claim that begins at start. A bound (3点以下)
// is not a value.
func valueAt(p *parse.Passage, start, pos int) (hpFact, bool) {
	n, ok := p.NumberAt(pos)
	if !ok {
		return hpFact{}, false
	}
	c := hpFact{Value: n.Value}
	end := n.End
	if slash := p.SkipSpace(end); p.Is(slash, '/') {
		most, ok := p.NumberAt(p.SkipSpace(slash + 1))
		if !ok || most.Value == 0 {
			return hpFact{}, false
		}
		c.Max = most.Value
		end = most.End
	} else if most, ok := outOf(p, end); ok {
		c.Max = most.Value
		end = most.End
	}
	points := p.Is(end, '点')
	if points {
		end++
	}
	c.Span = lexicon.Between(start, end)
	return c, valueEnds(p, end, points)
}

// outOf reads "of 9" and "out of nine" at pos, at the end of their clause.
func outOf(p *parse.Passage, pos int) (tokenize.Number, bool) {
	w := p.WordAt(p.SkipSpace(pos))
	if p.Word(w) == "out" {
		w = p.WordAt(p.SkipSpace(w.End))
	}
	if p.Word(w) != "of" {
		return tokenize.Number{}, false
	}
	n, ok := p.NumberAt(p.SkipSpace(w.End))
	return n, ok && n.Value > 0 && p.EndsClause(n.End)
}

// valueEnds reports whether a value that ends at pos is complete. It is not if it is a bound such
// as 3点以下 or counts something else, such as 一种 or one of.
func valueEnds(p *parse.Passage, pos int, points bool) bool {
	switch {
	case pos == len(p.Chars) || tokenize.IsBreak(p.Chars[pos]):
		return true
	case points:
		return !p.IsOneOf(pos, "以左上钟")
	case lexicon.IsHan(p.Chars[pos]):
		// 只剩3天, 是一种: a different noun is counted.
		return p.IsOneOf(pos, "了而血")
	case !lexicon.IsWord(p.Chars[pos]) && p.Chars[pos] != ' ':
		return true
	}
	next := p.WordAt(p.SkipSpace(pos))
	switch p.Word(next) {
	case "of", "thing", "days", "day", "times", "years", "minutes", "hours", "people", "more",
		"less", "percent":
		return false
	}
	return true
}

// changeTold reads an hp word, a verb of change and a number: 生命值减少了3点.
func changeTold(p *parse.Passage, w lexicon.Span) (hpFact, bool) {
	for i := w.End; i <= min(w.End+5, len(p.Chars)-1); i++ {
		for _, t := range []lexicon.Class{lexicon.HPDown, lexicon.HPUp} {
			v, ok := p.Words.At(t, i)
			if !ok || !p.Clean(w.End, i) {
				continue
			}
			n, ok := p.NumberAt(p.SkipWords(v.End, lexicon.AmountFiller))
			if !ok || n.Value == 0 {
				continue
			}
			end := n.End
			if p.Is(end, '点') {
				end++
			}
			c := hpFact{Span: lexicon.Between(w.Start, end), Delta: n.Value, Vague: n.Vague}
			if t == lexicon.HPDown {
				c.Delta = -n.Value
			}
			return c, true
		}
	}
	return hpFact{}, false
}

// leftWith reads "down to 4 hp" and "left with three hit points".
func leftWith(p *parse.Passage, w lexicon.Span) (hpFact, bool) {
	pos := p.SkipSpace(w.End)
	if only := p.WordAt(pos); p.Word(only) == "only" ||
		p.Word(only) == "just" {
		pos = p.SkipSpace(only.End)
	}
	return valueOfHP(p, w.Start, pos)
}

// valueOfHP reads "N hp" at pos.
func valueOfHP(p *parse.Passage, start, pos int) (hpFact, bool) {
	n, ok := p.NumberAt(pos)
	if a := p.WordAt(pos); p.Word(a) == "a" || p.Word(a) == "one" { // a single hit point
		switch single := p.WordAt(p.SkipSpace(a.End)); p.Word(single) {
		case "single", "lone", "last", "solitary":
			n, ok = tokenize.Number{Span: lexicon.Between(a.Start, single.End), Value: 1}, true
		}
	}
	if !ok {
		return hpFact{}, false
	}
	w, ok := unitAfter(p, n, lexicon.HPWord)
	return hpFact{Span: lexicon.Between(start, w.End), Value: n.Value}, ok
}

// haveLeft reads "have 3 hp left".
func haveLeft(p *parse.Passage, w lexicon.Span) (hpFact, bool) {
	pos := p.SkipSpace(w.End)
	if only := p.WordAt(pos); p.Word(only) == "only" || p.Word(only) == "just" {
		pos = p.SkipSpace(only.End)
	}
	c, ok := valueOfHP(p, w.Start, pos)
	if !ok {
		return c, false
	}
	left := p.WordAt(p.SkipSpace(c.End))
	c.End = max(c.End, left.End)
	return c, p.Word(left) == "left" || p.Word(left) == "remaining"
}

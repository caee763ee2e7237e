package conflict

import (
	"github.com/talewright/talewright/campaign/conflict/internal/lexicon"
	"github.com/talewright/talewright/campaign/conflict/internal/parse"
	"github.com/talewright/talewright/campaign/conflict/internal/tokenize"
)

// notedRolls reads the short forms of rolls: 1d20+3 = 22, 🎲 19 + 2 = 21, Perception (d20+1): 19,
// 力量检定：17. Dice of damage are not such rolls.
func notedRolls(p *parse.Passage) []roll {
	var out []roll
	for _, w := range p.Words.All(lexicon.DieRoll) {
		if c, ok := notedRoll(p, w); ok {
			out = append(out, c)
		}
	}
	for pos := range p.Chars {
		if end, ok := p.DiceAt(pos); ok {
			c, ok := notedRoll(p, lexicon.Between(pos, end))
			if !ok {
				c, ok = landsOn(p, lexicon.Between(pos, end))
			}
			if ok {
				out = append(out, c)
			}
		}
	}
	for _, w := range p.Words.All(lexicon.DieRoll) {
		if c, ok := landed(p, w); ok {
			out = append(out, c)
		}
	}
	for _, w := range p.Words.All(lexicon.Mechanic) {
		if c, ok := againstDifficulty(p, w); ok {
			out = append(out, c)
		}
	}
	return parse.InOrder(out, func(c roll) lexicon.Span { return c.Span })
}

// againstDifficulty reads a sum before its difficulty, whatever the name of the skill is:
// Perception: 14 + 3 = 17 vs DC 15.
func againstDifficulty(p *parse.Passage, w lexicon.Span) (roll, bool) {
	k := p.SentenceAt(w.Start)
	if p.Word(w) != "dc" && string(p.Chars[w.Start:w.End]) != "难度" || k < 0 {
		return roll{}, false
	}
	for i := w.Start - 1; i >= max(p.Sentences[k].Start, w.Start-16); i-- {
		if !p.Is(i, '=') {
			continue
		}
		n, ok := p.Digits(p.SkipSpace(i + 1))
		before := i
		for p.Is(before-1, ' ') {
			before--
		}
		if !ok || n.Value > 99 || before == 0 || !lexicon.IsDigit(p.Chars[before-1]) {
			return roll{}, false
		}
		return roll{Span: lexicon.Between(n.Start, n.End), Value: n.Value}, true
	}
	return roll{}, false
}

// landed reads 骰子滚了几圈，停在18上 and "the die spins and comes up 14".
func landed(p *parse.Passage, w lexicon.Span) (roll, bool) {
	switch string(p.Chars[w.Start:w.End]) {
	case "check", "saving throw", "attack roll", "save", "roll":
		return checkComesTo(p, w)
	case "骰子", "d20", "die", "dice", "骰", "🎲":
		return landsOn(p, w)
	}
	return roll{}, false
}

// checkComesTo reads the result of a check: makes a Stealth check and gets 14, her save comes to 9.
func checkComesTo(p *parse.Passage, w lexicon.Span) (roll, bool) {
	pos := w.End
	joined := p.WordAt(p.SkipSpace(pos))
	switch p.Word(joined) {
	case "and", "with", "for", "that":
		pos = joined.End
	}
	comes := false
	if verb := p.WordAt(p.SkipFillers(pos, len(p.Chars))); p.Word(joined) != "with" {
		v, lands := p.Words.At(lexicon.Landing, verb.Start)
		comes = lands && (p.Word(verb) == "comes" || p.Word(verb) == "came")
		switch {
		case comes:
			pos = v.End
		case p.Words.HasAt(lexicon.Brings, verb.Start):
			pos = verb.End
		default:
			return roll{}, false
		}
	}
	pos = p.SkipSpace(pos)
	if a := p.WordAt(pos); p.Word(a) == "a" || p.Word(a) == "an" {
		pos = p.SkipSpace(a.End)
	}
	n, ok := p.NumberAt(pos)
	k := p.ClauseAt(w.Start)
	if !ok || n.Value > 99 || !p.EndsClause(n.End) || k < 0 {
		return roll{}, false
	}
	_, tracked := p.Opener(p.Clauses[k].Span)
	return roll{Span: lexicon.Between(w.Start, n.End), Value: n.Value}, tracked || comes
}

// landsOn reads a die and the number on which it lands.
func landsOn(p *parse.Passage, w lexicon.Span) (roll, bool) {
	k := p.SentenceAt(w.Start)
	if k < 0 {
		return roll{}, false
	}
	if p.BeginsWithOther(p.Sentences[k].Start) && p.Words.HasAt(lexicon.Creature, p.SkipFillers(p.Sentences[k].Start, w.Start)) { // 老板掷出骰子，是个六
		return roll{}, false
	}
	v, ok := p.Words.Within(lexicon.Landing, w.End, min(w.End+tokenize.MaxNotation, p.Sentences[k].End))
	if !ok || p.Words.Has(w.End, v.Start, lexicon.Creature) || v.Start > w.End+1 && (p.Is(v.Start, '是') || p.Is(v.Start, '为') || p.WordIs(v.Start, "is")) {
		return roll{}, false
	}
	pos := p.SkipSpace(v.End)
	for p.IsOneOf(pos, ":，,— 个了") {
		pos++
	}
	if a := p.WordAt(pos); p.Word(a) == "a" || p.Word(a) == "an" {
		pos = p.SkipSpace(a.End)
	}
	if p.Is(pos, '一') && p.Is(pos+1, '个') {
		pos += 2
	}
	n, ok := p.NumberAt(pos)
	if !ok || n.Value > 100 || p.Words.HasAt(lexicon.CountWord, p.SkipSpace(n.End)) {
		return roll{}, false
	}
	return roll{Span: lexicon.Between(w.Start, n.End), Value: n.Value}, true
}

// notedRoll reads the result after a word for dice: the number after = or, without =, after a
// colon.
func notedRoll(p *parse.Passage, w lexicon.Span) (roll, bool) {
	c := roll{Span: w}
	if doesVerb(p, w) {
		return c, false
	}
	// 感知检定 15，…: only the number, at the end of its clause.
	if n, ok := p.Digits(p.SkipSpace(w.End)); ok && n.Start > w.End && p.EndsClause(n.End) && !p.IsOneOf(n.End, ".:") && n.Value <= 40 {
		return roll{Span: lexicon.Between(w.Start, n.End), Value: n.Value}, lexicon.IsHan(p.Chars[w.Start])
	}
	// 说服判定 13 vs DC 12
	if n, ok := p.Digits(p.SkipSpace(w.End)); ok && n.Start > w.End && n.Value <= 40 && versus(p, p.SkipSpace(n.End)) {
		return roll{Span: lexicon.Between(w.Start, n.End), Value: n.Value}, true
	}
	at, parts := tokenize.Notation(p.Text, w.End)
	if c.Parts = parts; at < 0 {
		return c, false
	}
	n, _ := p.Digits(at)
	after := p.SkipSpace(n.End)
	if target, ok := p.Digits(after + 1); ok && p.Is(after, '/') && p.Word(p.WordAt(w.Start)) == "d100" && target.Value <= 100 {
		return roll{Span: lexicon.Between(w.Start, target.End), Value: n.Value}, n.Value <= 100
	}
	if n.Value > 99 || isMeasure(p, after) || isDamage(p, w) || p.Words.Has(w.Start, min(after+10, len(p.Chars)), lexicon.Damage, lexicon.HPWord) {
		return c, false // 1d6=5点火焰伤害
	}
	c.End, c.Value = n.End, n.Value
	return c, true
}

// versus reports whether a word or sign that introduces a difficulty is at pos.
func versus(p *parse.Passage, pos int) bool {
	switch p.Word(p.WordAt(pos)) {
	case "vs", "versus", "against":
		return true
	}
	return p.IsOneOf(pos, "≥>≤<＞＜")
}

// doesVerb reports whether a word such as check is a verb: you check yourself over.
func doesVerb(p *parse.Passage, w lexicon.Span) bool {
	before := p.WordBefore(0, w.Start)
	switch p.Word(before) {
	case "you", "i", "we", "to", "and", "he", "she", "they":
		next := p.WordAt(p.SkipSpace(w.End))
		return next.Start < next.End && lexicon.IsLetter(p.Chars[next.Start]) && p.Word(next) != "a" && p.Word(next) != "an"
	}
	return false
}

// isDamage reports whether dice other than the d20 come after a word for damage: Damage to the
// ghoul: 2d6 + 3 = 11.
func isDamage(p *parse.Passage, w lexicon.Span) bool {
	k := p.SentenceAt(w.Start)
	if end, dice := p.DiceAt(w.Start); k < 0 || !dice || end != w.End || w.End-w.Start < 3 ||
		string(p.Chars[w.End-3:w.End]) == "d20" {
		return false
	}
	return p.Words.Has(max(p.Sentences[k].Start, w.Start-tokenize.MaxNotation), w.Start, lexicon.Damage, lexicon.HPWord)
}

// isMeasure reports whether a number that ends before pos is not a result but a part of a different
// notation, a bound or a count: 17/20, 17.5, DC 15 or more, 15+, 15人.
func isMeasure(p *parse.Passage, pos int) bool {
	return p.IsOneOf(pos, "/%:+以级级个人枚元两") || p.WordIs(pos, "or") ||
		p.Is(pos, '.') && pos+1 < len(p.Chars) && lexicon.IsDigit(p.Chars[pos+1])
}

// A roll is a claimed roll: its number, and the numbers in its notation (d20 + 3 = 22).
type roll struct {
	lexicon.Span
	Value int
	Parts []int
	Who   parse.Subject
}

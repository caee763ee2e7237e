package conflict

import (
	"slices"

	"github.com/talewright/talewright/campaign/conflict/internal/lexicon"
	"github.com/talewright/talewright/campaign/conflict/internal/parse"
	"github.com/talewright/talewright/campaign/conflict/internal/tokenize"
)

// rolls returns the asserted rolls of the system or a tracked character. detectDice compares them
// with the rolls of the turn.
func rolls(p *parse.Passage) []roll {
	var out []roll
	for _, t := range []lexicon.Class{lexicon.Rolled, lexicon.RollResult} {
		for _, w := range p.Words.All(t) {
			if n, ok := rollTold(p, w); ok && isRollOf(p, w, t) {
				out = append(out, roll{lexicon.Between(w.Start, n.End), n.Value, nil, p.Subject(w.Start)})
			}
		}
	}
	out = parse.InOrder(out, func(c roll) lexicon.Span { return c.Span })
	return slices.DeleteFunc(out, func(c roll) bool { return !p.Asserted(c.Span) })
}

// rollTold reads the number of a roll. A number that counts or measures something is not a roll:
// rolls 3 barrels, 掷出两把飞刀.
func rollTold(p *parse.Passage, w lexicon.Span) (tokenize.Number, bool) {
	pos := p.SkipWords(w.End, lexicon.AmountFiller)
	if p.IsOneOf(pos, "为是:") {
		pos = p.SkipWords(pos+1, lexicon.AmountFiller)
	}
	article := false
	if a := p.WordAt(pos); a.End > a.Start {
		switch p.Word(a) {
		case "a", "an":
			article, pos = true, p.SkipSpace(a.End)
		}
	}
	n, ok := p.NumberAt(pos)
	if !ok || p.Words.HasAt(lexicon.CountWord, p.SkipSpace(n.End)) || p.Is(n.End, '-') {
		return tokenize.Number{}, false
	}
	if lexicon.IsHan(p.Chars[w.Start]) || article || p.IsOneOf(p.SkipSpace(n.End), "+=(") || p.Words.HasAt(lexicon.RollResult, w.Start) || p.Word(w) == "natural" {
		return n, true
	}
	// 17 on your Stealth check, 14 for initiative.
	next := p.WordAt(p.SkipSpace(n.End))
	switch word := p.Word(next); word {
	case "vs", "versus":
		return n, true
	case "on", "for", "against", "to":
		if p.Words.Has(next.End, min(next.End+28, len(p.Chars)), lexicon.DieRoll) || word == "against" && p.WordIs(p.SkipWords(next.End, lexicon.Determiner), "dc") {
			return n, true
		}
	}
	return n, p.EndsClause(n.End)
}

// herCheck reports whether "she" or "he" makes a check of the game after a sentence that begins
// with a tracked character: Su smiles at the dealer. She rolls a 17 on her Bluff check.
func herCheck(p *parse.Passage, c tokenize.Clause, w lexicon.Span) bool {
	she := p.WordAt(c.Start)
	if !c.First || c.Sentence == 0 || p.Word(she) != "she" && p.Word(she) != "he" || !p.Opens(she.End, w.Start) {
		return false
	}
	_, tracked := p.Opener(p.Sentences[c.Sentence-1].Span)
	return tracked && p.Words.Has(w.End, c.End, lexicon.DieRoll)
}

// isRollOf reports whether a tracked character or the system rolls.
func isRollOf(p *parse.Passage, w lexicon.Span, t lexicon.Class) bool {
	if t == lexicon.RollResult || len(p.Subject(w.Start).IDs) > 0 {
		return true
	}
	i := p.ClauseAt(w.Start)
	if i < 0 || p.BeginsWithOther(p.Sentences[p.Clauses[i].Sentence].Start) {
		return i >= 0 && herCheck(p, p.Clauses[i], w)
	}
	return p.Opens(p.Clauses[i].Start, w.Start) ||
		p.Words.Has(p.Clauses[i].Start, w.Start, lexicon.Mechanic)
}

// A roll is a claimed roll: its number, and the numbers in its notation (d20 + 3 = 22).
type roll struct {
	lexicon.Span
	Value int
	Parts []int
	Who   parse.Subject
}

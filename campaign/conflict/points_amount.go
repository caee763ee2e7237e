package conflict

import (
	"github.com/talewright/talewright/campaign/conflict/internal/lexicon"
	"github.com/talewright/talewright/campaign/conflict/internal/parse"
	"github.com/talewright/talewright/campaign/conflict/internal/tokenize"
)

// The points files read the asserted claims of a text about hit points: losses, gains and values,
// in prose, panels, lists and tables. A detector compares them with the state.

// looseAmounts reads English hit points whose clause says in some other place what happens to them:
// mark off 9 hit points, eight of your lost hit points come flooding back, back up by three hit
// points, running on five hit points, 19 of her 27 hit points.
func looseAmounts(p *parse.Passage) []pointsClaim {
	var out []pointsClaim
	for _, w := range p.Words.All(lexicon.HPWord) {
		if c, ok := looseAmount(p, w); ok {
			out = append(out, c)
		}
	}
	return out
}

func looseAmount(p *parse.Passage, unit lexicon.Span) (pointsClaim, bool) {
	k := p.ClauseAt(unit.Start)
	if k < 0 || isLimit(p, unit) {
		return pointsClaim{}, false
	}
	if lexicon.IsHan(p.Chars[unit.Start]) {
		return looseChinese(p, p.Clauses[k].Span, unit)
	}
	clause := p.Clauses[k].Span
	n, most, ok := countBefore(p, clause.Start, unit.Start)
	if !ok || n.Vague || p.WordBeforeIs(n.Start, "worth") {
		return pointsClaim{}, false
	}
	c := pointsClaim{Span: lexicon.Between(n.Start, unit.End), loose: true}
	if p.WordBeforeIs(n.Start, "from") { // drops from twenty hit points to fifteen
		now, ok := p.NumberAt(p.SkipSpace(p.WordAt(p.SkipSpace(unit.End)).End))
		c.End, c.Value = now.End, now.Value
		return c, ok && p.WordIs(p.SkipSpace(unit.End), "to")
	}
	switch direction := amountDirection(p, clause, c.Span); {
	case direction != 0 && n.Value > 0:
		c.Delta = direction * n.Value
		c.target = fromTarget(p, c.End)
		if c.target == nil {
			c.target = backTo(p, clause, c.Span)
		}
	case direction == 0 && (most > 0 || standsAt(p, clause.Start, n.Start)):
		c.Value, c.Max = n.Value, most
	case n.Value > 0:
		c.Delta, c.either = -n.Value, true
		c.target = backTo(p, clause, c.Span)
	default:
		return pointsClaim{}, false
	}
	return c, true
}

// backTo returns the mention to which an amount goes or from which it comes: sets Jack back two hit
// points, put three health points back into Jack.
func backTo(p *parse.Passage, clause, amount lexicon.Span) *parse.Mention {
	if back := p.WordBefore(clause.Start, amount.Start); p.Word(back) == "back" {
		if m, ok := p.LastCalled(max(clause.Start, back.Start-24), back.Start); ok && p.SkipSpace(m.End) == back.Start {
			return &m
		}
	}
	// eight of your lost hit points
	if m, ok := p.LastCalled(amount.Start, amount.End); ok {
		return &m
	}
	for pos, n := amount.End, 0; n < 4; n++ {
		w := p.WordAt(p.SkipSpace(pos))
		if w.Start == w.End {
			break
		}
		switch pos = w.End; p.Word(w) {
		case "to", "into", "from", "off", "in", "of":
			if m, ok := p.CalledAt(p.SkipSpace(pos)); ok {
				return &m
			}
			if p.Words.HasAt(lexicon.Determiner, p.SkipSpace(pos)) && p.Words.Has(pos, min(pos+24, clause.End), lexicon.Creature) {
				return &parse.Mention{}
			}
		}
	}
	return nil
}

// looseChinese reads 交了三点血 and 凭空多出六点生命值: an amount whose clause does not say, in known words, what
// happens to it.
func looseChinese(p *parse.Passage, clause, unit lexicon.Span) (pointsClaim, bool) {
	pos := unit.Start
	for pos > clause.Start && pos > unit.Start-5 && !p.Is(pos-1, '点') && !tokenize.IsNumeral(p.Chars[pos-1]) && !lexicon.IsDigit(p.Chars[pos-1]) {
		pos--
	}
	if p.Is(pos-1, '点') {
		pos--
	}
	start := pos
	for start > clause.Start && (tokenize.IsNumeral(p.Chars[start-1]) || lexicon.IsDigit(p.Chars[start-1])) {
		start--
	}
	n, ok := p.NumberAt(start)
	if !ok || p.IsOneOf(start-1, ".,/-~–至到") || n.End != pos || n.Value == 0 || n.Vague {
		return pointsClaim{}, false
	}
	// 四个血洞 counts holes.
	if !p.Is(n.End, '点') && (n.End < unit.Start || !p.Is(unit.Start, '生')) || p.Is(unit.End, '的') {
		return pointsClaim{}, false
	}
	w, ok := unitAfter(p, n, lexicon.HPWord)
	c := pointsClaim{Span: lexicon.Between(start, unit.End), Delta: -n.Value, loose: true, either: true}
	if m, into := ontoWhom(p, unit.End); into {
		c.Delta, c.either, c.target = n.Value, false, &m
	}
	return c, ok && w == unit
}

// fallsOn reads damage with its target: 12点雷电伤害尽数落在苏晴身上, 6 points of fire damage wash over Su.
func fallsOn(p *parse.Passage, w lexicon.Span) (pointsClaim, bool) {
	k := p.ClauseAt(w.Start)
	if k < 0 {
		return pointsClaim{}, false
	}
	m, ok := ontoWhom(p, w.End)
	for pos := w.Start; ok && pos >= max(p.Clauses[k].Start, w.Start-maxFor); pos-- {
		n, counted := amount(p, pos)
		if unit, is := unitAfter(p, n, lexicon.Damage); counted && is && unit == w && n.Value > 0 && (pos == 0 || !lexicon.Joined(p.Chars[pos-1], p.Chars[pos])) {
			return pointsClaim{Span: lexicon.Between(pos, m.End), Delta: -n.Value, target: &m}, true
		}
	}
	return pointsClaim{}, false
}

// ontoWhom returns the target after pos: 慢慢回到她身上, slams into Su's ribs.
func ontoWhom(p *parse.Passage, pos int) (parse.Mention, bool) {
	v, ok := p.Words.At(lexicon.ComesOver, p.SkipFillers(pos, min(pos+tokenize.MaxLead, len(p.Chars))))
	if !ok {
		return parse.Mention{}, false
	}
	m, ok := p.CalledAt(p.SkipSpace(v.End))
	if !ok || len(m.IDs) == 0 {
		return m, false
	}
	end := m.End
	if p.Is(end, '的') {
		end++
	}
	part := p.SkipSpace(end)
	return m, p.EndsClause(m.End) || p.Words.HasAt(lexicon.OnBody, m.End) || p.PartOfBody(part) ||
		lexicon.IsLetter(p.Chars[v.Start]) && !p.IsPossessor(m)
}

// maxCount is the maximum number of words between a number and its hit points: eight of your lost
// hit points.
const maxCount = 4

// countBefore returns the number before a word for hit points, and the maximum given with it, 0 for
// none: 19 of her 27 hit points, fifteen out of fifteen hit points.
func countBefore(p *parse.Passage, from, end int) (n tokenize.Number, most int, ok bool) {
	of := false
	for range maxCount {
		w := p.WordBefore(from, end)
		if w.Start == w.End {
			break
		}
		number, isNumber := p.NumberAt(w.Start)
		switch word := p.Word(w); {
		case isNumber && p.IsOneOf(w.Start-1, ".,/-~–"):
			return n, 0, false
		case isNumber && ok && of:
			return number, n.Value, true
		case isNumber && ok:
			return n, 0, true
		case word == "every" || word == "each":
			return n, 0, false
		case isNumber:
			n, ok = number, true
		case word == "of":
			of = true
		case word == "out" || pointsIsWhose(word) || !ok && isKeptCount(word):
		default:
			return n, 0, ok
		}
		end = w.Start
	}
	return n, 0, ok
}

func pointsIsWhose(word string) bool {
	switch word {
	case "your", "his", "her", "their", "the", "those", "these":
		return true
	}
	return false
}

// isKeptCount reports whether a word may be between a number and its hit points.
func isKeptCount(word string) bool {
	switch word {
	case "of", "lost", "precious", "last", "remaining", "missing", "measly", "good", "more", "whole", "full", "solid",
		"hard", "earned", "point", "points", "fresh", "entire", "meager", "meagre", "lousy", "paltry":
		return true
	}
	return false
}

// amountDirection returns -1 for hit points that a clause says are lost, +1 for gained, 0 for
// neither. Words after the amount have priority over the verb before it.
func amountDirection(p *parse.Passage, clause, amount lexicon.Span) int {
	pos := p.SkipSpace(amount.End)
	for n := 0; n < 5 && pos < clause.End; n++ {
		w := p.WordAt(pos)
		if w.Start == w.End {
			break
		}
		switch word := p.Word(w); {
		case p.Words.HasAt(lexicon.GoneWord, pos):
			return -1
		case word == "back" || word == "return" || word == "returned" || word == "returns" || word == "better" ||
			word == "stronger" || word == "richer" || word == "fitter" || word == "healthier" || word == "restored" || word == "healed" || word == "regained":
			return 1
		case word == "left" || word == "remaining" || word == "remain" || word == "remained" || word == "still":
			return 0
		}
		pos = p.SkipSpace(w.End)
	}
	for end, n := amount.Start, 0; n < 7; n++ {
		w := p.WordBefore(clause.Start, end)
		if w.Start == w.End {
			break
		}
		switch {
		case p.Words.HasAt(lexicon.MarkedOff, w.Start):
			return -1
		case p.Words.HasAt(lexicon.MarkedUp, w.Start):
			return 1
		}
		end = w.Start
	}
	return 0
}

// standsAt reports whether the words before a number present it as the present value: at, on,
// running on, hit.
func standsAt(p *parse.Passage, from, pos int) bool {
	for range 3 {
		w := p.WordBefore(from, pos)
		switch p.Word(w) {
		case "at", "on":
			return true
		case "hit", "hits", "reached", "reaches", "reach", "touches", "touched":
			return true
		case "a", "full", "only", "just", "exactly", "barely", "the", "scant", "mere", "healthy", "comfortable", "shaky", "grim", "last", "precarious":
			pos = w.Start
			continue
		}
		break
	}
	return false
}

// ofAmount returns the character of a loose amount: the one in its clause, else the last one named
// in its sentence, else the last one named in the sentence before.
func ofAmount(p *parse.Passage, claim pointsClaim) parse.Subject {
	k := p.SentenceAt(claim.Start)
	if k < 0 {
		return parse.Nobody
	}
	from := p.Sentences[k].Start
	m, ok := p.LastCalled(from, claim.Start)
	others := lexicon.IsHan(p.Chars[claim.End-1]) && p.Words.Has(max(m.End, p.ClauseStart(claim.Start)), claim.Start, lexicon.OtherSubject)
	if who := p.Subject(claim.Start); len(who.IDs) > 0 && !who.Doubtful && !others {
		return who
	}
	if !ok && k > 0 {
		from = p.Sentences[k-1].Start
		m, ok = p.LastCalled(from, claim.Start)
	}
	if !ok || len(m.IDs) == 0 || others || p.Words.Has(m.End, claim.Start, lexicon.Creature, lexicon.Perception) ||
		p.HasWord(m.End, claim.Start, "they") || p.HasWord(m.End, claim.Start, "them") || p.HasWord(m.End, claim.Start, "who") {
		return parse.Nobody
	}
	// 加雷斯替妳挡下了那一箭: a character who protects another takes the damage.
	if p.IsOneOf(m.Start-1, "替为护") {
		if m, ok = p.Opener(p.Sentences[p.SentenceAt(m.Start)].Span); !ok {
			return parse.Nobody
		}
	}
	return parse.Subject{IDs: m.IDs, Party: m.Party}
}

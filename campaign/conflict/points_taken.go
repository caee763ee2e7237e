package conflict

import (
	"strings"

	"github.com/talewright/talewright/campaign/conflict/internal/lexicon"
	"github.com/talewright/talewright/campaign/conflict/internal/parse"
)

// takenClaims reads hit points that something takes from a character (strips four hit points from
// you, 夺走了她三点生命, 被它夺走了三点生命值). It also reads amounts without a verb for the character who loses them
// (five hit points gone, 3 points of damage).
func takenClaims(p *parse.Passage) []pointsClaim {
	var out []pointsClaim
	for _, w := range p.Words.All(lexicon.TakeVerb) {
		if c, ok := takenBy(p, w); ok {
			out = append(out, c)
		}
	}
	for _, w := range p.Words.All(lexicon.HPWord) {
		if c, ok := ownAmount(p, w); ok {
			out = append(out, c)
		}
	}
	for _, w := range p.Words.All(lexicon.Damage) {
		if c, ok := damageIs(p, w); ok {
			out = append(out, c)
		}
	}
	for _, t := range []lexicon.Class{lexicon.HPWord, lexicon.Damage} {
		for _, w := range p.Words.All(t) {
			if c, ok := bareAmount(p, w, t); ok {
				out = append(out, c)
			}
		}
	}
	return out
}

// takenBy reads a verb of taking, the target and the amount.
func takenBy(p *parse.Passage, verb lexicon.Span) (pointsClaim, bool) {
	if lexicon.IsHan(p.Chars[verb.Start]) {
		return takenByChinese(p, verb)
	}
	// rips 4 hit points from Su; takes Su for 4 hit points; costs and robs you of 4.
	pos := p.SkipSpace(verb.End)
	if m, ok := p.NamedAt(pos); ok {
		pos = p.SkipSpace(m.End)
		if w := p.WordAt(pos); p.Word(w) == "of" || p.Word(w) == "for" {
			pos = p.SkipSpace(w.End)
		} else if m.Owner || p.Word(m.Span) == "your" {
			return pointsClaim{}, false
		}
		c, ok := lossAt(p, verb, pos)
		c.target = &m
		return c, ok
	}
	for _, particle := range []string{"away", "off", "out", "another", "down", "up"} {
		if w := p.WordAt(pos); p.Word(w) == particle {
			pos = p.SkipSpace(w.End)
		}
	}
	c, ok := lossAt(p, verb, pos)
	if ok {
		c.target = fromTarget(p, c.Span.End)
	}
	return c, c.target != nil
}

// lossAt reads how many hit points a verb takes, from pos on. It does not find the character.
func lossAt(p *parse.Passage, verb lexicon.Span, pos int) (pointsClaim, bool) {
	n, ok := amount(p, pos)
	if !ok || n.Value == 0 {
		return pointsClaim{}, false
	}
	w, ok := unitAfter(p, n, lexicon.HPWord)
	return pointsClaim{Span: lexicon.Between(verb.Start, w.End), Delta: -n.Value}, ok
}

// fromTarget returns the mention after "from", "off" or "out of" at pos.
func fromTarget(p *parse.Passage, pos int) *parse.Mention {
	for range 3 {
		w := p.WordAt(p.SkipSpace(pos))
		switch p.Word(w) {
		case "from", "off", "of", "out", "away", "straight", "right":
			pos = w.End
			if m, ok := p.CalledAt(p.SkipSpace(pos)); ok {
				return &m
			}
			continue
		}
		return nil
	}
	return nil
}

// takenByChinese reads 夺走了她三点生命, 从她身上夺走三点生命 and 被…夺走了三点生命值.
func takenByChinese(p *parse.Passage, verb lexicon.Span) (pointsClaim, bool) {
	pos := p.SkipWords(verb.End, lexicon.AmountFiller)
	var target *parse.Mention
	if m, ok := p.CalledAt(pos); ok {
		target = &m
		pos = m.End
		if p.Is(pos, '的') {
			pos++
		}
		pos = p.SkipWords(pos, lexicon.AmountFiller)
	}
	c, ok := lossAt(p, verb, pos)
	if c.target = target; !ok || target != nil {
		return c, ok
	}
	i := p.ClauseAt(verb.Start)
	if i < 0 {
		return c, false
	}
	from := p.Clauses[i].Start
	for at := verb.Start - 1; at >= max(from, verb.Start-14); at-- {
		switch p.Chars[at] {
		case '被', '遭': // the subject is the target
			if m, ok := p.LastCalled(from, at); ok && !p.Words.Has(m.End, at, lexicon.Creature) {
				c.target = &m
				return c, true
			}
			c.victim = p.Opens(from, at)
			return c, c.victim
		case '从', '自':
			if m, ok := p.LastCalled(at, verb.Start); ok {
				c.target = &m
				return c, true
			}
			return c, false
		}
	}
	return c, false
}

// ownAmount reads a part of a character's hit points that is taken or gone (4 of Su's hit points),
// and a character who is poorer by an amount (you were three hit points poorer).
func ownAmount(p *parse.Passage, unit lexicon.Span) (pointsClaim, bool) {
	if !lexicon.IsLetter(p.Chars[unit.Start]) {
		return pointsClaim{}, false
	}
	k := p.ClauseAt(unit.Start)
	if k < 0 {
		return pointsClaim{}, false
	}
	from := p.Clauses[k].Start
	_, gone := p.Words.At(lexicon.GoneWord, p.SkipWords(unit.End, lexicon.Filler))
	m, owned := p.LastCalled(max(from, unit.Start-24), unit.Start)
	if owned && m.Owner {
		of := p.WordBefore(from, m.Start)
		n, ok := numberBefore(p, from, of.Start)
		taken := p.Words.Has(max(from, n.Start-24), n.Start, lexicon.TakeVerb, lexicon.LossVerb)
		if p.Word(of) != "of" || !ok || n.Value == 0 || !gone && !taken {
			return pointsClaim{}, false
		}
		m.Span = lexicon.Between(n.Start, unit.End)
		return pointsClaim{Span: m.Span, Delta: -n.Value, target: &m}, true
	}
	n, ok := numberBefore(p, from, unit.Start)
	if !ok || n.Value == 0 || !gone || !p.Passive(n.Start) {
		return pointsClaim{}, false
	}
	return pointsClaim{Span: lexicon.Between(n.Start, unit.End), Delta: -n.Value}, true
}

// maxFor is the maximum distance, in characters, between "for" and the word for damage: for eight
// points of lightning damage.
const maxFor = 40

// bareAmount reads an amount that begins its clause or bracket without a verb of its own: "three
// points of damage", "five hit points gone", 五点血没了, 2点伤害.
func bareAmount(p *parse.Passage, unit lexicon.Span, t lexicon.Class) (pointsClaim, bool) {
	i := p.ClauseAt(unit.Start)
	if i < 0 || isLimit(p, unit) {
		return pointsClaim{}, false
	}
	start := p.Clauses[i].Start
	// … snaps shut on your ankle for 3 points of damage.
	dealt := false
	for _, w := range p.Words.All(lexicon.ForWord)[p.Words.From(lexicon.ForWord, max(start, unit.Start-maxFor)):] {
		if w.Start >= unit.Start {
			break
		}
		start, dealt = p.SkipSpace(w.End), true
	}
	lead := p.SkipFillers(start, unit.Start)
	if open := bracketBefore(p, start, unit.Start); open >= lead { // through your shoulder (5 damage)
		lead = open
	}
	if p.IsOneOf(lead, "（([【") {
		lead++
	}
	if _, counted := p.NumberAt(lead); !counted {
		lead = p.SkipWords(lead, lexicon.AmountFiller, lexicon.Determiner, lexicon.FragmentLead)
	}
	n, ok := amount(p, lead)
	if !ok || n.Value == 0 || n.Start-lead > 16 {
		return pointsClaim{}, false
	}
	if _, named := p.LastCalled(lead, n.Start); named { // Su is three hit points short
		return pointsClaim{}, false
	}
	if w, ok := unitAfter(p, n, t); !ok || w != unit {
		return pointsClaim{}, false
	}
	c := pointsClaim{Span: lexicon.Between(n.Start, unit.End), Delta: -n.Value, victim: true, dealt: dealt}
	after := p.SkipWords(unit.End, lexicon.AmountFiller, lexicon.Filler)
	gone, lost := p.Words.At(lexicon.GoneWord, after)
	if t == lexicon.Damage {
		// 5点伤害减免 and 3 points of damage reduction are not claims.
		return c, p.EndsClause(p.SkipWords(unit.End, lexicon.FragmentEnd)) || lost || p.IsOneOf(p.SkipSpace(unit.End), "）)]】") ||
			p.Words.HasAt(lexicon.GetsThrough, p.SkipSpace(unit.End)) && i > 0 && strikesWorn(p, p.Clauses[i-1].Span)
	}
	c.End = max(c.End, gone.End)
	switch p.Word(gone) {
	case "down", "poorer", "lighter", "worse", "short", "the poorer", "the lighter", "the worse": // …, one hit point down
		c.victim, c.loose = false, true
	}
	return c, lost
}

// strikesWorn reports whether a clause describes a blow to clothes or to a part of the body: takes
// the axe on his mail.
func strikesWorn(p *parse.Passage, clause lexicon.Span) bool {
	m, ok := p.LastCalled(clause.Start, clause.End)
	if !ok || !p.IsPossessor(m) {
		return false
	}
	switch on := p.WordBefore(clause.Start, m.Start); p.Word(on) {
	case "on", "against", "across", "into", "through":
	default:
		return false
	}
	part := p.SkipSpace(m.End)
	switch p.Word(p.WordAt(part)) {
	case "mail", "armor", "armour", "shield", "buckler", "plate", "breastplate", "helm", "helmet", "vest", "coat", "jacket",
		"leathers", "guard", "gauntlet", "cloak", "ward", "wards":
		return true
	}
	return p.PartOfBody(part)
}

// damageIs reads a clause that begins with the word for damage and ends with the amount: …，伤害4点;
// damage: 5.
func damageIs(p *parse.Passage, w lexicon.Span) (pointsClaim, bool) {
	i := p.ClauseAt(w.Start)
	if i < 0 || p.Clauses[i].First && !p.WordIs(p.SkipSpace(w.End), "taken") || !p.Opens(p.Clauses[i].Start, w.Start) || w.End-w.Start < 2 {
		return pointsClaim{}, false
	}
	pos := p.SkipWords(w.End, lexicon.AmountFiller)
	switch taken := p.WordAt(p.SkipSpace(pos)); p.Word(taken) {
	case "taken", "received", "suffered", "sustained", "dealt":
		pos = taken.End
	}
	for p.IsOneOf(pos, ":为是 ") {
		pos++
	}
	n, ok := p.NumberAt(pos)
	if !ok || n.Value == 0 || n.Vague {
		return pointsClaim{}, false
	}
	end := n.End
	if p.Is(end, '点') {
		end++
	}
	return pointsClaim{Span: lexicon.Between(w.Start, end), Delta: -n.Value, victim: true}, p.EndsClause(end)
}

// bracketBefore returns the position of the last opening bracket in [start, end), -1 if there is
// none.
func bracketBefore(p *parse.Passage, start, end int) int {
	for i := end - 1; i >= max(start, end-maxFor); i-- {
		if p.IsOneOf(i, "（([【") {
			return i
		}
	}
	return -1
}

// struck reports whether [start, end) contains a passive verb of striking: is hit twice.
func struck(p *parse.Passage, start, end int) bool {
	for _, w := range p.Words.All(lexicon.StrikeVerb)[p.Words.From(lexicon.StrikeVerb, start):] {
		if w.Start >= end {
			break
		}
		if isStruck(p, w) {
			return true
		}
	}
	return false
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

// isNear reports whether a mention only gives the position of something else: hits the door behind
// her, but not behind her knee.
func isNear(p *parse.Passage, m parse.Mention) bool {
	if p.IsPossessor(m) && p.PartOfBody(p.SkipSpace(m.End)) {
		return false
	}
	w := p.WordBefore(0, m.Start)
	switch p.Word(w) {
	case "behind", "beside", "near", "above", "below", "beneath", "around", "past", "over", "beyond":
		return true
	case "to":
		return p.WordBeforeIs(w.Start, "next") || p.WordBeforeIs(w.Start, "close")
	case "of":
		return p.WordBeforeIs(w.Start, "front") || p.WordBeforeIs(w.Start, "ahead")
	}
	return false
}

// victim returns the character of a loss without a stated subject. It is the last object or
// possessor in the sentence or the sentence before (found your jaw). It is the subject if the words
// say that the blow was its own (she hits the rocks).
func victim(p *parse.Passage, claim pointsClaim) parse.Subject {
	i := p.SentenceAt(claim.Start)
	if i < 0 {
		return parse.Nobody
	}
	from := p.Sentences[i].Start
	m, ok := p.LastCalled(from, claim.Start)
	if !ok && i > 0 {
		from = p.Sentences[i-1].Start
		m, ok = p.LastCalled(from, claim.Start)
	}
	if !ok || len(m.IDs) == 0 || p.Words.Has(m.End, claim.Start, lexicon.Creature, lexicon.Perception) {
		return parse.Nobody
	}
	if isNear(p, m) {
		return parse.Nobody
	}
	if p.ByAgent(m) { // Su is hit by Bram's ice lance
		struckOne, ok := p.Opener(p.Sentences[p.SentenceAt(m.Start)].Span)
		if !ok || struckOne.Start >= m.Start || !struck(p, struckOne.End, m.Start) {
			return parse.Nobody
		}
		return parse.Subject{IDs: struckOne.IDs, Party: struckOne.Party}
	}
	// 加雷斯替妳挡下了那一箭: a character who protects another takes the damage.
	if p.IsOneOf(m.Start-1, "替护") {
		if m, ok = p.Opener(p.Sentences[p.SentenceAt(m.Start)].Span); !ok {
			return parse.Nobody
		}
		return parse.Subject{IDs: m.IDs, Party: m.Party}
	}
	// The attacker does not take the damage, unless the words say so.
	if j := p.ClauseAt(m.Start); j >= 0 && p.Opens(p.Clauses[j].Start, m.Start) &&
		(claim.dealt || !p.Words.Has(from, claim.Start, lexicon.SelfHarm)) && !struck(p, m.End, claim.Start) {
		return parse.Nobody
	}
	return parse.Subject{IDs: m.IDs, Party: m.Party}
}

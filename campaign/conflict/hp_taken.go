package conflict

import "slices"

// takenClaims reads hit points that something takes from somebody (strips four hit points
// from you, 夺走了她三点生命, 被它夺走了三点生命值), and amounts that are told without a verb
// for the one who loses them (five hit points gone, 3 points of damage).
func (r *Reading) takenClaims() []hpClaim {
	var out []hpClaim
	for _, w := range r.words[takeVerb] {
		if c, ok := r.takenBy(w); ok {
			out = append(out, c)
		}
	}
	for _, w := range r.words[hpWord] {
		if c, ok := r.ownAmount(w); ok {
			out = append(out, c)
		}
	}
	for _, t := range []tag{hpWord, damage} {
		for _, w := range r.words[t] {
			if c, ok := r.bareAmount(w, t); ok {
				out = append(out, c)
			}
		}
	}
	return out
}

// takenBy reads a verb of taking, whom it takes from, and how much.
func (r *Reading) takenBy(verb span) (hpClaim, bool) {
	if isHan(r.text[verb.start]) {
		return r.takenByChinese(verb)
	}
	// rips 4 hit points from Su; takes Su for 4 hit points; costs and robs you of 4.
	pos := r.skipSpace(verb.end)
	if m, ok := r.namedAt(pos); ok {
		pos = r.skipSpace(m.end)
		if w := r.wordAt(pos); r.word(w) == "of" || r.word(w) == "for" {
			pos = r.skipSpace(w.end)
		} else if m.owner || r.word(m.span) == "your" {
			return hpClaim{}, false
		}
		c, ok := r.lossAt(verb, pos)
		c.target = &m
		return c, ok
	}
	for _, particle := range []string{"away", "off", "out", "another", "down", "up"} {
		if w := r.wordAt(pos); r.word(w) == particle {
			pos = r.skipSpace(w.end)
		}
	}
	c, ok := r.lossAt(verb, pos)
	if ok {
		c.target = r.fromTarget(c.span.end)
	}
	return c, c.target != nil
}

// lossAt reads how many hit points a verb takes, from pos on. Of whom is open.
func (r *Reading) lossAt(verb span, pos int) (hpClaim, bool) {
	n, ok := r.amount(pos)
	if !ok || n.value == 0 {
		return hpClaim{}, false
	}
	w, ok := r.unitAfter(n, hpWord)
	return hpClaim{span: span{verb.start, w.end}, delta: -n.value}, ok
}

// fromTarget returns the mention after "from", "off" or "out of" at pos.
func (r *Reading) fromTarget(pos int) *mention {
	for range 3 {
		w := r.wordAt(r.skipSpace(pos))
		switch r.word(w) {
		case "from", "off", "of", "out", "away", "straight", "right":
			pos = w.end
			if m, ok := r.calledAt(r.skipSpace(pos)); ok {
				return &m
			}
			continue
		}
		return nil
	}
	return nil
}

// calledAt returns the mention that begins at pos, also a possessor: off Eli's total.
func (r *Reading) calledAt(pos int) (mention, bool) {
	m, ok := r.lastCalled(pos, pos+1)
	return m, ok && m.start == pos
}

// takenByChinese reads 夺走了她三点生命, 从她身上夺走三点生命 and 被…夺走了三点生命.
func (r *Reading) takenByChinese(verb span) (hpClaim, bool) {
	pos := r.skipWords(verb.end, amountFiller)
	var target *mention
	if m, ok := r.calledAt(pos); ok {
		target = &m
		pos = m.end
		if r.is(pos, '的') {
			pos++
		}
		pos = r.skipWords(pos, amountFiller)
	}
	c, ok := r.lossAt(verb, pos)
	if c.target = target; !ok || target != nil {
		return c, ok
	}
	i := r.clauseAt(verb.start)
	if i < 0 {
		return c, false
	}
	from := r.clauses[i].start
	for p := verb.start - 1; p >= max(from, verb.start-14); p-- {
		switch r.text[p] {
		case '被', '遭': // the subject suffers
			if m, ok := r.lastCalled(from, p); ok && !r.words.has(m.end, p, creature) {
				c.target = &m
				return c, true
			}
			c.victim = r.opens(from, p)
			return c, c.victim
		case '从', '自':
			if m, ok := r.lastCalled(p, verb.start); ok {
				c.target = &m
				return c, true
			}
			return c, false
		}
	}
	return c, false
}

// ownAmount reads a part of somebody's hit points that is taken or gone (4 of Su's hit
// points), and somebody told poorer by an amount (you were three hit points poorer).
func (r *Reading) ownAmount(unit span) (hpClaim, bool) {
	if !isLetter(r.text[unit.start]) {
		return hpClaim{}, false
	}
	k := r.clauseAt(unit.start)
	if k < 0 {
		return hpClaim{}, false
	}
	from := r.clauses[k].start
	_, gone := r.words.at(goneWord, r.skipWords(unit.end, filler))
	m, owned := r.lastCalled(max(from, unit.start-24), unit.start)
	if owned && m.owner {
		of := r.wordBefore(from, m.start)
		n, ok := r.numberBefore(from, of.start)
		taken := r.words.has(max(from, n.start-24), n.start, takeVerb, lossVerb)
		if r.word(of) != "of" || !ok || n.value == 0 || !gone && !taken {
			return hpClaim{}, false
		}
		m.span = span{n.start, unit.end}
		return hpClaim{span: m.span, delta: -n.value, target: &m}, true
	}
	n, ok := r.numberBefore(from, unit.start)
	if !ok || n.value == 0 || !gone || !r.passive(n.start) {
		return hpClaim{}, false
	}
	return hpClaim{span: span{n.start, unit.end}, delta: -n.value}, true
}

// numberBefore returns the number that the word before end is.
func (r *Reading) numberBefore(from, end int) (number, bool) {
	w := r.wordBefore(from, end)
	if w.start == w.end {
		return number{}, false
	}
	return r.numberAt(w.start)
}

// bareAmount reads an amount that opens its clause or bracket without a verb of its own:
// "three points of damage", "five hit points gone", 五点血没了, 2点伤害.
func (r *Reading) bareAmount(unit span, t tag) (hpClaim, bool) {
	i := r.clauseAt(unit.start)
	if i < 0 || r.isLimit(unit) {
		return hpClaim{}, false
	}
	start := r.clauses[i].start
	// … snaps shut on your ankle for 3 points of damage.
	dealt := false
	for _, w := range r.words[forWord][r.words.from(forWord, max(start, unit.start-28)):] {
		if w.start >= unit.start {
			break
		}
		start, dealt = r.skipSpace(w.end), true
	}
	lead := r.skipFillers(start, unit.start)
	if r.isOneOf(lead, "（([【") {
		lead++
	}
	lead = r.skipWords(lead, amountFiller, determiner)
	n, ok := r.amount(lead)
	if !ok || n.value == 0 || n.start-lead > 16 {
		return hpClaim{}, false
	}
	if w, ok := r.unitAfter(n, t); !ok || w != unit {
		return hpClaim{}, false
	}
	c := hpClaim{span: span{n.start, unit.end}, delta: -n.value, victim: true, dealt: dealt}
	after := r.skipWords(unit.end, amountFiller, filler)
	gone, lost := r.words.at(goneWord, after)
	if t == damage {
		// 5点伤害减免, 3 points of damage reduction are none.
		return c, r.endsClause(unit.end) || lost || r.isOneOf(r.skipSpace(unit.end), "）)]】")
	}
	c.end = max(c.end, gone.end)
	return c, lost
}

// victim returns who suffers a loss that is told without saying so: the object or
// possessor named last in the sentence or the one before (found your jaw), or the subject
// where the words tell that the blow was its own (she hits the rocks).
func (r *Reading) victim(claim hpClaim) subject {
	i := r.sentenceAt(claim.start)
	if i < 0 {
		return nobody
	}
	from := r.sentences[i].start
	m, ok := r.lastCalled(from, claim.start)
	if !ok && i > 0 {
		from = r.sentences[i-1].start
		m, ok = r.lastCalled(from, claim.start)
	}
	if !ok || len(m.ids) == 0 || r.words.has(m.end, claim.start, creature, perception) {
		return nobody
	}
	// Who strikes is not who suffers, unless the words say so.
	if j := r.clauseAt(m.start); j >= 0 && r.opens(r.clauses[j].start, m.start) &&
		(claim.dealt || !r.words.has(from, claim.start, selfHarm)) {
		return nobody
	}
	return subject{ids: m.ids, party: m.party}
}

func (r *Reading) isPossessor(m mention) bool {
	_, ok := slices.BinarySearchFunc(r.possessors, m.start, func(p mention, at int) int { return p.start - at })
	return ok
}

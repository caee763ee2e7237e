package conflict

// hpClaims returns what the text says about hit points, in order.
func (r *Reading) hpClaims() []hpClaim {
	var out []hpClaim
	add := func(c hpClaim, ok bool) {
		if ok {
			out = append(out, c)
		}
	}
	each := func(t tag, read func(span) (hpClaim, bool)) {
		for _, w := range r.words[t] {
			add(read(w))
		}
	}
	// English loses hit points and damage alike, Chinese 失去 only the former.
	each(lossVerb, func(w span) (hpClaim, bool) {
		if c, ok := r.amountOf(w, hpWord, -1); ok || isHan(r.text[w.start]) {
			return c, ok
		}
		return r.amountOf(w, damage, -1)
	})
	each(hurtVerb, func(w span) (hpClaim, bool) { return r.amountOf(w, damage, -1) })
	each(gainVerb, func(w span) (hpClaim, bool) {
		if c, ok := r.givenTo(w); ok {
			return c, true
		}
		return r.amountOf(w, hpWord, +1)
	})
	each(dealVerb, r.dealtTo)
	each(costVerb, r.costs)
	each(strikeVerb, func(w span) (hpClaim, bool) { return r.strikesFor(w, damage, -1) })
	each(healVerb, func(w span) (hpClaim, bool) { return r.strikesFor(w, hpWord, +1) })
	each(hpWord, r.hpWordClaim)
	each(downTo, r.leftWith)
	each(haveVerb, r.haveLeft)
	out = append(out, r.tableClaims()...)
	out = append(out, r.takenClaims()...)
	out = append(out, r.standingClaims()...)
	return inOrder(out, func(c hpClaim) span { return c.span })
}

// amountOf reads "verb N points of noun": 失去了5点生命值, takes 6 points of fire
// damage. sign is the direction of the verb.
func (r *Reading) amountOf(verb span, noun tag, sign int) (hpClaim, bool) {
	if r.participle(verb) {
		return hpClaim{}, false
	}
	// 治愈了你4点生命值 names its target before the number.
	pos := r.skipSpace(r.skipWords(verb.end, amountFiller))
	var target *mention
	if m, ok := r.namedAt(pos); ok && isHan(r.text[verb.start]) {
		target = &m
		pos = r.skipWords(m.end, amountFiller)
	}
	n, ok := r.amount(pos)
	if !ok || n.value == 0 {
		return hpClaim{}, false
	}
	w, ok := r.unitAfter(n, noun)
	if !ok {
		return hpClaim{}, false
	}
	c := hpClaim{span: span{verb.start, w.end}, delta: sign * n.value, vague: n.vague}
	// "restores 5 hp to Su" names it after; "lose 5 hp to poison" names none.
	if target == nil && !r.words.hasAt(lossVerb, verb.start) && noun != damage {
		target = r.toTarget(w.end)
	}
	c.target = target
	return c, true
}

// givenTo reads "gives Lin back three hit points".
func (r *Reading) givenTo(verb span) (hpClaim, bool) {
	m, ok := r.namedAt(r.skipSpace(verb.end))
	if !ok || m.owner || !isLetter(r.text[verb.start]) {
		return hpClaim{}, false
	}
	if back := r.wordAt(r.skipSpace(m.end)); r.word(back) == "back" {
		m.end = back.end
	}
	return r.numbered(verb, m, hpWord, +1)
}

// participle reports whether an English verb in -ing tells no fact: it does so
// only where it goes on after a comma (…, losing 4 hp).
func (r *Reading) participle(verb span) bool {
	n := verb.end - verb.start
	if n < 4 || r.ascii[verb.end-3:verb.end] != "ing" {
		return false
	}
	i := r.clauseAt(verb.start)
	return i < 0 || r.clauses[i].first || !r.opens(r.clauses[i].start, verb.start)
}

// amount reads a number at pos, in English after at most two words that qualify
// it: a nasty 6, an additional four.
func (r *Reading) amount(pos int) (number, bool) {
	for range 3 {
		if n, ok := r.numberAt(pos); ok {
			return n, true
		}
		w := r.wordAt(pos)
		if w.start == w.end || isDigit(r.text[w.start]) || !r.is(w.end, ' ') {
			break
		}
		if _, ok := r.words.at(preposition, pos); ok {
			break
		}
		pos = r.skipSpace(w.end)
	}
	return number{}, false
}

// unitAfter returns the word of the class that follows a number, after 点 and a
// few words that qualify it.
func (r *Reading) unitAfter(n number, noun tag) (span, bool) {
	pos := r.skipSpace(n.end)
	if pos < len(r.text) && isLetter(r.text[pos]) {
		return r.englishUnit(pos, noun)
	}
	// 5点宝贵的生命值, 5点火焰与暗影伤害: the sorts of damage may be longer.
	limit := 5
	if noun == damage {
		limit = 8
	}
	for p := pos; p <= min(pos+limit, len(r.text)-1); p++ {
		if w, ok := r.words.at(noun, p); ok {
			return w, r.clean(pos, p) && !r.isLimit(w)
		}
		if isBreak(r.text[p]) || isWord(r.text[p]) || p > pos && isNumeral(r.text[p]) {
			break
		}
	}
	return span{}, false
}

// englishUnit finds the noun within four words, none of which begins another
// phrase.
func (r *Reading) englishUnit(pos int, noun tag) (span, bool) {
	points := true // 4 of your hit points, points of health; but not potions of health
	for range 5 {
		if w, ok := r.words.at(noun, pos); ok {
			return w, true
		}
		w := r.wordAt(pos)
		if word := r.word(w); word == "of" && !points {
			return span{}, false
		} else if word != "of" {
			points = word == "point" || word == "points"
		}
		switch r.word(w) {
		case "", "and", "or", "to", "from", "but", "with", "by", "for", "the", "a", "an", "on",
			"in", "at", "temporary", "temp", "max", "maximum", "bonus", "less", "fewer", "no":
			return span{}, false
		}
		if isDigit(r.text[w.start]) || !r.is(w.end, ' ') {
			return span{}, false
		}
		pos = r.skipSpace(w.end)
	}
	return span{}, false
}

// isLimit reports whether an hp word speaks of the limit and not of the hit
// points: 生命值上限, 最大生命值, max hp.
func (r *Reading) isLimit(w span) bool {
	if r.isOneOf(w.end, "上") && r.is(w.end+1, '限') || r.is(w.start-1, '大') {
		return true
	}
	before := r.wordBefore(0, w.start)
	switch r.word(before) {
	case "max", "maximum", "temporary", "temp":
		return true
	}
	return false
}

// toTarget returns the mention after "to" at pos: restores 5 hp to Su.
func (r *Reading) toTarget(pos int) *mention {
	if !r.is(pos, ' ') {
		return nil
	}
	w := r.wordAt(pos + 1)
	if word := r.word(w); word != "to" && word != "for" {
		return nil
	}
	if m, ok := r.namedAt(r.skipSpace(w.end)); ok {
		return &m
	}
	if word := r.text[w.start]; word == 't' {
		return &mention{} // to somebody untracked
	}
	return nil
}

// dealtTo reads damage done to a tracked target: 对你造成5点伤害, deals 5 damage
// to Su, deals Su 5 damage. Damage that names no target is no claim.
func (r *Reading) dealtTo(verb span) (hpClaim, bool) {
	if isHan(r.text[verb.start]) {
		c, ok := r.amountOf(verb, damage, -1)
		if !ok || c.target != nil {
			return c, ok
		}
		if c.target = r.sufferer(verb.start); c.target != nil {
			return c, true
		}
		// 砸在程默的手背上，造成2点伤害: the one hit is named before.
		i := r.clauseAt(verb.start)
		c.victim, c.dealt = i >= 0 && r.opens(r.clauses[i].start, verb.start), true
		return c, c.victim
	}
	if m, ok := r.namedAt(r.skipSpace(verb.end)); ok {
		return r.numbered(verb, m, damage, -1)
	}
	c, ok := r.amountOf(verb, damage, -1)
	if ok {
		c.target = r.toTarget(c.end)
	}
	return c, ok && c.target != nil
}

// sufferer returns the mention after 对, 给 or 让 that stands shortly before pos.
func (r *Reading) sufferer(pos int) *mention {
	i := r.clauseAt(pos)
	if i < 0 {
		return nil
	}
	m, ok := r.lastMention(r.clauses[i].start, pos)
	if !ok || m.owner || pos-m.end > 6 || !r.isOneOf(m.start-1, "对给让为向使令") {
		return nil
	}
	if r.words.has(m.end, pos, negation, intention) {
		return nil
	}
	// 对苏晴的护盾造成…: the shield suffers.
	for p := m.end; p < pos; p++ {
		if r.text[p] == '的' {
			return nil
		}
	}
	return &m
}

// costs reads "costs Su 3 hp".
func (r *Reading) costs(verb span) (hpClaim, bool) {
	m, ok := r.namedAt(r.skipSpace(verb.end))
	if !ok {
		return hpClaim{}, false
	}
	return r.numbered(verb, m, hpWord, -1)
}

// numbered reads "verb X N noun".
func (r *Reading) numbered(verb span, m mention, noun tag, sign int) (hpClaim, bool) {
	n, ok := r.amount(r.skipSpace(m.end))
	if !ok || n.value == 0 {
		return hpClaim{}, false
	}
	w, ok := r.unitAfter(n, noun)
	return hpClaim{span: span{verb.start, w.end}, delta: sign * n.value, target: &m}, ok
}

// strikesFor reads "hits Su for 5 damage", "heals you for 4 hp" and "is hit for
// 5 damage".
func (r *Reading) strikesFor(verb span, noun tag, sign int) (hpClaim, bool) {
	pos := verb.end
	var target *mention
	if m, ok := r.namedAt(r.skipSpace(verb.end)); ok {
		target, pos = &m, m.end
	} else if !r.passive(verb.start) {
		return hpClaim{}, false
	}
	for n := 0; !r.wordBeforeIs(pos, "for"); n++ {
		w := r.wordAt(r.skipSpace(pos))
		if w.start == w.end || n == 5 {
			return hpClaim{}, false
		}
		pos = w.end
	}
	n, ok := r.amount(r.skipSpace(pos))
	if !ok || n.value == 0 {
		return hpClaim{}, false
	}
	end, ok := r.pointsAfter(n, noun)
	return hpClaim{span: span{verb.start, end}, delta: sign * n.value, target: target}, ok
}

// wordBeforeIs reports whether the word before pos is w.
func (r *Reading) wordBeforeIs(pos int, w string) bool {
	s := r.wordBefore(0, pos)
	return r.word(s) == w
}

// pointsAfter returns the end of "N", "N points" or "N damage".
func (r *Reading) pointsAfter(n number, noun tag) (int, bool) {
	// Without a unit the number must be the end of it: "stabs you for 4." but not
	// "shot you for 4 coins".
	for _, t := range []tag{noun, damage, hpWord} {
		if w, ok := r.unitAfter(n, t); ok {
			return w.end, true
		}
	}
	w := r.wordAt(r.skipSpace(n.end))
	switch r.word(w) {
	case "":
		return n.end, n.end == len(r.text) || !isHan(r.text[n.end])
	case "point", "points":
		return w.end, true
	case "and", "before", "as", "with":
		return n.end, true
	}
	return n.end, false
}

package conflict

// detectLife reports death, unconsciousness and revival told of characters whose state
// is another. Death supports unconsciousness, not the reverse; only the dead can be
// told alive again wrongly.
func detectLife(r *Reading) []Conflict {
	out := r.livesTold(dead, "dead")
	out = append(out, r.livesTold(killed, "dead")...)
	out = append(out, r.livesTold(downed, "downed")...)
	for _, claim := range r.doneTo() {
		c := r.character(claim.target.ids[0])
		if c != nil && r.asserted(claim.span) && !r.lifeSupports(c, claim.state) {
			out = append(out, r.lifeConflict(c, claim.span, claim.state))
		}
	}
	return append(out, r.livesTold(revived, "alive")...)
}

func (r *Reading) livesTold(t tag, state string) []Conflict {
	var out []Conflict
	last := 0
	for _, w := range r.words[t] {
		if w.start < last {
			continue // the end of a longer phrase: is knocked out
		}
		last = w.end
		if t == killed && !r.suffered(w) || !r.predicate(w) || !r.asserted(w) {
			continue
		}
		for _, id := range r.lifeSubject(w.start).ids {
			c := r.character(id)
			if c == nil || r.lifeSupports(c, state) {
				continue
			}
			out = append(out, r.lifeConflict(c, w, state))
		}
	}
	return out
}

func (r *Reading) lifeConflict(c *Character, quote span, state string) Conflict {
	return Conflict{
		Kind:        LifeStateUnsettled,
		Severity:    Block,
		Field:       "alive_state",
		EntityID:    c.ID,
		Expected:    Facts{"alive_state": c.AliveState},
		Found:       Facts{"claimed_alive_state": state},
		Quote:       r.quote(quote),
		Instruction: r.instruction(LifeStateUnsettled),
	}
}

// lifeSupports reports whether the state, or what this character went through in the
// turn, supports that it is told dead, downed or alive again. What happened to somebody else, and a
// wound that left it standing, support nothing.
func (r *Reading) lifeSupports(c *Character, state string) bool {
	if state == "alive" {
		return c.AliveState != "dead"
	}
	if c.AliveState == "dead" || r.wasOnce(c.ID, "dead") {
		return true
	}
	if state == "dead" {
		return false
	}
	if c.AliveState == "downed" || c.Unconscious || r.wasOnce(c.ID, "downed") {
		return true
	}
	for _, ch := range r.hpChanges(c.ID) {
		if ch.After == 0 {
			return true // fell, and was raised again within the turn
		}
	}
	return false
}

// predicate reports whether a word of life and death says that it happened, and
// is no part of a noun or of an idiom.
func (r *Reading) predicate(w span) bool {
	if isHan(r.text[w.start]) {
		return r.chinesePredicate(w)
	}
	if r.words.hasAt(lifeless, w.start) && !r.passive(w.start) {
		return r.afterCollapse(w)
	}
	if n := w.end - w.start; n > 5 && r.word(span{w.end - 4, w.end}) == "gone" {
		k := r.sentenceAt(w.start)
		return k >= 0 && r.endsOrTime(w.end) && r.words.has(r.sentences[k].start, w.start, deadly)
	}
	if r.word(w) == "die" {
		// "the die" is a dice.
		before := r.wordBefore(0, w.start)
		if r.words.hasAt(determiner, before.start) && before.start < before.end {
			return false
		}
	}
	if r.word(w) == "knocked out" && !r.passive(w.start) {
		return false
	}
	return !r.figurative(w.end)
}

// endsOrTime reports whether a clause ends at pos or goes on with a time: gone before ….
func (r *Reading) endsOrTime(pos int) bool {
	switch w := r.wordAt(r.skipSpace(pos)); r.word(w) {
	case "before", "by", "when", "in", "within", "and":
		return true
	}
	return r.endsClause(pos)
}

// figurative reports whether "is dead" or "dies" goes on in a way that is no
// death: dead tired, dies down.
func (r *Reading) figurative(pos int) bool {
	next := r.wordAt(r.skipSpace(pos))
	switch r.word(next) {
	case "tired", "silent", "set", "sure", "certain", "serious", "wrong", "calm", "quiet",
		"ahead", "center", "centre", "down", "away", "out", "off", "laughing", "inside",
		"weight", "end", "to":
		return true
	}
	after := r.wordAt(r.skipSpace(next.end))
	if r.word(next) == "a" && (r.word(after) == "little" || r.word(after) == "bit") {
		return true
	}
	return r.word(next) == "on" && r.words.hasAt(determiner, after.start) && r.word(after) != "the"
}

// afterCollapse reports whether a bare "dead" or "unconscious" follows a verb of falling and a
// comma: Su collapses, dead.
func (r *Reading) afterCollapse(w span) bool {
	if r.figurative(w.end) {
		return false
	}
	end := w.start
	for end > 0 && (r.text[end-1] == ' ' || r.text[end-1] == ',') {
		end--
	}
	// …slumps over the bar, unconscious: an apposition after words of falling.
	if i := r.clauseAt(w.start); i > 0 && !r.clauses[i].first && r.opens(r.clauses[i].start, w.start) {
		return r.words.has(r.clauses[i-1].start, r.clauses[i-1].end, selfHarm, falling)
	}
	before := r.wordBefore(0, end)
	switch r.word(before) {
	case "collapses", "collapse", "collapsed", "falls", "fall", "fell", "drops", "dropped",
		"ground", "floor", "over", "down":
		return r.clauseAt(w.start) != r.clauseAt(before.start)
	}
	return false
}

// suffered reports whether 被 stands before a Chinese verb of killing, after the
// last mention, so that the mention is the one killed.
func (r *Reading) suffered(w span) bool {
	for p := w.start - 1; p >= max(0, w.start-10) && !isBreak(r.text[p]); p-- {
		if r.text[p] == '被' {
			return true
		}
	}
	return false
}

// passive reports whether a form of "to be" or "to get" stands before pos.
func (r *Reading) passive(pos int) bool {
	w := r.wordBefore(0, pos)
	switch r.word(w) {
	case "is", "are", "was", "were", "been", "get", "gets", "got", "being", "re", "s":
		return true
	}
	return false
}

// chinesePredicate reports whether the word is told as an event: not 死亡的气息,
// 昏迷中, nor after 杀死, 看着, 面对 and their like.
func (r *Reading) chinesePredicate(w span) bool {
	if d, ok := r.words.within(deadly, max(0, w.start-8), w.start); ok &&
		r.unbroken(d.end, w.start) {
		return false
	}
	if r.is(w.end, '的') {
		return false
	}
	switch string(r.text[w.start:w.end]) {
	// These two are nouns as well: 死亡的气息, 从昏迷中醒来.
	case "死亡":
		return r.endsClause(w.end) && !r.isOneOf(w.start-1, "的亡着到")
	case "昏迷":
		return !r.isOneOf(w.start-1, "从自于") && !r.isOneOf(w.end, "中术咒药")
	}
	return true
}

// endsClause reports whether the clause ends at pos, save for 了.
func (r *Reading) endsClause(pos int) bool {
	if r.is(pos, '了') {
		pos++
	}
	pos = r.skipSpace(pos)
	return pos >= len(r.text) || isBreak(r.text[pos])
}

// lifeSubject returns who died or fell: the mention in the clause itself, or the
// one that began the clause before, if the claim opens its own.
func (r *Reading) lifeSubject(pos int) subject {
	i := r.clauseAt(pos)
	if i < 0 {
		return nobody
	}
	c := r.clauses[i]
	if m, ok := r.vitalsOf(c, pos); ok {
		return subject{ids: m.ids}
	}
	if m, ok := r.lastMention(c.start, pos); ok {
		// A creature in between is the likelier victim: 林远一剑刺去守卫当场毙命. After
		// 被 it is the one who kills.
		other, found := r.words.within(otherSubject, m.end, pos)
		if !r.governs(m, c, pos) || m.owner || found && !r.is(other.start-1, '被') {
			return nobody
		}
		return subject{ids: m.ids, party: m.party}
	}
	if c.first || !r.opens(c.start, pos) {
		return nobody
	}
	if m, ok := r.opener(r.clauses[i-1].span); ok && !r.words.has(m.end, pos, creature) {
		return subject{ids: m.ids, party: m.party}
	}
	// …and Dolores slumps over the bar, unconscious: the last subject of the sentence.
	m, ok := r.lastMention(r.sentences[c.sentence].start, pos)
	if ok && len(m.ids) > 0 && !r.words.has(m.end, pos, creature, perception) &&
		!r.isTakenObject(m, r.clauses[i-1].start) {
		return subject{ids: m.ids, party: m.party}
	}
	return nobody
}

// vitalsOf returns whose heart, pulse or eyes begin a claim of life at pos.
func (r *Reading) vitalsOf(c clause, pos int) (mention, bool) {
	m, ok := r.lastCalled(c.start, pos+1)
	if !ok || len(m.ids) != 1 || pos-m.end > 12 {
		return mention{}, false
	}
	w, ok := r.words.within(vitals, m.end, min(pos+12, len(r.text)))
	if !ok || w.start > r.skipSpace(r.skipWords(m.end, filler)) {
		return mention{}, false
	}
	return m, r.isPossessor(m) || w.start >= pos
}

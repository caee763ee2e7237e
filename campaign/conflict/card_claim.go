package conflict

import (
	"strconv"
	"strings"
)

// cardClaims returns the claims about cards in the order of the text: labels with
// a verb of change, fixed phrases, what was learnt. Of two that overlap the first
// stands.
func (r *Reading) cardClaims() []cardClaim {
	var out []cardClaim
	for _, w := range r.words[cardLabel] {
		if c, ok := r.labelClaim(w); ok {
			out = append(out, c)
		}
	}
	for _, w := range r.words[cardPhrase] {
		n, numbered := r.numberAt(r.skipSpace(w.end))
		switch {
		case numbered:
			w.end = n.end
		case r.is(w.start, 'r') && r.is(w.end-1, 'l'): // reach level … needs a number
			continue
		case r.leavesCard(w.end): // name is now on the list
			continue
		}
		out = append(out, cardClaim{span: w, field: "card"})
	}
	out = append(out, r.levelClaims()...)
	// 学会了火球术技能, gains a new skill: what was learnt stands between.
	for _, w := range r.words[learns] {
		limit := min(w.end+14, len(r.text))
		if isLetter(r.text[w.start]) {
			limit = min(w.end+32, len(r.text))
		}
		if s, ok := r.words.within(learned, w.end, limit); ok && r.clean(w.end, s.start) &&
			r.taught(w, s) {
			out = append(out, cardClaim{span: span{w.start, s.end}, field: "skills"})
		}
	}
	return inOrder(out, func(c cardClaim) span { return c.span })
}

// taught reports whether what stands between "learns" and "skill" is what was
// learnt, at most four words.
func (r *Reading) taught(verb, noun span) bool {
	if isHan(r.text[verb.start]) {
		return noun.end-verb.end > 1 && !r.isOneOf(noun.end, "师士")
	}
	spaces := 0
	for _, c := range r.text[verb.end:noun.start] {
		if c == ' ' {
			spaces++
		}
	}
	return spaces <= 5 && !r.words.has(verb.end, noun.start, preposition)
}

// labelClaim reads a label, an optional 值 or 点数, and a verb of change.
func (r *Reading) labelClaim(w span) (cardClaim, bool) {
	field := strings.ToLower(r.quote(w))
	if standard, ok := attributes[field]; ok {
		field = standard
	}
	pos := w.end
	if r.is(pos, '值') || r.is(pos, '点') && r.is(pos+1, '数') {
		pos++
		if r.is(pos, '数') {
			pos++
		}
	}
	if r.is(pos, '从') {
		if n, ok := r.numberAt(pos + 1); ok {
			pos = n.end
		}
	}
	// The verb itself first: some verbs begin with an adverb (永久提升, is now).
	v, ok := r.words.at(cardVerb, r.skipSpace(pos))
	if !ok {
		pos = r.skipFillers(pos, min(pos+8, len(r.text)))
		v, ok = r.words.at(cardVerb, pos)
	}
	if !ok || !r.unbroken(w.end, v.start) {
		return cardClaim{}, false
	}
	if r.is(v.end, '了') && isHan(r.text[v.start]) && !r.countsOrEnds(v.end+1) {
		return cardClaim{}, false
	}
	claim := cardClaim{span: span{w.start, v.end}, field: field}
	pos = r.skipWords(v.end, amountFiller)
	if n, ok := r.numberAt(pos); ok {
		claim.end = n.end
		claim.value = r.becomes(v, n)
	} else if r.is(v.start, '+') || r.leavesCard(pos) {
		return cardClaim{}, false
	} else if r.isOneOf(pos, "为到至成") {
		if n, ok := r.numberAt(pos + 1); ok {
			claim.end = n.end
			claim.value = strconv.Itoa(n.value)
		}
	}
	return claim, true
}

// countsOrEnds reports whether what follows 提升了 is a number, a vague amount or
// the end, and no object: 力量增加了勇气 gives courage.
func (r *Reading) countsOrEnds(pos int) bool {
	if _, ok := r.numberAt(r.skipSpace(pos)); ok {
		return true
	}
	return r.endsClause(pos) || r.isOneOf(pos, "很不一许大些好整足几数")
}

// leavesCard reports whether an English verb of change goes on in a way that
// speaks of no number: strength drops from her arms.
func (r *Reading) leavesCard(pos int) bool {
	w := r.wordAt(r.skipSpace(pos))
	switch r.word(w) {
	case "from": // rises from 12 to 14
		_, ok := r.numberAt(r.skipSpace(w.end))
		return !ok
	case "in", "through", "with", "into", "out", "within", "at", "of", "like", "as", "on",
		"known", "part":
		return true
	}
	return false
}

// becomes returns the new value if the verb states one, not a difference.
func (r *Reading) becomes(verb span, n number) string {
	switch string(r.text[verb.start:verb.end]) {
	case "变为", "变成", "升到", "升至", "达到", "涨到", "提升到", "提升至", "降到", "降至",
		"becomes", "is now":
		return strconv.Itoa(n.value)
	}
	return ""
}

// levelClaims reads 升级了 at the end of a clause and 升到N级.
func (r *Reading) levelClaims() []cardClaim {
	var out []cardClaim
	for _, w := range r.words[levelUp] {
		if r.endsClause(w.end) { // 升级了装备 is another matter
			out = append(out, cardClaim{span: w, field: "level"})
		}
	}
	for _, w := range r.words[levelTo] {
		if n, ok := r.numberAt(w.end); ok && r.is(n.end, '级') {
			out = append(out, cardClaim{
				span: span{w.start, n.end + 1}, field: "level", value: strconv.Itoa(n.value),
			})
		}
	}
	return out
}

package conflict

// standingClaims reads hit points told as they stand: full (满血, back to full health),
// left (只剩六点生命值, leaves you with four hit points), from and to (16 -> 11), and the
// short form of a name with its hit points (Kessa 21/27 HP, 沈青崖（16/20）).
func (r *Reading) standingClaims() []hpClaim {
	var out []hpClaim
	add := func(c hpClaim, ok bool) {
		if ok {
			out = append(out, c)
		}
	}
	for _, w := range r.words[hpWord] {
		add(r.filled(w))
		add(r.countedBefore(w))
		add(r.fromTo(w))
		add(r.bloodCount(w))
	}
	for _, w := range r.words[fullHealth] {
		add(r.fullTold(w))
	}
	for _, w := range r.words[leaveVerb] {
		add(r.leaves(w))
	}
	for _, m := range r.named {
		add(r.afterName(m))
	}
	return out
}

// maximal is the value of hit points told to be full.
const maximal = -1

// filled reads an hp word that is told full: 生命值已经回满, HP is full again.
func (r *Reading) filled(w span) (hpClaim, bool) {
	if r.isLimit(w) {
		return hpClaim{}, false
	}
	limit := w.end + 10
	if isLetter(r.text[w.start]) {
		limit = w.end + 24
	}
	f, ok := r.words.within(full, w.end, min(limit, len(r.text)))
	if !ok || !r.clean(w.end, f.start) {
		return hpClaim{}, false
	}
	if isLetter(r.text[w.start]) && isLetter(r.text[f.start]) {
		// "HP is at its maximum": a verb of value stands between; "full of holes" is none.
		if !r.words.has(w.end, f.start, valueVerb) || r.word(r.wordAt(r.skipSpace(f.end))) == "of" {
			return hpClaim{}, false
		}
	}
	return hpClaim{span: span{w.start, f.end}, value: maximal}, true
}

// fullTold reads 满血 and "full health", which need no hp word beside.
func (r *Reading) fullTold(w span) (hpClaim, bool) {
	c := hpClaim{span: w, value: maximal}
	if isHan(r.text[w.start]) {
		return c, !r.is(w.end, '的') && !r.isOneOf(w.start-1, "非未")
	}
	for _, after := range []string{"potion", "potions", "is", "check"} {
		if r.word(r.wordAt(r.skipSpace(w.end))) == after {
			return c, false
		}
	}
	// To, at, back to, in: a state that somebody is in.
	before := r.wordBefore(0, w.start)
	switch r.word(before) {
	case "to", "at", "in", "with", "of":
		c.start = before.start
		back := r.wordBefore(0, before.start)
		switch r.word(back) {
		case "back", "restored", "healed", "returned", "recovered", "return", "returns", "up", "again":
			c.start = back.start
		}
		return c, true
	}
	return c, false
}

// countedBefore reads "N/M HP" where the number stands first, in a panel.
func (r *Reading) countedBefore(w span) (hpClaim, bool) {
	end := w.start
	for end > 0 && r.text[end-1] == ' ' {
		end--
	}
	start := end
	slash := -1
	for start > 0 && end-start < 12 && (isDigit(r.text[start-1]) || r.text[start-1] == '/') {
		start--
		if r.text[start] == '/' {
			slash = start
		}
	}
	if slash <= start {
		return hpClaim{}, false
	}
	c, ok := r.valueAt(start, start)
	c.end = w.end
	return c, ok && c.max != 0
}

// fromTo reads "HP: 16 -> 11" and 生命值从16掉到11: the second number counts.
func (r *Reading) fromTo(w span) (hpClaim, bool) {
	pos := r.skipSpace(w.end)
	for r.isOneOf(pos, ":（([【") {
		pos = r.skipSpace(pos + 1)
	}
	n, ok := r.digits(pos)
	if !ok {
		return hpClaim{}, false
	}
	end := n.end
	if r.is(end, '/') {
		if most, ok := r.digits(end + 1); ok {
			end = most.end
		}
	}
	arrow := r.skipSpace(end)
	switch {
	case r.isOneOf(arrow, "→⇒➜➡"):
		arrow++
	case r.is(arrow, '-') && r.is(arrow+1, '>'), r.is(arrow, '=') && r.is(arrow+1, '>'):
		arrow += 2
	default:
		return hpClaim{}, false
	}
	c, ok := r.valueAt(w.start, r.skipSpace(arrow))
	c.listed = true
	return c, ok
}

// bloodCount reads 掉血4点 and 回血3点.
func (r *Reading) bloodCount(w span) (hpClaim, bool) {
	sign := 0
	switch {
	case !r.is(w.start, '血') || w.end != w.start+1:
	case r.isOneOf(w.start-1, "掉扣失减损耗"):
		sign = -1
	case r.isOneOf(w.start-1, "回加补涨"):
		sign = 1
	}
	if sign == 0 {
		return hpClaim{}, false
	}
	n, ok := r.numberAt(r.skipWords(w.end, amountFiller))
	c := hpClaim{span: span{w.start - 1, n.end}, delta: sign * n.value}
	return c, ok && n.value != 0 && !n.vague && (r.is(n.end, '点') || r.endsClause(n.end))
}

// leaves reads 只剩六点生命值 and "leaves you with four hit points".
func (r *Reading) leaves(verb span) (hpClaim, bool) {
	if isHan(r.text[verb.start]) {
		n, ok := r.amount(r.skipWords(verb.end, amountFiller))
		if !ok {
			return hpClaim{}, false
		}
		w, ok := r.unitAfter(n, hpWord)
		return hpClaim{span: span{verb.start, w.end}, value: n.value}, ok && n.start-verb.end < 6
	}
	m, ok := r.namedAt(r.skipSpace(verb.end))
	if !ok {
		return hpClaim{}, false
	}
	w := r.wordAt(r.skipSpace(m.end))
	switch r.word(w) {
	case "with", "at", "on":
	default:
		return hpClaim{}, false
	}
	pos := r.skipSpace(w.end)
	for range 2 {
		switch only := r.wordAt(pos); r.word(only) {
		case "only", "just", "a", "barely", "exactly":
			pos = r.skipSpace(only.end)
		}
	}
	n, ok := r.amount(pos)
	if !ok {
		return hpClaim{}, false
	}
	u, ok := r.unitAfter(n, hpWord)
	return hpClaim{span: span{verb.start, u.end}, value: n.value, target: &m}, ok
}

// afterName reads a name with its hit points in brackets: 沈青崖（16/20）. The maximum
// must be that of the one named, so that 4/11 Harbor Street is none.
func (r *Reading) afterName(m mention) (hpClaim, bool) {
	if len(m.ids) != 1 || m.pronoun {
		return hpClaim{}, false
	}
	pos := r.skipSpace(m.end)
	if r.isOneOf(pos, "（([:】") {
		pos = r.skipSpace(pos + 1)
	}
	if pos == m.end || pos >= len(r.text) || !isDigit(r.text[pos]) {
		return hpClaim{}, false
	}
	c, ok := r.valueAt(m.start, pos)
	who := r.character(m.ids[0])
	c.target = &m
	return c, ok && who != nil && c.max == who.HP.Max
}

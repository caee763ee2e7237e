package conflict

// How many characters may stand between an hp word and its verb.
const (
	maxValueGap        = 10
	maxEnglishValueGap = 20
)

// hpWordClaim reads what follows an hp word: a change (生命值减少了3点, HP-3), a
// value (HP drops to 4, HP: 7/12) or nothing left (生命值归零).
func (r *Reading) hpWordClaim(w span) (hpClaim, bool) {
	if r.isLimit(w) {
		return hpClaim{}, false
	}
	// The order matters: 减少3 is a change, 减少到3 is a value.
	if c, ok := r.signed(w); ok {
		return c, true
	}
	if c, ok := r.changeTold(w); ok {
		return c, true
	}
	if c, ok := r.valueTold(w); ok {
		return c, true
	}
	for p := w.end; p <= min(w.end+6, len(r.text)-1); p++ {
		if e, ok := r.words.at(emptied, p); ok && r.clean(w.end, p) {
			return hpClaim{span: span{w.start, e.end}}, true
		}
	}
	return hpClaim{}, false
}

// signed reads "HP-3" and "HP +5", and "-3 HP" with the sign before the number.
func (r *Reading) signed(w span) (hpClaim, bool) {
	pos := r.skipSpace(w.end)
	if sign := r.sign(pos); sign != 0 {
		n, ok := r.numberAt(r.skipSpace(pos + 1))
		c := hpClaim{span: span{w.start, n.end}, delta: sign * n.value, listed: true}
		return c, ok && n.value != 0 && isDigit(r.text[n.start])
	}
	// Backwards: "-3 HP", "+3点生命值". The sign must not belong to a range.
	end := w.start
	for end > 0 && r.text[end-1] == ' ' {
		end--
	}
	if r.is(end-1, '点') {
		end--
	}
	start := end
	for start > 0 && end-start < 10 && isDigit(r.text[start-1]) {
		start--
	}
	sign := r.sign(start - 1)
	if sign == 0 || start == end || start > 1 && isWord(r.text[start-2]) {
		return hpClaim{}, false
	}
	n, _ := r.digits(start)
	return hpClaim{span: span{start - 1, w.end}, delta: sign * n.value, listed: true}, n.value != 0
}

// sign returns the direction of + or - at pos, 0 for anything else.
func (r *Reading) sign(pos int) int {
	switch {
	case r.is(pos, '+'):
		return 1
	case r.is(pos, '-'), r.is(pos, '–'):
		return -1
	}
	return 0
}

// valueTold reads "HP 7/12" and an hp word, a verb of value and a number. A
// verb may follow another: has dropped to.
func (r *Reading) valueTold(w span) (hpClaim, bool) {
	pos := r.skipSpace(w.end)
	if r.isOneOf(pos, "（([【") {
		pos = r.skipSpace(pos + 1)
	}
	if c, ok := r.valueAt(w.start, pos); ok && c.max != 0 {
		return c, true
	}
	limit := w.end + maxValueGap
	if r.is(w.end, ' ') {
		limit = w.end + maxEnglishValueGap
	}
	// Every verb in reach is tried: in "has dropped to 4" only the last one has the
	// number right behind it.
	for _, v := range r.words[valueVerb][r.words.from(valueVerb, w.end):] {
		if v.start > limit {
			break
		}
		if !r.valueGap(w.end, v.start) || r.is(v.start, ':') && r.strangeText(w.end, v.start) > 0 {
			break
		}
		pos := r.skipWords(v.end, amountFiller)
		if c, ok := r.valueAt(w.start, pos); ok {
			return c, true
		}
	}
	return hpClaim{}, false
}

// valueGap reports whether what stands between an hp word and its verb leaves
// the claim whole: no punctuation but a colon, no other number but 从10.
func (r *Reading) valueGap(start, end int) bool {
	for p := start; p < end; p++ {
		if isDigit(r.text[p]) && !r.words.has(max(start, p-4), p, coverb) &&
			!r.wordBeforeIs(p, "from") && !r.isOneOf(p-1, "0123456789") {
			return false
		}
	}
	return r.clean(start, end)
}

// valueAt reads N or N/M at pos as the hit points of a claim that begins at
// start. A bound (3点以下) is no value.
func (r *Reading) valueAt(start, pos int) (hpClaim, bool) {
	n, ok := r.numberAt(pos)
	if !ok {
		return hpClaim{}, false
	}
	c := hpClaim{value: n.value}
	end := n.end
	if slash := r.skipSpace(end); r.is(slash, '/') {
		most, ok := r.numberAt(r.skipSpace(slash + 1))
		if !ok || most.value == 0 {
			return hpClaim{}, false
		}
		c.max = most.value
		end = most.end
	}
	points := r.is(end, '点')
	if points {
		end++
	}
	c.span = span{start, end}
	return c, r.valueEnds(end, points)
}

// valueEnds reports whether a value that ends at pos is complete: no bound such
// as 3点以下, no count of something else such as 一种 or one of.
func (r *Reading) valueEnds(pos int, points bool) bool {
	switch {
	case pos == len(r.text) || isBreak(r.text[pos]):
		return true
	case points:
		return !r.isOneOf(pos, "以左上钟")
	case isHan(r.text[pos]):
		// 只剩3天, 是一种: another noun is counted.
		return r.isOneOf(pos, "了而血")
	case !isWord(r.text[pos]) && r.text[pos] != ' ':
		return true
	}
	next := r.wordAt(r.skipSpace(pos))
	switch r.word(next) {
	case "of", "thing", "days", "day", "times", "years", "minutes", "hours", "people", "more",
		"less", "percent":
		return false
	}
	return true
}

// changeTold reads an hp word, a verb of change and a number: 生命值减少了3点.
func (r *Reading) changeTold(w span) (hpClaim, bool) {
	for p := w.end; p <= min(w.end+5, len(r.text)-1); p++ {
		for _, t := range []tag{hpDown, hpUp} {
			v, ok := r.words.at(t, p)
			if !ok || !r.clean(w.end, p) {
				continue
			}
			n, ok := r.numberAt(r.skipWords(v.end, amountFiller))
			if !ok || n.value == 0 {
				continue
			}
			end := n.end
			if r.is(end, '点') {
				end++
			}
			c := hpClaim{span: span{w.start, end}, delta: n.value, vague: n.vague}
			if t == hpDown {
				c.delta = -n.value
			}
			return c, true
		}
	}
	return hpClaim{}, false
}

// leftWith reads "down to 4 hp" and "left with three hit points".
func (r *Reading) leftWith(w span) (hpClaim, bool) {
	pos := r.skipSpace(w.end)
	if only := r.wordAt(pos); r.word(only) == "only" ||
		r.word(only) == "just" {
		pos = r.skipSpace(only.end)
	}
	return r.valueOfHP(w.start, pos)
}

// haveLeft reads "have 3 hp left".
func (r *Reading) haveLeft(w span) (hpClaim, bool) {
	pos := r.skipSpace(w.end)
	if only := r.wordAt(pos); r.word(only) == "only" ||
		r.word(only) == "just" {
		pos = r.skipSpace(only.end)
	}
	c, ok := r.valueOfHP(w.start, pos)
	if !ok {
		return c, false
	}
	left := r.wordAt(r.skipSpace(c.end))
	switch r.word(left) {
	case "left", "remaining":
		c.end = left.end
		return c, true
	}
	return c, false
}

// valueOfHP reads "N hp" at pos.
func (r *Reading) valueOfHP(start, pos int) (hpClaim, bool) {
	n, ok := r.numberAt(pos)
	if !ok {
		return hpClaim{}, false
	}
	w, ok := r.unitAfter(n, hpWord)
	return hpClaim{span: span{start, w.end}, value: n.value}, ok
}

package conflict

// A rollClaim is a roll told in a text: the number, and the numbers of the notation that
// it stands in (d20 + 3 = 22).
type rollClaim struct {
	span
	value int
	parts []int
	who   subject
}

// maxNotation is how many characters the notation of a roll may have.
const maxNotation = 32

// notedRolls reads the short forms of rolls: 1d20+3 = 22, 🎲 19 + 2 = 21, Perception
// (d20+1): 19, 力量检定：17. Dice of damage are no rolls of this sort.
func (r *Reading) notedRolls() []rollClaim {
	var out []rollClaim
	for _, w := range r.words[dieRoll] {
		if c, ok := r.notedRoll(w); ok {
			out = append(out, c)
		}
	}
	for pos := range r.text {
		if end, ok := r.diceAt(pos); ok {
			if c, ok := r.notedRoll(span{pos, end}); ok {
				out = append(out, c)
			}
		}
	}
	for _, w := range r.words[dieRoll] {
		if c, ok := r.landed(w); ok {
			out = append(out, c)
		}
	}
	return inOrder(out, func(c rollClaim) span { return c.span })
}

// landed reads 骰子滚了几圈，停在18上 and "the die spins and comes up 14".
func (r *Reading) landed(w span) (rollClaim, bool) {
	k := r.sentenceAt(w.start)
	if k < 0 {
		return rollClaim{}, false
	}
	switch string(r.text[w.start:w.end]) {
	case "check", "saving throw", "attack roll":
		v, ok := r.words.at(landing, r.skipSpace(w.end))
		if n, has := r.numberAt(r.skipSpace(v.end)); ok && has && r.wordIs(v.start, "comes") {
			return rollClaim{span: span{w.start, n.end}, value: n.value}, true
		}
		return rollClaim{}, false
	case "骰子", "d20", "die", "dice", "骰", "🎲":
	default:
		return rollClaim{}, false
	}
	v, ok := r.words.within(landing, w.end, min(w.end+maxNotation, r.sentences[k].end))
	if !ok || v.start > w.end+1 && (r.is(v.start, '是') || r.is(v.start, '为') || r.wordIs(v.start, "is")) {
		return rollClaim{}, false
	}
	pos := r.skipSpace(v.end)
	if a := r.wordAt(pos); r.word(a) == "a" || r.word(a) == "an" {
		pos = r.skipSpace(a.end)
	}
	n, ok := r.numberAt(pos)
	if !ok || n.value > 100 || r.words.hasAt(countWord, r.skipSpace(n.end)) {
		return rollClaim{}, false
	}
	return rollClaim{span: span{w.start, n.end}, value: n.value}, true
}

// diceAt reads 1d20, d20 or 2d6+3 at pos.
func (r *Reading) diceAt(pos int) (end int, ok bool) {
	if pos > 0 && isWord(r.text[pos-1]) {
		return 0, false
	}
	n, _ := r.digits(pos)
	end = n.end
	if !r.is(end, 'd') || end-pos > 3 {
		return 0, false
	}
	sides, ok := r.digits(end + 1)
	if !ok || sides.end-end > 4 {
		return 0, false
	}
	end = sides.end
	if r.isOneOf(end, "+-") {
		if more, ok := r.digits(end + 1); ok {
			end = more.end
		}
	}
	return end, true
}

// notedRoll reads the result after a word of dice: what stands behind = or, without one,
// behind a colon.
func (r *Reading) notedRoll(w span) (rollClaim, bool) {
	c := rollClaim{span: w}
	limit := min(w.end+maxNotation, len(r.text))
	result := -1
	for p := w.end; p < limit; p++ {
		if r.text[p] == maskRune || isStop(r.text[p]) {
			break
		}
		if r.isOneOf(p, ",，") {
			break
		}
		if isDigit(r.text[p]) {
			n, _ := r.digits(p)
			if _, dice := r.diceAt(p); !dice && !(p > 0 && isLetter(r.text[p-1])) {
				c.parts = append(c.parts, n.value)
			}
			p = n.end - 1
			continue
		}
		if r.is(p, '=') || r.is(p, ':') && result < 0 {
			if pos := r.skipSpace(p + 1); pos < limit && isDigit(r.text[pos]) {
				result = pos
			}
		}
	}
	if result < 0 {
		return c, false
	}
	n, ok := r.digits(result)
	after := r.skipSpace(n.end)
	switch {
	case !ok, n.value > 99, r.isOneOf(after, "/%:") || r.is(after, '.') && after+1 < len(r.text) && isDigit(r.text[after+1]):
		return c, false
	case r.words.has(w.start, min(after+10, len(r.text)), damage, hpWord):
		return c, false // 1d6=5点火焰伤害
	case r.isOneOf(after, "+") || r.wordIs(after, "or") || r.isOneOf(after, "以级级个人枚元两"):
		return c, false // DC 15 or more, d20: 15+
	}
	c.end, c.value = n.end, n.value
	return c, true
}

// wordIs reports whether the ASCII word at pos is w.
func (r *Reading) wordIs(pos int, w string) bool { return r.word(r.wordAt(pos)) == w }

// diceValue reads 1d6=5, 2d6（7） and d8: 4 at pos as the number that was rolled.
func (r *Reading) diceValue(pos int) (number, bool) {
	end, ok := r.diceAt(pos)
	if !ok {
		return number{}, false
	}
	p := r.skipSpace(end)
	if !r.isOneOf(p, "=:（(") {
		return number{}, false
	}
	open := r.isOneOf(p, "（(")
	n, ok := r.digits(r.skipSpace(p + 1))
	if !ok {
		return number{}, false
	}
	n.start = pos
	if open && r.isOneOf(n.end, "）)") {
		n.end++
	}
	return n, true
}

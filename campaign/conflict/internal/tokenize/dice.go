package tokenize

import "github.com/talewright/talewright/campaign/conflict/internal/lexicon"

// DiceAt reads 1d20, d20 or 2d6+3 at pos.
func (t *Text) DiceAt(pos int) (end int, ok bool) {
	if pos > 0 && lexicon.IsWord(t.Chars[pos-1]) {
		return 0, false
	}
	n, _ := t.Digits(pos)
	end = n.End
	if !t.Is(end, 'd') || end-pos > 3 {
		return 0, false
	}
	sides, ok := t.Digits(end + 1)
	if !ok || sides.End-end > 4 {
		return 0, false
	}
	end = sides.End
	if sign := t.SkipSpace(end); t.IsOneOf(sign, "+-") {
		if more, ok := t.Digits(t.SkipSpace(sign + 1)); ok {
			end = more.End
		}
	}
	return end, true
}

// RollAt reads 1d6=5, 2d6（7） and d8: 4 at pos as the result of the roll.
func (t *Text) RollAt(pos int) (Number, bool) {
	end, ok := t.DiceAt(pos)
	p := t.SkipSpace(end)
	if !ok || !t.IsOneOf(p, "=:→（(") {
		return Number{}, false
	}
	open := t.IsOneOf(p, "（(")
	n, ok := t.Digits(t.SkipSpace(p + 1))
	if !ok {
		return Number{}, false
	}
	n.Start = pos
	if open && t.IsOneOf(n.End, "）)") {
		n.End++
	}
	return n, true
}

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
	if t.IsOneOf(end, "+-") {
		if more, ok := t.Digits(end + 1); ok {
			end = more.End
		}
	}
	return end, true
}

// diceValue reads 1d6=5, 2d6（7） and d8: 4 at pos as the result of the roll.
func diceValue(t *Text, pos int) (Number, bool) {
	end, ok := t.DiceAt(pos)
	if !ok {
		return Number{}, false
	}
	p := t.SkipSpace(end)
	if !t.IsOneOf(p, "=:（(") {
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

// MaxNotation is the maximum length, in characters, of the notation of a roll.
const MaxNotation = 32

// Notation reads the text after a word for dice. It returns the start of the digits of the result,
// -1 if there is none, and the numbers that are not dice.
func Notation(t *Text, start int) (result int, parts []int) {
	result = -1
	limit := min(start+MaxNotation, len(t.Chars))
	for i := start; i < limit && !IsStop(t.Chars[i]) && !t.IsOneOf(i, ",，"+string(MaskRune)); i++ {
		switch {
		case lexicon.IsDigit(t.Chars[i]):
			n, _ := t.Digits(i)
			if _, dice := t.DiceAt(i); !dice && !lexicon.IsLetter(t.Chars[i-1]) {
				parts = append(parts, n.Value)
			}
			i = n.End - 1
		case t.Is(i, '='), t.Is(i, ':') && result < 0:
			if pos := t.SkipSpace(i + 1); pos < limit && lexicon.IsDigit(t.Chars[pos]) {
				result = pos
			}
		}
	}
	return result, parts
}

// Arrow returns the end of an arrow at pos: →, ->, =>.
func Arrow(t *Text, pos int) (end int, ok bool) {
	switch {
	case t.IsOneOf(pos, "→⇒➜➡"):
		return pos + 1, true
	case t.Is(pos+1, '>') && t.IsOneOf(pos, "-="):
		return pos + 2, true
	}
	return pos, false
}

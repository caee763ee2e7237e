package conflict

import (
	"unicode"
	"unicode/utf8"
)

// Runs of the hidden goal that give it away.
const (
	leakRunes = 12 // of a mainly Chinese goal
	leakWords = 6  // of another
)

// secret is a hidden goal as it is looked for: the runs of units that give it away, which
// are characters of a mainly Chinese goal and words of another. Punctuation and spaces
// are none.
type secret struct {
	chinese bool
	size    int             // units of a run; 0: there is nothing to look for
	runs    map[string]bool // as appendUnits writes them
	starts  map[string]bool // the units that a run begins with
}

func secretOf(goal string) secret {
	s := secret{chinese: isChinese(goal), size: leakWords}
	if s.chinese {
		s.size = leakRunes
	}
	text, _ := runesOf(goal)
	units := s.take(nil, text, 0, len(text))
	if s.size = min(s.size, len(units)); s.size == 0 {
		return s
	}
	// All runs of the goal in a set: one look-up for each unit of a text, however long
	// the goal is.
	s.runs, s.starts = map[string]bool{}, map[string]bool{}
	for i := 0; i+s.size <= len(units); i++ {
		s.runs[string(appendUnits(nil, text, units[i:i+s.size]))] = true
		s.starts[string(appendUnits(nil, text, units[i:i+1]))] = true
	}
	return s
}

// next returns the first unit of a text that begins at from or behind it.
func (s secret) next(text []rune, from int) (unit span, ok bool) {
	for from < len(text) && !s.inside(text[from]) {
		from++
	}
	end := from
	for end < len(text) && s.inside(text[end]) && (end == from || !s.chinese) {
		end++
	}
	return span{from, end}, from < end
}

// inside reports whether a character belongs to units.
func (s secret) inside(c rune) bool {
	return unicode.IsLetter(c) || unicode.IsDigit(c) || c == '\'' && !s.chinese
}

// take appends at most n units of a text, from a place on.
func (s secret) take(units []span, text []rune, from, n int) []span {
	for range n {
		unit, ok := s.next(text, from)
		if !ok {
			break
		}
		units, from = append(units, unit), unit.end
	}
	return units
}

// A seeker looks for a secret in a text. Its room is used again for each unit: see
// BenchmarkTurn/history=N of package campaign.
type seeker struct {
	secret
	text  []rune
	units []span
	key   []byte
}

// begins reports whether a run of the goal can begin with a unit.
func (k *seeker) begins(unit span) bool {
	k.units = append(k.units[:0], unit)
	return k.starts[string(k.keyOf(k.units))]
}

// runAt returns the units of a run of the goal that begins with the given one; spare is
// how many units may stand in it that do not belong to it, one at most. It returns none
// if there is no run.
func (k *seeker) runAt(unit span, spare int) []span {
	k.units = k.take(k.units[:0], k.text, unit.start, k.size+spare)
	if len(k.units) < k.size {
		return nil
	}
	if run := k.units[:k.size]; k.runs[string(k.keyOf(run))] {
		return run
	}
	if len(k.units) == k.size || k.size < 3 {
		return nil
	}
	for skip := 1; skip < k.size; skip++ {
		key := appendUnits(k.key[:0], k.text, k.units[:skip])
		if k.key = appendUnits(key, k.text, k.units[skip+1:]); k.runs[string(k.key)] {
			return k.units
		}
	}
	return nil
}

func (k *seeker) keyOf(units []span) []byte {
	k.key = appendUnits(k.key[:0], k.text, units)
	return k.key
}

// appendUnits appends the units to a key as one text that tells them apart.
func appendUnits(key []byte, text []rune, units []span) []byte {
	for _, u := range units {
		for _, c := range text[u.start:u.end] {
			key = utf8.AppendRune(key, c)
		}
		key = append(key, ' ')
	}
	return key
}

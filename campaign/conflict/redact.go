package conflict

import "strings"

// redacted stands for the words that [Redact] takes out.
const redacted = "…"

// Redact returns a text without the words that would give a hidden goal away, for
// people who must not read it: each run of the goal that the detector of a
// [HiddenGoalLeak] looks for, also with one more word or character in it. Whatever
// stands between the words stays. The cost is linear in the text.
func Redact(text, goal string) string {
	secret, _ := runesOf(goal)
	size, cut := leakWords, unitWords
	if isChinese(goal) {
		size, cut = leakRunes, unitRunes
	}
	units := cut(secret)
	if size = min(size, len(units)); size == 0 {
		return text
	}
	runs, starts := map[string]bool{}, map[string]bool{}
	for i := 0; i+size <= len(units); i++ {
		runs[string(joinUnits(nil, secret, units[i:i+size]))] = true
		starts[string(secret[units[i].start:units[i].end])] = true
	}
	plain, offsets := runesOf(text)
	told := cut(plain)
	hide := make([]bool, len(told))
	found := false
	for i, unit := range told {
		if !starts[string(plain[unit.start:unit.end])] {
			continue
		}
		if n := runAt(plain, told[i:], runs, size); n > 0 {
			found = true
			for j := range n {
				hide[i+j] = true
			}
		}
	}
	if !found {
		return text
	}
	var b strings.Builder
	at := 0 // in bytes
	for i, unit := range told {
		if !hide[i] {
			continue
		}
		from, to := offsets[unit.start], offsets[unit.end]
		between := text[at:from]
		if i == 0 || !hide[i-1] || strings.TrimSpace(between) != "" {
			b.WriteString(between)
			b.WriteString(redacted)
		}
		at = to
	}
	return b.String() + text[at:]
}

// runAt returns how many units at the beginning of a list are a run of the goal, with
// at most one that does not belong to it; 0 for none.
func runAt(text []rune, units []span, runs map[string]bool, size int) int {
	if len(units) < size {
		return 0
	}
	if key := joinUnits(nil, text, units[:size]); runs[string(key)] {
		return size
	}
	if len(units) == size || size < 3 {
		return 0
	}
	rest, key := make([]span, size), []byte(nil)
	for skip := 1; skip < size; skip++ {
		copy(rest, units[:skip])
		copy(rest[skip:], units[skip+1:size+1])
		if key = joinUnits(key[:0], text, rest); runs[string(key)] {
			return size + 1
		}
	}
	return 0
}

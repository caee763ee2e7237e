package conflict

import "strings"

// redacted stands for the words that [Redact] takes out.
const redacted = "…"

// Redact returns a text without the words that would give a hidden goal away, for
// people who must not read it: each run of the goal that the detector of a
// [HiddenGoalLeak] looks for, also with one more word or character in it. Whatever
// stands between the words stays. The cost is linear in the text.
func Redact(text, goal string) string {
	s := secretOf(goal)
	if s.size == 0 {
		return text
	}
	plain, places := runesOf(text)
	seek := seeker{secret: s, text: plain}
	var b strings.Builder
	at, hidden := 0, 0 // in bytes; and the number of units that are to be hidden yet
	inside := false    // the unit before is hidden
	for unit, ok := s.next(plain, 0); ok; unit, ok = s.next(plain, unit.end) {
		if seek.begins(unit) {
			hidden = max(hidden, len(seek.runAt(unit, 1)))
		}
		if hidden == 0 {
			inside = false
			continue
		}
		hidden--
		from, to := places.of(unit.start), places.of(unit.end)
		if between := text[at:from]; !inside || strings.TrimSpace(between) != "" {
			b.WriteString(between)
			b.WriteString(redacted)
		}
		at, inside = to, true
	}
	if at == 0 {
		return text
	}
	return b.String() + text[at:]
}

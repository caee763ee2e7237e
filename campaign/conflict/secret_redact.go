package conflict

import (
	"strings"

	"github.com/talewright/talewright/campaign/conflict/internal/tokenize"
)

// redacted replaces the words that [Redact] removes.
const redacted = "…"

// Redact returns a text without the words that reveal a hidden goal, for people who must not read
// it. It removes each run of the goal that the detector of [HiddenGoalLeak] finds, also with one
// additional word or character in it. The characters between the words stay. The cost is linear in
// the text.
func Redact(text, goal string) string {
	s := secretOf(goal)
	if s.size == 0 {
		return text
	}
	buffer := plainTexts.Get().(*[]rune)
	plain, places := tokenize.NormalIn((*buffer)[:0], text)
	defer func() { *buffer = plain; plainTexts.Put(buffer) }()
	seek := seeker{secret: s, text: plain}
	var b strings.Builder
	at, hidden := 0, 0 // in bytes; and the number of units still to hide
	inside := false    // the previous unit is hidden
	for unit, ok := s.next(plain, 0); ok; unit, ok = s.next(plain, unit.End) {
		if seek.begins(unit) {
			hidden = max(hidden, len(seek.runAt(unit, 1)))
		}
		if hidden == 0 {
			inside = false
			continue
		}
		hidden--
		from, to := places.Of(unit.Start), places.Of(unit.End)
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

package campaigntest

import (
	"fmt"
	"strings"

	"github.com/talewright/talewright/campaign/turn"
)

// holds has a function for each kind of check. The parser of scenarios reports unknown names.
var holds = map[string]func(*snapshot, []string) answer{
	"hp": holdsHP, "in": holdsIn, "alive": holdsAlive, "var": holdsVar, "between": holdsBetween, "state": holdsState, "ended": holdsEnded,
	"lore": holdsLore, "rule": holdsRule, "hook": holdsHook,
	"prompt": holdsPrompt, "block": holdsBlock, "text": holdsText,
	"speaker": holdsSpeaker, "applied": holdsApplied, "refused": holdsRefused, "conflict": holdsConflict, "retries": holdsRetries,
	"outcome": holdsOutcome, "notice": holdsNotice, "effect": holdsEffect, "warning": holdsWarning,
}

// verify returns what is wrong with a moment, "" if the check holds.
func (m *snapshot) verify(c ScenarioCheck) string {
	decide, known := holds[c.Name]
	if !known {
		return fmt.Sprintf("want %s\n  there is no such check", c)
	}
	a := decide(m, c.Args)
	if a.is != c.Not && !a.unknown {
		return ""
	}
	var b strings.Builder
	fmt.Fprintf(&b, "want %s\n  %s", c, a.got)
	for _, line := range a.why {
		b.WriteString("\n  why: " + line)
	}
	return b.String()
}

// excuses reports whether a check is about turns that do not end well. Then such a turn is not a
// fault.
func excuses(c ScenarioCheck) bool {
	return !c.Not && (c.Name == "outcome" || c.Name == "conflict")
}

// awaits reports whether the next step answers the question of the outcome. Then the test expects
// the outcome, and it is not a fault.
func awaits(outcome *turn.Outcome, do string) bool {
	switch {
	case outcome == nil:
		return false
	case outcome.Status == turn.Waiting:
		return do == "approve" || do == "discard"
	}
	return outcome.Status == turn.Conflict && do == "decide"
}

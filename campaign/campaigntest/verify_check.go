package campaigntest

import (
	"fmt"
	"strings"

	"github.com/talewright/talewright/campaign/turn"
)

// checkFuncs has the function for each name of a check. The arguments are those of checkShapes.
var checkFuncs = map[string]func(*snapshot, []string) checkResult{
	"hp": checkHP, "in": checkIn, "alive": checkAlive, "var": checkVar, "between": checkBetween, "state": checkState, "ended": checkEnded,
	"lore": checkLore, "rule": checkRule, "hook": checkHook,
	"prompt": checkPrompt, "block": checkBlock, "text": checkNarration,
	"speaker": checkSpeaker, "applied": checkApplied, "refused": checkRefused, "conflict": checkConflict, "retries": checkRetries,
	"outcome": checkOutcome, "notice": checkNotice, "effect": checkEffect, "warning": checkWarning,
}

// verify returns a fault if the check fails, and otherwise "".
func (m *snapshot) verify(c ScenarioCheck) string {
	check, known := checkFuncs[c.Name]
	if !known {
		return fmt.Sprintf("want %s\n  there is no such check", c)
	}
	result := check(m, c.Args)
	if result.holds != c.Not && !result.isUnknownName {
		return ""
	}
	var b strings.Builder
	fmt.Fprintf(&b, "want %s\n  %s", c, result.got)
	for _, line := range result.why {
		b.WriteString("\n  why: " + line)
	}
	return b.String()
}

// acceptsFailure reports whether a check is about the end of a turn. A turn that does not end well is
// then no fault of its own.
func acceptsFailure(c ScenarioCheck) bool {
	return !c.Not && (c.Name == "outcome" || c.Name == "conflict")
}

// answersOutcome reports whether the next step answers the question of the outcome. Then the test expects
// the outcome, and it is not a fault.
func answersOutcome(outcome *turn.Outcome, do string) bool {
	switch {
	case outcome == nil:
		return false
	case outcome.Status == turn.Waiting:
		return do == "approve" || do == "discard"
	}
	return outcome.Status == turn.Conflict && do == "decide"
}

package campaigntest

import (
	"fmt"
	"strings"

	"github.com/talewright/talewright/campaign/turn"
)

// checkKind describes a word after want and goal.
type checkKind struct {
	shape
	check  func(m *snapshot, args []string) checkResult
	isGoal bool // the check needs only the state
}

// checkKinds has the words after want and goal.
var checkKinds = map[string]checkKind{
	"hp":       {shape{[]param{word, whole}, false, "CHARACTER N"}, checkHP, true},
	"in":       {shape{[]param{word, word}, false, "CHARACTER AREA"}, checkIn, true},
	"alive":    {shape{[]param{word, word}, false, "CHARACTER STATE"}, checkAlive, true},
	"var":      {shape{[]param{word, value}, false, "NAME VALUE"}, checkVar, true},
	"between":  {shape{[]param{word, number, number}, false, "NAME MIN MAX"}, checkBetween, true},
	"state":    {shape{[]param{word, value}, false, "PATH VALUE"}, checkState, true},
	"ended":    {shape{[]param{word}, true, "[REASON]"}, checkEnded, true},
	"lore":     {shape{[]param{phrase}, false, "NAME"}, checkLore, false},
	"rule":     {shape{[]param{phrase}, false, "ID"}, checkRule, false},
	"hook":     {shape{[]param{phrase}, false, "ID"}, checkHook, false},
	"prompt":   {shape{[]param{phrase}, false, "TEXT"}, checkPrompt, false},
	"block":    {shape{[]param{phrase}, false, "ID"}, checkBlock, false},
	"text":     {shape{[]param{phrase}, false, "TEXT"}, checkNarration, false},
	"speaker":  {shape{[]param{word, phrase}, true, "MEMBER [TEXT]"}, checkSpeaker, false},
	"applied":  {shape{[]param{word}, false, "TOOL"}, checkApplied, false},
	"refused":  {shape{[]param{word, word}, true, "TOOL [CODE]"}, checkRefused, false},
	"conflict": {shape{[]param{word}, true, "[KIND]"}, checkConflict, false},
	"retries":  {shape{[]param{whole}, false, "N"}, checkRetries, false},
	"outcome":  {shape{[]param{word, word}, true, "STATUS [REASON]"}, checkOutcome, false},
	"notice":   {shape{[]param{phrase}, false, "TEXT"}, checkNotice, false},
	"effect":   {shape{[]param{word}, false, "TYPE"}, checkEffect, false},
	"warning":  {shape{[]param{phrase}, false, "TEXT"}, checkWarning, false},
}

// verify returns a fault if the check fails, and otherwise "".
func (m *snapshot) verify(c ScenarioCheck) string {
	kind, known := checkKinds[c.Name]
	if !known {
		return fmt.Sprintf("want %s\n  there is no such check", c)
	}
	result := kind.check(m, c.Args)
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

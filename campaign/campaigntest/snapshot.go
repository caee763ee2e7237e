package campaigntest

import (
	"fmt"
	"slices"
	"strings"

	"github.com/talewright/talewright/campaign/conflict"
	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/internal/utf8text"
	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/rules/effect"
)

// snapshot is the results of a step. Checks, reports and explanations read it.
type snapshot struct {
	game          *game.Game
	step          ScenarioStep
	input         turn.Input
	before, after state.Campaign
	outcome       *turn.Outcome // nil: no instruction ran
	failure       error         // the error of an outcome that did not end well
	record        *turn.Record  // nil: nothing was committed
	requests      []llm.Request
	replies       []ScenarioReply // replies of the model
	delivered     []effect.Effect // from hooks to sinks

	// activated is the result of a hear step; nil for all other steps.
	activated *activation

	// faults are mistakes in the script that this package has found.
	faults []string
}

// collect copies the requests, the replies and the deliveries of a step. It checks that the script had
// exactly the replies that were needed.
func (m *snapshot) collect(o *outside) {
	o.mu.Lock()
	defer o.mu.Unlock()
	m.requests, m.replies, m.delivered = o.requests, o.usedReplies, o.delivered
	if o.model != nil {
		return
	}
	if asked := len(m.requests); asked > len(m.replies) {
		m.faults = append(m.faults, fmt.Sprintf("the model was asked %s, and the script has %s: %s",
			times(asked), count(len(m.replies), "reply", "replies"), m.whyAskedAgain()))
	}
	if left := len(o.leftReplies); left > 0 && !o.neverRunsOut && m.outcome.Status != turn.Refused {
		m.faults = append(m.faults, fmt.Sprintf("nobody asked for the last %s of the script",
			count(left, "reply", "replies")))
	}
}

// whyAskedAgain returns the reason why the model was asked after its last reply.
func (m *snapshot) whyAskedAgain() string {
	attempts := m.outcome.Attempts
	if len(attempts) == 0 {
		return "add a line model"
	}
	faults := faultsOf(attempts[len(attempts)-1])
	if len(faults) == 0 {
		return "the last reply had no narration yet"
	}
	return "the last reply was refused: " + strings.Join(faults, ", ")
}

// faultsOf lists the refused calls and the blocking conflicts of an output.
func faultsOf(a state.Attempt) (list []string) {
	for _, f := range a.FailedCalls {
		list = append(list, fmt.Sprintf("%s: %s", f.Tool, f.Reason))
	}
	for _, c := range a.Conflicts {
		if c.Severity == conflict.Block {
			list = append(list, fmt.Sprintf("%s %q", c.Kind, c.Quote))
		}
	}
	return list
}

// turn returns the committed turn. Without one, it returns an empty turn.
func (m *snapshot) turn() state.Turn {
	if m.outcome == nil || m.outcome.Turn == nil {
		return state.Turn{}
	}
	return *m.outcome.Turn
}

// traceOf returns what rules and hooks did: in the turn, or for an instruction between turns.
func traceOf(o *turn.Outcome) state.TurnTrace {
	switch {
	case o == nil:
	case o.Turn != nil:
		return o.Turn.Trace
	case o.Trace != nil:
		return *o.Trace
	}
	return state.TurnTrace{}
}

// attempts returns the outputs of the model.
func (m *snapshot) attempts() []state.Attempt {
	if m.outcome == nil {
		return nil
	}
	return m.outcome.Attempts
}

// explanation explains the lore and the rules of the step.
func (m *snapshot) explanation() turn.Explanation {
	if m.activated != nil {
		return m.activated.explanation
	}
	if m.record != nil {
		if why, err := m.record.Explain(m.game, m.before, nil); err == nil {
			return why
		}
	}
	submit, is := m.input.(turn.Submit)
	if !is {
		return turn.Explanation{}
	}
	reply := ""
	if len(m.replies) > 0 {
		reply = m.replies[len(m.replies)-1].Text
	}
	return turn.NewMachine(m.game, m.before).Explain(submit, reply)
}

// count returns a number with a noun: one or many.
func count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// times returns how often something happened, in words.
func times(n int) string {
	switch n {
	case 1:
		return "once"
	case 2:
		return "twice"
	}
	return fmt.Sprintf("%d times", n)
}

// activation is the result of one hear step.
type activation struct {
	explanation turn.Explanation
	blocks      []string
}

// checkResult is the result of a check, before Not is applied.
type checkResult struct {
	holds bool
	// got is what was found, in a few words. It is printed when the check fails.
	got string
	// why is the explanation of got, line by line.
	why []string
	// isUnknownName means that the check names something that does not exist. Then it fails with and
	// without Not: a wrong name does not prove absence.
	isUnknownName bool
}

// namesOf returns the names in a list.
func namesOf[T any](list []T, name func(T) string) []string {
	names := make([]string, len(list))
	for i, x := range list {
		names[i] = name(x)
	}
	return names
}

// unknownName returns the answer for an unknown name, with a suggestion.
func unknownName(what, name string, known []string) checkResult {
	if near, ok := utf8text.Suggest(name, known); ok {
		return checkResult{isUnknownName: true, got: fmt.Sprintf("there is no %s %q: did you mean %s?", what, name, near)}
	}
	slices.Sort(known)
	return checkResult{isUnknownName: true, got: fmt.Sprintf("there is no %s %q: there are %s", what, name, joinNames(known))}
}

// first returns the first argument, "" if it is missing.
func first(args []string) string {
	if len(args) > 0 {
		return args[0]
	}
	return ""
}

// second returns the second argument, "" if it is missing.
func second(args []string) string {
	if len(args) > 1 {
		return args[1]
	}
	return ""
}

// joinNames joins at most 20 names.
func joinNames(names []string) string {
	const most = 20
	if len(names) == 0 {
		return "none"
	}
	if len(names) > most {
		return strings.Join(names[:most], ", ") + " and others"
	}
	return strings.Join(names, ", ")
}

// failedCalls returns the failed calls of all outputs.
func (m *snapshot) failedCalls() (list []state.FailedCall) {
	for _, a := range m.attempts() {
		list = append(list, a.FailedCalls...)
	}
	return list
}

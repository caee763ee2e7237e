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

// snapshot holds the results of a step. Checks, reports and explanations read it.
type snapshot struct {
	game          *game.Game
	step          ScenarioStep
	input         turn.Input
	before, after state.Campaign
	outcome       *turn.Outcome // nil: no instruction ran
	why           error         // the error of an outcome that did not end well
	record        *turn.Record  // nil: nothing was committed
	requests      []llm.Request
	given         []ScenarioReply // replies of the model
	delivered     []effect.Effect // from hooks to sinks

	// heard is the result of a hear step; nil for all other steps.
	heard *heard

	// faults are found by this package itself: mistakes in the script, and broken laws.
	faults []string
}

// take copies the requests, the replies and the deliveries of a step. It checks that the script had
// exactly the replies that were needed.
func (m *snapshot) take(o *outside) {
	o.mu.Lock()
	defer o.mu.Unlock()
	m.requests, m.given, m.delivered = o.requests, o.given, o.delivered
	if o.real != nil {
		return
	}
	if asked := len(m.requests); asked > len(m.given) {
		m.faults = append(m.faults, fmt.Sprintf("the model was asked %s, and the script has %s: %s",
			times(asked), count(len(m.given), "reply", "replies"), m.askedAgain()))
	}
	if left := len(o.left); left > 0 && !o.quiet && m.outcome.Status != turn.Refused {
		m.faults = append(m.faults, fmt.Sprintf("nobody asked for the last %s of the script",
			count(left, "reply", "replies")))
	}
}

// askedAgain says why the model was asked again.
func (m *snapshot) askedAgain() string {
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

// explanation says why each part did what it did.
func (m *snapshot) explanation() turn.Explanation {
	if m.heard != nil {
		return m.heard.why
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
	if len(m.given) > 0 {
		reply = m.given[len(m.given)-1].Text
	}
	return turn.NewMachine(m.game, m.before).Explain(submit, reply)
}

// count returns a number of things in words.
func count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

func times(n int) string {
	switch n {
	case 1:
		return "once"
	case 2:
		return "twice"
	}
	return fmt.Sprintf("%d times", n)
}

// heard is the result of one hear step.
type heard struct {
	why    turn.Explanation
	blocks []string
}

// answer says whether a check holds, what was found, and why.
type answer struct {
	is bool
	// got says in a few words what was found. It is printed when the check fails.
	got string
	// why explains got, line by line.
	why []string
	// unknown means that the check names something that does not exist. Then it fails with and
	// without Not: a wrong name does not prove absence.
	unknown bool
}

// unknownName returns the answer for an unknown name, with a suggestion.
func unknownName(what, name string, known []string) answer {
	if near, ok := utf8text.Suggest(name, known); ok {
		return answer{unknown: true, got: fmt.Sprintf("there is no %s %q: did you mean %s?", what, name, near)}
	}
	slices.Sort(known)
	return answer{unknown: true, got: fmt.Sprintf("there is no %s %q: there are %s", what, name, listed(known))}
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

// listed joins at most 20 names.
func listed(names []string) string {
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

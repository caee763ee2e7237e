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

// moment is what a step led to: all that checks, reports and explanations look at.
type moment struct {
	game          *game.Game
	step          ScenarioStep
	input         turn.Input
	before, after state.Campaign
	outcome       *turn.Outcome // nil: nothing was carried out
	why           error         // of an outcome that is not a good one
	record        *turn.Record  // nil: nothing was committed
	requests      []llm.Request
	given         []ScenarioReply // replies of the model
	delivered     []effect.Effect // by hooks, to sinks

	// heard is what a line would give, without a turn; nil for everything else.
	heard *heard

	// faults are what the kit itself has to say: about the script, and about what must
	// always be so.
	faults []string
}

// take gathers what the outside was asked and told.
func (m *moment) take(o *outside) {
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

// askedAgain says why the model was asked once more.
func (m *moment) askedAgain() string {
	attempts := m.outcome.Attempts
	if len(attempts) == 0 {
		return "add a line model"
	}
	faults := faultsOf(attempts[len(attempts)-1])
	if len(faults) == 0 {
		return "the last reply had no narration yet"
	}
	return "of the last reply was refused " + strings.Join(faults, ", ")
}

// faultsOf lists what was refused of an output.
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

// turn is the one that was committed; an empty one if there is none.
func (m *moment) turn() state.Turn {
	if m.outcome == nil || m.outcome.Turn == nil {
		return state.Turn{}
	}
	return *m.outcome.Turn
}

// traceOf says what rules and hooks did: in the turn, or about an instruction between turns.
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

// attempts are the outputs of the model.
func (m *moment) attempts() []state.Attempt {
	if m.outcome == nil {
		return nil
	}
	return m.outcome.Attempts
}

// explanation says why everything did what it did.
func (m *moment) explanation() turn.Explanation {
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

// count is a number of things in words.
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

// heard is what one line gives, as it was found.
type heard struct {
	why    turn.Explanation
	blocks []string
}

// answer is whether something is so, what is so, and why.
type answer struct {
	is bool
	// got is what there is, in a few words. It is told where the check fails.
	got string
	// why are lines that explain it.
	why []string
	// unknown says that the check names something that is not there: then it fails, whether it
	// wants it or not. A slip in a name is no proof of absence.
	unknown bool
}

// knownBy is an answer about something that nobody knows: what may have been meant.
func knownBy(what, name string, known []string) answer {
	if near, ok := utf8text.Closest(name, known); ok {
		return answer{unknown: true, got: fmt.Sprintf("there is no %s %q: did you mean %s?", what, name, near)}
	}
	slices.Sort(known)
	return answer{unknown: true, got: fmt.Sprintf("there is no %s %q: there are %s", what, name, listed(known))}
}

// first is the first argument, "" if it is missing.
func first(args []string) string {
	if len(args) > 0 {
		return args[0]
	}
	return ""
}

// second is the argument that may be missing, "" if it is.
func second(args []string) string {
	if len(args) > 1 {
		return args[1]
	}
	return ""
}

// listed are names behind one another, not too many of them.
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

// failedCalls are those of all outputs.
func (m *moment) failedCalls() (list []state.FailedCall) {
	for _, a := range m.attempts() {
		list = append(list, a.FailedCalls...)
	}
	return list
}

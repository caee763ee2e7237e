package campaigntest

import (
	"fmt"
	"strings"

	"github.com/talewright/talewright/campaign/campaigntest/scenario"
	"github.com/talewright/talewright/campaign/conflict"
	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/rules/effect"
)

// moment is what a step led to: all that checks, reports and explanations look at.
type moment struct {
	game          *game.Game
	step          scenario.Step
	input         turn.Input
	before, after state.Campaign
	outcome       *turn.Outcome // nil: nothing was carried out
	record        *turn.Record  // nil: nothing was committed
	requests      []llm.Request
	given         []scenario.Reply // replies of the model
	delivered     []effect.Effect  // by hooks, to sinks

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
	return turn.Explain(m.game, m.before, submit, reply)
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

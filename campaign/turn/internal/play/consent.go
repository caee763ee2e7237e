package play

import (
	"maps"
	"slices"

	"github.com/talewright/talewright/campaign/internal/answer"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/tool"
	"github.com/talewright/talewright/campaign/turn/internal/draft"
	"github.com/talewright/talewright/campaign/turn/internal/judge"
	"github.com/talewright/talewright/internal/utf8text"
)

// Consent has the approvals for the calls of one output: the questions and the decisions of people.
type Consent struct {
	calls       []state.ApprovalCall              // accepted calls that need approval
	Decided     map[string]state.ApprovalDecision // decisions by call ID; nil before the first decision
	Outside     map[string]tool.Answer            // answers from outside the game, by [OutsideKey]
	Refused     []state.ApprovalRefused           // calls that could not be applied as decided
	Final       bool                              // a call was denied, and the model has no denials left for a new attempt
	BeforeCalls *Snapshot                         // the turn before the first call; nil without calls
	WhenAsked   *Snapshot                         // the turn when people were asked
}

// Snapshot is the part of a turn that the calls of an output change. With it the calls can be
// judged again.
type Snapshot struct {
	staged        draft.Progress            // the pending changes
	refusedBefore map[string]state.CallCode // calls refused so far, by tool and arguments
	RefusedCalls  []state.FailedCall
	attempt       state.Attempt
	calls         []state.ApprovalCall
	Decided       map[string]state.ApprovalDecision
	Approvals     int
}

// TakeSnapshot returns a snapshot of the judged calls.
func TakeSnapshot(t *Turn) *Snapshot {
	return &Snapshot{
		staged: t.Stage.Pending.Clone(), refusedBefore: maps.Clone(t.Calls.Refused), RefusedCalls: t.Out.RefusedCalls,
		attempt: t.Attempts[len(t.Attempts)-1], calls: t.People.Consent.calls,
		Decided: maps.Clone(t.People.Consent.Decided), Approvals: len(t.People.Decisions),
	}
}

// Restore restores a snapshot, except for the decisions of people. The calls can then be judged from
// the first one. That finds the conflicts of the text again.
func Restore(t *Turn, s *Snapshot) {
	t.Stage.Pending, t.Calls.Refused = s.staged.Clone(), maps.Clone(s.refusedBefore)
	t.Out.Calling, t.Out.RefusedCalls = Calling{}, s.RefusedCalls
	t.Attempts = append(slices.Clone(t.Attempts[:len(t.Attempts)-1]), s.attempt)
	t.People.Consent.calls = s.calls
}

// Denial returns the ruling for a call that people have denied, nil for other calls.
func (c *Consent) Denial(call answer.RawCall, text string) *state.FailedCall {
	d := c.Decided[call.ID]
	if d.Verdict != state.Deny {
		return nil
	}
	failed := &state.FailedCall{ID: call.ID, Tool: call.Tool, Status: state.CallRejected, Reason: tool.CallDenied,
		Message: text}
	if d.Reason != "" {
		failed.Message += ": " + utf8text.Cut(d.Reason, draft.MaxText/2)
	}
	return failed
}

// AddCall records an accepted call that needs approval.
func (c *Consent) AddCall(ruling judge.Ruling, affects []string) {
	effects, _ := draft.Readable("", ruling.Judgement.Effects)
	c.calls = append(c.calls, state.ApprovalCall{ID: ruling.Call.ID, Tool: ruling.Call.Tool, Args: ruling.Call.Args, Reason: ruling.Call.Reason,
		Result: ruling.Judgement.Result, Effects: effects, Affects: affects})
}

// Open returns the calls without a decision.
func (c *Consent) Open() []state.ApprovalCall {
	return slices.DeleteFunc(slices.Clone(c.calls), func(call state.ApprovalCall) bool {
		_, decided := c.Decided[call.ID]
		return decided
	})
}

// Revised returns a call with the edits of people.
func (c *Consent) Revised(call answer.RawCall) answer.RawCall {
	if d := c.Decided[call.ID]; d.Verdict == state.Edit {
		call.Args = d.Args
	}
	return call
}

// AllowsConflicts reports whether people have decided about the output, and denials have not used
// up the budget. Then a text that contradicts the state is accepted.
func (c *Consent) AllowsConflicts() bool { return c.Decided != nil && !c.Final }

// KeepOutside stores an answer from outside the game, so that it is asked for only once.
func (c *Consent) KeepOutside(call answer.RawCall, found tool.Answer) {
	if c.Outside == nil {
		c.Outside = map[string]tool.Answer{}
	}
	c.Outside[OutsideKey(call)] = found
}

// OutsideKey returns the key of a call in Outside.
func OutsideKey(call answer.RawCall) string {
	return call.ID + " " + judge.CallKey(tool.Call{Tool: call.Tool, Args: call.Args})
}

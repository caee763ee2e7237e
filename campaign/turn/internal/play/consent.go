package play

import (
	"maps"
	"slices"

	"github.com/talewright/talewright/campaign/conflict"
	"github.com/talewright/talewright/campaign/internal/answer"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/tool"
	"github.com/talewright/talewright/campaign/turn/internal/draft"
	"github.com/talewright/talewright/campaign/turn/internal/judge"
	"github.com/talewright/talewright/internal/utf8text"
)

// Consent is what people are asked, and have said, about the calls of one output.
type Consent struct {
	calls       []state.ApprovalCall              // accepted ones about which people are to be asked
	Decided     map[string]state.ApprovalDecision // what they said, by the id of the call; nil before
	Outside     map[string]tool.Answer            // answers from outside the game, by [OutsideKey]
	Refused     []state.ApprovalRefused           // what could not be carried out as they decided
	Final       bool                              // they denied something, and the model has no denials left to try again
	BeforeCalls *Snapshot                         // the turn before the first call; nil if nobody will be asked
	WhenAsked   *Snapshot                         // the turn when people were asked
}

// Snapshot is what the calls of an output change in a turn, so that they can be judged again.
type Snapshot struct {
	staged             draft.Progress
	refusedBefore      map[string]state.CallCode // calls refused so far, by tool and arguments
	calling            Calling
	Unsettled          []state.FailedCall
	findings, blocking []conflict.Conflict
	attempt            state.Attempt
	calls              []state.ApprovalCall
	Decided            map[string]state.ApprovalDecision
	Approvals          int
}

// TakeSnapshot remembers how far the calls are judged.
func TakeSnapshot(t *Turn) *Snapshot {
	return &Snapshot{
		staged: t.Stage.Staged.Clone(), refusedBefore: maps.Clone(t.Calls.Refused), calling: t.Out.Calling,
		Unsettled: t.Out.Unsettled, findings: t.Out.Findings, blocking: t.Out.Blocking,
		attempt: t.Attempts[len(t.Attempts)-1], calls: t.People.Consent.calls,
		Decided: maps.Clone(t.People.Consent.Decided), Approvals: len(t.People.Given),
	}
}

// Restore takes the turn back to a snapshot, but for what people have decided.
func Restore(t *Turn, s *Snapshot) {
	t.Stage.Staged, t.Calls.Refused, t.Out.Calling = s.staged.Clone(), maps.Clone(s.refusedBefore), s.calling
	t.Out.Unsettled, t.Out.Findings, t.Out.Blocking = s.Unsettled, s.findings, s.blocking
	t.Attempts = append(slices.Clone(t.Attempts[:len(t.Attempts)-1]), s.attempt)
	t.People.Consent.calls = s.calls
}

// Denial is the ruling about a call that people have denied, nil if they have not.
func (c *Consent) Denial(call answer.RawCall, text string) *state.FailedCall {
	d, decided := c.Decided[call.ID]
	if !decided || d.Verdict != state.Deny {
		return nil
	}
	failed := &state.FailedCall{ID: call.ID, Tool: call.Tool, Status: state.CallRejected, Reason: tool.CallDenied,
		Message: text}
	if d.Reason != "" {
		failed.Message += ": " + utf8text.Cut(d.Reason, draft.MaxText/2)
	}
	return failed
}

// AddCall notes an accepted call about which people are to be asked.
func (c *Consent) AddCall(r judge.Ruling, affects []string) {
	effects, _ := draft.Readable("", r.Judgement.Effects)
	c.calls = append(c.calls, state.ApprovalCall{ID: r.Call.ID, Tool: r.Call.Tool, Args: r.Call.Args, Reason: r.Call.Reason,
		Result: r.Judgement.Result, Effects: effects, Affects: affects})
}

// Open lists the calls that nobody has decided about.
func (c *Consent) Open() []state.ApprovalCall {
	return slices.DeleteFunc(slices.Clone(c.calls), func(call state.ApprovalCall) bool {
		_, decided := c.Decided[call.ID]
		return decided
	})
}

// Revised is a call as people want it.
func (c *Consent) Revised(call answer.RawCall) answer.RawCall {
	if d, decided := c.Decided[call.ID]; decided && d.Verdict == state.Edit {
		call.Args = d.Args
	}
	return call
}

// AllowsConflicts reports whether people have decided about the output, and not denied in vain: what its
// text then contradicts is theirs to say.
func (c *Consent) AllowsConflicts() bool { return c.Decided != nil && !c.Final }

// KeepOutside remembers what was found outside the game, so that nobody is asked twice.
func (c *Consent) KeepOutside(call answer.RawCall, found tool.Answer) {
	if c.BeforeCalls == nil {
		return
	}
	if c.Outside == nil {
		c.Outside = map[string]tool.Answer{}
	}
	c.Outside[OutsideKey(call)] = found
}

// OutsideKey names a call among those that were heard of outside the game.
func OutsideKey(call answer.RawCall) string {
	return call.ID + " " + judge.CallKey(tool.Call{Tool: call.Tool, Args: call.Args})
}

package play

import (
	"fmt"
	"maps"
	"runtime/debug"
	"slices"
	"time"

	"github.com/talewright/talewright/campaign/internal/settingkey"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/tool"
	"github.com/talewright/talewright/campaign/turn/internal/judge"
)

// This file has the steps that ask people about calls of an output that has passed all other
// checks. Edited and denied calls go through the same steps as the calls of the model.

// mustAsk reports whether people have to be asked about an accepted call. If the Approval function
// of the tool panics, they are asked.
func mustAsk(t *Turn, call tool.Call) (asks bool) {
	switch t.Values.Text(settingkey.ToolApproval) {
	case "off":
		return false
	case "all":
		return true
	}
	definition, _ := t.Game.Tools().Get(call.Tool)
	if definition.Approval == nil {
		return false
	}
	defer func() {
		if cause := recover(); cause != nil {
			asks = true
			t.Panics = append(t.Panics, tool.Panic{Tool: call.Tool, Value: cause, Stack: debug.Stack()})
		}
	}()
	view := tool.View{State: t.Stage.Pending.State.Clone(), ActorID: t.Order.In.ActorID, MaxHPDelta: t.Calls.MaxDelta, Life: t.Calls.Life}
	if t.Out.Calling.Answer != nil {
		view.Answer = t.Out.Calling.Answer.Value
	}
	return definition.Approval(call, view)
}

// approvalQuestion returns the question to people.
func approvalQuestion(t *Turn, open []state.ApprovalCall, version int64) state.ApprovalQuestion {
	q := state.ApprovalQuestion{
		ID: fmt.Sprintf("approval_%04d", version), CampaignID: t.Next.ID, ActorID: t.Order.In.ActorID, UserInput: t.Order.Submitted.Text,
		ClientTurnID: t.Order.In.ClientTurnID, Audience: t.Order.In.Audience, Attempt: len(t.Attempts), Narration: t.JudgedText(),
		Calls: open, Refused: t.People.Consent.Refused,
	}
	for i, a := range t.Stage.Pending.Applied {
		if i < len(t.Stage.Base.Applied) || !slices.ContainsFunc(open, func(c state.ApprovalCall) bool { return c.ID == a.ID }) {
			q.Settled = append(q.Settled, state.ApprovalCall{ID: a.ID, Tool: a.Tool, Args: a.Args, Reason: a.Reason, Result: a.Result})
		}
	}
	return q
}

// Pending returns the question about an output that passes otherwise, for a campaign of the given
// version. It returns nil if people are not asked.
func Pending(t *Turn, version int64) *state.PendingApproval {
	open := t.People.Consent.Open()
	if len(open) == 0 {
		return nil
	}
	t.People.Consent.WhenAsked = TakeSnapshot(t)
	p := &state.PendingApproval{Question: approvalQuestion(t, open, version), Records: 1}
	if t.Order.In.ClientTurnID != "" {
		p.Fingerprint = t.Order.Fingerprint
	}
	if !Intercepted(t) && t.Out.Last.Text != "" {
		p.Provisional = len(t.Attempts)
	}
	return p
}

// Decided applies the decisions of a person about the calls of a question, and returns the next
// row.
func Decided(t *Turn, q state.ApprovalQuestion, decisionOn func(call string) state.ApprovalDecision,
	by string, at time.Time) Next {
	c := &t.People.Consent
	c.Refused = nil
	if c.Decided == nil {
		c.Decided = map[string]state.ApprovalDecision{}
	}
	allApproved, denied := true, false // an edited call is neither
	for _, call := range q.Calls {
		decision := decisionOn(call.ID)
		c.Decided[call.ID] = decision
		allApproved, denied = allApproved && decision.Verdict == state.Approve, denied || decision.Verdict == state.Deny
		t.People.Decisions = append(t.People.Decisions, state.ApprovalGiven{QuestionID: q.ID, Attempt: q.Attempt, CallID: call.ID,
			Tool: call.Tool, Asked: call.Args, Verdict: decision.Verdict, Args: decision.Args, Reason: decision.Reason, By: by, At: at})
	}
	switch {
	case allApproved:
		return ToNext
	case denied && t.People.Denials < t.Values.Int(settingkey.MaxDenials):
		t.People.Denials++
		return ToDenied
	}
	c.Final = c.Final || denied
	Restore(t, c.BeforeCalls)
	return ToCalls
}

// Denied reports the denials to the model, and asks again.
func Denied(t *Turn) Next {
	t.Out.RefusedCalls = slices.Clip(t.Out.RefusedCalls)
	for _, call := range t.Out.Last.Calls {
		if failed := t.People.Consent.Denial(call, t.Game.Reason(tool.CallDenied)); failed != nil {
			t.Out.RefusedCalls = append(t.Out.RefusedCalls, *failed)
		}
	}
	last := &t.Attempts[len(t.Attempts)-1]
	last.FailedCalls = t.Out.RefusedCalls
	*last = judge.ForPeople(t.Next.Goal, t.Out.Last, *last)
	reject(t, nil, t.Values.Int(settingkey.MaxRetries)+t.Casting.RetriesBefore-t.Retries)
	t.Talk.RetryReason = "denied_calls"
	t.Stage.Undo()
	return ifRoom(t)
}

// askAgain asks people again if an output cannot be run as they decided. A call that fails because
// a different call was denied does not count.
func askAgain(t *Turn) bool {
	c := &t.People.Consent
	if c.Decided == nil {
		return false
	}
	var refused []state.ApprovalRefused
	for _, f := range t.Out.RefusedCalls {
		verdict := c.Decided[f.ID].Verdict
		known := slices.ContainsFunc(c.WhenAsked.RefusedCalls, func(b state.FailedCall) bool { return b.ID == f.ID })
		if known || verdict == state.Deny || c.Final && verdict != state.Edit {
			continue
		}
		refused = append(refused, state.ApprovalRefused{ID: f.ID, Tool: f.Tool, Reason: string(f.Reason), Message: f.Message,
			Violations: f.Violations, Expected: f.Expected, Hint: f.Hint})
	}
	if len(refused) == 0 {
		return false
	}
	Restore(t, c.WhenAsked)
	c.Decided, c.Refused, c.Final = maps.Clone(c.WhenAsked.Decided), refused, false
	t.People.Decisions = t.People.Decisions[:c.WhenAsked.Approvals:c.WhenAsked.Approvals]
	return true
}

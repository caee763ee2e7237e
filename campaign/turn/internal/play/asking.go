package play

import (
	"github.com/talewright/talewright/campaign/conflict"
	"github.com/talewright/talewright/campaign/internal/settingkey"
	"github.com/talewright/talewright/campaign/question"
	"github.com/talewright/talewright/campaign/turn/internal/judge"
	"github.com/talewright/talewright/hooks/act"
)

// This file has the steps that ask a model: for the first time, with the results of its calls, or
// again with the faults of its output.

// ifRoom leads to the model, if the messages that were appended to the request fit into the prompt.
func ifRoom(t *Turn) Next {
	if t.Talk.TooLong != nil {
		return ToNoRoom
	}
	return ToModel
}

// Generation returns the request to the model.
func Generation(t *Turn) *question.Generate {
	from := t.Talk.Sent
	if t.Talk.Text != nil { // a prompt in one text is written again for each request
		from = 0
	}
	t.Talk.Request.Messages = t.Stage.Rewrites.RewritePrompt(&t.Stage.Pending.Trace, t.Talk.Request.Messages, from)
	t.Stage.Checkpoint() // changes of hooks before the call do not belong to the output
	seen := t.Talk.Sent
	t.Talk.Sent, t.Stage.Rewrites.ModelAsked = len(t.Talk.Request.Messages), true
	return &question.Generate{Audience: t.Order.In.Audience,
		Request: t.Talk.Request, Attempt: len(t.Attempts) + 1, Retry: t.Talk.RetryReason,
		Intercept: Intercepted(t) || t.Order.Suggestions > 0,
		Continues: t.Order.Continues != nil,
		First:     t.Game.Hooks().Wants(act.StreamChunk) && t.Order.Suggestions == 0,
		Seen:      seen,
	}
}

// NextRound sends the results of calls to the model before it narrates.
func NextRound(t *Turn) Next {
	t.Talk.Rounds++
	if t.Talk.Rounds >= t.Values.Int(settingkey.MaxToolRounds) {
		t.Out.Findings = append(t.Out.Findings, judge.Unreadable(t.Game, conflict.EmptyOutput, t.Order.In.Text))
		t.Out.Blocking, _ = judge.Split(t.Out.Findings)
		t.Attempts[len(t.Attempts)-1].Conflicts = t.Out.Blocking
		return ToRetry
	}
	finishRound(t)
	return ifRoom(t)
}

// Narrate starts the second phase of plan_narrate.
func Narrate(t *Turn) Next {
	t.Talk.Narrating = true
	finishRound(t)
	t.Talk.AppendText(question.KindNarrate, t.Game.Texts().Narrate, t.Window().Budget())
	return ifRoom(t)
}

// finishRound ends a round of calls or commands without a narration: the changes of the output become
// final, and the results are appended to the request.
func finishRound(t *Turn) {
	if t.Narration() == "" {
		t.Stage.ApplyRequests(t.Written(), t.Out.Requests)
	}
	feedback := feedbackOf(t)
	calls, results := feedback.results(t.Talk.ResultsSent)
	if len(t.Out.Last.Calls) == 0 && t.OnlyRequests() {
		results = []question.Message{feedback.changes()}
	}
	t.Stage.Checkpoint()
	t.Casting.Refused = append(t.Casting.Refused, t.Out.RefusedCalls...)
	t.Talk.ResultsSent = len(feedback.staged)
	t.Talk.Append(feedback.Budget(), calls)
	t.Talk.Append(feedback.Budget(), results...)
	t.Talk.RetryReason = ""
}

// Retry asks again with feedback, until the budget is used up.
func Retry(t *Turn) Next {
	limit := t.Values.Int(settingkey.MaxRetries)
	switch {
	case t.Retries-t.Casting.RetriesBefore < limit && !t.People.Consent.Final:
		t.Retries++
		reject(t, t.Out.Blocking, limit+t.Casting.RetriesBefore-t.Retries)
		t.Talk.RetryReason = judge.FaultClasses(t.Out.RefusedCalls, t.Out.Blocking)
		t.Stage.Undo()
		return ifRoom(t)
	case len(t.Out.Blocking) == 0 && t.Narration() != "" && !t.View().Planning():
		return ToApproval // refused calls, but a narration that agrees with the state
	}
	return ToGiveUp
}

// reject appends the faults of the output to the request, with the number of retries left.
func reject(t *Turn, blocking []conflict.Conflict, left int) {
	feedback := feedbackOf(t)
	t.Talk.Reject(feedback.Budget(), feedback.rejected(), feedback.Game.Texts().LeftOut, feedback.faults(blocking, left))
}

// GiveUp drops the reply of one member of a cast, or leaves the decision to a person.
func GiveUp(t *Turn) Next {
	if t.Casting.Speaking() == "" {
		return ToReport
	}
	t.Stage.Undo()
	t.Casting.Dropped = append(t.Casting.Dropped, t.Casting.Speaking())
	return ToSpoken
}

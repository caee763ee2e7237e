package asking

import (
	"github.com/talewright/talewright/campaign/conflict"
	"github.com/talewright/talewright/campaign/question"
	"github.com/talewright/talewright/campaign/request"
	"github.com/talewright/talewright/campaign/setting"
	"github.com/talewright/talewright/campaign/turn/internal/play"
	"github.com/talewright/talewright/campaign/turn/internal/verdict"
	"github.com/talewright/talewright/hooks/on"
)

// IfRoom leads to the model, if the prompt had room for what was appended to the request.
func IfRoom(t *play.Turn) play.Next {
	if err := t.Talk.TooLong; err != nil {
		t.Stage.Staged.Warn("%v", err)
		return play.ToNoRoom
	}
	return play.ToModel
}

// Generation asks the model.
func Generation(t *play.Turn) *question.Generate {
	from := t.Talk.Sent
	if t.Talk.Text != nil { // one text, which is written anew for each request
		from = 0
	}
	t.Talk.Request.Messages = t.Stage.Rewrites.RewritePrompt(&t.Stage.Staged.Trace, t.Talk.Request.Messages, from)
	t.Stage.Settle() // what hooks did before the call is no part of an output
	seen := t.Talk.Sent
	t.Talk.Sent, t.Stage.Rewrites.ModelAsked = len(t.Talk.Request.Messages), true
	return &question.Generate{Audience: t.Order.In.Audience,
		Request: t.Talk.Request, Attempt: len(t.Attempts) + 1, Retry: t.Talk.RetryReason,
		Intercept: play.Intercepted(t) || t.Order.Suggestions > 0,
		Continues: t.Order.Continues != nil,
		First:     t.Game.Hooks().Wants(on.StreamChunk) && t.Order.Suggestions == 0,
		Seen:      seen,
	}
}

// NextRound lets the model see the results of its calls before it narrates.
func NextRound(t *play.Turn) play.Next {
	t.Talk.Rounds++
	if t.Talk.Rounds >= t.Values.Int(setting.MaxToolRounds) {
		t.Out.Findings = append(t.Out.Findings, verdict.Unreadable(t.Game, conflict.EmptyOutput, t.Order.In.Text))
		t.Out.Blocking, _ = verdict.Split(t.Out.Findings)
		t.Attempts[len(t.Attempts)-1].Conflicts = t.Out.Blocking
		return play.ToRetry
	}
	goOn(t)
	return IfRoom(t)
}

// Narrate starts the second phase of plan_narrate.
func Narrate(t *play.Turn) play.Next {
	t.Talk.Narrating = true
	goOn(t)
	t.Talk.AppendText(request.KindNarrate, t.Game.Texts().Narrate, t.Window().Budget())
	return IfRoom(t)
}

// goOn makes final what an output without a narration asks for, and appends the results to the request.
func goOn(t *play.Turn) {
	if t.Narration() == "" {
		t.Stage.ModelAsks(t.Written(), t.Out.Asks)
	}
	e := feedbackOf(t)
	calls, results := e.results(t.Talk.CallsTold)
	if len(t.Out.Last.Calls) == 0 && t.OnlyAsks() {
		results = []request.Message{e.changes()}
	}
	t.Stage.Settle()
	t.Casting.Refused = append(t.Casting.Refused, t.Out.Unsettled...)
	t.Talk.CallsTold = len(e.staged)
	t.Talk.Append(e.Budget(), calls)
	t.Talk.Append(e.Budget(), results...)
	t.Talk.RetryReason = ""
}

// Retry asks again with feedback, as long as the budget lasts.
func Retry(t *play.Turn) play.Next {
	limit := t.Values.Int(setting.MaxRetries)
	switch {
	case t.Retries-t.Casting.RetriesBefore < limit && !t.People.Consent.Final:
		t.Retries++
		Reject(t, t.Out.Blocking, limit+t.Casting.RetriesBefore-t.Retries)
		t.Talk.RetryReason = verdict.FaultClasses(t.Out.Unsettled, t.Out.Blocking)
		t.Stage.Undo()
		return IfRoom(t)
	case len(t.Out.Blocking) == 0 && t.Narration() != "" && !t.View().Planning():
		return play.ToApproval // refused calls, but a narration that agrees with the state
	}
	return play.ToGiveUp
}

// Reject tells the model what is wrong with its output, and that it may try again.
func Reject(t *play.Turn, blocking []conflict.Conflict, left int) {
	e := feedbackOf(t)
	t.Talk.Reject(e.Budget(), e.rejected(), e.Game.Texts().LeftOut, e.faults(blocking, left))
}

// GiveUp leaves out the reply of one of a cast, or leaves the decision to a person.
func GiveUp(t *play.Turn) play.Next {
	if t.Casting.Speaking() == "" {
		return play.ToReport
	}
	t.Stage.Undo()
	t.Casting.Dropped = append(t.Casting.Dropped, t.Casting.Speaking())
	return play.ToSpoken
}

package turn

import (
	"github.com/talewright/talewright/campaign/conflict"
	"github.com/talewright/talewright/campaign/request"
	"github.com/talewright/talewright/campaign/setting"
	"github.com/talewright/talewright/campaign/turn/internal/verdict"
)

// nextRound lets the model see the results of its calls before it narrates.
func nextRound(t *run) next {
	t.talk.rounds++
	if t.talk.rounds >= t.values.Int(setting.MaxToolRounds) {
		t.out.findings = append(t.out.findings, conflict.OutputConflict(conflict.EmptyOutput, t.order.in.Text))
		t.out.blocking, _ = verdict.Split(t.out.findings)
		t.attempts[len(t.attempts)-1].Conflicts = t.out.blocking
		return toRetry
	}
	goOn(t)
	return askModel(t)
}

// narrate starts the second phase of plan_narrate.
func narrate(t *run) next {
	t.talk.narrating = true
	goOn(t)
	t.talk.say(request.KindNarrate, t.game.Texts().Narrate, windowOf(t).Budget())
	return askModel(t)
}

// goOn makes the calls of an output final and appends their results to the request.
func goOn(t *run) {
	t.stage.Settle()
	t.casting.refused = append(t.casting.refused, t.out.unsettled...)
	e := feedbackOf(t)
	calls, results := e.results(t.talk.told)
	t.talk.told = len(e.staged)
	t.talk.follow(e.Budget(), calls)
	t.talk.follow(e.Budget(), results...)
	t.talk.why = ""
}

// retry asks again with feedback, as long as the budget lasts.
func retry(t *run) next {
	limit := t.values.Int(setting.MaxRetries)
	switch {
	case t.retries-t.casting.retries < limit && !t.people.consent.spent:
		t.retries++
		reject(t, t.out.blocking, limit+t.casting.retries-t.retries)
		t.talk.why = verdict.FaultClasses(t.out.unsettled, t.out.blocking)
		t.stage.Undo()
		return askModel(t)
	case len(t.out.blocking) == 0 && t.out.last.Text != "" && !viewOf(t).Planning():
		return toApproval // refused calls, but a narration that agrees with the state
	}
	return toGiveUp
}

// reject tells the model what is wrong with its output, and that it may try again.
func reject(t *run, blocking []conflict.Conflict, left int) {
	e := feedbackOf(t)
	t.talk.reject(e.Budget(), e.rejected(), e.faults(blocking, left))
}

// giveUp leaves out the reply of one of a cast, or leaves the decision to a person.
func giveUp(t *run) next {
	if t.casting.speaking() == "" {
		return toReport
	}
	t.stage.Undo()
	t.casting.dropped = append(t.casting.dropped, t.casting.speaking())
	return toSpoken
}

package turn

import (
	"github.com/talewright/talewright/campaign/conflict"
	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/request"
	"github.com/talewright/talewright/campaign/setting"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn/internal/verdict"
	"github.com/talewright/talewright/memvars/tree"
)

// nextRound lets the model see the results of its calls before it narrates.
func nextRound(t *run) Stop {
	t.talk.rounds++
	if t.talk.rounds >= t.values.Int(setting.MaxToolRounds) {
		t.out.findings = append(t.out.findings, conflict.OutputConflict(conflict.EmptyOutput, t.order.in.Text))
		t.out.blocking, _ = verdict.Split(t.out.findings)
		t.attempts[len(t.attempts)-1].Conflicts = t.out.blocking
		return atRetry
	}
	goOn(t)
	return askModel(t)
}

// narrate starts the second phase of plan_narrate.
func narrate(t *run) Stop {
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
func retry(t *run) Stop {
	limit := t.values.Int(setting.MaxRetries)
	switch {
	case t.retries-t.casting.retries < limit && !t.people.consent.spent:
		t.retries++
		reject(t, t.out.blocking, limit+t.casting.retries-t.retries)
		t.talk.why = verdict.FaultClasses(t.out.unsettled, t.out.blocking)
		t.stage.Undo()
		return askModel(t)
	case len(t.out.blocking) == 0 && t.out.last.Text != "" && !viewOf(t).Planning():
		return atApproval // refused calls, but a narration that agrees with the state
	}
	return atGiveUp
}

// reject tells the model what is wrong with its output, and that it may try again.
func reject(t *run, blocking []conflict.Conflict, left int) {
	e := feedbackOf(t)
	t.talk.reject(e.Budget(), e.rejected(), e.faults(blocking, left))
}

// giveUp leaves out the reply of one of a cast, or leaves the decision to a person.
func giveUp(t *run) Stop {
	if t.casting.speaking() == "" {
		return atReport
	}
	t.stage.Undo()
	t.casting.dropped = append(t.casting.dropped, t.casting.speaking())
	return atSpoken
}

// report leaves the decision to a person. The state stays as it was.
func report(m *Machine) Stop {
	t := m.turn
	last := t.attempts[len(t.attempts)-1]
	report := state.ConflictReport{
		CampaignID: t.next.ID, ActorID: t.order.in.ActorID, Speaker: t.casting.speaking(), UserInput: t.order.asked.Text,
		ClientTurnID: t.order.in.ClientTurnID, Submission: t.order.asked, Ask: t.order.ask,
		Attempts: len(t.attempts), MaxRetries: t.values.Int(setting.MaxRetries),
		Conflicts:   append([]conflict.Conflict{}, last.Conflicts...),
		FailedCalls: append([]state.FailedCall{}, last.FailedCalls...),
		Expected:    t.next.State.Expected(), History: t.attempts, Options: reportOptions(),
	}
	next := unplayed(t)
	next.PendingConflict = &report
	if t.order.in.ClientTurnID != "" {
		if next.Conflicts == nil {
			next.Conflicts = map[string]state.StoredConflict{}
		}
		next.Conflicts[t.order.in.ClientTurnID] = state.StoredConflict{
			Fingerprint: t.order.fingerprint, Report: report, RetriesUsed: t.retries,
			DialogType: t.dialog.kind.ID, DialogTypeSource: t.dialog.source}
	}
	kinds := tree.Text(verdict.FaultClasses(t.out.unsettled, t.out.blocking))
	return m.commit(RecordConflict, t.order.in.At, next, nil, Todo{
		Announce: wantedByHooks(m, Announce{Event: game.EventTurnConflict, At: t.order.in.At, Channel: t.order.in.Channel,
			Payload: tree.Object(tree.Member{Key: "kinds", Value: kinds})}),
		Outcome: &Outcome{
			Status: Conflict, Report: &report, Attempts: t.attempts, RetriesUsed: t.retries,
			DialogType: t.dialog.kind.ID, DialogTypeSource: t.dialog.source, Audience: t.order.in.Audience,
		},
	})
}

// reportOptions are offered for every conflict.
func reportOptions() []state.Decision {
	return []state.Decision{state.DecideRetry, state.DecideOverride, state.DecideAccept, state.DecideDiscard}
}

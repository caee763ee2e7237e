package turn

import (
	"github.com/talewright/talewright/campaign/conflict"
	"github.com/talewright/talewright/campaign/failure"
	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/question"
	"github.com/talewright/talewright/campaign/setting"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn/internal/verdict"
	"github.com/talewright/talewright/campaign/turntrace"
	"github.com/talewright/talewright/memvars/tree"
)

// The ways in which a turn ends: it is recorded, a person has to decide, or nothing comes of it.

// recordTurn writes down a turn that is over.
func recordTurn(m *Machine) Stop {
	t := m.turn
	done, err := finish(t, m.base.Version, &m.log)
	if err != nil {
		return unstorable(m, err)
	}
	kind := RecordTurn
	if t.order.head != nil {
		kind = RecordKind(t.order.ask.Instruction)
	}
	outcome := completed(done.turn, false)
	return m.commit(kind, t.order.in.At, done.next, &done.turn, Todo{
		Show: shows(t, done.turn), Host: t.stage.Staged.Host,
		Announce: afterCommit(m, t, done.turn, done.milestone), Outcome: &outcome,
	})
}

// shows is what the player gets to see of the turn.
func shows(t *run, record state.Turn) *Shown {
	shown := shownTurn(viewOf(t), record)
	shown.Messages, shown.Audience = t.stage.Staged.Messages, record.Audience
	return shown
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

// noRoom ends a turn whose prompt is too long.
func noRoom(m *Machine) Stop {
	return fail(m, Failed, failure.Failure{Kind: failure.Prompt, Code: failure.PromptTooLong, Err: m.turn.talk.tooLong})
}

// generateFailed ends a turn that has no answer.
func generateFailed(m *Machine, in GenerateFailed) Stop {
	why := failure.Failure{Kind: failure.Model, Code: failure.Code(in.Reason), Retry: in.Retry, RetryAfter: in.RetryAfter}
	if why.Code == failure.LeaseLost || why.Code == failure.StoreFailed {
		why.Kind = failure.Store
	}
	if in.Cancelled {
		why.Kind, why.Retry = failure.Cancelled, true
		return fail(m, Cancelled, why)
	}
	return fail(m, Failed, why)
}

// fail ends a turn that could not be played.
func fail(m *Machine, status OutcomeStatus, why failure.Failure) Stop {
	return drop(m, Outcome{Status: status, Reason: string(why.Code), Failure: &why, Attempts: m.turn.attempts,
		RetriesUsed: m.turn.retries})
}

// endIfVetoed ends the turn that a rule or hook has forbidden. What hooks said to the player is said.
func endIfVetoed(m *Machine) Stop {
	veto := m.turn.stage.Texts.Veto
	if veto == nil {
		return onward
	}
	return drop(m, Outcome{Status: Refused, Reason: string(state.Vetoed), Detail: veto.Reason, Messages: m.turn.stage.Staged.Messages})
}

// drop ends a turn of which only what its acceptance changed stays.
func drop(m *Machine, o Outcome) Stop {
	t := m.turn
	o.DialogType, o.DialogTypeSource, o.Audience = t.dialog.kind.ID, t.dialog.source, t.order.in.Audience
	if !t.headChanged {
		return m.endWith(o)
	}
	return m.commit(RecordFailed, t.order.in.At, unplayed(t), nil, Todo{Outcome: &o})
}

// summaryDue asks for a summary when too many turns have none.
func summaryDue(m *Machine) *question.Summarize {
	limit := m.game.Content().SummarizeAfter
	if limit <= 0 {
		return nil
	}
	c := &m.base
	due := c.State.TurnCount
	if covered, ok := c.Place(c.State.Summary.CoversThrough, c.State.HeadTurnID); ok {
		due -= covered
	}
	if due <= limit {
		return nil
	}
	turns := c.LastTurns(due)
	for i := range turns {
		turns[i].Changes, turns[i].Commands, turns[i].Trace = nil, nil, turntrace.Trace{}
	}
	q := &question.Summarize{Old: c.State.Summary, Turns: turns}
	if len(turns) < due {
		q.Unread = c.Newest(c.State.HeadTurnID, due)[:due-len(turns)]
	}
	return q
}

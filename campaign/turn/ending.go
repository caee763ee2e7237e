package turn

import (
	"slices"

	"github.com/talewright/talewright/campaign/conflict"
	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/internal/settingkey"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn/internal/draft"
	"github.com/talewright/talewright/campaign/turn/internal/judge"
	"github.com/talewright/talewright/campaign/turn/internal/play"
	"github.com/talewright/talewright/campaign/turn/internal/prepare"
	"github.com/talewright/talewright/memvars/tree"
)

// This file has the ways in which a turn ends: it is recorded, a person has to decide, or it has no
// result. It also has the answers after which a turn may end or continue.

// recordTurn prepares the record of a finished turn.
func recordTurn(m *Machine) Stop {
	t := m.turn
	done, err := play.Finish(t, m.base.Version, &m.log)
	if err != nil {
		return unstorable(m, err)
	}
	kind := RecordTurn
	if t.Order.Continues != nil {
		kind = RecordKind(t.Order.Ask.Instruction)
	}
	outcome, shown := completed(done.Turn), shownTurn(t.View(), done.Turn)
	shown.Messages = t.Stage.Pending.Messages
	return m.commit(kind, t.Order.In.At, done.Next, &done.Turn, Todo{
		Show: shown, Host: t.Stage.Pending.Host,
		Announce: afterCommit(m, done), Outcome: &outcome,
	})
}

// reportConflict ends a turn with a report of its conflicts, about which a person decides. The state
// does not change.
func reportConflict(m *Machine) Stop {
	t := m.turn
	last := t.Attempts[len(t.Attempts)-1]
	report := state.ConflictReport{
		CampaignID: t.Next.ID, ActorID: t.Order.In.ActorID, Speaker: t.Casting.Speaking(), UserInput: t.Order.Submitted.Text,
		ClientTurnID: t.Order.In.ClientTurnID, Submission: t.Order.Submitted, Ask: t.Order.Ask,
		Attempts: len(t.Attempts), MaxRetries: t.Values.Int(settingkey.MaxRetries),
		Conflicts:   append([]conflict.Conflict{}, last.Conflicts...),
		FailedCalls: append([]state.FailedCall{}, last.FailedCalls...),
		Expected:    t.Next.State.Expected(), History: t.Attempts,
		Options: []state.Decision{state.DecideRetry, state.DecideOverride, state.DecideAccept, state.DecideDiscard},
	}
	next := play.Unplayed(t)
	next.PendingConflict = &report
	if t.Order.In.ClientTurnID != "" {
		if next.Conflicts == nil {
			next.Conflicts = map[string]state.StoredConflict{}
		}
		next.Conflicts[t.Order.In.ClientTurnID] = state.StoredConflict{
			Fingerprint: t.Order.Fingerprint, Report: report, RetriesUsed: t.Retries,
			DialogType: t.Dialog.Kind.ID, DialogTypeSource: t.Dialog.Source}
	}
	kinds := tree.Text(judge.FaultClasses(t.Out.RefusedCalls, t.Out.Blocking))
	return m.commit(recordConflict, t.Order.In.At, next, nil, Todo{
		Announce: wantedByHooks(m, ofTurn(t, Announce{Event: game.EventTurnConflict,
			Payload: tree.Object(tree.Member{Key: "kinds", Value: kinds})})...),
		Outcome: &Outcome{
			Status: Conflict, Report: &report, Attempts: t.Attempts, RetriesUsed: t.Retries,
			DialogType: t.Dialog.Kind.ID, DialogTypeSource: t.Dialog.Source, Audience: t.Order.In.Audience,
		},
	})
}

// failNoRoom ends a turn whose prompt does not fit its budget.
func failNoRoom(m *Machine) Stop {
	return fail(m, Failed, Failure{Kind: FailurePrompt, Code: promptTooLong, Err: m.turn.Talk.TooLong})
}

// generateFailed ends a turn that got no answer of the model.
func generateFailed(m *Machine, in GenerateFailed) Stop {
	why := Failure{Kind: FailureModel, Code: FailureCode(in.Reason), Retry: in.Retry, RetryAfter: in.RetryAfter}
	if why.Code == LeaseLost || why.Code == StoreFailed {
		why.Kind = FailureStore
	}
	if in.Cancelled {
		why.Kind, why.Retry = FailureCancelled, true
		return fail(m, Cancelled, why)
	}
	return fail(m, Failed, why)
}

// updated continues a turn after the answer to its second request.
func updated(m *Machine, in Replied) Stop {
	play.Updated(m.turn, play.Reply(in))
	return rowBelow
}

// updateFailed continues a turn without an answer to its second request, unless it cannot be stored.
func updateFailed(m *Machine, in GenerateFailed) Stop {
	if in.Reason == LeaseLost || in.Reason == StoreFailed {
		return generateFailed(m, in)
	}
	m.turn.Stage.Pending.Warn("updater: %s", in.Reason)
	return rowBelow
}

// fail ends a turn that could not be played.
func fail(m *Machine, status OutcomeStatus, why Failure) Stop {
	return endWithoutResult(m, Outcome{Status: status, Reason: string(why.Code), Failure: &why, Attempts: m.turn.Attempts,
		RetriesUsed: m.turn.Retries})
}

// endIfVetoed ends a turn that a rule or hook has forbidden. Messages of hooks to the player are
// still returned.
func endIfVetoed(m *Machine) Stop {
	veto := m.turn.Stage.Rewrites.Veto
	if veto == nil {
		return rowBelow
	}
	return endWithoutResult(m, Outcome{Status: Refused, Reason: string(state.Vetoed), Detail: veto.Reason, Messages: m.turn.Stage.Pending.Messages})
}

// endWithoutResult ends a turn without a record of a turn. Only the changes that its acceptance made stay.
func endWithoutResult(m *Machine, o Outcome) Stop {
	t := m.turn
	o.DialogType, o.DialogTypeSource, o.Audience = t.Dialog.Kind.ID, t.Dialog.Source, t.Order.In.Audience
	if !t.HeadChanged {
		return m.endWith(o)
	}
	return m.commit(recordFailed, t.Order.In.At, play.Unplayed(t), nil, Todo{Outcome: &o})
}

// shownTurn returns a turn in the form that its player sees.
func shownTurn(v draft.Turn, t state.Turn) *Shown {
	if len(t.Replies) == 0 {
		return &Shown{Text: prepare.Displayed(v, t.Text, v.CharName()), Audience: t.Audience}
	}
	shown := &Shown{Replies: slices.Clone(t.Replies), Audience: t.Audience}
	for i, r := range shown.Replies {
		text := prepare.Displayed(v, r.Text, v.MemberName(r.Speaker))
		if i+1 < len(shown.Replies) {
			text += play.BetweenReplies
		}
		shown.Text += text
		shown.Replies[i].Text = text
	}
	return shown
}

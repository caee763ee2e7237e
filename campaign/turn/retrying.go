package turn

import (
	"slices"
	"strings"

	"github.com/talewright/talewright/campaign/conflict"
	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/request"
	"github.com/talewright/talewright/campaign/setting"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/internal/openjson"
	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/memvars/tree"
)

// nextRound lets the model see the results of its calls before it narrates.
func (m *Machine) nextRound() Stop {
	t := m.turn
	t.rounds++
	if t.rounds >= t.values.Int(setting.MaxToolRounds) {
		t.findings = append(t.findings, conflict.OutputConflict(conflict.EmptyOutput, t.in.Text))
		t.blocking, _ = split(t.findings)
		t.attempts[len(t.attempts)-1].Conflicts = t.blocking
		return atRetry
	}
	t.goOn()
	return m.askModel()
}

// narrate starts the second phase of plan_narrate.
func (m *Machine) narrate() Stop {
	t := m.turn
	t.narrating = true
	t.goOn()
	t.appendMessage(request.KindNarrate, llm.User, t.game.Texts().Narrate)
	return m.askModel()
}

// goOn makes the calls of an output final and appends their results to the request.
func (t *run) goOn() {
	t.stage.Settle()
	t.refused = append(t.refused, t.unsettled...)
	t.continueRequest()
	t.retryWhy = ""
}

// retry asks again with feedback, as long as the budget lasts.
func (m *Machine) retry() Stop {
	t := m.turn
	limit := t.values.Int(setting.MaxRetries)
	switch {
	case t.retries-t.casting.retries < limit && !t.consent.spent:
		t.retries++
		t.feedback(t.blocking, limit+t.casting.retries-t.retries)
		t.retryWhy = faultClasses(t.unsettled, t.blocking)
		t.stage.Undo()
		return m.askModel()
	case len(t.blocking) == 0 && t.last.Text != "" && !t.scenery().planning():
		return atApproval // refused calls, but a narration that agrees with the state
	}
	return atGiveUp
}

// giveUp leaves out the reply of one of a cast, or leaves the decision to a person.
func (m *Machine) giveUp() Stop {
	if m.turn.hasSpeaker() {
		return m.dropReply()
	}
	return m.report()
}

// report leaves the decision to a person. The state stays as it was.
func (m *Machine) report() Stop {
	t := m.turn
	last := t.attempts[len(t.attempts)-1]
	report := state.ConflictReport{
		CampaignID: t.next.ID, ActorID: t.in.ActorID, Speaker: t.casting.speaking(), UserInput: t.asked.Text,
		ClientTurnID: t.in.ClientTurnID, Submission: state.Submission(t.asked), Ask: t.ask,
		Attempts: len(t.attempts), MaxRetries: t.values.Int(setting.MaxRetries),
		Conflicts:   append([]conflict.Conflict{}, last.Conflicts...),
		FailedCalls: append([]state.FailedCall{}, last.FailedCalls...),
		Expected:    t.next.State.Expected(), History: t.attempts, Options: reportOptions(),
	}
	next := t.unplayed()
	next.PendingConflict = &report
	if t.in.ClientTurnID != "" {
		if next.Conflicts == nil {
			next.Conflicts = map[string]state.StoredConflict{}
		}
		next.Conflicts[t.in.ClientTurnID] = state.StoredConflict{
			Fingerprint: t.ticket.By(t.asked.ActorID), Report: report, RetriesUsed: t.retries,
			DialogType: t.kind.ID, DialogTypeSource: t.source}
	}
	kinds := tree.Text(faultClasses(t.unsettled, t.blocking))
	return m.commit(RecordConflict, t.in.At, next, nil, Todo{
		Announce: m.wanted(Announce{Event: game.EventTurnConflict, At: t.in.At, Channel: t.in.Channel,
			Payload: tree.Object(tree.Member{Key: "kinds", Value: kinds})}),
		Outcome: &Outcome{
			Status: Conflict, Report: &report, Attempts: t.attempts, RetriesUsed: t.retries,
			DialogType: t.kind.ID, DialogTypeSource: t.source, Audience: t.in.Audience,
		},
	})
}

func split(all []conflict.Conflict) (blocking, warnings []conflict.Conflict) {
	for _, c := range all {
		if c.Severity == conflict.Block {
			blocking = append(blocking, c)
		} else {
			warnings = append(warnings, c)
		}
	}
	return blocking, warnings
}

// sameFaults reports whether the last attempt failed in the same ways as the one
// before.
func sameFaults(attempts []state.Attempt) bool {
	n := len(attempts)
	if n < 2 {
		return false
	}
	a, b := faultKinds(attempts[n-2]), faultKinds(attempts[n-1])
	return len(b) > 0 && slices.Equal(a, b)
}

func faultKinds(a state.Attempt) []string {
	var kinds []string
	for _, f := range a.FailedCalls {
		reason := f.Reason
		if f.OriginalReason != "" {
			reason = f.OriginalReason
		}
		kinds = append(kinds, "call "+f.Tool+" "+string(reason))
	}
	for _, c := range a.Conflicts {
		kinds = append(kinds, c.Kind+" "+c.EntityID)
	}
	slices.Sort(kinds)
	return kinds
}

// faultClasses names what was wrong, without any text of the model's.
func faultClasses(failed []state.FailedCall, blocking []conflict.Conflict) string {
	var out []string
	if len(failed) > 0 {
		out = append(out, "refused_calls")
	}
	for _, c := range blocking {
		if !slices.Contains(out, c.Kind) {
			out = append(out, c.Kind)
		}
	}
	return strings.Join(out, ",")
}

// feedbackJSON encodes what is told to the model.
func feedbackJSON(v any) string {
	data, err := openjson.Marshal(v)
	if err != nil {
		return "{}" // plain strings, numbers and JSON values always encode
	}
	return string(data)
}

// reportOptions are offered for every conflict.
func reportOptions() []state.Decision {
	return []state.Decision{state.DecideRetry, state.DecideOverride, state.DecideAccept, state.DecideDiscard}
}

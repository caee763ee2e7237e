package turn

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/talewright/talewright/campaign/internal/answer"
	"github.com/talewright/talewright/campaign/internal/settingkey"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn/internal/judge"
	"github.com/talewright/talewright/campaign/turn/internal/play"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/prompt/script"
)

// ResolveConflict decides about a pending conflict report.
type ResolveConflict struct {
	Decision state.Decision `json:"decision"`
	// Text and ToolCalls, a list of calls, are for an override.
	Text      string     `json:"text,omitempty"`
	ToolCalls tree.Value `json:"tool_calls,omitzero"`
	By        string     `json:"by,omitempty"` // the host's name for the person
	At        time.Time  `json:"at,omitzero"`
}

func (ResolveConflict) inputType() string { return "resolve_conflict" }

// apply runs a person's decision about a pending conflict.
func (in ResolveConflict) apply(m *Machine) (Stop, error) {
	report := m.base.PendingConflict
	if report == nil {
		return idle, refusal(state.NoPendingConflict)
	}
	if report.Ask != nil {
		if line, known := readLineAtHead(m); known && !line.atHand {
			return atPast, nil
		}
	}
	instruction := reportedInstruction(report, in.At)
	code := m.Refuses(instruction)
	if code == state.NotActiveActor { // the line was accepted in its order, and its actor may have changed since
		code = ""
		if !mayAct(m, m.base.State, report.ActorID) {
			code = state.ActorCannotAct
		}
	}
	if code != "" && in.Decision != state.DecideDiscard {
		return idle, refusal(code) // the campaign has ended since, or the actor cannot act
	}
	switch in.Decision {
	case state.DecideRetry:
		return instruction.open(m, m.values()), nil
	case state.DecideDiscard:
		next := m.base.Clone()
		next.PendingConflict = nil
		return m.commit(recordDiscard, in.At, next, nil, Todo{Outcome: &Outcome{Status: Discarded}}), nil
	case state.DecideAccept:
		in.Text = lastNarration(m, report)
		in.ToolCalls = tree.Value{}
	case state.DecideOverride:
	default:
		return idle, refusal(state.UnknownDecision)
	}
	instruction.open(m, m.values())
	return deliverDecision(m, in, report)
}

// deliver settles a person's text and calls as a turn. An accepted text keeps the conflicts of the
// report.
func deliverDecision(m *Machine, in ResolveConflict, report *state.ConflictReport) (Stop, error) {
	t := m.turn
	if report.Speaker != "" {
		t.Casting.Speakers = []string{report.Speaker}
	}
	t.Dialog.Source = state.DialogByHand
	t.Dialog.Kind, _ = m.game.Dialog(t.Values.Text(settingkey.ManualType))
	t.Dialog.Kept.TypeSelected = t.Dialog.Kind.ID
	t.Calls.DialogOK = true // a person's calls are judged in every dialog type
	t.Out.Last, t.Out.Requests = answer.Answer{Raw: in.Text, Text: in.Text}, nil
	if in.Decision == state.DecideOverride && t.Order.Continues == nil {
		play.ProcessLine(t) // the line of the player counts as in a turn of the model
		t.Stage.Checkpoint()
	}
	applyCallsOfPerson(t, in.ToolCalls)
	if len(t.Out.RefusedCalls) > 0 {
		return idle, &state.Refusal{Code: state.OverrideRejected, FailedCalls: t.Out.RefusedCalls}
	}
	if in.Decision == state.DecideAccept {
		acceptReported(t, report)
		return atRecord, nil // the text is only delivered: no commands, no rules, no hooks
	}
	examiner := t.Examiner()
	found := examiner.Detect(examiner.Read(t.ShownText(), nil), t.Order.ContinuedText())
	t.Out.Accepted, _ = judge.Split(found)
	// A person's replacement of the model's text is an edit.
	t.RunScripts(script.Where{Placement: script.AIOutput, Edit: true})
	return atOverridden, nil
}

// applyCallsOfPerson judges the calls of an override and applies the accepted ones. The refused
// calls are in t.Out.Unsettled.
func applyCallsOfPerson(t *play.Turn, calls tree.Value) {
	for i, c := range calls.Elements() {
		call := answer.ReadCall(c)
		call.ID = cmp.Or(call.ID, fmt.Sprintf("call_%03d", i+1))
		t.Out.Last.Calls = append(t.Out.Last.Calls, call)
	}
	seen := map[string]bool{}
	for i, call := range t.Out.Last.Calls {
		ruling := t.Calls.Judge(i, call, seen, t.Stage.Pending.State, nil)
		if ruling.Failed != nil {
			t.Out.RefusedCalls = append(t.Out.RefusedCalls, *ruling.Failed)
			continue
		}
		t.Stage.ApplyCall(ruling.Call, ruling.Judgement)
		t.Stage.Pending.Calls = append(t.Stage.Pending.Calls, call.Value())
	}
}

// acceptReported accepts the text of a report with its conflicts. They include conflicts found in
// the structured output or by a judge, which the detectors would not find again.
func acceptReported(t *play.Turn, report *state.ConflictReport) {
	t.Out.Accepted = slices.Clone(report.Conflicts)
	t.RunScripts(script.Where{Placement: script.AIOutput})
	if t.Casting.Speaking() != "" {
		t.Casting.Add(state.Reply{Text: t.Narration(), Structured: t.Out.Last.Extra}, t.Written())
	}
}

// lastNarration returns the narration of the last output of a conflict, without its list of claims.
func lastNarration(m *Machine, r *state.ConflictReport) string {
	if len(r.History) == 0 {
		return ""
	}
	last := r.History[len(r.History)-1]
	out, _ := m.game.ReadAnswer(answer.Read(last.Output, last.Calls), m.game.Scope())
	if m.values().Text(settingkey.Claims) != "off" {
		out = out.WithClaims()
	}
	return out.Text
}

// reportedInstruction returns the instruction that a conflict report is about.
func reportedInstruction(r *state.ConflictReport, at time.Time) ModelInstruction {
	line := Submit(r.Submission)
	line.At = at
	if r.Ask == nil {
		return line
	}
	switch r.Ask.Instruction {
	case Continue{}.inputType():
		return Continue{Instructions: r.Ask.Instructions, ClientTurnID: r.ClientTurnID, At: at, Recall: line.Recall}
	case Proceed{}.inputType():
		return Proceed{ActorID: line.ActorID, UserID: line.UserID, Channel: line.Channel, Instructions: r.Ask.Instructions,
			Speaker: line.Speaker, Audience: line.Audience, ClientTurnID: r.ClientTurnID, At: at, Elapsed: line.Elapsed, Events: line.Events, Recall: line.Recall}
	}
	return Regenerate{Instructions: r.Ask.Instructions, Swipe: r.Ask.Swipe, Speaker: r.Ask.Speaker, ClientTurnID: r.ClientTurnID,
		At: at, Recall: line.Recall}
}

package campaign

import (
	"fmt"
	"slices"
	"time"

	"github.com/talewright/talewright/campaign/conflict"
	"github.com/talewright/talewright/campaign/setting"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/prompt/script"
)

// ResolveConflict decides about a pending conflict report.
type ResolveConflict struct {
	Decision Decision `json:"decision"`
	// Text and ToolCalls, a list of calls, are those of an override.
	Text      string     `json:"text,omitempty"`
	ToolCalls tree.Value `json:"tool_calls,omitzero"`
	At        time.Time  `json:"at,omitzero"`
}

func (ResolveConflict) inputType() string { return "resolve_conflict" }

func (in ResolveConflict) stamped(now time.Time) Input { in.At = orNow(in.At, now); return in }

// apply carries out a person's decision about a pending conflict.
func (in ResolveConflict) apply(m *Machine) (Stop, error) {
	report := m.base.PendingConflict
	if report == nil {
		return idle, refuse(NoPendingConflict)
	}
	values := m.game.settings.Freeze(m.base.GlobalSettings, m.base.Settings)
	again := report.Submission
	again.At = in.At
	if code := m.refusal(again, values); code != "" && in.Decision != DecideDiscard {
		return idle, refuse(code) // meanwhile the campaign has ended, or the actor cannot act
	}
	switch in.Decision {
	case DecideRetry:
		return m.begin(again, values), nil
	case DecideDiscard:
		next := m.base.clone()
		next.PendingConflict = nil
		return m.commit(kindDiscard, in.At, next, nil, Todo{Outcome: &Outcome{Status: Discarded}}), nil
	case DecideAccept:
		in.Text = m.game.lastText(report)
		in.ToolCalls = tree.Value{}
	case DecideOverride:
	default:
		return idle, refuse(UnknownDecision)
	}
	next := m.base.clone()
	next.PendingConflict = nil
	delete(next.Conflicts, report.ClientTurnID)
	next.closeUndo()
	m.turn = newTurn(m.game, next, again, values)
	m.turn.past = &m.past
	return m.deliver(in, report.Conflicts)
}

// kindDiscard is the record of a conflict that was dropped.
const kindDiscard = "discard"

// deliver settles a person's text and calls as a turn. reported are the conflicts
// of the pending report, which an accepted text keeps.
func (m *Machine) deliver(in ResolveConflict, reported []conflict.Conflict) (Stop, error) {
	t := m.turn
	t.source = sourceManual
	t.kind, _ = m.game.dialog(t.values.Text(setting.ManualType))
	t.court.dialogOK = true // a person's calls are judged in every dialog type
	t.last = output{raw: in.Text, text: in.Text}
	// What a person writes instead of the model is an edit of the model's text.
	edit := in.Decision == DecideOverride
	t.last.text = t.scripted(in.Text, script.Where{Placement: script.AIOutput, Edit: edit})
	for i, c := range in.ToolCalls.Elements() {
		call := readCall(c)
		if call.id == "" {
			call.id = fmt.Sprintf("call_%03d", i+1)
		}
		t.last.calls = append(t.last.calls, call)
	}
	seen := map[string]bool{}
	for i, call := range t.last.calls {
		if r := t.court.judge(i, call, seen, t.staged.state); r.failed != nil {
			t.unsettled = append(t.unsettled, *r.failed)
		} else {
			t.carryOut(r)
		}
	}
	if len(t.unsettled) > 0 {
		return idle, &Refusal{Code: OverrideRejected, FailedCalls: t.unsettled}
	}
	if in.Decision == DecideAccept {
		// Also what its structured output or a judge had against it.
		t.accepted = slices.Clone(reported)
		return atRecord, nil // delivered, and nothing else: no commands, no rules, no hooks
	}
	found := conflict.Detect(t.cleanNarration(in.Text), nil, t.view(), t.conflictOptions())
	t.accepted, _ = split(found)
	return atSettle, nil
}

// lastText is the narration of the last output of a conflict.
func (g *Game) lastText(r *ConflictReport) string {
	if len(r.History) == 0 {
		return ""
	}
	last := r.History[len(r.History)-1]
	return g.readAnswer(readOutput(last.Output, last.Calls), g.scope()).text
}

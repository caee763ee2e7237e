package campaign

import (
	"fmt"
	"slices"

	"github.com/talewright/talewright/campaign/setting"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules"
)

// workOut lets everything follow from an output that has passed: what its text asks for
// in the languages of the dialects, then the events of the turn for rules and reactions.
func (t *turn) workOut() {
	t.modelAsks()
	t.turnEvents()
}

// hasChanges reports whether the turn changed anything.
func (t *turn) hasChanges() bool { return len(t.staged.changes) > 0 }

func (t *turn) textPayload() []tree.Member {
	return []tree.Member{{Key: "text", Value: tree.Text(t.shownText())}}
}

// turnEvents raises the events of a finished turn, in their fixed order. The
// directives whose time is over go first.
func (t *turn) turnEvents() {
	p := &t.staged
	n := t.number()
	p.state.Ledger, _ = p.state.Ledger.Expire(n)
	// What changed is in the events of the turn already, with the names that rules know.
	t.chain(rules.TurnEvents(t.in.Text, t.shownText(), n, nil)...)
}

// changePayload lists what the turn changed, for hooks.
func (t *turn) changePayload() []tree.Member {
	var changes []tree.Member
	for _, c := range t.staged.changes {
		changes = append(changes, tree.Member{Key: c.Path.String(), Value: tree.Object(
			tree.Member{Key: "old", Value: c.Old}, tree.Member{Key: "new", Value: c.New})})
	}
	return []tree.Member{{Key: "changes", Value: tree.Object(changes...)}}
}

// recordTurn completes the record: the passage of time, the end of the campaign, the
// milestone, whose turn is next.
func (m *Machine) recordTurn() Stop {
	t := m.turn
	p := &t.staged
	next := t.next
	next.TurnCounter++
	record, err := t.record(next).asStored()
	if err != nil {
		return m.unstorable(err)
	}
	p.state.TurnCount++
	p.state.HeadTurnID = record.ID
	p.state.Random = t.cursor
	p.state.settleLifecycle(m.game.life, t.values.Bool(setting.HPZeroEndsGame), t.in.At)
	tokens := estimateTokens(t.in.Text) + estimateTokens(record.Text)
	milestone := p.state.Milestone.advance(p.state.TurnCount, tokens, p.state.Summary.Version)
	if t.values.Text(setting.TurnOrder) == "round_robin" {
		p.state.Selected.ActorID = p.state.nextActor()
	}
	next.State = p.state
	next.Turns = m.log.with(next.Turns, record)
	next.addCheckpoint("", t.in.At, checkpointLimit(t.values))
	outcome := completed(record, false)
	return m.commit(kindTurn, t.in.At, next, &record, Todo{
		Show: &Shown{Text: t.displayed(record.Text), Messages: p.messages}, Host: p.host,
		Announce: m.afterCommit(t, record, milestone), Outcome: &outcome,
	})
}

// record is the turn as the log keeps it.
func (t *turn) record(next Campaign) Turn {
	p := t.staged
	parent := p.state.HeadTurnID
	out := Turn{
		ID: turnID(next.TurnCounter), Index: t.number(), ParentID: parent, BranchID: next.BranchID,
		ActorID: t.in.ActorID, UserInput: t.in.Text, Text: t.shownText(),
		Structured: t.last.extra, Applied: p.applied, Timestamp: t.in.At,
		DialogType: t.kind.ID, DialogTypeSource: t.source,
		SettingsRevision: next.SettingsRevision, RetriesUsed: t.retries, Attempts: t.attempts,
		Overridden: t.accepted, Changes: p.changes, Commands: p.commands, Trace: p.trace.clone(),
		ClientTurnID: t.in.ClientTurnID,
	}
	if t.in.ClientTurnID != "" {
		out.Fingerprint = fingerprint(t.asked)
	}
	for _, f := range slices.Concat(t.refused, t.unsettled) {
		out.Unresolved = append(out.Unresolved, f.Reason)
	}
	out.Trace.Draws = t.draws
	out.StateSummary = p.state.expectedState().String()
	return out
}

// shownText is the narration as the player reads it: without variable commands.
func (t *turn) shownText() string { return t.cleanNarration(t.last.text) }

func (t *turn) warn(format string, args ...any) {
	t.staged.trace.Warnings = append(t.staged.trace.Warnings, fmt.Sprintf(format, args...))
}

// summaryDue asks for a summary when too many turns have none.
func (m *Machine) summaryDue() *SummarizeQuestion {
	limit := m.game.content.SummarizeAfter
	if limit <= 0 {
		return nil
	}
	due := 0
	for turn := range m.base.branch(m.base.State.HeadTurnID) {
		if turn.ID == m.base.State.Summary.CoversThrough {
			break
		}
		due++
	}
	if due <= limit {
		return nil
	}
	turns := newest(m.base.branch(m.base.State.HeadTurnID), due)
	for i := range turns {
		turns[i].Changes, turns[i].Commands, turns[i].Trace = nil, nil, TurnTrace{}
	}
	return &SummarizeQuestion{Old: m.base.State.Summary, Turns: turns}
}

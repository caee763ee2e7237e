package turn

import (
	"cmp"
	"slices"
	"strings"

	"github.com/talewright/talewright/campaign/internal/secret"
	"github.com/talewright/talewright/campaign/question"
	"github.com/talewright/talewright/campaign/setting"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turntrace"
	"github.com/talewright/talewright/memvars"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules/event"
	"github.com/talewright/talewright/worldbook"
)

// workOut lets everything follow from an output that has passed: what its text asks for
// in the languages of the dialects, then the events of the turn for rules and reactions.
func (t *run) workOut() {
	if !t.hasCast() { // else it has been done reply by reply
		t.stage.ModelAsks(t.last.Text, t.asks)
	}
	t.endVariables()
	t.turnEvents()
}

// endVariables lets time pass for the variables, once a turn.
func (t *run) endVariables() {
	if t.head != nil { // a turn that goes on has ended before
		t.stage.EndVariables(nil)
		return
	}
	t.stage.EndVariables(&memvars.Turn{Reply: t.rawReply(), Player: t.playerLines()})
}

// hasChanges reports whether the turn changed anything.
func (t *run) hasChanges() bool { return len(t.stage.Staged.Changes) > 0 }

func (t *run) textPayload() []tree.Member {
	return []tree.Member{{Key: "text", Value: tree.Text(t.shownText())}}
}

// turnEvents raises the events of a finished turn, in their fixed order. The
// directives whose time is over go first.
func (t *run) turnEvents() {
	p := &t.stage.Staged
	n := t.stage.Number
	p.State.Ledger, _ = p.State.Ledger.Expire(n)
	p.State.LoreEdits = p.State.LoreEdits.Expire(n)
	// What changed is in the events of the turn already, with the names that rules know.
	if t.head != nil { // the turn is over, but there is more to hear of its reply
		if !t.hasCast() { // else it has been heard
			t.stage.Chain(event.ModelMessage(t.cleanNarration(t.last.Text)))
		}
		return
	}
	heard := event.OfTurn(t.in.Text, t.shownText(), n, nil)
	switch {
	case t.hasCast():
		heard = t.castEvents(heard)
	case !t.line:
		heard = heard[1:] // nobody said anything
	}
	t.stage.Chain(heard...)
}

// changePayload lists what the turn changed, for hooks.
func (t *run) changePayload() []tree.Member {
	var changes []tree.Member
	for _, c := range t.stage.Staged.Changes {
		changes = append(changes, tree.Member{Key: c.Path.String(), Value: tree.Object(
			tree.Member{Key: "old", Value: c.Old}, tree.Member{Key: "new", Value: c.New})})
	}
	return []tree.Member{{Key: "changes", Value: tree.Object(changes...)}}
}

// recordTurn completes the record: the passage of time, the end of the campaign, the
// milestone, whose turn is next.
func (m *Machine) recordTurn() Stop {
	t := m.turn
	t.stage.Texts.RefuseUnused(&t.stage.Staged.Trace)
	if t.head != nil {
		return m.recordContinuation()
	}
	p := &t.stage.Staged
	next := t.next
	next.Version = m.base.Version // it may have waited for people
	next.CountTurn()
	record, err := t.record(next).AsStored()
	if err != nil {
		return m.unstorable(err)
	}
	p.State.TurnCount++
	p.State.HeadTurnID = record.ID
	p.State.Random = t.stage.Dice.Cursor
	p.State.AutoRounds = autoRounds(p.State.AutoRounds, t.in)
	t.stage.SettleLife(t.values)
	tokens := estimateTokens(t.in.Text) + estimateTokens(record.Text)
	milestone := p.State.Milestone.Advance(p.State.TurnCount, tokens, p.State.Summary.Version)
	if t.values.Text(setting.TurnOrder) == "round_robin" && t.line {
		p.State.Selected.ActorID = p.State.NextActor()
	}
	t.keepAlternatives(&next, record)
	t.keepSecrets()
	next.State = p.State
	t.calibrate(&next)
	next.Turns = m.log.With(next.Turns, record)
	next.TurnsHeld = t.scenery().keeps(next)
	next.Turns = m.log.Last(next.Turns, next.TurnsHeld)
	next.AddCheckpoint("", t.in.At, checkpointLimit(t.values))
	outcome := completed(record, false)
	return m.commit(RecordTurn, t.in.At, next, &record, Todo{
		Show: t.shows(record), Host: p.Host,
		Announce: m.afterCommit(t, record, milestone), Outcome: &outcome,
	})
}

// shows is what the player gets to see of the turn.
func (t *run) shows(record state.Turn) *Shown {
	shown := t.scenery().shownTurn(record)
	shown.Messages, shown.Audience = t.stage.Staged.Messages, record.Audience
	return shown
}

// record is the turn as the log keeps it.
func (t *run) record(next state.Campaign) state.Turn {
	p := t.stage.Staged
	parent := p.State.HeadTurnID
	out := state.Turn{
		ID: state.TurnID(next.TurnCounter), Index: t.stage.Number, ParentID: parent, BranchID: next.BranchID,
		ActorID: t.in.ActorID, Audience: t.in.Audience, UserInput: t.in.Text, Text: t.shownText(),
		Structured: t.last.Extra, Applied: p.Applied, Timestamp: t.in.At,
		DialogType: t.kind.ID, DialogTypeSource: t.source,
		SettingsRevision: next.SettingsRevision, RetriesUsed: t.retries, Attempts: t.attempts,
		Overridden: slices.Concat(t.waved, t.accepted), Changes: p.Changes, Commands: p.Commands, Trace: p.Trace.Clone(),
		ClientTurnID: t.in.ClientTurnID,
	}
	if before, ok := t.scenery().turn(parent); ok {
		out.EarlierReplies = before.EarlierReplies + max(len(before.Replies)-1, 0)
	}
	if t.in.ClientTurnID != "" {
		out.Fingerprint = t.ticket.By(t.asked.ActorID)
	}
	if t.in.Generation != worldbook.Normal {
		out.Generation = t.in.Generation
	}
	if t.ask != nil {
		out.Instructions = t.ask.Instructions
	}
	if t.again != nil {
		out.AlternativeOf = cmp.Or(t.again.line.First, t.again.head.HeadTurnID)
	}
	for _, f := range slices.Concat(t.refused, t.unsettled) {
		out.Unresolved = append(out.Unresolved, f.Reason)
	}
	out.Approvals = t.approvals
	if t.hasCast() {
		out.Replies, out.Dropped, out.Structured = t.spoken, t.dropped, tree.Value{}
	}
	out.Trace.Draws = t.stage.Dice.Draws
	out.StateSummary = secret.Common(&p.State, t.in.Audience).State.Expected().String()
	return out
}

// shownText is the narration as the player reads it: without variable commands.
func (t *run) shownText() string {
	if t.head != nil {
		return t.longerText()
	}
	return strings.Join(t.replyTexts(), betweenReplies)
}

// saysSomething reports whether there is a reply for the player.
func (t *run) saysSomething() bool { return len(t.replyTexts()) > 0 }

// summaryDue asks for a summary when too many turns have none.
func (m *Machine) summaryDue() *question.Summarize {
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

// checkpointLimit reads the setting.
func checkpointLimit(v setting.Values) int { return v.Int(setting.MaxCheckpoints) }

// estimateTokens is the estimate that milestones count with: a CJK character is
// a token, four other characters are one.
func estimateTokens(text string) int {
	all, cjk := 0, 0
	for _, r := range text {
		all++
		switch {
		case r >= 0x3000 && r <= 0x30FF, r >= 0x3400 && r <= 0x9FFF,
			r >= 0xAC00 && r <= 0xD7AF, r >= 0xF900 && r <= 0xFAFF,
			r >= 0xFF00 && r <= 0xFFEF:
			cjk++
		}
	}
	return cjk + (all-cjk+3)/4
}

package turn

import (
	"cmp"
	"slices"
	"strings"

	"github.com/talewright/talewright/campaign/internal/secret"
	"github.com/talewright/talewright/campaign/setting"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn/internal/logbook"
	"github.com/talewright/talewright/campaign/turn/internal/window"
	"github.com/talewright/talewright/campaign/turn/internal/wording"
	"github.com/talewright/talewright/memvars"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules/event"
	"github.com/talewright/talewright/worldbook"
)

// workOut lets everything follow from an output that has passed: what its text asks for
// in the languages of the dialects, then the events of the turn for rules and reactions.
func workOut(t *run) {
	if !t.casting.has() { // else it has been done reply by reply
		t.stage.ModelAsks(t.out.last.Text, t.out.asks)
	}
	endVariables(t)
	turnEvents(t)
}

// endVariables lets time pass for the variables, once a turn.
func endVariables(t *run) {
	if t.order.head != nil { // a turn that goes on has ended before
		t.stage.EndVariables(nil)
		return
	}
	t.stage.EndVariables(&memvars.Turn{Reply: t.casting.written(t.out.last.Text), Player: t.order.lines()})
}

// hasChanges reports whether the turn changed anything.
func hasChanges(t *run) bool { return len(t.stage.Staged.Changes) > 0 }

// turnEvents raises the events of a finished turn, in their fixed order. The
// directives whose time is over go first.
func turnEvents(t *run) {
	p := &t.stage.Staged
	n := t.stage.Number
	p.State.Ledger, _ = p.State.Ledger.Expire(n)
	p.State.LoreEdits = p.State.LoreEdits.Expire(n)
	// What changed is in the events of the turn already, with the names that rules know.
	if t.order.head != nil { // the turn is over, but there is more to hear of its reply
		if !t.casting.has() { // else it has been heard
			t.stage.Chain(event.ModelMessage(t.narration()))
		}
		return
	}
	heard := event.OfTurn(t.order.in.Text, t.shownText(), n, nil)
	switch {
	case t.casting.has():
		heard = t.casting.heardLast(&t.order, heard)
	case !t.order.line:
		heard = heard[1:] // nobody said anything
	}
	t.stage.Chain(heard...)
}

// finished is a turn that is over: its record, and the campaign with it.
type finished struct {
	turn      state.Turn
	next      state.Campaign
	milestone bool // has advanced
}

// finish completes a turn of a campaign that has a version by now: the passage of time, the end of
// the campaign, the milestone, whose turn is next. A turn that goes on takes the place of the one
// that it goes on with. The error is that of a turn that cannot be stored.
func finish(t *run, version int64, log *logbook.Turns) (done finished, err error) {
	t.stage.Texts.RefuseUnused(&t.stage.Staged.Trace)
	next := t.next
	next.Version = version // it may have waited for people
	if t.order.head == nil {
		done, err = finishOwn(t, next, log)
	} else {
		done, err = finishLonger(t, next, log)
	}
	if err == nil {
		done.next.AddCheckpoint("", t.order.in.At, checkpointLimit(t.values))
	}
	return done, err
}

// finishOwn completes a turn of its own.
func finishOwn(t *run, next state.Campaign, log *logbook.Turns) (done finished, err error) {
	p := &t.stage.Staged
	next.CountTurn()
	if done.turn, err = recordOf(t, next).AsStored(); err != nil {
		return done, err
	}
	p.State.TurnCount++
	p.State.HeadTurnID = done.turn.ID
	p.State.Random = t.stage.Dice.Cursor
	p.State.AutoRounds = autoRounds(p.State.AutoRounds, t.order.in)
	t.stage.SettleLife(t.values)
	tokens := wording.EstimateTokens(t.order.in.Text) + wording.EstimateTokens(done.turn.Text)
	done.milestone = p.State.Milestone.Advance(p.State.TurnCount, tokens, p.State.Summary.Version)
	if t.values.Text(setting.TurnOrder) == "round_robin" && t.order.line {
		p.State.Selected.ActorID = p.State.NextActor()
	}
	keepAlternatives(t, &next, done.turn)
	keepSecrets(t)
	next.State = p.State
	next.TokenRatio = window.Calibrated(next.TokenRatio, t.talk.estimated, t.attempts)
	next.Turns = log.With(next.Turns, done.turn)
	next.TurnsHeld = windowOf(t).Keeps(next)
	next.Turns = log.Last(next.Turns, next.TurnsHeld)
	done.next = next
	return done, nil
}

// finishLonger replaces the head turn by the longer one.
func finishLonger(t *run, next state.Campaign, log *logbook.Turns) (done finished, err error) {
	p := &t.stage.Staged
	if done.turn, err = longer(t, next).AsStored(); err != nil {
		return done, err
	}
	p.State.Random = t.stage.Dice.Cursor
	t.stage.SettleLife(t.values)
	next.RenewHead(t.stage.Dice.Kept(), p.KeptEvidence())
	keepSecrets(t)
	next.State = p.State
	next.Turns = log.Put(next.Turns, done.turn)
	next.Rewrite(done.turn.ID)
	done.next = next
	return done, nil
}

// recordOf is the turn as the log keeps it.
func recordOf(t *run, next state.Campaign) state.Turn {
	p := t.stage.Staged
	parent := p.State.HeadTurnID
	out := state.Turn{
		ID: state.TurnID(next.TurnCounter), Index: t.stage.Number, ParentID: parent, BranchID: next.BranchID,
		ActorID: t.order.in.ActorID, Audience: t.order.in.Audience, UserInput: t.order.in.Text, Text: t.shownText(),
		Structured: t.out.last.Extra, Applied: p.Applied, Timestamp: t.order.in.At,
		DialogType: t.dialog.kind.ID, DialogTypeSource: t.dialog.source,
		SettingsRevision: next.SettingsRevision, RetriesUsed: t.retries, Attempts: t.attempts,
		Overridden: slices.Concat(t.casting.overridden, t.out.accepted), Changes: p.Changes, Commands: p.Commands, Trace: p.Trace.Clone(),
		ClientTurnID: t.order.in.ClientTurnID,
	}
	if before, ok := windowOf(t).Played(parent); ok {
		out.EarlierReplies = before.EarlierReplies + max(len(before.Replies)-1, 0)
	}
	if t.order.in.ClientTurnID != "" {
		out.Fingerprint = t.order.fingerprint
	}
	if t.order.in.Generation != worldbook.Normal {
		out.Generation = t.order.in.Generation
	}
	if t.order.ask != nil {
		out.Instructions = t.order.ask.Instructions
	}
	if t.order.again != nil {
		out.AlternativeOf = cmp.Or(t.order.again.line.First, t.order.again.head.HeadTurnID)
	}
	for _, f := range slices.Concat(t.casting.refused, t.out.unsettled) {
		out.Unresolved = append(out.Unresolved, f.Reason)
	}
	out.Approvals = t.people.given
	if t.casting.has() {
		out.Replies, out.Dropped, out.Structured = t.casting.spoken, t.casting.dropped, tree.Value{}
	}
	out.Trace.Draws = t.stage.Dice.Draws
	out.StateSummary = secret.Common(&p.State, t.order.in.Audience).State.Expected().String()
	return out
}

// shownText is the narration as the player reads it: without variable commands.
func (t *run) shownText() string {
	if t.order.head != nil {
		return longerText(t)
	}
	return strings.Join(t.casting.texts(t.narration), betweenReplies)
}

// saysSomething reports whether there is a reply for the player.
func saysSomething(t *run) bool { return len(t.casting.texts(t.narration)) > 0 }

// checkpointLimit reads the setting.
func checkpointLimit(v setting.Values) int { return v.Int(setting.MaxCheckpoints) }

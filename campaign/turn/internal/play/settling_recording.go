package play

import (
	"cmp"
	"slices"
	"strings"

	"github.com/talewright/talewright/campaign/internal/secret"
	"github.com/talewright/talewright/campaign/internal/settingkey"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn/internal/draft"
	"github.com/talewright/talewright/campaign/turn/internal/past"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/worldbook"
)

// continuedRecord returns the head turn with the continued text.
func continuedRecord(t *Turn, next state.Campaign) state.Turn {
	out, added := *t.Order.Continues, recordOf(t, next)
	out.Continued = append(slices.Clip(out.Continued), state.Continuation{At: len(out.Text), Instructions: t.Order.Ask.Instructions,
		ClientTurnID: added.ClientTurnID, Fingerprint: added.Fingerprint})
	out.Text = added.Text
	if n := len(out.Replies); n > 0 {
		out.Replies = slices.Clone(out.Replies)
		out.Replies[n-1].Text = t.Order.WithContinued(strings.Join(t.Casting.Texts(t.Narration), BetweenReplies), t.Out.Reply.Text)
	} else { // nobody had spoken
		out.Replies = added.Replies
	}
	out.Original = "" // an edited text may be continued
	calls := slices.Concat(callsOf(out), callsOf(added))
	if others := added.Structured.Without(toolCalls); others.Len() > 0 {
		out.Structured = others
	}
	out.Structured = withCalls(out.Structured, calls)
	out.Applied = slices.Concat(out.Applied, added.Applied)
	out.Approvals = slices.Concat(out.Approvals, added.Approvals)
	out.Attempts = slices.Concat(out.Attempts, added.Attempts)
	out.Changes = slices.Concat(out.Changes, added.Changes)
	out.Commands = slices.Concat(out.Commands, added.Commands)
	out.Unresolved = slices.Concat(out.Unresolved, added.Unresolved)
	out.Overridden = slices.Concat(out.Overridden, added.Overridden)
	out.RetriesUsed += added.RetriesUsed
	lore, chosen := out.Trace.Lore, out.Trace.Cast
	out.SettingsRevision, out.StateSummary, out.Trace = added.SettingsRevision, added.StateSummary, added.Trace
	out.Trace.Lore = joinLore(lore, added.Trace.Lore)
	if out.Trace.Cast == nil && len(out.Replies) > 0 {
		out.Trace.Cast = chosen
	}
	return out
}

// joinLore returns the entries that were active in a part of a turn, each once.
func joinLore(before, added []state.TraceLore) []state.TraceLore {
	out := slices.Clip(before)
	for _, l := range added {
		if !slices.ContainsFunc(out, func(known state.TraceLore) bool { return known.ID == l.ID }) {
			out = append(out, l)
		}
	}
	return out
}

// toolCalls is the member of [state.Turn.Structured] that lists the calls of the turn.
const toolCalls = "tool_calls"

// callsOf returns the calls that the turn lists.
func callsOf(t state.Turn) []tree.Value { return t.Structured.Get(toolCalls).List() }

// withCalls adds the calls of a turn to the other members of its output, which may be absent.
func withCalls(others tree.Value, calls []tree.Value) tree.Value {
	if len(calls) == 0 {
		return others
	}
	if !others.IsObject() {
		others = tree.Object()
	}
	return others.With(toolCalls, tree.Array(calls...))
}

// keepAlternatives stores the data for other answers to the line of a turn in the campaign. These
// are the start of the next answer, the rolls, and the previous answer at the head.
func keepAlternatives(t *Turn, next *state.Campaign, record state.Turn) {
	if t.Order.Renewal == nil {
		next.KeepBefore(state.Alternatives{Chosen: record.ID, Rolls: t.Stage.Dice.Kept(), Submission: t.Order.Unrecorded(record),
			Evidence: t.Stage.Pending.KeptEvidence()})
		return
	}
	next.State = t.Order.Renewal.HeadState
	next.LeaveHead(t.Order.Renewal.Alternatives, t.Values.Int(settingkey.MaxAlternatives))
	next.Alternatives.Chosen = record.ID
	next.Alternatives.Rolls, next.Alternatives.Random = t.Stage.Dice.Kept(), t.Stage.Dice.Cursor
	next.Alternatives.Evidence = t.Stage.Pending.KeptEvidence()
}

// Finished is a finished turn: its record, and the campaign after it.
type Finished struct {
	Turn      state.Turn
	Next      state.Campaign
	Milestone bool // the milestone has advanced
}

// Finish completes a turn of a campaign that now has the given version: the end of the campaign,
// the milestone, the next actor. A continued turn replaces the turn that it continues. The error is
// for a turn that cannot be stored.
func Finish(t *Turn, version int64, log *past.Turns) (done Finished, err error) {
	t.Stage.Rewrites.RefuseUnused(&t.Stage.Pending.Trace)
	next := t.Next
	next.Version, next.Dialog = version, t.Dialog.Kept // the turn may have waited for people
	isNew := t.Order.Continues == nil
	if isNew {
		next.CountTurn()
		done.Turn = recordOf(t, next)
	} else {
		done.Turn = continuedRecord(t, next)
	}
	if done.Turn, err = done.Turn.AsStored(); err != nil {
		return done, err
	}
	if isNew {
		done.Next, done.Milestone = finishNew(t, next, done.Turn, log)
	} else {
		done.Next = finishContinued(t, next, done.Turn, log)
	}
	done.Next.AddCheckpoint("", t.Order.In.At, t.Values.Int(settingkey.MaxCheckpoints))
	return done, nil
}

// finishNew completes a new turn.
func finishNew(t *Turn, next state.Campaign, record state.Turn, log *past.Turns) (_ state.Campaign, milestone bool) {
	p := &t.Stage.Pending
	p.State.TurnCount++
	p.State.HeadTurnID, p.State.BeforeGreeting, p.State.AfterGreeting = record.ID, nil, nil
	p.State.Random = t.Stage.Dice.Cursor
	if p.State.AutoRounds++; !t.Order.In.Auto {
		p.State.AutoRounds = 0
	}
	t.Stage.SettleLife(t.Values)
	tokens := draft.EstimateTokens(t.Order.In.Text) + draft.EstimateTokens(record.Text)
	milestone = p.State.Milestone.Advance(p.State.TurnCount, tokens, p.State.Summary.Version)
	if t.Values.Text(settingkey.TurnOrder) == "round_robin" && t.Order.HasLine {
		p.State.Selected.ActorID = p.State.NextActor()
	}
	keepAlternatives(t, &next, record)
	KeepSecrets(t)
	next.State = p.State
	next.TokenRatio = past.Calibrated(next.TokenRatio, t.Talk.Estimated, t.Attempts)
	next.Turns = log.With(next.Turns, record)
	next.TurnsHeld = t.Window().TurnsHeld(next)
	next.Turns = log.Last(next.Turns, next.TurnsHeld)
	return next, milestone
}

// finishContinued replaces the head turn with the longer one.
func finishContinued(t *Turn, next state.Campaign, record state.Turn, log *past.Turns) state.Campaign {
	p := &t.Stage.Pending
	p.State.Random = t.Stage.Dice.Cursor
	t.Stage.SettleLife(t.Values)
	if m := &p.State.Milestone; m.Policy.Type == "by_token_estimate" { // a step can only follow with a new turn
		m.TokensSince += max(draft.EstimateTokens(record.Text)-draft.EstimateTokens(t.Order.Continues.Text), 0)
	}
	next.RenewHead(t.Stage.Dice.Kept(), p.KeptEvidence())
	KeepSecrets(t)
	next.State = p.State
	next.Turns = log.Put(next.Turns, record)
	next.Rewrite(record.ID)
	return next
}

// recordOf returns the turn in the form of the log.
func recordOf(t *Turn, next state.Campaign) state.Turn {
	p := t.Stage.Pending
	parent := p.State.HeadTurnID
	out := state.Turn{
		ID: state.TurnID(next.TurnCounter), Index: t.Stage.Number, ParentID: parent, BranchID: next.BranchID,
		ActorID: t.Order.In.ActorID, Audience: t.Order.In.Audience, UserInput: t.Order.In.Text, Text: t.ShownText(),
		Structured: withCalls(t.Out.Last.Extra, p.Calls), Applied: p.Applied, Timestamp: t.Order.In.At,
		DialogType: t.Dialog.Kind.ID, DialogTypeSource: t.Dialog.Source,
		SettingsRevision: next.SettingsRevision, RetriesUsed: t.Retries, Attempts: t.Attempts,
		Overridden: slices.Concat(t.Casting.Overridden, t.Out.Accepted), Changes: p.Changes, Commands: p.Commands, Trace: p.Trace.Clone(),
		ClientTurnID: t.Order.In.ClientTurnID,
	}
	if kind := t.Window().GenerationKind(); kind != worldbook.Normal {
		out.Generation = kind
	}
	if before, ok := t.Window().Played(parent); ok {
		out.EarlierReplies = draft.EarlierReplies(before)
	}
	if t.Order.In.ClientTurnID != "" {
		out.Fingerprint = t.Order.Fingerprint
	}
	if t.Order.Ask != nil {
		out.Instructions = t.Order.Ask.Instructions
	}
	if t.Order.Renewal != nil {
		out.AlternativeOf = cmp.Or(t.Order.Renewal.Alternatives.First, t.Order.Renewal.HeadState.HeadTurnID)
	}
	for _, f := range slices.Concat(t.Casting.Refused, t.Out.RefusedCalls) {
		out.Unresolved = append(out.Unresolved, f.Reason)
	}
	out.Approvals = t.People.Decisions
	if t.Casting.Active() {
		out.Replies, out.Dropped, out.Structured = t.Casting.Spoken, t.Casting.Dropped, withCalls(tree.Value{}, p.Calls)
	}
	out.Trace.Draws = t.Stage.Dice.Draws
	out.StateSummary = secret.Of(&p.State, state.Viewer{Shared: true, Group: t.Order.In.Audience}).State.Expected().String()
	return out
}

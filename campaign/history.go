package campaign

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"time"

	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/observe"
	"github.com/talewright/talewright/campaign/question"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn"
)

// History yields turns of a campaign, newest first: their present texts, the alternative
// answers, and the attempts that were rejected. It reads the log during the range. Its cost depends
// on the page, not on the length of the campaign. The campaign may be played in the meantime:
// History yields the campaign as of its start.
//
// Turns that a rollback has set aside are not part of it until they are a branch. A page that
// begins before such a turn shows it too. [state.HistoryPage.Viewer] limits the page to what a
// character has heard.
//
// An error ends the sequence. It is a [*state.Refusal] (branch_not_found, unknown_turn), or an
// error of the store.
func (e *Engine) History(ctx context.Context, id string, page state.HistoryPage) iter.Seq2[state.HistoryTurn, error] {
	return func(yield func(state.HistoryTurn, error) bool) {
		c, err := e.Campaign(ctx, id)
		if err != nil {
			yield(state.HistoryTurn{}, err)
			return
		}
		for t, err := range e.archive.log(ctx, id).Page(c, page) {
			if !yield(t, failedTo("history of", id, err)) || err != nil {
				return
			}
		}
	}
}

// Branches yields the branches of a campaign: first the present one, then the others, most recently
// played first. It yields each branch once, as it was left. Older branches are in pages of the log,
// at least eight on each, which are read during the range.
//
// A page of this list also costs the pages before it. A branch that was resumed is still on its
// older page in its older form, and only the newer pages show this. To get all branches, range once
// without a limit: this reads each page of the log once.
//
// An error ends the sequence. It is a [*state.Refusal] (branch_not_found), or an error of the
// store.
func (e *Engine) Branches(ctx context.Context, id string, page state.HistoryBranches) iter.Seq2[state.HistoryBranch, error] {
	return func(yield func(state.HistoryBranch, error) bool) {
		c, err := e.Campaign(ctx, id)
		if err != nil {
			yield(state.HistoryBranch{}, err)
			return
		}
		for b, err := range e.archive.log(ctx, id).Branches(c, page) {
			if !yield(b, failedTo("branches of", id, err)) || err != nil {
				return
			}
		}
	}
}

// Compare returns the differences between two turns of a campaign: their newest common turn and the
// turns on either side. It also returns the changes from the state after the first to the state
// after the second; the bookkeeping of the engine is listed separately. It reads a few records for
// each of the two.
//
// The state after a turn is the state after its commit. Errors: a [*state.Refusal] (unknown_turn,
// or checkpoint_not_found for a turn that was played elsewhere, before the campaign began here), or
// an error of the store.
func (e *Engine) Compare(ctx context.Context, id string, between state.HistorySpan) (_ state.Comparison, err error) {
	defer catchPanic(e.cfg.Logger, id, inStore, &err)
	c, err := e.Campaign(ctx, id)
	if err != nil {
		return state.Comparison{}, err
	}
	out, err := e.archive.log(ctx, id).Compare(e.game(), c, between)
	return out, failedTo("compare in", id, err)
}

// Report explains any turn that was played, on any branch, as it reads now. The newest turn is the
// state.State.HeadTurnID of the campaign. The report says what happened, and what nearly happened.
// It can be printed as text, written as a page and encoded as JSON, see [observe.Report]. It
// contains everything, including what players may not see: it is for authors and game masters.
//
// What nearly happened is computed by replaying the turn from the log. This is not possible if the
// content has changed since, or if the turn was played before the campaign began here. The report
// then has a warning. Report asks no model or host function, and changes nothing.
//
// The error is a [*state.Refusal] (unknown_turn), or an error of the store.
func (e *Engine) Report(ctx context.Context, id, turnID string) (_ observe.Report, err error) {
	defer catchPanic(e.cfg.Logger, id, inStore, &err)
	c, err := e.Campaign(ctx, id)
	if err != nil {
		return observe.Report{}, failedTo("report on", id, err)
	}
	out, err := reportOn(ctx, e.archive, e.game(), c, turnID)
	return out.For(e.game(), c, ""), failedTo("report on", id, err)
}

// reportOn returns the report of a turn of the campaign c, with everything that players may not see.
func reportOn(ctx context.Context, a archive, g *game.Game, c state.Campaign, turnID string) (observe.Report, error) {
	unknown := &state.Refusal{Code: state.UnknownTurn, Detail: fmt.Sprintf("no turn %q", turnID)}
	if _, ok := state.TurnNumber(turnID); !ok || turnID == state.StartTurnID {
		return observe.Report{}, unknown
	}
	turns, err := a.log(ctx, c.ID).HeldOrRead(c, []string{turnID})
	if err != nil {
		return observe.Report{}, err
	}
	if len(turns) == 0 {
		return observe.Report{}, unknown
	}
	explanation, err := explainTurn(ctx, a, g, c, turnID)
	withoutReplay := observe.Of(turns[0], turn.Explanation{})
	switch {
	case errors.Is(err, turn.ErrDiverged):
		return withoutReplay.Warn("r.changed"), nil
	case errors.Is(err, errPlayedElsewhere):
		return withoutReplay.Warn("r.elsewhere"), nil
	case err != nil:
		return observe.Report{}, err
	}
	return observe.Of(turns[0], explanation), nil
}

// errPlayedElsewhere is returned for a turn that was played before the campaign began here: in an
// imported chat, or in the campaign that was forked.
var errPlayedElsewhere = errors.New("campaign: the log has no record of the turn")

// kindEdit is the kind of the record of a text that was edited by hand: the model was not asked.
const kindEdit = turn.RecordKind("edit_text")

// explainTurn replays the newest record of a turn for which the model was asked.
func explainTurn(ctx context.Context, a archive, g *game.Game, c state.Campaign, turnID string) (turn.Explanation, error) {
	log := a.log(ctx, c.ID)
	version, err := log.VersionOf(c, turnID)
	if err != nil {
		return turn.Explanation{}, err
	}
	rec, err := a.record(ctx, c.ID, version)
	if rewritten := c.Rewritten[turnID]; err == nil && rewritten > version { // it was continued, or edited by hand
		var newest turn.Record
		if newest, err = a.record(ctx, c.ID, rewritten); newest.Kind != kindEdit {
			rec = newest
		}
	}
	if err != nil {
		return turn.Explanation{}, err
	}
	if rec.Turn == nil { // the record of the past, or the one that creates the campaign
		return turn.Explanation{}, errPlayedElsewhere
	}
	before, err := log.At(c, rec.Version-1)
	if err != nil {
		return turn.Explanation{}, err
	}
	return rec.Explain(g, before, func(q question.Past) (turn.PastRead, error) { return log.Answer(before, q) })
}

// Explain returns what a player's line would lead to in the present state of a campaign, see
// [turn.Machine.Explain].
func (e *Engine) Explain(ctx context.Context, id string, in turn.Submit, reply string) (_ turn.Explanation, err error) {
	defer catchPanic(e.cfg.Logger, id, inStore, &err)
	c, _, err := e.archive.loadToPlay(ctx, id)
	if err != nil {
		return turn.Explanation{}, failedTo("load", id, err)
	}
	if c, err = e.archive.log(ctx, id).Whole(c); err != nil {
		return turn.Explanation{}, failedTo("explain", id, err)
	}
	in, _ = turn.Stamp(in, e.cfg.Now().UTC()).(turn.Submit)
	return turn.NewMachine(e.game(), c).Explain(in, reply), nil
}

// These are the longest times between two reads of the log by [Engine.Watch].
const (
	pollWithoutNotices = time.Second
	pollWithNotices    = 10 * time.Second // a notice of the store comes earlier, unless it is lost
)

// Watch follows a campaign that others may play, in this process or a different one. It yields the
// committed records after a version, and then each new record as it is committed, once and in
// order. It ends when ctx ends or the caller stops ranging. 0 means from the beginning.
//
// A host that acts on records stores the version of the last processed record, and continues after
// it. Then it misses no record and gets no record twice, also after a restart. A record contains
// what was committed: the turn with its texts, and the changes, which [turn.Follow] applies to a
// campaign. It contains everything that the log does, including what players may not see.
//
// If the store is a [Cluster], a record comes as soon as it is committed, otherwise within a second.
// Nothing is buffered for a slow caller: each page of the log is read after the caller has taken
// the page before.
//
// [ErrUnavailable] is yielded and does not end the sequence: if the caller continues to range,
// Watch resumes at the same place when the store is back. Every other error ends the sequence:
// [ErrNotFound], [ErrDeleted] once the campaign is deleted, and the error of ctx. The sequence may
// be ranged over again, from its beginning.
func (e *Engine) Watch(ctx context.Context, id string, after int64) iter.Seq2[turn.Record, error] {
	return func(yield func(turn.Record, error) bool) {
		ctx, cancel := context.WithCancel(ctx)
		defer cancel() // ends the watch of the store
		src := FollowSource[turn.Record]{
			Read: func(ctx context.Context, after int64) iter.Seq2[turn.Record, error] {
				return e.archive.records(ctx, id, after)
			},
			Version: func(rec turn.Record) int64 { return rec.Version },
			Passes:  func(err error) bool { return errors.Is(err, ErrUnavailable) },
			Look:    pollWithoutNotices,
		}
		if e.cluster != nil {
			src.Wake, src.Look = e.cluster.Watch(ctx, id), pollWithNotices
		}
		for rec, err := range FollowLog(ctx, src, after) {
			if !yield(rec, failedTo("watch", id, err)) {
				return
			}
		}
	}
}

package campaign

import (
	"context"
	"errors"
	"fmt"
	"iter"

	"github.com/talewright/talewright/campaign/history"
	"github.com/talewright/talewright/campaign/question"
	"github.com/talewright/talewright/campaign/report"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn"
)

// History yields turns of a campaign, newest first, with their texts as they read now, the other
// answers to their lines, and what was rejected before they passed. It reads as it is ranged over,
// and costs what the page holds, not what was played. The campaign may be played meanwhile: what is
// yielded is that of the moment at which it began. What a rollback has set aside is no part of it
// until it is a branch; a page that begins before a turn of it shows it too. [history.Page.Viewer]
// limits it to what a character has heard.
//
// The error, after which nothing comes, is a [*state.Refusal] (branch_not_found, unknown_turn), or that
// of the store.
func (e *Engine) History(ctx context.Context, id string, page history.Page) iter.Seq2[history.Turn, error] {
	return func(yield func(history.Turn, error) bool) {
		c, err := e.Campaign(ctx, id)
		if err != nil {
			yield(history.Turn{}, err)
			return
		}
		for t, err := range e.archive.log(ctx, id).Page(c, page) {
			if !yield(t, lookedBack("history of", id, err)) || err != nil {
				return
			}
		}
	}
}

// Compare says what lies between two turns of a campaign: the newest one that leads to both, the
// turns on either side, and what makes the state after the first into that after the second. It
// costs a few records for each of the two, and what the two states differ in.
//
// The state after a turn is the one that its commit led to. Errors: a [*state.Refusal] (unknown_turn,
// or checkpoint_not_found for a turn that was played elsewhere, before the campaign began here), or
// that of the store.
func (e *Engine) Compare(ctx context.Context, id string, between history.Between) (history.Comparison, error) {
	c, err := e.Campaign(ctx, id)
	if err != nil {
		return history.Comparison{}, err
	}
	out, err := e.archive.log(ctx, id).Compare(e.cfg.Game, c, between)
	return out, lookedBack("compare in", id, err)
}

// lookedBack is the error of a look into the past: a refusal as it is.
func lookedBack(what, id string, err error) error {
	if refusal, ok := errors.AsType[*state.Refusal](err); ok || err == nil {
		if ok {
			return refusal
		}
		return nil
	}
	return fmt.Errorf("campaign: %s %q: %w", what, id, err)
}

// Report explains a turn that was played, however long ago and on whichever branch, as it reads now:
// what happened, and what nearly did. It is printed as text, written as a page and encoded as JSON,
// see package report. It holds everything, also what players may not see: it is for authors and game masters.
//
// What nearly happened is worked out by playing the turn again by the log. Where that is not possible,
// because the content was changed since or the turn was played before the campaign began here, a
// warning of the report says so. Nobody is asked for anything, and nothing changes.
//
// The error is a [*state.Refusal] (unknown_turn), or that of the store.
func (e *Engine) Report(ctx context.Context, id, turnID string) (report.Report, error) {
	out, err := e.report(ctx, id, turnID)
	return out, lookedBack("report on", id, err)
}

func (e *Engine) report(ctx context.Context, id, turnID string) (report.Report, error) {
	c, err := e.Campaign(ctx, id)
	if err != nil {
		return report.Report{}, err
	}
	turns, err := e.archive.log(ctx, id).HeldOrRead(c, []string{turnID})
	if err != nil || len(turns) == 0 || turnID == state.StartTurnID {
		if _, number := state.TurnNumber(turnID); err == nil || !number {
			err = &state.Refusal{Code: state.UnknownTurn, Detail: "no turn " + turnID}
		}
		return report.Report{}, err
	}
	why, err := e.whyPlayed(ctx, c, turnID)
	bare := report.Of(turns[0], turn.Explanation{})
	switch {
	case errors.Is(err, turn.ErrDiverged):
		return bare.Warn("what nearly happened is not known: the content was changed since"), nil
	case errors.Is(err, errPlayedElsewhere):
		return bare.Warn("what nearly happened is not known: the turn was played before the campaign began here"), nil
	}
	if err != nil {
		return report.Report{}, err
	}
	return report.Of(turns[0], why), nil
}

var errPlayedElsewhere = errors.New("campaign: the log has no record of the turn")

// kindEdit is the record of a text that was edited by hand: the model was not asked.
const kindEdit = turn.RecordKind("edit_text")

// whyPlayed plays a turn again: the last time that the model was asked for it.
func (e *Engine) whyPlayed(ctx context.Context, c state.Campaign, turnID string) (turn.Explanation, error) {
	log := e.archive.log(ctx, c.ID)
	version, err := log.VersionOf(c, turnID)
	if err != nil {
		return turn.Explanation{}, err
	}
	rec, err := e.archive.record(ctx, c.ID, version)
	if later := c.Rewritten[turnID]; err == nil && later > version { // it was continued, or edited by hand
		var last turn.Record
		if last, err = e.archive.record(ctx, c.ID, later); last.Kind != kindEdit {
			rec = last
		}
	}
	if err != nil {
		return turn.Explanation{}, err
	}
	if rec.Turn == nil { // the beginning of a campaign that goes on from elsewhere
		return turn.Explanation{}, errPlayedElsewhere
	}
	before, err := log.At(c, rec.Version-1)
	if err != nil {
		return turn.Explanation{}, err
	}
	return rec.Explain(e.cfg.Game, before, func(q question.Past) (turn.PastRead, error) { return log.Answer(before, q) })
}

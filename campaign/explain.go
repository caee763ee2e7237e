package campaign

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/talewright/talewright/campaign/question"
	"github.com/talewright/talewright/campaign/report"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn"
)

// Explain says of a campaign as it stands what a player's line would lead to, see
// [game.Game.Explain].
func (e *Engine) Explain(ctx context.Context, id string, in turn.Submit, reply string) (turn.Explanation, error) {
	c, p, err := e.archive.load(ctx, id, true)
	if err = cmp.Or(err, p.err()); err != nil {
		return turn.Explanation{}, fmt.Errorf("campaign: load %q: %w", id, err)
	}
	if c, err = e.archive.log(ctx, id).Whole(c); err != nil {
		return turn.Explanation{}, lookedBack("explain", id, err)
	}
	in, _ = turn.Stamp(in, e.cfg.Now().UTC()).(turn.Submit)
	return turn.Explain(e.cfg.Game, c, in, reply), nil
}

// Report explains a turn that was played, however long ago and on whichever branch, as it reads now:
// what happened, and what nearly did. It is printed as text, written as a page and encoded as JSON,
// see package report. It holds everything, also what players may not see.
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
	before, err := log.At(rec.Version - 1)
	if err != nil {
		return turn.Explanation{}, err
	}
	return rec.Explain(e.cfg.Game, before, func(q question.Past) (turn.PastRead, error) { return log.Answer(before, q) })
}

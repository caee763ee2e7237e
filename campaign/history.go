package campaign

import (
	"cmp"
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

// History yields turns of a campaign, newest first, with their texts as they read now, the other
// answers to their lines, and what was rejected before they passed. It reads as it is ranged over,
// and costs what the page holds, not what was played. The campaign may be played meanwhile: what is
// yielded is that of the moment at which it began. What a rollback has set aside is no part of it
// until it is a branch; a page that begins before a turn of it shows it too. [state.HistoryPage.Viewer]
// limits it to what a character has heard.
//
// The error, after which nothing comes, is a [*state.Refusal] (branch_not_found, unknown_turn), or that
// of the store.
func (e *Engine) History(ctx context.Context, id string, page state.HistoryPage) iter.Seq2[state.HistoryTurn, error] {
	return func(yield func(state.HistoryTurn, error) bool) {
		c, err := e.Campaign(ctx, id)
		if err != nil {
			yield(state.HistoryTurn{}, err)
			return
		}
		for t, err := range e.archive.log(ctx, id).Page(c, page) {
			if !yield(t, lookedBack("history of", id, err)) || err != nil {
				return
			}
		}
	}
}

// Branches yields the branches of a campaign: the present one, then the others, those that were
// played last first, each once and as it was left. Older ones stand on pages of the log, at least
// eight on each, which are read as it is ranged over. A page of the list costs those before it too:
// a branch that was gone back to stands on an older page as it was before, and only the newer ones
// say so. Whoever wants all ranges once, without a limit, and reads each page of the log once.
//
// The error, after which nothing comes, is a [*state.Refusal] (branch_not_found), or that of the store.
func (e *Engine) Branches(ctx context.Context, id string, page state.HistoryBranches) iter.Seq2[state.HistoryBranch, error] {
	return func(yield func(state.HistoryBranch, error) bool) {
		c, err := e.Campaign(ctx, id)
		if err != nil {
			yield(state.HistoryBranch{}, err)
			return
		}
		for b, err := range e.archive.log(ctx, id).Branches(c, page) {
			if !yield(b, lookedBack("branches of", id, err)) || err != nil {
				return
			}
		}
	}
}

// Compare returns what lies between two turns of a campaign: the newest one that leads to both, the
// turns on either side, and the changes from the state after the first to the state after the second, apart from the
// bookkeeping of the engine. It reads a few records for each of the two.
//
// The state after a turn is the one that its commit led to. Errors: a [*state.Refusal] (unknown_turn,
// or checkpoint_not_found for a turn that was played elsewhere, before the campaign began here), or
// that of the store.
func (e *Engine) Compare(ctx context.Context, id string, between state.HistorySpan) (_ state.Comparison, err error) {
	defer caught(e.cfg.Logger, id, inStore, &err)
	c, err := e.Campaign(ctx, id)
	if err != nil {
		return state.Comparison{}, err
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

// Report explains a turn that was played, however long ago and on whichever branch, as it reads now
// (the newest is the state.State.HeadTurnID of the campaign): what happened, and what nearly did. It is printed as text, written as a page and encoded as JSON,
// see package report. It holds everything, also what players may not see: it is for authors and game masters.
//
// What nearly happened is worked out by playing the turn again by the log. Where that is not possible,
// because the content was changed since or the turn was played before the campaign began here, a
// warning of the report says so. Nobody is asked for anything, and nothing changes.
//
// The error is a [*state.Refusal] (unknown_turn), or that of the store.
func (e *Engine) Report(ctx context.Context, id, turnID string) (_ observe.Report, err error) {
	defer caught(e.cfg.Logger, id, inStore, &err)
	c, err := e.Campaign(ctx, id)
	if err != nil {
		return observe.Report{}, lookedBack("report on", id, err)
	}
	out, err := reportOn(ctx, e.archive, e.cfg.Game, c, turnID)
	return out, lookedBack("report on", id, err)
}

func reportOn(ctx context.Context, a archive, g *game.Game, c state.Campaign, turnID string) (observe.Report, error) {
	turns, err := a.log(ctx, c.ID).HeldOrRead(c, []string{turnID})
	if err != nil || len(turns) == 0 || turnID == state.StartTurnID {
		if _, number := state.TurnNumber(turnID); err == nil || !number {
			err = &state.Refusal{Code: state.UnknownTurn, Detail: fmt.Sprintf("no turn %q", turnID)}
		}
		return observe.Report{}, err
	}
	why, err := whyPlayed(ctx, a, g, c, turnID)
	bare := observe.Of(turns[0], turn.Explanation{})
	switch {
	case errors.Is(err, turn.ErrDiverged):
		return bare.Warn("what nearly happened is not known: the content was changed since"), nil
	case errors.Is(err, errPlayedElsewhere):
		return bare.Warn("what nearly happened is not known: the turn was played before the campaign began here"), nil
	}
	if err != nil {
		return observe.Report{}, err
	}
	return observe.Of(turns[0], why), nil
}

var errPlayedElsewhere = errors.New("campaign: the log has no record of the turn")

// kindEdit is the record of a text that was edited by hand: the model was not asked.
const kindEdit = turn.RecordKind("edit_text")

// whyPlayed plays a turn again: the last time that the model was asked for it.
func whyPlayed(ctx context.Context, a archive, g *game.Game, c state.Campaign, turnID string) (turn.Explanation, error) {
	log := a.log(ctx, c.ID)
	version, err := log.VersionOf(c, turnID)
	if err != nil {
		return turn.Explanation{}, err
	}
	rec, err := a.record(ctx, c.ID, version)
	if later := c.Rewritten[turnID]; err == nil && later > version { // it was continued, or edited by hand
		var last turn.Record
		if last, err = a.record(ctx, c.ID, later); last.Kind != kindEdit {
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
	return rec.Explain(g, before, func(q question.Past) (turn.PastRead, error) { return log.Answer(before, q) })
}

// Explain says of a campaign as it stands what a player's line would lead to, see
// [turn.Machine.Explain].
func (e *Engine) Explain(ctx context.Context, id string, in turn.Submit, reply string) (_ turn.Explanation, err error) {
	defer caught(e.cfg.Logger, id, inStore, &err)
	c, p, err := e.archive.load(ctx, id, true)
	if err = cmp.Or(err, p.Err()); err != nil {
		return turn.Explanation{}, notLoaded(id, err)
	}
	if c, err = e.archive.log(ctx, id).Whole(c); err != nil {
		return turn.Explanation{}, lookedBack("explain", id, err)
	}
	in, _ = turn.Stamp(in, e.cfg.Now().UTC()).(turn.Submit)
	return turn.NewMachine(e.cfg.Game, c).Explain(in, reply), nil
}

// Who watches looks by itself so often: where the store gives no notices, and where it does.
const (
	lookAlways = time.Second
	lookBeside = 10 * time.Second
)

// Watch follows a campaign that others may play, in this process or another: it yields the
// records after a version that are committed already, and then each as it is committed, once
// and in order, until ctx ends or the caller stops ranging. 0 means from the beginning.
//
// A host that acts on what it gets notes the version of the last record that it has dealt
// with, and goes on after that: whatever ended in between, it misses nothing and
// gets nothing twice. A record says what was committed: the turn with its texts, and the
// changes, which [turn.Follow] applies to a campaign. It holds all that the log does, also
// what players may not see.
//
// Where the store has [Notices] a record comes as soon as it is committed, otherwise
// within a second. Nothing is gathered for a caller who is slow: a page of the log is read when
// the one before it was taken.
//
// [ErrUnavailable] is yielded and is not the end: who goes on ranging is served from where it
// was when the store is back. Every other error is the end: [ErrNotFound], [ErrDeleted] once
// the campaign is deleted, and that of ctx. The sequence may be ranged over again, from its
// beginning.
func (e *Engine) Watch(ctx context.Context, id string, after int64) iter.Seq2[turn.Record, error] {
	return func(yield func(turn.Record, error) bool) {
		ctx, cancel := context.WithCancel(ctx)
		defer cancel() // takes back what the store was asked for
		src := FollowSource[turn.Record]{
			Read: func(ctx context.Context, after int64) iter.Seq2[turn.Record, error] {
				return e.archive.records(ctx, id, after)
			},
			Version: func(rec turn.Record) int64 { return rec.Version },
			Passes:  func(err error) bool { return errors.Is(err, ErrUnavailable) },
			Look:    lookAlways,
		}
		if notices, ok := e.cfg.Store.(Notices); ok {
			src.Wake, src.Look = notices.Watch(ctx, id), lookBeside
		}
		for rec, err := range FollowLog(ctx, src, after) {
			if err != nil {
				err = fmt.Errorf("campaign: watch %q: %w", id, err)
			}
			if !yield(rec, err) {
				return
			}
		}
	}
}

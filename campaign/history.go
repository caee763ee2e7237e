package campaign

import (
	"context"
	"errors"
	"fmt"
	"iter"

	"github.com/talewright/talewright/campaign/history"
	"github.com/talewright/talewright/campaign/state"
)

// History yields turns of a campaign, newest first, with their texts as they read now, the other
// answers to their lines, and what was rejected before they passed. It reads as it is ranged over,
// and costs what the page holds, not what was played. The campaign may be played meanwhile: what is
// yielded is that of the moment at which it began. What a rollback has set aside is no part of it
// until it is a branch; a page that begins before a turn of it shows it too.
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
func (e *Engine) Compare(ctx context.Context, id, turnA, turnB string) (history.Comparison, error) {
	c, err := e.Campaign(ctx, id)
	if err != nil {
		return history.Comparison{}, err
	}
	out, err := e.archive.log(ctx, id).Compare(c, turnA, turnB)
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

package campaign

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/talewright/talewright/campaign/state"
)

// Fork starts a new campaign from the state after a turn of this one. The two
// share nothing afterwards: the new log begins with the turns up to there as they read now, a few of them in
// each record, and with the states of the checkpoints. Branches that were left long ago stay with this one.
// The campaign that is returned holds the newest turns. A fork that was broken off is there when the same one
// was made again; until then its id is [ErrNotFound].
func (e *Engine) Fork(ctx context.Context, id, turnID, newID string) (state.Campaign, error) {
	c, states, read, err := e.forked(ctx, id, turnID)
	if refusal, ok := errors.AsType[*state.Refusal](err); ok {
		return state.Campaign{}, refusal
	}
	if err != nil {
		return state.Campaign{}, fmt.Errorf("campaign: fork %q: %w", id, err)
	}
	c.ID, c.Version, c.Began, c.CreatedAt = newID, 1, 0, e.cfg.Now()
	c.PendingConflict = nil
	return e.create(ctx, c, states, read)
}

// forked is a campaign as of a turn, the states that it refers to, and how its turns are read.
func (e *Engine) forked(ctx context.Context, id, turnID string) (c state.Campaign, states state.Snapshots, read readTurns, err error) {
	present, p, err := e.archive.load(ctx, id, true)
	if err = cmp.Or(err, p.err()); err != nil {
		return c, nil, nil, err
	}
	log := e.archive.log(ctx, id)
	version, err := log.VersionOf(present, turnID)
	if err != nil {
		return c, nil, nil, err
	}
	if version == 0 {
		return c, nil, nil, &state.Refusal{Code: state.CheckpointNotFound, Detail: "no turn " + turnID}
	}
	if c, err = log.At(present, version); err != nil {
		return c, nil, nil, err
	}
	if c.State.HeadTurnID != turnID { // it is one of those that the campaign began with
		return c, nil, nil, &state.Refusal{Code: state.CheckpointNotFound, Detail: "no turn " + turnID}
	}
	if c, err = log.Whole(c); err != nil {
		return c, nil, nil, err
	}
	c = c.Clone()
	c.Unshelve()
	then := c
	read = func(first, last int) ([]state.Turn, error) {
		turns, err := log.Read(present, turnIDs(first, last)) // as they read now
		if n := len(turns); n > 0 && last == then.TurnCounter {
			// but for the last, which may have gone on since, and changed the state
			head, err := log.Read(then, []string{turns[n-1].ID})
			if err != nil {
				return nil, err
			}
			if len(head) == 1 {
				turns[n-1] = head[0]
			}
		}
		return turns, err
	}
	states = state.Snapshots{}
	names := map[string]string{}
	for _, ref := range slices.Sorted(maps.Keys(c.Refs())) {
		kept, err := log.State(c, ref)
		if err != nil {
			return c, nil, nil, err
		}
		if kept != nil {
			names[ref] = fmt.Sprintf("forked_%d", len(names)+1)
			states[names[ref]] = kept
		}
	}
	c.Rename(names)
	c.Rewritten = nil // the turns are as they read now
	c.Snapshots = maps.Clone(states)
	return c, states, read, nil
}

// turnIDs are the ids of the turns of these numbers.
func turnIDs(first, last int) []string {
	ids := make([]string, 0, max(last-first+1, 0))
	for n := first; n <= last; n++ {
		ids = append(ids, state.TurnID(n))
	}
	return ids
}

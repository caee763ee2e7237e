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
// share nothing afterwards: the new log begins with the turns up to there as they read now, and with
// the states of the checkpoints. Branches that were left long ago stay with this one.
func (e *Engine) Fork(ctx context.Context, id, turnID, newID string) (state.Campaign, error) {
	c, states, err := e.forked(ctx, id, turnID)
	if refusal, ok := errors.AsType[*state.Refusal](err); ok {
		return state.Campaign{}, refusal
	}
	if err != nil {
		return state.Campaign{}, fmt.Errorf("campaign: fork %q: %w", id, err)
	}
	c.ID, c.Version, c.CreatedAt = newID, 1, e.cfg.Now()
	c.PendingConflict = nil
	return c, e.create(ctx, c, states)
}

// forked is a campaign as of a turn, with all of its turns, and the states that it refers to.
func (e *Engine) forked(ctx context.Context, id, turnID string) (c state.Campaign, states state.Snapshots, err error) {
	present, p, err := e.archive.load(ctx, id, true)
	if err = cmp.Or(err, p.err()); err != nil {
		return c, nil, err
	}
	log := e.archive.log(ctx, id)
	version, err := log.VersionOf(present, turnID)
	if err != nil {
		return c, nil, err
	}
	if version == 0 {
		return c, nil, &state.Refusal{Code: state.CheckpointNotFound, Detail: "no turn " + turnID}
	}
	if c, err = log.At(version); err != nil {
		return c, nil, err
	}
	if c.State.HeadTurnID != turnID { // it is one of those that the campaign began with
		return c, nil, &state.Refusal{Code: state.CheckpointNotFound, Detail: "no turn " + turnID}
	}
	if c, err = log.Whole(c); err != nil {
		return c, nil, err
	}
	c = c.Clone()
	c.Unshelve()
	if c.Turns, err = log.Read(present, turnsUpTo(c.TurnCounter)); err != nil { // as they read now
		return c, nil, err
	}
	if n := len(c.Turns); n > 0 { // but for the last, which may have gone on since, and changed the state
		if head, err := log.Read(c, []string{c.Turns[n-1].ID}); err != nil {
			return c, nil, err
		} else if len(head) == 1 {
			c.Turns[n-1] = head[0]
		}
	}
	states = state.Snapshots{}
	names := map[string]string{}
	for _, ref := range slices.Sorted(maps.Keys(c.Refs())) {
		kept, err := log.State(ref)
		if err != nil {
			return c, nil, err
		}
		if kept != nil {
			names[ref] = fmt.Sprintf("forked_%d", len(names)+1)
			states[names[ref]] = kept
		}
	}
	c.Rename(names)
	c.Rewritten = nil // the turns are as they read now
	c.Snapshots = maps.Clone(states)
	return c, states, nil
}

// turnsUpTo are the ids of the first turns.
func turnsUpTo(n int) []string {
	ids := make([]string, n)
	for i := range ids {
		ids[i] = state.TurnID(i + 1)
	}
	return ids
}

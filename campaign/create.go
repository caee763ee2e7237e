package campaign

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/internal/openjson"
)

// pastTurns is how many turns stand in a record of the past.
const pastTurns = 32

// readTurns reads turns by their numbers, from first to last.
type readTurns func(first, last int) ([]state.Turn, error)

// create stores a campaign of version 1. states are those that its references lead to, where it was not begun by a
// setup. A campaign that goes on from elsewhere may have any number of turns: those that the head does not hold go
// to records of their own before the one that creates it, a few to each.
func (e *Engine) create(ctx context.Context, c state.Campaign, states state.Snapshots, read readTurns) (state.Campaign, error) {
	pages := 0
	if c.TurnsHeld > 0 {
		pages = max(c.TurnCounter-c.TurnsHeld, 0) / pastTurns
	}
	err := e.createBehind(ctx, &c, states, read, pages)
	switch {
	case errors.Is(err, ErrVersionConflict):
		err = fmt.Errorf("campaign: create %q: %w", c.ID, ErrExists)
	case err != nil:
		err = fmt.Errorf("campaign: create %q: %w", c.ID, err)
	}
	return c, err
}

// createBehind writes so many records of the past and then that of the campaign.
func (e *Engine) createBehind(ctx context.Context, c *state.Campaign, states state.Snapshots, read readTurns, pages int) error {
	there, err := e.pastOf(ctx, c.ID)
	if err != nil {
		return err
	}
	if len(there) > pages {
		return ErrExists
	}
	for page := range pages {
		turns, err := read(page*pastTurns+1, (page+1)*pastTurns)
		if err != nil {
			return err
		}
		rec := turn.Record{Version: int64(page + 1), Kind: turn.RecordPast, Turns: turns}
		if page < len(there) {
			entry, err := EntryOf(rec)
			if err == nil && !bytes.Equal(entry.Data, there[page]) {
				err = ErrExists
			}
			if err != nil {
				return err
			}
			continue
		}
		if err := e.archive.append(ctx, c.ID, rec, nil, 0); err != nil {
			return err
		}
	}
	if c.Turns, err = read(pages*pastTurns+1, c.TurnCounter); err != nil {
		return err
	}
	if pages > 0 {
		c.BeginAt(int64(pages + 1))
	}
	data, err := openjson.Marshal(c)
	if err != nil {
		return err
	}
	rec := turn.Record{Version: c.Version, Kind: turn.RecordCreate, At: c.CreatedAt, Campaign: data, States: states}
	var snapshot []byte // so that nobody has to read the past
	if n := c.TurnsHeld; n > 0 && len(c.Turns) > n || pages > 0 {
		held := *c
		held.Turns = c.Turns[max(len(c.Turns)-n, 0):]
		if snapshot, err = new(played).snapshotOf(held); err != nil {
			return err
		}
	}
	return e.archive.append(ctx, c.ID, rec, snapshot, 0)
}

// pastOf are the records of a log that has nothing but the past of a campaign whose creation was broken off. The error
// is [ErrExists] where there is a campaign: a store takes the same entry again for the same call, so a second creation
// has to be seen here.
func (e *Engine) pastOf(ctx context.Context, id string) (there [][]byte, err error) {
	for entry, err := range e.archive.store.Records(ctx, id, 0) {
		switch {
		case errors.Is(err, ErrNotFound) && !errors.Is(err, ErrDeleted):
			return nil, nil
		case err != nil:
			return nil, err
		case entry.Kind != string(turn.RecordPast):
			return nil, ErrExists
		}
		if entry, err = e.archive.open(id, entry); err != nil {
			return nil, err
		}
		there = append(there, entry.Data)
	}
	return there, nil
}

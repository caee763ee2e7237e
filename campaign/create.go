package campaign

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/talewright/talewright/campaign/internal/turnlog"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/internal/openjson"
)

// Create starts a campaign and stores it. If the setup has no goal, [Services.Goal] is asked for one.
// The error wraps [ErrExists] if the ID is taken. The findings of [state.Setup.Vet] go to
// [Config.Logger]; a host without a logger calls Vet itself.
func (e *Engine) Create(ctx context.Context, s state.Setup) (c state.Campaign, err error) {
	defer catchPanic(e.cfg.Logger, s.ID, inStore, &err)
	if s.CreatedAt.IsZero() {
		s.CreatedAt = e.cfg.Now()
	}
	if _, err := turn.Begin(e.game(), s); err != nil { // before Services.Goal asks a model
		return state.Campaign{}, err
	}
	for _, p := range s.Vet() {
		e.cfg.Logger.Warn("campaign: setup: "+p.String(), "campaign", s.ID)
	}
	if s, err = e.withGoal(ctx, s); err == nil {
		c, err = turn.Begin(e.game(), s)
	}
	if err != nil {
		return state.Campaign{}, err
	}
	turns := c.Turns
	read := func(first, last int) ([]state.Turn, error) { return turns[first-1 : last], nil }
	return create(ctx, e.archive, c, c.BeginsWith(), read)
}

// withGoal adds a goal to a setup that has none. No model is asked for a campaign that exists.
func (e *Engine) withGoal(ctx context.Context, s state.Setup) (state.Setup, error) {
	if s.Goal.Text != "" || e.cfg.Services.Goal == nil {
		return s, nil
	}
	switch _, err := e.archive.campaign(ctx, s.ID); {
	case err == nil:
		return s, failedTo("create", s.ID, ErrExists)
	case errors.Is(err, ErrDeleted):
		return s, err
	}
	found, err := callHost(e.cfg.Logger, s.ID, "Services.Goal", func() (state.Goal, error) {
		return e.cfg.Services.Goal(ctx, GoalQuestion{World: s.World, Map: s.Map, Characters: s.Characters})
	})
	if err != nil {
		return s, fmt.Errorf("%w: %w", ErrNoGoal, err)
	}
	if problem := goalProblem(found.Text); problem != "" {
		return s, fmt.Errorf("%w: %s", ErrNoGoal, problem)
	}
	found.Hidden = found.Hidden || s.Goal.Hidden
	if found.Extra == nil {
		found.Extra = s.Goal.Extra
	}
	s.Goal = found
	return s, nil
}

// turnIDs returns the IDs of the turns with these numbers.
func turnIDs(first, last int) []string {
	ids := make([]string, 0, max(last-first+1, 0))
	for n := first; n <= last; n++ {
		ids = append(ids, state.TurnID(n))
	}
	return ids
}

// pastTurns is the number of turns in a record of the past.
const pastTurns = 32

// readTurns reads turns by their numbers, from first to last, both included.
type readTurns func(first, last int) ([]state.Turn, error)

// create stores a campaign of version 1 and returns it. states are the states that its references
// name, nil if it has no references. A fork or an import may begin with any number of turns. The
// turns that the head does not hold are written before the record that creates the campaign, in
// records of pastTurns turns each.
func create(ctx context.Context, a archive, c state.Campaign, states state.Snapshots, read readTurns) (state.Campaign, error) {
	pages := 0
	if c.TurnsHeld > 0 {
		pages = max(c.TurnCounter-c.TurnsHeld, 0) / pastTurns
	}
	err := a.writeBeginning(ctx, &c, states, read, pages)
	if errors.Is(err, ErrVersionConflict) {
		err = ErrExists
	}
	if err != nil {
		return state.Campaign{}, failedTo("create", c.ID, err)
	}
	return c, nil
}

// writeBeginning writes the beginning of a log: the past in this number of pages, each in a record,
// and then the record that creates the campaign. c becomes the campaign of that record.
func (a archive) writeBeginning(ctx context.Context, c *state.Campaign, states state.Snapshots, read readTurns, pages int) (err error) {
	if err := a.writePast(ctx, c.ID, read, pages); err != nil {
		return err
	}
	if c.Turns, err = read(pages*pastTurns+1, c.TurnCounter); err != nil {
		return err
	}
	if pages > 0 {
		moveBeginning(c, int64(pages+1))
	}
	// With a snapshot that has only the held turns, a load does not read the past.
	var snapshot []byte
	if n := c.TurnsHeld; n > 0 && len(c.Turns) > n || pages > 0 {
		held := *c
		held.Turns = c.Turns[max(len(c.Turns)-n, 0):]
		snapshot, err = new(turnlog.Requirements).Snapshot(held)
	}
	data, encodeErr := openjson.Marshal(c)
	if err = cmp.Or(err, encodeErr); err != nil {
		return err
	}
	if n := c.TurnsHeld; n > 0 { // as a load of the log does
		c.Turns = slices.Clip(c.Turns[max(len(c.Turns)-n, 0):])
	}
	rec := turn.Record{Version: c.Version, Kind: turn.RecordCreate, At: c.CreatedAt, Campaign: data, States: states}
	return a.append(ctx, c.ID, rec, snapshot, 0)
}

// writePast writes the pages of the past. It compares the pages that an interrupted call has written
// instead of writing them again.
func (a archive) writePast(ctx context.Context, id string, read readTurns, pages int) error {
	stored, err := a.storedPast(ctx, id)
	if err != nil {
		return err
	}
	if len(stored) > pages {
		return ErrExists
	}
	for page := range pages {
		turns, err := read(page*pastTurns+1, (page+1)*pastTurns)
		if err != nil {
			return err
		}
		rec := turn.Record{Version: int64(page + 1), Kind: turn.RecordPast, Turns: turns}
		if page >= len(stored) {
			if err := a.append(ctx, id, rec, nil, 0); err != nil {
				return err
			}
			continue
		}
		if entry, err := EntryOf(rec); !bytes.Equal(entry.Data, stored[page]) {
			return cmp.Or(err, ErrExists)
		}
	}
	return nil
}

// moveBeginning changes the first version of a campaign, after the records of its past.
func moveBeginning(c *state.Campaign, version int64) {
	oldRef, newRef := state.StateRef(c.Version), state.StateRef(version)
	names := map[string]string{}
	for ref := range c.Refs() {
		if names[ref] = ref; ref == oldRef {
			names[ref] = newRef
		}
	}
	c.Rename(names)
	if first, found := c.Snapshots[oldRef]; found {
		delete(c.Snapshots, oldRef)
		c.Snapshots[newRef] = first
	}
	c.Version, c.Archive.Began = version, version
}

// storedPast returns the data of the pages that an interrupted creation has written. The error is
// [ErrExists] if the campaign exists. A store accepts the same entry twice, so it does not detect that
// a campaign is created twice.
func (a archive) storedPast(ctx context.Context, id string) (pages [][]byte, err error) {
	for entry, err := range a.store.Records(ctx, id, 0) {
		switch {
		case errors.Is(err, ErrNotFound):
			return nil, nil
		case err != nil:
			return nil, err
		case entry.Kind != string(turn.RecordPast):
			return nil, ErrExists
		}
		if entry, err = a.open(id, entry); err != nil {
			return nil, err
		}
		pages = append(pages, entry.Data)
	}
	return pages, nil
}

package campaign

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"maps"
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

// withGoal adds a goal to a setup that has none.
func (e *Engine) withGoal(ctx context.Context, s state.Setup) (state.Setup, error) {
	if s.Goal.Text != "" || e.cfg.Services.Goal == nil {
		return s, nil
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
	s.Goal = found
	return s, nil
}

// Fork starts a new campaign from the state after a turn of this one. A campaign may begin with
// turns, as an imported chat or a fork does. Of these turns, only the last one can be the turnID:
// the states after the others are not known.
//
// The two campaigns share nothing afterwards. [state.Campaign.ForkedFrom] names the origin of the
// new one, and [Engine.Forks] lists all forks. The new log begins with the turns up to the given
// one with their present texts, several in each record. It also has the states of the checkpoints.
// Branches that were left long ago are not copied.
//
// The returned campaign holds the newest turns. If Fork was interrupted, call it again with the
// same arguments to complete the fork. Until then the new ID is [ErrNotFound].
func (e *Engine) Fork(ctx context.Context, id, turnID, newID string) (fork state.Campaign, err error) {
	defer catchPanic(e.cfg.Logger, id, inStore, &err)
	c, states, read, err := readForkPoint(ctx, e.archive, id, turnID)
	if refusal, ok := errors.AsType[*state.Refusal](err); ok {
		return state.Campaign{}, refusal
	}
	if err != nil {
		return state.Campaign{}, fmt.Errorf("campaign: fork %q: %w", id, err)
	}
	c.ID, c.Version, c.CreatedAt = newID, 1, e.cfg.Now().UTC()
	c.ForkedFrom = state.Origin{CampaignID: id, TurnID: turnID}
	c.PendingConflict, c.Once = nil, nil
	return create(ctx, e.archive, c, states, read)
}

// Fork describes a forked campaign, see [Engine.Forks].
type Fork struct {
	ID   string
	From state.Origin // see [state.Campaign.ForkedFrom]
}

// Forks yields the campaigns of a page that [Engine.Fork] has made, ordered by ID, each with the
// campaign and the turn that it was forked from. [Page.Limit] counts forks. The origin may be
// deleted already. An imported copy of a fork is also a fork. Forks reads the beginning of the log
// of each campaign of the page.
//
// An error ends the list, with one exception: for a campaign that cannot be read, Fork has its ID
// and the list continues.
func (e *Engine) Forks(ctx context.Context, page Page) iter.Seq2[Fork, error] {
	return func(yield func(Fork, error) bool) {
		rest := Page{Prefix: page.Prefix, After: page.After, Limit: forksPerList}
		for found := 0; ; {
			list, err := e.list(ctx, rest)
			if err != nil {
				yield(Fork{}, fmt.Errorf("campaign: forks: %w", err))
				return
			}
			for _, l := range list {
				from, err := e.origin(ctx, l.ID)
				if err == nil && from == (state.Origin{}) || errors.Is(err, ErrNotFound) { // already deleted, or not created yet
					continue
				}
				if err != nil {
					err = fmt.Errorf("campaign: forks: %q: %w", l.ID, err)
				}
				if found++; !yield(Fork{l.ID, from}, err) || found == page.Limit {
					return
				}
			}
			if len(list) < forksPerList {
				return
			}
			rest.After = list[len(list)-1].ID
		}
	}
}

// forksPerList is the number of campaigns that [Engine.Forks] requests from a store at once.
const forksPerList = 100

func (e *Engine) list(ctx context.Context, page Page) (list []Info, err error) {
	defer catchPanic(e.cfg.Logger, "", inStore, &err)
	return e.cfg.Store.List(ctx, page)
}

// origin returns the origin of a campaign, or the zero value if it is not a fork.
func (e *Engine) origin(ctx context.Context, id string) (_ state.Origin, err error) {
	defer catchPanic(e.cfg.Logger, id, inStore, &err)
	for entry, err := range e.archive.store.Records(ctx, id, 0) {
		if err != nil {
			return state.Origin{}, err
		}
		if entry.Kind == string(turn.RecordPast) { // it comes before the record that creates the campaign
			continue
		}
		if entry, err = e.archive.open(id, entry); err != nil {
			return state.Origin{}, err
		}
		rec, err := entry.change()
		if err != nil {
			return state.Origin{}, err
		}
		c, err := rec.Beginning()
		return c.ForkedFrom, err
	}
	return state.Origin{}, ErrNotFound
}

// readForkPoint returns a campaign as of a turn, the states that it refers to, and a function that reads
// its turns.
func readForkPoint(ctx context.Context, a archive, id, turnID string) (c state.Campaign, states state.Snapshots, read readTurns, err error) {
	present, played, err := a.load(ctx, id, true)
	if err = cmp.Or(err, played.Err()); err != nil {
		return c, nil, nil, err
	}
	log := a.log(ctx, id)
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
	if c.State.HeadTurnID != turnID {
		return c, nil, nil, turnlog.PlayedElsewhere(turnID)
	}
	if c, err = log.Whole(c); err != nil {
		return c, nil, nil, err
	}
	c = c.Clone()
	c.DropArchive()
	atFork := c
	read = func(first, last int) ([]state.Turn, error) {
		turns, err := log.Read(present, turnIDs(first, last)) // with their present texts
		if n := len(turns); n > 0 && last == atFork.TurnCounter {
			// The last turn keeps its text at the fork. It may have been continued since, and that
			// changed the state.
			head, err := log.Read(atFork, []string{turns[n-1].ID})
			if err != nil {
				return nil, err
			}
			copy(turns[n-1:], head)
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
	c.Rewritten = nil // the turns have their present texts
	c.Snapshots = maps.Clone(states)
	return c, states, read, nil
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

// readTurns reads turns by their numbers, from first to last.
type readTurns func(first, last int) ([]state.Turn, error)

// create stores a campaign of version 1. states are the states that its references name, nil if it
// has no references. A fork or an import may begin with any number of turns. Those that the head
// does not hold are written before the record that creates the campaign, in records of pastTurns
// turns each.
func create(ctx context.Context, a archive, c state.Campaign, states state.Snapshots, read readTurns) (state.Campaign, error) {
	pages := 0
	if c.TurnsHeld > 0 {
		pages = max(c.TurnCounter-c.TurnsHeld, 0) / pastTurns
	}
	err := a.writeBeginning(ctx, &c, states, read, pages)
	switch {
	case errors.Is(err, ErrVersionConflict):
		err = fmt.Errorf("campaign: create %q: %w", c.ID, ErrExists)
	case err != nil:
		err = fmt.Errorf("campaign: create %q: %w", c.ID, err)
	}
	if err != nil {
		return state.Campaign{}, err
	}
	return c, nil
}

// writeBeginning writes the beginning of a log: first the past, in this number of pages with a
// record each, and then the record that creates the campaign. Pages that an interrupted call has
// written are compared instead.
func (a archive) writeBeginning(ctx context.Context, c *state.Campaign, states state.Snapshots, read readTurns, pages int) error {
	there, err := a.storedPast(ctx, c.ID)
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
		if err := a.append(ctx, c.ID, rec, nil, 0); err != nil {
			return err
		}
	}
	if c.Turns, err = read(pages*pastTurns+1, c.TurnCounter); err != nil {
		return err
	}
	if pages > 0 {
		moveBeginning(c, int64(pages+1))
	}
	// With a snapshot of the held turns, a load does not read the past.
	var snapshot []byte
	if n := c.TurnsHeld; n > 0 && len(c.Turns) > n || pages > 0 {
		held := *c
		held.Turns = c.Turns[max(len(c.Turns)-n, 0):]
		snapshot, err = new(turnlog.Requirements).Snapshot(held)
	}
	data, unwritten := openjson.Marshal(c)
	if err = cmp.Or(err, unwritten); err != nil {
		return err
	}
	rec := turn.Record{Version: c.Version, Kind: turn.RecordCreate, At: c.CreatedAt, Campaign: data, States: states}
	return a.append(ctx, c.ID, rec, snapshot, 0)
}

// moveBeginning changes the first version of a campaign from 1 to the given one.
func moveBeginning(c *state.Campaign, version int64) {
	was, is := state.StateRef(c.Version), state.StateRef(version)
	names := map[string]string{}
	for ref := range c.Refs() {
		if names[ref] = ref; ref == was {
			names[ref] = is
		}
	}
	c.Rename(names)
	if kept, found := c.Snapshots[was]; found {
		c.Snapshots = maps.Clone(c.Snapshots)
		delete(c.Snapshots, was)
		c.Snapshots[is] = kept
	}
	c.Version, c.Archive.Began = version, version
}

// storedPast returns the data of the records of the past that an interrupted creation has written. The
// error is [ErrExists] if the campaign exists. A store accepts the same entry twice, so a second
// creation must be detected here.
func (a archive) storedPast(ctx context.Context, id string) (there [][]byte, err error) {
	for entry, err := range a.store.Records(ctx, id, 0) {
		switch {
		case errors.Is(err, ErrNotFound) && !errors.Is(err, ErrDeleted):
			return nil, nil
		case err != nil:
			return nil, err
		case entry.Kind != string(turn.RecordPast):
			return nil, ErrExists
		}
		if entry, err = a.open(id, entry); err != nil {
			return nil, err
		}
		there = append(there, entry.Data)
	}
	return there, nil
}

package campaign

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"maps"
	"slices"

	"github.com/talewright/talewright/campaign/internal/turnlog"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/hooks"
)

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
	if err != nil {
		return state.Campaign{}, failedTo("fork", id, err)
	}
	c.ID, c.Version, c.CreatedAt = newID, 1, e.cfg.Now().UTC()
	c.ForkedFrom = state.Origin{CampaignID: id, TurnID: turnID}
	c.State.Hooks = inheritHooks(c.State.Hooks, newID)
	for ref, s := range states {
		own := *s // campaigns share states
		own.Hooks = inheritHooks(own.Hooks, newID)
		states[ref] = &own
	}
	c.Snapshots = maps.Clone(states)
	c.PendingConflict, c.Once = nil, nil
	c.Repairs = nil // they are about versions of the old log
	for id, stored := range c.Conflicts {
		stored.Report.CampaignID = newID
		c.Conflicts[id] = stored
	}
	return create(ctx, e.archive, c, states, read)
}

// inheritHooks returns the memory of hooks for a fork: a hook that acts once in a conversation does not
// act again in its continuation.
func inheritHooks(s hooks.State, fork string) hooks.State {
	used := maps.Clone(s.Triggered)
	for hook, list := range used {
		used[hook] = append(slices.Clip(list), fork)
	}
	s.Triggered = used
	return s
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
			for _, info := range list {
				from, err := e.origin(ctx, info.ID)
				if errors.Is(err, ErrNotFound) { // deleted since, or not created yet
					continue
				}
				if err == nil && from == (state.Origin{}) { // not a fork
					continue
				}
				if err != nil {
					err = fmt.Errorf("campaign: forks: %q: %w", info.ID, err)
				}
				if found++; !yield(Fork{info.ID, from}, err) || found == page.Limit {
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

// forksPerList is the number of campaigns that Forks requests from the store at once.
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

// readForkPoint returns a campaign as of a turn, the states that it refers to, and a function that
// reads its turns. The references are renamed, because the fork has versions of its own.
func readForkPoint(ctx context.Context, a archive, id, turnID string) (c state.Campaign, states state.Snapshots, read readTurns, err error) {
	present, _, err := a.loadToPlay(ctx, id)
	if err != nil {
		return c, nil, nil, err
	}
	log := a.log(ctx, id)
	if c, err = campaignAt(log, present, turnID); err != nil {
		return c, nil, nil, err
	}
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
	names := map[string]string{} // from the references to their names in the fork
	for _, ref := range slices.Sorted(maps.Keys(c.Refs())) {
		found, err := log.State(c, ref)
		if err != nil {
			return c, nil, nil, err
		}
		if found != nil {
			names[ref] = fmt.Sprintf("forked_%d", len(names)+1)
			states[names[ref]] = found
		}
	}
	c.Rename(names)
	c.Rewritten = nil // the turns have their present texts
	return c, states, read, nil
}

// campaignAt returns a copy of the present campaign as it was after a turn, without its archive.
func campaignAt(log turnlog.Log, present state.Campaign, turnID string) (c state.Campaign, err error) {
	version, err := log.VersionOf(present, turnID)
	if err != nil {
		return c, err
	}
	if version == 0 {
		return c, &state.Refusal{Code: state.CheckpointNotFound, Detail: "no turn " + turnID}
	}
	if c, err = log.At(present, version); err != nil {
		return c, err
	}
	if c.State.HeadTurnID != turnID {
		return c, turnlog.PlayedElsewhere(turnID)
	}
	if c, err = log.Whole(c); err != nil {
		return c, err
	}
	c = c.Clone()
	c.DropArchive()
	return c, nil
}

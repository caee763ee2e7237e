package memory

import (
	"context"
	"errors"
	"fmt"
	"sync"
)

// Index is a memory of campaigns in the process. The zero Index is empty and ready to use. It is
// safe for concurrent use and must not be copied.
type Index struct {
	// Campaigns is the number of campaigns that are kept; 0 means 256. Set it before the first use.
	Campaigns int
	// Passages is the number of passages that are kept of each campaign; 0 means 262,144, enough for
	// about 40,000 turns. Set it before the first use.
	Passages int

	mu      sync.Mutex
	known   map[string]*campaignIndex
	uses    int64     // counts uses of campaigns
	scratch sync.Pool // of *scores
}

// ErrTooManyTurns is returned by [Index.Remember] for a campaign of more than a million turns. The
// turn is not stored; a retry does not help.
var ErrTooManyTurns = errors.New("memory: too many turns in one campaign")

// Remember adds a turn of a campaign. Add its parent first. A known turn is replaced; the same turn
// again changes nothing. The error is the error of ctx or wraps [ErrTooManyTurns].
func (x *Index) Remember(ctx context.Context, campaign string, turn Turn) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	s := x.find(campaign, true)
	s.mu.Lock()
	defer s.mu.Unlock()
	keep := x.Passages
	if keep <= 0 {
		keep = 1 << 18
	}
	if err := s.remember(turn, keep); err != nil {
		return fmt.Errorf("campaign %q, turn %q: %w", campaign, turn.ID, err)
	}
	return nil
}

// Recall returns the items that fit the texts of the query, best first. An unknown campaign has no
// memories. The error is the error of ctx.
func (x *Index) Recall(ctx context.Context, q Query) ([]Item, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	s := x.find(q.Campaign, false)
	if s == nil {
		return nil, nil
	}
	s.mu.RLock()
	defer s.mu.RUnlock()
	buffers, _ := x.scratch.Get().(*scores)
	if buffers == nil {
		buffers = &scores{}
	}
	defer x.scratch.Put(buffers)
	return s.recall(q, buffers), nil
}

// Has reports whether a turn was added, even if its passages were removed since. For an unknown
// campaign it reports false. The error is the error of ctx.
func (x *Index) Has(ctx context.Context, campaign, turnID string) (bool, error) {
	if err := ctx.Err(); err != nil {
		return false, err
	}
	s := x.find(campaign, false)
	if s == nil {
		return false, nil
	}
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.lineage.Has(turnID), nil
}

// Forget removes a campaign.
func (x *Index) Forget(campaign string) {
	x.mu.Lock()
	defer x.mu.Unlock()
	delete(x.known, campaign)
}

// find returns the index of a campaign and records its use. It adds a missing index if orAdd is set.
// Otherwise it returns nil for a missing index.
func (x *Index) find(campaign string, orAdd bool) *campaignIndex {
	x.mu.Lock()
	defer x.mu.Unlock()
	s := x.known[campaign]
	if s == nil && orAdd {
		s = x.add(campaign)
	}
	if s != nil {
		x.uses++
		s.used = x.uses
	}
	return s
}

// add adds an empty index of a campaign. It removes the least recently used ones if there are too
// many. The caller holds the lock.
func (x *Index) add(campaign string) *campaignIndex {
	keep := x.Campaigns
	if keep <= 0 {
		keep = 256
	}
	for len(x.known) >= keep {
		oldest, used := "", int64(0)
		for id, s := range x.known {
			if used == 0 || s.used < used {
				oldest, used = id, s.used
			}
		}
		delete(x.known, oldest)
	}
	if x.known == nil {
		x.known = map[string]*campaignIndex{}
	}
	s := &campaignIndex{}
	x.known[campaign] = s
	return s
}

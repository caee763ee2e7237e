package memstore

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"time"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/follow"
)

var (
	_ campaign.Catalog = (*Store)(nil)
	_ campaign.Desk    = (*Store)(nil)
	_ campaign.Ledger  = (*Store)(nil)
	_ campaign.Keys    = (*Store)(nil)
	_ campaign.Meter   = (*Store)(nil)
	_ follow.Notices   = (*Store)(nil)
)

// lease says who holds a campaign.
type lease struct {
	owner   string
	fence   int64
	expires time.Time
}

// answer is what a model has said under a fence.
type answer struct {
	fence int64
	data  []byte
}

// Claim implements [campaign.Desk].
func (s *Store) Claim(ctx context.Context, id, owner string, d time.Duration) (int64, error) {
	var fence int64
	err := s.change(ctx, id, func(l *log) error {
		if left := time.Until(l.lease.expires); left > 0 && l.lease.owner != owner {
			return &campaign.HeldError{Owner: l.lease.owner, For: left}
		}
		fence = l.lease.fence + 1
		l.lease = lease{owner, fence, time.Now().Add(d)}
		return nil
	})
	return fence, err
}

// Renew implements [campaign.Desk].
func (s *Store) Renew(ctx context.Context, id string, fence int64, d time.Duration) error {
	return s.change(ctx, id, func(l *log) error {
		if l.lease.fence != fence {
			return campaign.ErrLeaseLost
		}
		l.lease.expires = time.Now().Add(d)
		return nil
	})
}

// Release implements [campaign.Desk].
func (s *Store) Release(ctx context.Context, id string, fence int64) error {
	return s.change(ctx, id, func(l *log) error {
		if l.lease.fence == fence {
			l.lease = lease{fence: fence + 1}
		}
		return nil
	})
}

// KeepAnswer implements [campaign.Ledger].
func (s *Store) KeepAnswer(ctx context.Context, id string, fence int64, key string, data []byte) error {
	return s.change(ctx, id, func(l *log) error {
		if l.lease.fence != fence {
			return campaign.ErrLeaseLost
		}
		kept := maps.Clone(l.answers)
		if kept == nil {
			kept = map[string]answer{}
		}
		kept[key] = answer{fence, append([]byte{}, data...)}
		maps.DeleteFunc(kept, func(_ string, a answer) bool { return a.fence <= fence-campaign.KeptAnswers })
		l.answers = kept
		return nil
	})
}

// Answer implements [campaign.Ledger].
func (s *Store) Answer(ctx context.Context, id, key string) ([]byte, error) {
	l, err := s.read(ctx, id)
	return bytes.Clone(l.answers[key].data), err
}

// change changes what belongs to a campaign beside its log.
func (s *Store) change(ctx context.Context, id string, do func(*log) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	p := s.of(id)
	p.mu.Lock()
	defer p.mu.Unlock()
	l := p.logs[id]
	switch {
	case l == nil:
		return fmt.Errorf("memstore: %q: %w", id, campaign.ErrNotFound)
	case l.deleted:
		return fmt.Errorf("memstore: %q: %w", id, campaign.ErrDeleted)
	}
	if err := do(l); err != nil {
		return fmt.Errorf("memstore: %q: %w", id, err)
	}
	return nil
}

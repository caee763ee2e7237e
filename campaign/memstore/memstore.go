package memstore

import (
	"bytes"
	"context"
	"fmt"
	"hash/maphash"
	"iter"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/follow"
)

// Store is a [campaign.Store] in memory, and a [campaign.Catalog], a [campaign.Desk], a
// [campaign.Ledger], [campaign.Keys], a [campaign.Meter], [follow.Notices] and an [inbox.Box]. The zero Store is
// empty and ready; it is safe for concurrent use and must not be copied.
type Store struct {
	parts [64]part // by the hashes of the ids, so that campaigns do not wait for one another
	board follow.Board
}

// part is some of the campaigns.
type part struct {
	mu   sync.RWMutex
	logs map[string]*log
}

// of is the part that has a campaign.
func (s *Store) of(id string) *part {
	return &s.parts[maphash.String(seed, id)%uint64(len(s.parts))]
}

var seed = maphash.MakeSeed()

// sorted returns what is wanted of each log, in the order of the ids, at most limit; 0: all.
func sorted[T any](s *Store, limit int, want func(id string, l *log) (T, bool)) (out []T) {
	found := map[string]T{}
	for i := range s.parts {
		p := &s.parts[i]
		p.mu.RLock()
		for id, l := range p.logs {
			if one, ok := want(id, l); ok {
				found[id] = one
			}
		}
		p.mu.RUnlock()
	}
	ids := slices.Sorted(maps.Keys(found))
	if limit > 0 {
		ids = ids[:min(limit, len(ids))]
	}
	for _, id := range ids {
		out = append(out, found[id])
	}
	return out
}

type log struct {
	entries         []campaign.Entry // appended to, never modified
	snapshot        []byte
	snapshotVersion int64
	deleted         bool
	lease           lease
	answers         map[string]answer // by key; replaced, never modified
	keys            map[string]int64  // the versions of the oldest entries that have them
	box             box
}

// Append implements [campaign.Store].
func (s *Store) Append(ctx context.Context, id string, entry campaign.Entry, snapshot []byte) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	p := s.of(id)
	p.mu.Lock()
	defer p.mu.Unlock()
	l := p.logs[id]
	if l == nil {
		l = &log{}
	}
	head := int64(len(l.entries))
	switch {
	case l.deleted:
		return fmt.Errorf("memstore: %q: %w", id, campaign.ErrDeleted)
	case entry.Version >= 1 && entry.Version <= head && l.entries[entry.Version-1].Same(entry):
		return nil
	case entry.Fence != 0 && entry.Fence != l.lease.fence:
		return fmt.Errorf("memstore: %q: entry %d: %w", id, entry.Version, campaign.ErrLeaseLost)
	case entry.Version != head+1:
		return fmt.Errorf("memstore: %q: entry %d does not follow on %d: %w",
			id, entry.Version, head, campaign.ErrVersionConflict)
	}
	if entry.Fence != 0 {
		l.answers = nil
	}
	entry.Data, entry.Fence = bytes.Clone(entry.Data), 0
	l.entries = append(l.entries, entry)
	l.note(entry)
	l.box = l.box.without(entry.Key)
	if snapshot != nil {
		l.snapshot, l.snapshotVersion = bytes.Clone(snapshot), entry.Version
	}
	if p.logs == nil {
		p.logs = map[string]*log{}
	}
	p.logs[id] = l
	s.board.Post(id)
	return nil
}

// Watch implements [follow.Notices].
func (s *Store) Watch(ctx context.Context, id string) <-chan struct{} { return s.board.Watch(ctx, id) }

func (l *log) note(e campaign.Entry) {
	if _, known := l.keys[e.Key]; known || e.Key == "" {
		return
	}
	if l.keys == nil {
		l.keys = map[string]int64{}
	}
	l.keys[e.Key] = e.Version
}

// Keyed implements [campaign.Keys].
func (s *Store) Keyed(ctx context.Context, id, key string) (version, unkeyed int64, err error) {
	if _, err := s.read(ctx, id); err != nil {
		return 0, 0, err
	}
	p := s.of(id)
	p.mu.RLock()
	defer p.mu.RUnlock()
	return p.logs[id].keys[key], 0, nil
}

// Load implements [campaign.Store].
func (s *Store) Load(ctx context.Context, id string) (campaign.Saved, error) {
	l, err := s.read(ctx, id)
	if err != nil {
		return campaign.Saved{}, err
	}
	saved := campaign.Saved{Snapshot: bytes.Clone(l.snapshot), SnapshotVersion: l.snapshotVersion,
		Entries: slices.Clone(l.entries[l.snapshotVersion:])}
	for i, e := range saved.Entries {
		saved.Entries[i].Data = bytes.Clone(e.Data)
	}
	return saved, nil
}

// Records implements [campaign.Store].
func (s *Store) Records(ctx context.Context, id string, after int64) iter.Seq2[campaign.Entry, error] {
	return func(yield func(campaign.Entry, error) bool) {
		l, err := s.read(ctx, id)
		if err != nil {
			yield(campaign.Entry{}, err)
			return
		}
		for _, e := range l.entries[min(max(after, 0), int64(len(l.entries))):] {
			e.Data = bytes.Clone(e.Data)
			if !yield(e, nil) {
				return
			}
		}
	}
}

// read returns a log as it is now.
func (s *Store) read(ctx context.Context, id string) (log, error) {
	if err := ctx.Err(); err != nil {
		return log{}, err
	}
	p := s.of(id)
	p.mu.RLock()
	defer p.mu.RUnlock()
	l := p.logs[id]
	switch {
	case l == nil:
		return log{}, fmt.Errorf("memstore: %q: %w", id, campaign.ErrNotFound)
	case l.deleted:
		return log{}, fmt.Errorf("memstore: %q: %w", id, campaign.ErrDeleted)
	}
	return *l, nil
}

// List implements [campaign.Catalog].
func (s *Store) List(ctx context.Context, page campaign.Page) ([]campaign.Listed, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return sorted(s, page.Limit, func(id string, l *log) (campaign.Listed, bool) {
		if l.deleted || id <= page.After && page.After != "" || !strings.HasPrefix(id, page.Prefix) {
			return campaign.Listed{}, false
		}
		return campaign.Listed{ID: id, Version: int64(len(l.entries)),
			Created: l.entries[0].At, Updated: l.entries[len(l.entries)-1].At}, true
	}), nil
}

// Delete implements [campaign.Catalog].
func (s *Store) Delete(ctx context.Context, id string) error {
	if _, err := s.read(ctx, id); err != nil {
		return err
	}
	p := s.of(id)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.logs[id] = &log{deleted: true}
	s.board.Post(id)
	return nil
}

// Trim implements [campaign.Catalog]. There is never more than one snapshot.
func (s *Store) Trim(ctx context.Context, id string) error {
	_, err := s.read(ctx, id)
	return err
}

// Stats implements [campaign.Meter]. It looks at all campaigns.
func (s *Store) Stats(ctx context.Context) (st campaign.Stats, err error) {
	if err := ctx.Err(); err != nil {
		return st, err
	}
	now := time.Now()
	for _, one := range sorted(s, 0, func(_ string, l *log) (campaign.Stats, bool) { return l.stats(now), !l.deleted }) {
		st.Campaigns += one.Campaigns
		st.Leases += one.Leases
		st.Posts += one.Posts
		st.Inboxes += one.Inboxes
		if !one.Oldest.IsZero() && (st.Oldest.IsZero() || one.Oldest.Before(st.Oldest)) {
			st.Oldest = one.Oldest
		}
	}
	return st, nil
}

// stats are those of one campaign.
func (l *log) stats(now time.Time) campaign.Stats {
	one := campaign.Stats{Campaigns: 1, Posts: l.box.waiting()}
	one.Inboxes = min(one.Posts, 1)
	if l.lease.expires.After(now) {
		one.Leases = 1
	}
	for _, p := range l.box.posts {
		if p.Outcome == nil && !p.At.IsZero() && (one.Oldest.IsZero() || p.At.Before(one.Oldest)) {
			one.Oldest = p.At
		}
	}
	return one
}

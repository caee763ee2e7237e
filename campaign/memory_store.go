package campaign

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
)

// MemoryStore is a [Cluster] in memory: for tests, for demonstrations, and for programs that save
// elsewhere.
//
// Records go through their stored form, so a value that a database would refuse or lose shows here
// too. The store loses everything when the program ends, and no second process can use it. It
// passes all tests of campaign/storetest except the cases about a restart.
//
// The zero MemoryStore is empty and ready to use. It is safe for concurrent use and must not be
// copied.
type MemoryStore struct {
	shards  [64]memoryShard // by the hash of the ID, so that campaigns do not block each other
	notices NoticeBoard
}

// memoryShard is a share of the campaigns, with a lock.
type memoryShard struct {
	mu   sync.RWMutex
	logs map[string]*log
}

// shardOf returns the part that a campaign belongs to.
func (s *MemoryStore) shardOf(id string) *memoryShard {
	return &s.shards[maphash.String(shardSeed, id)%uint64(len(s.shards))]
}

var shardSeed = maphash.MakeSeed()

// collectSorted returns the values that want selects from the logs, ordered by ID, at most limit; 0: all.
func collectSorted[T any](s *MemoryStore, limit int, want func(id string, l *log) (T, bool)) (out []T) {
	found := map[string]T{}
	for i := range s.shards {
		p := &s.shards[i]
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
	entries         []Entry // appended to, never modified
	snapshot        []byte
	snapshotVersion int64
	deleted         bool
	lease           memoryLease
	answers         map[string]memoryAnswer // by key; replaced, never modified
	keys            map[string]int64        // the version of the oldest entry with each key
	box             memoryInbox
}

// Append implements [Store].
func (s *MemoryStore) Append(ctx context.Context, id string, entry Entry, snapshot []byte) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	p := s.shardOf(id)
	p.mu.Lock()
	defer p.mu.Unlock()
	l := p.logs[id]
	if l == nil {
		l = &log{}
	}
	head := int64(len(l.entries))
	switch {
	case l.deleted:
		return fmt.Errorf("memory store: %q: %w", id, ErrDeleted)
	case entry.Version >= 1 && entry.Version <= head && l.entries[entry.Version-1].Same(entry):
		return nil
	case entry.Fence != 0 && entry.Fence != l.lease.fence:
		return fmt.Errorf("memory store: %q: entry %d: %w", id, entry.Version, ErrLeaseLost)
	case entry.Version != head+1:
		return fmt.Errorf("memory store: %q: entry %d does not follow on %d: %w",
			id, entry.Version, head, ErrVersionConflict)
	}
	if entry.Fence != 0 {
		l.answers = nil
	}
	entry.Data, entry.Fence = bytes.Clone(entry.Data), 0
	l.entries = append(l.entries, entry)
	l.indexKey(entry)
	l.box = l.box.without(entry.Key)
	if snapshot != nil {
		l.snapshot, l.snapshotVersion = bytes.Clone(snapshot), entry.Version
	}
	if p.logs == nil {
		p.logs = map[string]*log{}
	}
	p.logs[id] = l
	s.notices.Post(id)
	return nil
}

// Watch implements [Cluster].
func (s *MemoryStore) Watch(ctx context.Context, id string) <-chan struct{} {
	return s.notices.Watch(ctx, id)
}

func (l *log) indexKey(e Entry) {
	if _, known := l.keys[e.Key]; known || e.Key == "" {
		return
	}
	if l.keys == nil {
		l.keys = map[string]int64{}
	}
	l.keys[e.Key] = e.Version
}

// Find implements [Store].
func (s *MemoryStore) Find(ctx context.Context, id, key string) (version int64, err error) {
	if _, err := s.readLog(ctx, id); err != nil {
		return 0, err
	}
	p := s.shardOf(id)
	p.mu.RLock()
	defer p.mu.RUnlock()
	return p.logs[id].keys[key], nil
}

// Load implements [Store].
func (s *MemoryStore) Load(ctx context.Context, id string) (Saved, error) {
	l, err := s.readLog(ctx, id)
	if err != nil {
		return Saved{}, err
	}
	saved := Saved{Snapshot: bytes.Clone(l.snapshot), SnapshotVersion: l.snapshotVersion,
		Entries: slices.Clone(l.entries[l.snapshotVersion:])}
	for i, e := range saved.Entries {
		saved.Entries[i].Data = bytes.Clone(e.Data)
	}
	return saved, nil
}

// Records implements [Store].
func (s *MemoryStore) Records(ctx context.Context, id string, after int64) iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) {
		l, err := s.readLog(ctx, id)
		if err != nil {
			yield(Entry{}, err)
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

// readLog returns a copy of the present log, without copying the entries.
func (s *MemoryStore) readLog(ctx context.Context, id string) (log, error) {
	if err := ctx.Err(); err != nil {
		return log{}, err
	}
	p := s.shardOf(id)
	p.mu.RLock()
	defer p.mu.RUnlock()
	l := p.logs[id]
	switch {
	case l == nil:
		return log{}, fmt.Errorf("memory store: %q: %w", id, ErrNotFound)
	case l.deleted:
		return log{}, fmt.Errorf("memory store: %q: %w", id, ErrDeleted)
	}
	return *l, nil
}

// List implements [Store].
func (s *MemoryStore) List(ctx context.Context, page Page) ([]Info, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return collectSorted(s, page.Limit, func(id string, l *log) (Info, bool) {
		if l.deleted || id <= page.After && page.After != "" || !strings.HasPrefix(id, page.Prefix) {
			return Info{}, false
		}
		return Info{ID: id, Version: int64(len(l.entries)),
			Created: l.entries[0].At, Updated: l.entries[len(l.entries)-1].At}, true
	}), nil
}

// Delete implements [Store].
func (s *MemoryStore) Delete(ctx context.Context, id string) error {
	if _, err := s.readLog(ctx, id); err != nil {
		return err
	}
	p := s.shardOf(id)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.logs[id] = &log{deleted: true}
	s.notices.Post(id)
	return nil
}

// Trim implements [Store]. There is never more than one snapshot.
func (s *MemoryStore) Trim(ctx context.Context, id string) error {
	_, err := s.readLog(ctx, id)
	return err
}

// Stats implements [Cluster]. It iterates over all campaigns.
func (s *MemoryStore) Stats(ctx context.Context) (st Stats, err error) {
	if err := ctx.Err(); err != nil {
		return st, err
	}
	now := time.Now()
	for _, one := range collectSorted(s, 0, func(_ string, l *log) (Stats, bool) { return l.stats(now), !l.deleted }) {
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

// stats returns the counts of one campaign.
func (l *log) stats(now time.Time) Stats {
	one := Stats{Campaigns: 1, Posts: l.box.countWaiting()}
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

var _ Cluster = (*MemoryStore)(nil)

// memoryLease is the lease of a campaign.
type memoryLease struct {
	owner   string
	fence   int64
	expires time.Time
}

// memoryAnswer is a stored answer of a model, with its fence.
type memoryAnswer struct {
	fence int64
	data  []byte
}

// Acquire implements [Cluster].
func (s *MemoryStore) Acquire(ctx context.Context, id, owner string, d time.Duration) (int64, error) {
	var fence int64
	err := s.changeLog(ctx, id, func(l *log) error {
		if left := time.Until(l.lease.expires); left > 0 && l.lease.owner != owner {
			return &HeldError{Owner: l.lease.owner, For: left}
		}
		fence = l.lease.fence + 1
		l.lease = memoryLease{owner, fence, time.Now().Add(d)}
		return nil
	})
	return fence, err
}

// Renew implements [Cluster].
func (s *MemoryStore) Renew(ctx context.Context, id string, fence int64, d time.Duration) error {
	return s.changeLog(ctx, id, func(l *log) error {
		if l.lease.fence != fence {
			return ErrLeaseLost
		}
		l.lease.expires = time.Now().Add(d)
		return nil
	})
}

// Release implements [Cluster].
func (s *MemoryStore) Release(ctx context.Context, id string, fence int64) error {
	return s.changeLog(ctx, id, func(l *log) error {
		if l.lease.fence == fence {
			l.lease = memoryLease{fence: fence + 1}
		}
		return nil
	})
}

// SaveAnswer implements [Cluster].
func (s *MemoryStore) SaveAnswer(ctx context.Context, id string, fence int64, key string, data []byte) error {
	return s.changeLog(ctx, id, func(l *log) error {
		if l.lease.fence != fence {
			return ErrLeaseLost
		}
		saved := maps.Clone(l.answers)
		if saved == nil {
			saved = map[string]memoryAnswer{}
		}
		saved[key] = memoryAnswer{fence, append([]byte{}, data...)}
		maps.DeleteFunc(saved, func(_ string, a memoryAnswer) bool { return a.fence <= fence-MaxAnswerFences })
		l.answers = saved
		return nil
	})
}

// Answer implements [Cluster].
func (s *MemoryStore) Answer(ctx context.Context, id, key string) ([]byte, error) {
	l, err := s.readLog(ctx, id)
	return bytes.Clone(l.answers[key].data), err
}

// changeLog changes data of a campaign other than its log.
func (s *MemoryStore) changeLog(ctx context.Context, id string, do func(*log) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	p := s.shardOf(id)
	p.mu.Lock()
	defer p.mu.Unlock()
	l := p.logs[id]
	switch {
	case l == nil:
		return fmt.Errorf("memory store: %q: %w", id, ErrNotFound)
	case l.deleted:
		return fmt.Errorf("memory store: %q: %w", id, ErrDeleted)
	}
	if err := do(l); err != nil {
		return fmt.Errorf("memory store: %q: %w", id, err)
	}
	return nil
}

// memoryInbox is the inbox of a campaign, in order. It is replaced, never modified.
type memoryInbox struct {
	posts []InboxPost
	last  int64 // the Seq of the newest post, including removed ones
}

func (b memoryInbox) find(key string) int {
	return slices.IndexFunc(b.posts, func(p InboxPost) bool { return p.Key == key })
}

// without returns the box without the post of a key.
func (b memoryInbox) without(key string) memoryInbox {
	if at := b.find(key); key != "" && at >= 0 {
		b.posts = slices.Concat(b.posts[:at], b.posts[at+1:])
	}
	return b
}

func (b memoryInbox) countWaiting() (n int) {
	for _, p := range b.posts {
		if p.Outcome == nil {
			n++
		}
	}
	return n
}

// PutPost implements [Cluster].
func (s *MemoryStore) PutPost(ctx context.Context, id string, p InboxPost) (there InboxPost, err error) {
	err = s.changeLog(ctx, id, func(l *log) error {
		if at := l.box.find(p.Key); at >= 0 {
			there = l.box.posts[at]
			return nil
		}
		if l.box.countWaiting() >= MaxWaitingPosts {
			return ErrInboxFull
		}
		l.box.last++
		there = p
		there.Seq, there.Data, there.Outcome = l.box.last, cloneNotNil(p.Data), nil
		l.box.posts = append(slices.Clip(l.box.posts), there)
		s.notices.Post("")
		return nil
	})
	return clonePost(there), err
}

// OldestPost implements [Cluster].
func (s *MemoryStore) OldestPost(ctx context.Context, id string) (InboxPost, bool, error) {
	l, err := s.readLog(ctx, id)
	for _, p := range l.box.posts {
		if p.Outcome == nil {
			return clonePost(p), true, nil
		}
	}
	return InboxPost{}, false, err
}

// FinishPost implements [Cluster].
func (s *MemoryStore) FinishPost(ctx context.Context, id string, fence int64, key string, outcome []byte) error {
	return s.changeLog(ctx, id, func(l *log) error {
		if fence != 0 && fence != l.lease.fence {
			return ErrLeaseLost
		}
		at := l.box.find(key)
		if at < 0 || l.box.posts[at].Outcome != nil {
			return nil
		}
		posts := slices.Clone(l.box.posts)
		posts[at].Outcome = cloneNotNil(outcome)
		newest := int64(0)
		for _, p := range posts {
			if p.Outcome != nil {
				newest = p.Seq
			}
		}
		l.box.posts = slices.DeleteFunc(posts, func(p InboxPost) bool {
			return p.Outcome != nil && p.Seq <= newest-MaxFinishedPosts
		})
		return nil
	})
}

// ListInboxes implements [Cluster].
func (s *MemoryStore) ListInboxes(ctx context.Context, after string, limit int) ([]string, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return collectSorted(s, limit, func(id string, l *log) (string, bool) {
		return id, (id > after || after == "") && l.box.countWaiting() > 0
	}), nil
}

func clonePost(p InboxPost) InboxPost {
	p.Data, p.Outcome = bytes.Clone(p.Data), bytes.Clone(p.Outcome)
	return p
}

// cloneNotNil returns a copy that is not nil.
func cloneNotNil(data []byte) []byte { return append([]byte{}, data...) }

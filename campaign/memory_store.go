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

// memoryShard is a part of the campaigns, with a lock.
type memoryShard struct {
	mu   sync.RWMutex
	logs map[string]*memoryLog // by the ID of the campaign
}

// memoryLog is everything that the store has of one campaign.
type memoryLog struct {
	entries         []Entry // appended to, never modified
	snapshot        []byte
	snapshotVersion int64
	isDeleted       bool
	lease           memoryLease
	answers         map[string]memoryAnswer // by key; replaced, never modified
	keys            map[string]int64        // the version of the oldest entry with each key
	inbox           memoryInbox
}

// memoryLease is the newest lease of a campaign.
type memoryLease struct {
	owner   string
	fence   int64
	expires time.Time
}

// memoryAnswer is a saved answer of a model.
type memoryAnswer struct {
	fence int64 // of the lease under which it was saved
	data  []byte
}

// memoryInbox is the posts of a campaign. It is replaced, never modified.
type memoryInbox struct {
	posts []InboxPost // in order
	last  int64       // the Seq of the newest post, including removed ones
}

var _ Cluster = (*MemoryStore)(nil)

var shardSeed = maphash.MakeSeed()

// shardOf returns the shard of a campaign.
func (s *MemoryStore) shardOf(id string) *memoryShard {
	return &s.shards[maphash.String(shardSeed, id)%uint64(len(s.shards))]
}

// log returns the log of a campaign. The caller holds mu.
func (s *memoryShard) log(id string) (*memoryLog, error) {
	l := s.logs[id]
	switch {
	case l == nil:
		return nil, fmt.Errorf("memory store: %q: %w", id, ErrNotFound)
	case l.isDeleted:
		return nil, fmt.Errorf("memory store: %q: %w", id, ErrDeleted)
	}
	return l, nil
}

// readLog returns a copy of the present log. It does not copy the entries.
func (s *MemoryStore) readLog(ctx context.Context, id string) (memoryLog, error) {
	if err := ctx.Err(); err != nil {
		return memoryLog{}, err
	}
	shard := s.shardOf(id)
	shard.mu.RLock()
	defer shard.mu.RUnlock()
	l, err := shard.log(id)
	if err != nil {
		return memoryLog{}, err
	}
	return *l, nil
}

// changeLog calls do with the log of a campaign, under the lock of its shard.
func (s *MemoryStore) changeLog(ctx context.Context, id string, do func(*memoryLog) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	shard := s.shardOf(id)
	shard.mu.Lock()
	defer shard.mu.Unlock()
	l, err := shard.log(id)
	if err != nil {
		return err
	}
	if err := do(l); err != nil {
		return fmt.Errorf("memory store: %q: %w", id, err)
	}
	return nil
}

// collectSorted calls value for every log. It returns the values for which value reports true, ordered
// by the ID of the campaign, at most limit of them; 0 means all.
func collectSorted[T any](s *MemoryStore, limit int, value func(id string, l *memoryLog) (T, bool)) (out []T) {
	found := map[string]T{}
	for i := range s.shards {
		shard := &s.shards[i]
		shard.mu.RLock()
		for id, l := range shard.logs {
			if v, ok := value(id, l); ok {
				found[id] = v
			}
		}
		shard.mu.RUnlock()
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

// Append implements [Store].
func (s *MemoryStore) Append(ctx context.Context, id string, entry Entry, snapshot []byte) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	shard := s.shardOf(id)
	shard.mu.Lock()
	defer shard.mu.Unlock()
	l := shard.logs[id]
	if l == nil {
		l = &memoryLog{}
	}
	head := int64(len(l.entries))
	switch {
	case l.isDeleted:
		return fmt.Errorf("memory store: %q: %w", id, ErrDeleted)
	case entry.Version >= 1 && entry.Version <= head && l.entries[entry.Version-1].Same(entry):
		return nil
	case entry.Fence != 0 && entry.Fence != l.lease.fence:
		return fmt.Errorf("memory store: %q: entry %d: %w", id, entry.Version, ErrLeaseLost)
	case entry.Version != head+1:
		return fmt.Errorf("memory store: %q: entry %d does not follow on %d: %w",
			id, entry.Version, head, ErrVersionConflict)
	}
	if entry.Fence != 0 { // the answers belong to the turn that is now committed
		l.answers = nil
	}
	entry.Data, entry.Fence = bytes.Clone(entry.Data), 0
	l.entries = append(l.entries, entry)
	l.indexKey(entry)
	l.inbox = l.inbox.without(entry.Key)
	if snapshot != nil {
		l.snapshot, l.snapshotVersion = bytes.Clone(snapshot), entry.Version
	}
	if shard.logs == nil {
		shard.logs = map[string]*memoryLog{}
	}
	shard.logs[id] = l
	s.notices.Post(id)
	return nil
}

// Watch implements [Cluster].
func (s *MemoryStore) Watch(ctx context.Context, id string) <-chan struct{} {
	return s.notices.Watch(ctx, id)
}

// indexKey records the version of an entry under its key, unless an older entry has the key.
func (l *memoryLog) indexKey(e Entry) {
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
	if err := ctx.Err(); err != nil {
		return 0, err
	}
	shard := s.shardOf(id)
	shard.mu.RLock()
	defer shard.mu.RUnlock()
	l, err := shard.log(id)
	if err != nil {
		return 0, err
	}
	return l.keys[key], nil
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

// List implements [Store].
func (s *MemoryStore) List(ctx context.Context, page Page) ([]Info, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return collectSorted(s, page.Limit, func(id string, l *memoryLog) (Info, bool) {
		if l.isDeleted || id <= page.After || !strings.HasPrefix(id, page.Prefix) {
			return Info{}, false
		}
		return Info{ID: id, Version: int64(len(l.entries)),
			Created: l.entries[0].At, Updated: l.entries[len(l.entries)-1].At}, true
	}), nil
}

// Delete implements [Store].
func (s *MemoryStore) Delete(ctx context.Context, id string) error {
	return s.changeLog(ctx, id, func(l *memoryLog) error {
		*l = memoryLog{isDeleted: true}
		s.notices.Post(id)
		return nil
	})
}

// Trim implements [Store]. There is never more than one snapshot.
func (s *MemoryStore) Trim(ctx context.Context, id string) error {
	_, err := s.readLog(ctx, id)
	return err
}

// Stats implements [Cluster].
func (s *MemoryStore) Stats(ctx context.Context) (st Stats, err error) {
	if err := ctx.Err(); err != nil {
		return st, err
	}
	now := time.Now()
	for _, l := range collectSorted(s, 0, func(_ string, l *memoryLog) (memoryLog, bool) { return *l, !l.isDeleted }) {
		st.Campaigns++
		if l.lease.expires.After(now) {
			st.Leases++
		}
		waiting := l.inbox.countWaiting()
		st.Posts += waiting
		st.Inboxes += min(waiting, 1)
		for _, p := range l.inbox.posts {
			if p.Outcome == nil && !p.At.IsZero() && (st.Oldest.IsZero() || p.At.Before(st.Oldest)) {
				st.Oldest = p.At
			}
		}
	}
	return st, nil
}

// Acquire implements [Cluster].
func (s *MemoryStore) Acquire(ctx context.Context, id, owner string, d time.Duration) (int64, error) {
	var fence int64
	err := s.changeLog(ctx, id, func(l *memoryLog) error {
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
	return s.changeLog(ctx, id, func(l *memoryLog) error {
		if l.lease.fence != fence {
			return ErrLeaseLost
		}
		l.lease.expires = time.Now().Add(d)
		return nil
	})
}

// Release implements [Cluster].
func (s *MemoryStore) Release(ctx context.Context, id string, fence int64) error {
	return s.changeLog(ctx, id, func(l *memoryLog) error {
		if l.lease.fence == fence {
			l.lease = memoryLease{fence: fence + 1}
		}
		return nil
	})
}

// SaveAnswer implements [Cluster].
func (s *MemoryStore) SaveAnswer(ctx context.Context, id string, fence int64, key string, data []byte) error {
	return s.changeLog(ctx, id, func(l *memoryLog) error {
		if l.lease.fence != fence {
			return ErrLeaseLost
		}
		saved := maps.Clone(l.answers)
		if saved == nil {
			saved = map[string]memoryAnswer{}
		}
		saved[key] = memoryAnswer{fence, cloneNotNil(data)}
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

// find returns the index of the post with a key, or -1.
func (b memoryInbox) find(key string) int {
	return slices.IndexFunc(b.posts, func(p InboxPost) bool { return p.Key == key })
}

// without returns the inbox without the post with a key.
func (b memoryInbox) without(key string) memoryInbox {
	if at := b.find(key); key != "" && at >= 0 {
		b.posts = slices.Concat(b.posts[:at], b.posts[at+1:])
	}
	return b
}

// countWaiting returns the number of waiting posts.
func (b memoryInbox) countWaiting() (n int) {
	for _, p := range b.posts {
		if p.Outcome == nil {
			n++
		}
	}
	return n
}

// PutPost implements [Cluster].
func (s *MemoryStore) PutPost(ctx context.Context, id string, p InboxPost) (stored InboxPost, err error) {
	err = s.changeLog(ctx, id, func(l *memoryLog) error {
		if at := l.inbox.find(p.Key); at >= 0 {
			stored = l.inbox.posts[at]
			return nil
		}
		if l.inbox.countWaiting() >= MaxWaitingPosts {
			return ErrInboxFull
		}
		l.inbox.last++
		stored = p
		stored.Seq, stored.Data, stored.Outcome = l.inbox.last, cloneNotNil(p.Data), nil
		l.inbox.posts = append(slices.Clip(l.inbox.posts), stored)
		s.notices.Post("")
		return nil
	})
	return clonePost(stored), err
}

// OldestPost implements [Cluster].
func (s *MemoryStore) OldestPost(ctx context.Context, id string) (InboxPost, bool, error) {
	l, err := s.readLog(ctx, id)
	for _, p := range l.inbox.posts {
		if p.Outcome == nil {
			return clonePost(p), true, nil
		}
	}
	return InboxPost{}, false, err
}

// FinishPost implements [Cluster].
func (s *MemoryStore) FinishPost(ctx context.Context, id string, fence int64, key string, outcome []byte) error {
	return s.changeLog(ctx, id, func(l *memoryLog) error {
		if fence != 0 && fence != l.lease.fence {
			return ErrLeaseLost
		}
		at := l.inbox.find(key)
		if at < 0 || l.inbox.posts[at].Outcome != nil {
			return nil
		}
		posts := slices.Clone(l.inbox.posts)
		posts[at].Outcome = cloneNotNil(outcome)
		newest := int64(0)
		for _, p := range posts {
			if p.Outcome != nil {
				newest = p.Seq
			}
		}
		l.inbox.posts = slices.DeleteFunc(posts, func(p InboxPost) bool {
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
	return collectSorted(s, limit, func(id string, l *memoryLog) (string, bool) {
		return id, id > after && l.inbox.countWaiting() > 0
	}), nil
}

// clonePost returns a copy that shares no bytes.
func clonePost(p InboxPost) InboxPost {
	p.Data, p.Outcome = bytes.Clone(p.Data), bytes.Clone(p.Outcome)
	return p
}

// cloneNotNil returns a copy that is not nil: nil means that there is no answer or no outcome.
func cloneNotNil(data []byte) []byte { return append([]byte{}, data...) }

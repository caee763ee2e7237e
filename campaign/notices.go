package campaign

import (
	"context"
	"sync"
)

// NoticeBoard implements the method Watch of a [Cluster] within one process: the store posts
// notices on it. The zero NoticeBoard is ready to use. It is safe for concurrent use and must not be
// copied.
type NoticeBoard struct {
	mu       sync.RWMutex // Post and PostAll only need the read lock
	watchers map[string]map[chan struct{}]struct{}
}

// Watch implements [Cluster].
func (b *NoticeBoard) Watch(ctx context.Context, id string) <-chan struct{} {
	c := make(chan struct{}, 1)
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.watchers == nil {
		b.watchers = map[string]map[chan struct{}]struct{}{}
	}
	if b.watchers[id] == nil {
		b.watchers[id] = map[chan struct{}]struct{}{}
	}
	b.watchers[id][c] = struct{}{}
	context.AfterFunc(ctx, func() { b.leave(id, c) })
	return c
}

// leave removes a watcher.
func (b *NoticeBoard) leave(id string, c chan struct{}) {
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.watchers[id], c)
	if len(b.watchers[id]) == 0 {
		delete(b.watchers, id)
	}
}

// Post wakes the watchers of a campaign.
func (b *NoticeBoard) Post(id string) {
	b.mu.RLock()
	defer b.mu.RUnlock()
	wake(b.watchers[id])
}

// PostAll wakes all watchers, for a change in an unknown campaign.
func (b *NoticeBoard) PostAll() {
	b.mu.RLock()
	defer b.mu.RUnlock()
	for _, all := range b.watchers {
		wake(all)
	}
}

// wake sends a notice to each watcher.
func wake(all map[chan struct{}]struct{}) {
	for c := range all {
		select {
		case c <- struct{}{}:
		default: // the last notice is not received yet
		}
	}
}

// Watched reports whether there is a watcher.
func (b *NoticeBoard) Watched() bool {
	b.mu.RLock()
	defer b.mu.RUnlock()
	return len(b.watchers) > 0
}

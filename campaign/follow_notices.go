package campaign

import (
	"context"
	"sync"
)

// Notices is an optional capability of a Store: it wakes the followers of a campaign after each
// commit, so that they need not poll. The contract:
//
//   - After Watch has returned, the channel receives a value after each Append to the campaign
//     that wrote an entry, and after the deletion of the campaign. Any process may have made the
//     change. The value comes as soon as the store learns of the change, which can then be read.
//   - The channel holds one value: several notices that were not received become one. Append
//     never waits for watchers.
//   - A notice may come without a reason, and notices may be lost when a connection breaks.
//     After a reconnection there is one notice. Followers therefore also poll at long intervals.
//   - The channel is never closed, and receives nothing after ctx has ended. The campaign need
//     not exist.
//
// Package storetest tests it if a store has it.
type Notices interface {
	Watch(ctx context.Context, id string) <-chan struct{}
}

// NoticeBoard implements [Notices] within one process: a store posts notices on it. The zero
// NoticeBoard is ready to use. It is safe for concurrent use and must not be copied.
type NoticeBoard struct {
	mu       sync.RWMutex // Post and PostAll only need the read lock
	watchers map[string]map[chan struct{}]struct{}
}

var _ Notices = (*NoticeBoard)(nil)

// Watch implements [Notices].
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

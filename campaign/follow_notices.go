package campaign

import (
	"context"
	"sync"
)

// Notices is what a Store can do, if it can: it wakes those who follow a campaign
// when the campaign went on, so that they need not look all the time. The contract:
//
//   - After Watch has returned, the channel gets a value after each Append to the campaign
//     that wrote an entry, and after its deletion, by whichever process, as soon as the
//     store hears of it. What the notice is about can be read by then.
//   - The channel holds one value: several notices that nobody has taken are one. Append
//     waits for nobody who watches.
//   - A notice may come without a reason, and some may be lost where a connection breaks;
//     there is one when it stands again. Who follows looks by itself too, now and then.
//   - The channel is never closed, and gets nothing more when ctx has ended. The campaign
//     need not exist.
//
// The package storetest examines it, where a store has it.
type Notices interface {
	Watch(ctx context.Context, id string) <-chan struct{}
}

// NoticeBoard is [Notices] within one process: stores post on it. The zero Board is ready; it is
// safe for concurrent use and must not be copied.
type NoticeBoard struct {
	mu       sync.RWMutex // who posts only reads
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

// Post wakes those who watch a campaign.
func (b *NoticeBoard) Post(id string) {
	b.mu.RLock()
	defer b.mu.RUnlock()
	wake(b.watchers[id])
}

// PostAll wakes everybody: something happened, and nobody knows where.
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
		default: // it has not taken the last one yet
		}
	}
}

// Watched reports whether anybody watches anything.
func (b *NoticeBoard) Watched() bool {
	b.mu.RLock()
	defer b.mu.RUnlock()
	return len(b.watchers) > 0
}

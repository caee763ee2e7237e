package campaign

import (
	"context"
	"iter"
	"time"
)

// The follow part is for those who look on while somebody else plays a campaign: a second
// process that shows the same table, an index, a bridge to a chat.
//
// Most programs call Engine.Watch, which yields the records of a campaign as they
// are committed, by whichever process. What is here is for those who write stores, and for
// logs of another kind: [Notices] is what a store can do so that nobody has to look again
// and again, [NoticeBoard] does it within one process, and [FollowLog] is the loop that misses nothing.

// FollowSource is a log that grows. Its entries, of type T, are numbered from 1.
type FollowSource[T any] struct {
	// Read yields the entries after a version, oldest first, and stops after an error.
	Read func(ctx context.Context, after int64) iter.Seq2[T, error]
	// Version is the number of an entry.
	Version func(T) int64
	// Passes reports whether an error of Read may be over when it is asked again.
	Passes func(error) bool
	// Wake gets something when there may be more, see [Notices]; nil: never.
	Wake <-chan struct{}
	// Look is how long to wait at most before looking again; 0 means a second.
	Look time.Duration
}

// followFirstPause is the first one after a failure. Each that follows is twice as long.
const followFirstPause = 50 * time.Millisecond

// FollowLog yields the entries after a version that are there, and then waits for more: each once,
// in order. It holds what Read holds and nothing beyond; who is slow to take entries
// finds them later.
//
// An error that passes is yielded, and is not the end: who goes on ranging is served from where
// it was, after a pause that grows up to Look. Any other error is the end, and so is that of ctx.
// Who begins anew, after the version of the last entry that it has dealt with, misses
// nothing.
func FollowLog[T any](ctx context.Context, src FollowSource[T], after int64) iter.Seq2[T, error] {
	look := src.Look
	if look <= 0 {
		look = time.Second
	}
	return func(yield func(T, error) bool) {
		for at, pause := after, followFirstPause; ; {
			var broken bool
			for entry, err := range src.Read(ctx, at) {
				if err != nil {
					if broken = true; !yield(entry, err) || ctx.Err() != nil || !src.Passes(err) {
						return
					}
					break
				}
				if !yield(entry, nil) {
					return
				}
				at = src.Version(entry)
			}
			wake, wait := src.Wake, look
			if pause = min(pause, look); broken {
				wake, wait = nil, pause
				pause *= 2
			} else {
				pause = followFirstPause
			}
			if err := FollowRest(ctx, wait, wake); err != nil {
				var none T
				yield(none, err)
				return
			}
		}
	}
}

// FollowRest waits for some time, or to be woken before. The error is the cause of the end of ctx.
func FollowRest(ctx context.Context, d time.Duration, wake <-chan struct{}) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-wake:
	case <-timer.C:
	}
	return nil
}

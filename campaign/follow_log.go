package campaign

import (
	"cmp"
	"context"
	"iter"
	"time"
)

// Most programs follow a campaign with Engine.Watch. This file is for authors of stores, and for
// logs of other kinds: [FollowLog] is the loop that misses no entry. The method
// Watch of a [Cluster] wakes it, and [NoticeBoard] implements that within one process.

// FollowSource is a growing log. Its entries, of type T, are numbered from 1.
type FollowSource[T any] struct {
	// Read yields the entries after a version, oldest first, and stops after an error.
	Read func(ctx context.Context, after int64) iter.Seq2[T, error]
	// Version returns the number of an entry.
	Version func(T) int64
	// Passes reports whether an error of Read is temporary.
	Passes func(error) bool
	// Wake receives a value when there may be more entries, see [Cluster].Watch; nil: never.
	Wake <-chan struct{}
	// Look is the maximum time between two reads; 0 means a second.
	Look time.Duration
}

// followFirstPause is the first pause after a failure. Each following pause is twice as long.
const followFirstPause = 50 * time.Millisecond

// FollowLog yields the existing entries after a version, and then waits for more. It yields each
// entry once, in order. It buffers nothing beyond what Read buffers: a slow consumer gets the
// entries later.
//
// A temporary error (see Passes) is yielded and does not end the sequence. If the consumer
// continues, FollowLog resumes at the same place after a pause, which grows up to Look. Any other
// error ends the sequence, and so does the error of ctx. A consumer that starts again after the
// version of its last processed entry misses nothing.
func FollowLog[T any](ctx context.Context, src FollowSource[T], after int64) iter.Seq2[T, error] {
	look := cmp.Or(max(src.Look, 0), time.Second)
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
			if err := waitOrWake(ctx, wait, wake); err != nil {
				var none T
				yield(none, err)
				return
			}
		}
	}
}

// waitOrWake waits for a time, or until wake receives a value. If ctx ends, the error is the cause.
func waitOrWake(ctx context.Context, d time.Duration, wake <-chan struct{}) error {
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

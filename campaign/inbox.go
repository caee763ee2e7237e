package campaign

import (
	"context"
	"errors"
	"time"
)

// An inbox queues instructions until a process has time for them. A chat channel can post them at
// once. The process that plays the campaign carries them out one after the other, in the order of
// arrival. Programs call Engine.Post and Engine.Serve. This file is for authors of stores, who
// implement [Inbox].

// InboxPost is a queued instruction, or its outcome.
type InboxPost struct {
	Seq     int64     // given by the store: greater than the Seq of every earlier post
	Key     string    // the key of the instruction, as in Entry; not empty
	At      time.Time // when it was posted
	Data    []byte    // the instruction, any bytes
	Outcome []byte    // nil while the post waits; set if the outcome is not in an entry of the log with the key
}

// The limits of an [Inbox], for each campaign.
const (
	MostPostsWaiting = 64      // posts that may wait
	MostPostsKept    = 64      // outcomes that are kept, of the last posts
	MaxPostBytes     = 1 << 20 // maximum size of Data; the library limits Outcome
)

// ErrInboxFull is returned for a post to a campaign that has [MostPostsWaiting] waiting posts.
var ErrInboxFull = errors.New("the inbox is full")

// InboxBell is the ID under which stores with Notices report posts, to any campaign.
const InboxBell = "talewright inbox"

// Inbox is an optional capability of a Store: it stores the posts of campaigns. The contract:
//
//   - PutPost adds a post after all others, and returns it with its Seq. If there is already a
//     post with its key, waiting or finished, it writes nothing and returns that one. After
//     PutPost returns, the post is as safe as an entry. While [MostPostsWaiting] posts wait, the
//     error is [ErrInboxFull].
//   - OldestPost returns the post that has waited longest, or false if no post waits.
//   - An Append of an entry with a Key removes the post with that key, in the same transaction:
//     a post whose instruction was committed is in the log and not in the inbox.
//   - FinishPost stores the outcome of a waiting post that was not committed, for the holder of
//     the fence (see Desk); 0 means no lease, as in Append. For any other fence the error is
//     ErrLeaseLost. A post that is finished or removed does not change. Outcomes whose Seq is
//     [MostPostsKept] or more below the newest finished post are removed.
//   - WithPosts returns the IDs of campaigns with waiting posts, in byte order, after the given
//     ID, at most limit of them.
//   - The error for an unknown campaign is ErrNotFound, and for a deleted one ErrDeleted. A
//     deletion removes the posts of a campaign.
//
// Package storetest tests it if a store has it.
type Inbox interface {
	PutPost(ctx context.Context, id string, p InboxPost) (InboxPost, error)
	OldestPost(ctx context.Context, id string) (InboxPost, bool, error)
	FinishPost(ctx context.Context, id string, fence int64, key string, outcome []byte) error
	WithPosts(ctx context.Context, after string, limit int) ([]string, error)
}

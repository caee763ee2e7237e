package campaign

import (
	"context"
	"errors"
	"time"
)

// The inbox part is for instructions that wait until a process has time for them: a channel of a
// chat puts them in at once, and whichever process holds the campaign carries them out, one after
// the other, in the order in which they came.
//
// Programs call Engine.Post and Engine.Serve. What is here is for those who
// write stores: [Inbox] is what a store can do for it.

// InboxPost is an instruction that waits, or what came of one.
type InboxPost struct {
	Seq     int64     // its place, given by the store: greater than that of every post before it
	Key     string    // of the instruction, as in Entry; not empty
	At      time.Time // when it was put in
	Data    []byte    // the instruction, any bytes
	Outcome []byte    // what came of it, where no entry of the log has its key; nil while it waits
}

// The bounds of a [Inbox], for each campaign.
const (
	MostPostsWaiting = 64      // posts wait at most
	MostPostsKept    = 64      // outcomes are kept, of the last posts
	MaxPostBytes     = 1 << 20 // of the data of a post; those of an outcome are the library's
)

// ErrInboxFull is returned for a post to a campaign for which [MostPostsWaiting] wait.
var ErrInboxFull = errors.New("the inbox is full")

// InboxBell is the id under which stores with Notices tell of posts, to whichever campaign.
const InboxBell = "talewright inbox"

// Inbox is what a Store can do, if it can: it keeps the posts of campaigns. The contract:
//
//   - PutPost puts a post in, behind all others, and returns it with its place. If there is one with
//     its key, waiting or over, it writes nothing and returns that one. Then the post is as safe
//     as an entry. While [MostPostsWaiting] wait the error is [ErrInboxFull].
//   - OldestPost returns the one that waits longest, false if none waits.
//   - An Append of an entry with a Key takes the post with that key out, in the same step: a post
//     whose instruction was committed is in the log and not in the box.
//   - FinishPost keeps what came of a post that waits and was not committed, for the holder of the
//     fence (see Desk); 0 is that of no lease, as in Append. For everybody else the
//     error is ErrLeaseLost. A post that is over, or gone, stays so. Outcomes of posts
//     more than [MostPostsKept] places behind the newest that is over are forgotten.
//   - WithPosts returns ids of campaigns for which posts wait, in the order of their bytes, those
//     behind the given one, at most so many.
//   - An unknown campaign is ErrNotFound, one that was deleted ErrDeleted; a
//     deletion removes its posts.
//
// The package storetest examines it, where a store has it.
type Inbox interface {
	PutPost(ctx context.Context, id string, p InboxPost) (InboxPost, error)
	OldestPost(ctx context.Context, id string) (InboxPost, bool, error)
	FinishPost(ctx context.Context, id string, fence int64, key string, outcome []byte) error
	WithPosts(ctx context.Context, after string, limit int) ([]string, error)
}

package campaign

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// Cluster is a [Store] that several processes share. It leases a campaign to one process at a time,
// keeps answers that are already paid for, has an inbox for each campaign, and sends notices of
// changes. A method with an ID returns the same errors as the methods of a Store.
//
// An engine also plays on a Store that is not a Cluster:
//
//   - It acquires no leases. Two processes that play the same campaign may both pay for a turn. The
//     second commit returns [ErrVersionConflict].
//   - It saves no answers. If the process ends before the commit, the next one pays again.
//   - [Engine.Post], [Engine.NextPost], [Engine.DropPost] and [Engine.Serve] return an error that
//     wraps [errors.ErrUnsupported].
//   - [Engine.Watch] reads the log every second.
//
// Leases. An engine acquires the lease of a campaign before an instruction begins, and releases it
// at the end. In the meantime it renews the lease, and checks it again right before each call of a
// model; see [Sharing].Lease. Each lease has a fence, a number that is greater than 0 and greater
// than all earlier fences of the campaign. Append writes an [Entry] with a Fence only while that
// fence is valid. After the next lease or the release, the error is [ErrLeaseLost], unless the log
// has that entry already. An entry without a Fence needs no lease.
//
// Answers. An engine saves the answers of the model, of Services.Route, Judge, Memory, Retriever and
// Summarize, and of tools that ask outside. It does not save the answers of Services.Goal, which has
// no campaign yet, and of Services.Approver, or the results of hooks. An Append with a Fence removes
// the answers of its campaign, and so does Delete.
//
// Posts. A post is an instruction that waits in the inbox of its campaign until an engine runs it,
// in the order of arrival. An Append of an entry with a Key removes the post with that key in the
// same transaction. Delete removes all posts of its campaign.
//
// Package storetest tests a Cluster.
type Cluster interface {
	Store

	// Acquire leases the campaign to an owner for a duration, measured by the clock of the store. It
	// returns the fence of the lease. While a different owner has the campaign, the error is a
	// [*HeldError]. The same owner may acquire the campaign again, with a new fence. If leases are
	// switched off by the configuration of the store, the error wraps [errors.ErrUnsupported], and
	// engines play without leases.
	Acquire(ctx context.Context, id, owner string, d time.Duration) (fence int64, err error)
	// Renew extends the lease with that fence, starting now. An expired lease can be renewed until
	// the next one is acquired. After that the error is [ErrLeaseLost].
	Renew(ctx context.Context, id string, fence int64, d time.Duration) error
	// Release ends the lease, and its fence is no longer valid. A lost lease may be released.
	Release(ctx context.Context, id string, fence int64) error

	// SaveAnswer stores an answer under a key, in place of an earlier one. If the fence does not
	// belong to the newest lease, the error is [ErrLeaseLost]. A store keeps the answers of the
	// last [MaxAnswerFences] fences, and may remove older ones.
	SaveAnswer(ctx context.Context, id string, fence int64, key string, answer []byte) error
	// Answer returns the answer that is stored under a key, or nil if no answer is stored.
	Answer(ctx context.Context, id, key string) ([]byte, error)

	// PutPost adds a post after all others, and returns it with its Seq. The post is then as durable
	// as an entry. If there is a post with its key already, waiting or finished, PutPost writes
	// nothing and returns that one. While [MaxWaitingPosts] posts wait, the error is [ErrInboxFull].
	PutPost(ctx context.Context, id string, p InboxPost) (InboxPost, error)
	// OldestPost returns the post that has waited longest, or false if no post waits.
	OldestPost(ctx context.Context, id string) (InboxPost, bool, error)
	// FinishPost stores the outcome of a waiting post that was not committed. fence identifies the
	// lease; 0 means no lease. If a newer lease exists, the error is [ErrLeaseLost]. A post that is
	// finished or removed does not change. FinishPost removes each finished post whose Seq is at
	// most the highest Seq of a finished post minus [MaxFinishedPosts].
	FinishPost(ctx context.Context, id string, fence int64, key string, outcome []byte) error
	// ListInboxes returns the IDs of campaigns with waiting posts, in byte order, after an ID, at
	// most limit of them.
	ListInboxes(ctx context.Context, after string, limit int) ([]string, error)

	// Watch returns a channel for notices. The channel receives a value after each Append to the
	// campaign that wrote an entry, and after its deletion, whichever process made the change. The
	// value comes as soon as the store learns of the change, which can then be read. The empty ID
	// means all inboxes: its channel receives a value after each post, to any campaign.
	//
	// The channel holds one value, so several notices may become one. Writers never wait for
	// watchers. There may be notices without a change. Notices may be lost when a connection breaks.
	// After a reconnection there is one notice. The channel is never closed, and receives nothing
	// after ctx has ended. The campaign need not exist. [NoticeBoard] implements Watch within one
	// process.
	Watch(ctx context.Context, id string) <-chan struct{}

	// Stats counts what the store contains, for the metrics of a host. It does not count deleted
	// campaigns, expired leases and finished posts.
	Stats(ctx context.Context) (Stats, error)
}

// The limits of a [Cluster], for each campaign.
const (
	// MaxAnswerFences is the number of newest fences whose answers are kept, if their turns were
	// not committed. An answer has at most four times [turn.MaxReplyBytes] before a [Codec] seals
	// it.
	MaxAnswerFences  = 64
	MaxWaitingPosts  = 64      // posts that may wait
	MaxFinishedPosts = 64      // finished posts that are kept, of the last posts
	maxPostBytes     = 1 << 20 // maximum size of the Data of a post; the library limits Outcome
)

// ErrLeaseLost is returned to a process that no longer has the lease of the campaign: the lease
// expired, and a different process acquired the campaign. Nothing was written. A retry helps.
var ErrLeaseLost = errors.New("the lease of the campaign was lost")

// ErrInboxFull is returned for a post to a campaign that has [MaxWaitingPosts] waiting posts.
var ErrInboxFull = errors.New("the inbox is full")

// HeldError is the error of [Cluster].Acquire while a different owner has the campaign.
type HeldError struct {
	Owner string        // the owner, as passed to Acquire
	For   time.Duration // the time until the lease expires unless it is renewed; never negative
}

// Error names the owner and the time.
func (e *HeldError) Error() string {
	return fmt.Sprintf("the campaign is held by %q, for another %s", e.Owner, e.For.Round(time.Millisecond))
}

// InboxPost is a queued instruction, or its outcome. Programs use [Engine.Post] and [Engine.Serve].
type InboxPost struct {
	Seq     int64     // given by the store: greater than the Seq of every earlier post
	Key     string    // the key of the instruction, as in Entry; not empty
	At      time.Time // when it was posted
	Data    []byte    // the instruction, any bytes
	Outcome []byte    // nil while the post waits; set if the outcome is not in an entry of the log with the key
}

// Stats describes the content of a [Cluster] at one moment.
type Stats struct {
	Campaigns int
	Leases    int // campaigns that are leased to a process
	Posts     int // waiting posts, in all inboxes
	Inboxes   int // campaigns with waiting posts
	// Oldest is the time of the oldest waiting post; zero if no post waits.
	Oldest time.Time
}

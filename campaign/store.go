package campaign

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"iter"
	"time"
)

// Store stores the logs of campaigns as bytes. The library defines their content, and how they are
// compressed or encrypted. A log is append-only; its entries are numbered from 1, and the first one
// creates the campaign. The contract:
//
//   - Append writes the entry if the log ends with the version before it. Then the entry is
//     durable: a process that dies right after the call loses nothing. A lost race is
//     [ErrVersionConflict] and writes nothing. Version 1 creates the log; if the log exists
//     already, that is also [ErrVersionConflict].
//   - The same entry again is not a conflict: if the log has an entry of that version with the
//     same Data, Append returns nil and writes nothing. A caller that lost the answer may call
//     Append again.
//   - A snapshot, if one is given, is the whole campaign after this entry. It is written
//     together with the entry or not at all. A store keeps at least the newest.
//   - Load returns the newest snapshot and every entry after it, in order.
//   - Records yields the entries after the given version, oldest first; 0 means from the
//     beginning. It never needs a snapshot, and stops after the first error. During the range
//     the same store can be used for anything else.
//   - The error for an unknown campaign is [ErrNotFound], and for a deleted one [ErrDeleted].
//   - The error of a store that cannot be reached, or is too busy, is [ErrUnavailable]: a retry
//     may help. It is then unknown whether an Append wrote its entry; see above.
//   - Any number of processes and goroutines may call a Store. Campaigns do not affect each
//     other. A cancelled ctx ends a call early: Append has then written either everything or
//     nothing.
//   - The store copies its arguments and returns copies. It preserves all bytes, and the members
//     of an [Entry], times to the nanosecond.
//
// Package storetest tests an implementation against this list. Optional capabilities are further
// interfaces: see [Catalog], [Keys], [Desk], [Meter], [Inbox] and [Notices].
type Store interface {
	Append(ctx context.Context, id string, entry Entry, snapshot []byte) error
	Load(ctx context.Context, id string) (Saved, error)
	Records(ctx context.Context, id string, after int64) iter.Seq2[Entry, error]
}

// The errors of a [Store], wrapped with the ID of the campaign.
var (
	ErrNotFound        = errors.New("campaign not found")
	ErrVersionConflict = errors.New("version conflict")
	ErrUnavailable     = errors.New("the store is unavailable") // a retry may help
)

// ErrExists is returned for a new campaign whose ID is taken. It is also an [ErrVersionConflict]:
// the store has a log of that ID.
var ErrExists error = specific{"a campaign with this id exists already", ErrVersionConflict}

// ErrDeleted is returned for a deleted campaign. Its ID stays reserved, so that a process that
// still plays it cannot restore a part of it. It is also an [ErrNotFound].
var ErrDeleted error = specific{"the campaign was deleted", ErrNotFound}

// specific is an error that also matches a more general one.
type specific struct {
	text    string
	general error
}

func (e specific) Error() string        { return e.text }
func (e specific) Is(target error) bool { return target == e.general }

// Entry is a [turn.Record] in the form of a store. The engine needs only Version and Data, and
// [Keys] needs Key. The other members are for people and programs that inspect a database.
type Entry struct {
	Version int64     // place in the log, from 1
	Kind    string    // the [turn.RecordKind]
	At      time.Time // as [turn.Record.At]; may be zero
	TurnID  string    // of a committed turn, else empty
	Key     string    `json:",omitempty"` // of the submission that led to it, see [Keys]; else empty
	Data    []byte    // the record; any bytes

	// Fence is the fence of the lease under which the entry is written, 0 without a lease. It is
	// for [Desk] and is not stored: entries that are read have none.
	Fence int64 `json:"-"`
}

// Same reports whether two entries have the same version and the same bytes.
func (e Entry) Same(other Entry) bool {
	return e.Version == other.Version && bytes.Equal(e.Data, other.Data)
}

// Saved is a stored campaign, see [Store].Load.
type Saved struct {
	// Snapshot is the newest whole campaign, as of SnapshotVersion; nil if there is none.
	Snapshot        []byte
	SnapshotVersion int64
	Entries         []Entry // after the snapshot
	// Cut reports that the log ends before the snapshot: entries were lost. A store need not set
	// it.
	Cut bool
}

// Keys is an optional capability of a [Store]: it finds a repeated submission without reading the
// log, however old the submission is. The contract:
//
//   - Keyed returns the version of the oldest entry with a Key, 0 if there is none.
//   - It also returns the version up to which the log may have entries that were stored without
//     their Key, for example by an older program; 0 if all have it. The engine reads those.
//   - An entry without a Key is never found. Records returns the Key too.
//   - The error for an unknown campaign is [ErrNotFound], and for a deleted one [ErrDeleted].
//
// A Key is a hash of the client turn ID, as 32 hexadecimal digits. Package storetest tests Keys if
// a store has it.
type Keys interface {
	Keyed(ctx context.Context, id, key string) (version, unkeyed int64, err error)
}

// Catalog is an optional capability of a [Store]: it lists, deletes and trims campaigns.
//
//	catalog, ok := store.(campaign.Catalog)
//
// Package storetest tests it if a store has it.
type Catalog interface {
	// List returns campaigns in byte order of their IDs, without deleted ones.
	List(ctx context.Context, page Page) ([]Listed, error)
	// Delete removes the log and the snapshots of a campaign. The ID stays reserved: from then on
	// every call for it returns [ErrDeleted], including Append and a second Delete.
	Delete(ctx context.Context, id string) error
	// Trim removes all snapshots of a campaign but the newest. Records are never removed.
	Trim(ctx context.Context, id string) error
}

// Page selects the campaigns to list. The zero Page selects all.
type Page struct {
	Prefix string // common prefix of the IDs
	After  string // the last ID of the previous page; empty: from the beginning
	Limit  int    // maximum number of campaigns; 0: no limit
}

// Listed is a campaign in a [Catalog].
type Listed struct {
	ID      string
	Version int64     // of the newest entry
	Created time.Time // At of the first entry
	Updated time.Time // At of the newest entry
}

// Meter is an optional capability of a [Store]: it counts what the store contains, for the metrics
// of a host.
//
//	meter, ok := store.(campaign.Meter)
//
// Package storetest tests it if a store has it.
type Meter interface {
	// Stats counts over all campaigns. It does not count deleted campaigns, expired leases and
	// finished posts.
	Stats(ctx context.Context) (Stats, error)
}

// Stats describes the content of a store at one moment.
type Stats struct {
	Campaigns int
	Leases    int // campaigns that are leased to a process
	Posts     int // waiting posts, in all inboxes
	Inboxes   int // campaigns with waiting posts
	// Oldest is the time of the oldest waiting post; zero if no post waits.
	Oldest time.Time
}

// Desk is an optional capability of a [Store]: it leases a campaign to one owner at a time, so that
// two machines do not both pay for the same call of a model. An engine acquires the lease of a
// campaign before an instruction begins, and releases it at the end. In the meantime it renews the
// lease, and checks it again right before each call; see [Config].Lease. The contract:
//
//   - Claim leases the campaign to the owner for a duration, measured by the clock of the store.
//     Each claim has a fence greater than all before it. While a different owner has the
//     campaign, the error is a [*HeldError]. The same owner may claim again what it has.
//   - Renew extends the lease with that fence, starting now, even if it has expired and was not
//     claimed since. Otherwise the error is [ErrLeaseLost].
//   - Release ends the lease: its fence is no longer valid. A lost lease may be released.
//   - Append writes an [Entry] with a Fence only for its holder: after another claim, or after
//     the release, the error is [ErrLeaseLost], unless the log has that entry already. An entry
//     without a Fence is written whoever has the lease.
//   - The error for an unknown campaign is [ErrNotFound], and for a deleted one [ErrDeleted].
//   - A store whose leases are switched off by its configuration returns
//     [errors.ErrUnsupported] for every Claim. Engines then play as with a store that is not a
//     Desk.
//
// Package storetest tests it if a store has it.
type Desk interface {
	Claim(ctx context.Context, id, owner string, d time.Duration) (fence int64, err error)
	Renew(ctx context.Context, id string, fence int64, d time.Duration) error
	Release(ctx context.Context, id string, fence int64) error
}

// ErrLeaseLost is returned to a process that no longer has the lease of the campaign: the lease
// expired, and another process claimed the campaign. Nothing was written. A retry helps.
var ErrLeaseLost = errors.New("the lease of the campaign was lost")

// HeldError is the error of [Desk].Claim while a different owner has the campaign.
type HeldError struct {
	Owner string        // the owner, as passed to Claim
	For   time.Duration // the time until the lease expires unless it is renewed; never negative
}

// Error names the owner and the time.
func (e *HeldError) Error() string {
	return fmt.Sprintf("the campaign is held by %q, for another %s", e.Owner, e.For.Round(time.Millisecond))
}

// Ledger is an optional capability of a [Desk]: it stores answers, so that an answer that has
// arrived is not paid for again if the process ends, or loses its lease, before the commit. An
// engine stores the answers of the model, of Config.Route, Judge, Memory, Retriever and Summarize,
// and of tools that ask outside. It does not store the answers of Config.Goal, for which there is
// no campaign yet, and of Config.Approver, or the results of hooks.
//
//   - KeepAnswer stores an answer under a key, for the holder of that fence. For any other fence
//     the error is [ErrLeaseLost]. An answer with the same key is replaced.
//   - Answer returns the stored answer, or nil if there is none.
//   - An Append with a Fence removes the answers of its campaign, and so does Delete. Otherwise
//     a store keeps the answers of the last [KeptAnswers] fences, and may remove older ones.
type Ledger interface {
	KeepAnswer(ctx context.Context, id string, fence int64, key string, answer []byte) error
	Answer(ctx context.Context, id, key string) ([]byte, error)
}

// KeptAnswers is the number of fences for which a [Ledger] keeps the answers of turns that were not
// committed. An answer has at most four times [turn.MaxReplyBytes] before a [Codec] seals it.
const KeptAnswers = 64

// Codec transforms bytes on their way to the store and back, for compression or encryption. Open
// receives what Seal has returned, with the same place. If it protects data, it must refuse bytes
// that were changed or come from a different place. A Codec is safe for concurrent use and does not
// keep its arguments.
//
// Stored data is never sealed again. To change a key, let Seal write the ID of the new key as a
// prefix, and let Open choose the key by that ID. To end the use of the old key, move the campaigns
// to another store with the new codec: [Engine.Export] opens the records, [Engine.Import] seals
// them.
type Codec interface {
	Seal(at Place, plain []byte) ([]byte, error)
	Open(at Place, sealed []byte) ([]byte, error)
}

// Place identifies the position of stored bytes. An encrypting [Codec] uses it as additional data,
// so that bytes cannot be moved to a different place. It may use one key for each campaign, so that
// destroying the key deletes the campaign.
type Place struct {
	Campaign string
	Version  int64
	Kind     string // of the record; or "snapshot"; "answer" in a [Ledger]; "post/" and the key of a post
}

// String returns a text that is different for every place.
func (p Place) String() string { return fmt.Sprintf("%q/%d/%s", p.Campaign, p.Version, p.Kind) }

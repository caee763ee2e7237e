package campaign

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"iter"
	"time"
)

// Store keeps the logs of campaigns as bytes: what is in them, and how it is
// compressed or encrypted, is the library's. A log is append-only; its entries are
// numbered from 1, the first one creates the campaign. The contract:
//
//   - Append writes the entry if the log ends with the version before it, and then it
//     is safe: a process that dies right after the call loses nothing. A lost race is
//     [ErrVersionConflict] and writes nothing. Version 1 creates the log; if there is
//     another one already, that is [ErrVersionConflict] too.
//   - The same entry again is no conflict: where the log has an entry of that version
//     with the same Data, Append returns nil and writes nothing. A caller who did not
//     hear the answer may ask once more.
//   - A snapshot, if one is given, is the whole campaign after this entry, and is
//     written with it or not at all. A store keeps at least the newest.
//   - Load returns the newest snapshot and every entry after it, in order.
//   - Records yields the entries after the given version, oldest first; 0 means from
//     the beginning. It never needs a snapshot, and stops after the first error. While
//     it is ranged over the same store can be used for anything else.
//   - An unknown campaign is [ErrNotFound], one that was deleted [ErrDeleted].
//   - A store that cannot be reached, or is too busy, is [ErrUnavailable]: a retry may
//     help. Whether an Append wrote its entry is then not known; see above.
//   - Any number of processes and goroutines may call a Store; campaigns do not
//     disturb one another. A cancelled ctx ends a call early: Append has then
//     either written everything or nothing.
//   - The store copies what it is given and returns copies. It keeps all bytes as they
//     are, and the members of an [Entry] to the nanosecond.
//
// The package storetest examines an implementation against this list. What a store can
// do beyond it, it says by further interfaces: see [Catalog], [Keys], [Desk], [Meter],
// [Inbox] and [Notices].
type Store interface {
	Append(ctx context.Context, id string, entry Entry, snapshot []byte) error
	Load(ctx context.Context, id string) (Saved, error)
	Records(ctx context.Context, id string, after int64) iter.Seq2[Entry, error]
}

// The errors of a [Store], wrapped with the campaign's id.
var (
	ErrNotFound        = errors.New("campaign not found")
	ErrVersionConflict = errors.New("version conflict")
	ErrUnavailable     = errors.New("the store is unavailable") // a retry may help
)

// ErrExists is returned for a new campaign with the id of another one. It is an
// [ErrVersionConflict] too: the store has a log of that id.
var ErrExists error = specific{"a campaign with this id exists already", ErrVersionConflict}

// ErrDeleted is returned for a campaign that was deleted: its id is not free, so that
// nobody who still plays it brings half of it back. It is an [ErrNotFound] too.
var ErrDeleted error = specific{"the campaign was deleted", ErrNotFound}

// specific is an error that is also a more general one.
type specific struct {
	text    string
	general error
}

func (e specific) Error() string        { return e.text }
func (e specific) Is(target error) bool { return target == e.general }

// Entry is one [turn.Record] as a store keeps it. Only Version and Data matter to the
// engine, and Key to [Keys]; the other members are for people and programs that look into a
// database.
type Entry struct {
	Version int64     // place in the log, from 1
	Kind    string    // the [turn.RecordKind]
	At      time.Time // as [turn.Record.At]; may be zero
	TurnID  string    // of a committed turn, else empty
	Key     string    `json:",omitempty"` // of the submission that led to it, see [Keys]; else empty
	Data    []byte    // the record; any bytes

	// Fence is that of the lease under which the entry is written, 0 for none. It is for
	// [Desk] and is not kept: what is read has none.
	Fence int64 `json:"-"`
}

// Same reports whether two entries are the same one: that of the same version with the
// same bytes.
func (e Entry) Same(other Entry) bool {
	return e.Version == other.Version && bytes.Equal(e.Data, other.Data)
}

// Saved is what a store knows of a campaign.
type Saved struct {
	// Snapshot is the newest whole campaign, as of SnapshotVersion; nil if there is none.
	Snapshot        []byte
	SnapshotVersion int64
	Entries         []Entry // after the snapshot
	// Cut says that the log ends before the snapshot: entries were lost. A store may leave that open.
	Cut bool
}

// Keys is what a [Store] can do, if it can, so that a submission that comes again is known
// without reading the log, however long ago it was. The contract:
//
//   - Keyed returns the version of the oldest entry with a Key, 0 if there is none.
//   - It also returns up to which version the log may have entries that were kept without
//     their Key, as by an older program; 0 if all have it. The engine reads those.
//   - An entry without a Key is found by none, and Records returns the Key too.
//   - An unknown campaign is [ErrNotFound], one that was deleted [ErrDeleted].
//
// A Key is a hash of the client turn id, in the form of 32 hexadecimal digits.
//
// The package storetest examines it too, where a store has it.
type Keys interface {
	Keyed(ctx context.Context, id, key string) (version, unkeyed int64, err error)
}

// Catalog is what a [Store] can do beside playing, if it can:
//
//	catalog, ok := store.(campaign.Catalog)
//
// The package storetest examines it too, where a store has it.
type Catalog interface {
	// List returns campaigns in the order of the bytes of their ids, without those that
	// were deleted.
	List(ctx context.Context, page Page) ([]Listed, error)
	// Delete removes the log and the snapshots of a campaign. What is left is the id:
	// from now on it is [ErrDeleted], also for Append and for a second Delete.
	Delete(ctx context.Context, id string) error
	// Trim removes all snapshots of a campaign but the newest. Records are never removed.
	Trim(ctx context.Context, id string) error
}

// Page says which campaigns to list. The zero Page lists all.
type Page struct {
	Prefix string // of the ids
	After  string // the last id of the page before; empty: from the beginning
	Limit  int    // at most so many; 0: no limit
}

// Listed is a campaign in a [Catalog].
type Listed struct {
	ID      string
	Version int64     // of the newest entry
	Created time.Time // At of the first entry
	Updated time.Time // At of the newest entry
}

// Meter is what a [Store] can do, if it can: it counts what it holds, for the metrics of a host.
//
//	meter, ok := store.(campaign.Meter)
//
// The package storetest examines it too, where a store has it.
type Meter interface {
	// Stats counts over all campaigns. Those that were deleted, leases that are over and posts that are over do not count.
	Stats(ctx context.Context) (Stats, error)
}

// Stats is what a store holds at a moment.
type Stats struct {
	Campaigns int
	Leases    int // campaigns that are lent to a process
	Posts     int // that wait, in all inboxes
	Inboxes   int // campaigns for which posts wait
	// Oldest is when the post that waits longest was posted; zero if none waits.
	Oldest time.Time
}

// Desk is what a [Store] can do, if it can, so that two machines do not both pay for a call
// of a model: it lends a campaign to one of them at a time. An engine that finds it borrows
// the campaign before an instruction begins, looks once more right before each call, renews
// the lease meanwhile, and gives it back at the end; see [Config].Lease. The contract:
//
//   - Claim lends the campaign to the owner for a time, which the store's own clock
//     measures. Each claim has a fence greater than all before it. While somebody else
//     holds the campaign the error is a [*HeldError]; the same owner may claim again what
//     it holds.
//   - Renew lends it again, from now on, to the holder of that fence, also where the time
//     was over and nobody has claimed it since. Otherwise the error is [ErrLeaseLost].
//   - Release gives it back: the fence is of no more use. What was lost may be released.
//   - Append writes an [Entry] with a Fence only for its holder: after another claim, or
//     the release, the error is [ErrLeaseLost], unless the log has that entry already. An
//     entry without one is written whoever holds the campaign.
//   - An unknown campaign is [ErrNotFound], one that was deleted [ErrDeleted].
//   - A store that could lend and does not, as it is configured, says so with
//     [errors.ErrUnsupported] to every Claim. Engines then play as with a store that is no Desk.
//
// The package storetest examines it too, where a store has it.
type Desk interface {
	Claim(ctx context.Context, id, owner string, d time.Duration) (fence int64, err error)
	Renew(ctx context.Context, id string, fence int64, d time.Duration) error
	Release(ctx context.Context, id string, fence int64) error
}

// ErrLeaseLost is returned to a process that does not hold the campaign any more: the
// lease was over, and another process took it. Nothing was written. A retry helps.
var ErrLeaseLost = errors.New("the lease of the campaign was lost")

// HeldError is the error of [Desk].Claim while somebody else holds the campaign.
type HeldError struct {
	Owner string        // as it was claimed
	For   time.Duration // how long the lease lasts unless it is renewed; never negative
}

// Error names the owner and the time.
func (e *HeldError) Error() string {
	return fmt.Sprintf("the campaign is held by %q, for another %s", e.Owner, e.For.Round(time.Millisecond))
}

// Ledger is what a [Desk] can do, if it can, so that an answer that has arrived is not paid for
// again where the process ends, or loses its lease, before the commit. An engine keeps the answers of
// the model and of Config.Route, Judge, Memory, Retriever, Summarize and of tools that ask outside. It
// does not keep those of Config.Goal, for which there is no campaign yet, of Config.Approver, and what
// hooks did.
//
//   - KeepAnswer keeps an answer under a key, for the holder of that fence; for everybody
//     else the error is [ErrLeaseLost]. An answer with the same key is replaced.
//   - Answer returns what was kept, nil if there is nothing.
//   - An Append with a Fence removes the answers of its campaign, and so does Delete. Beyond
//     that a store keeps those of the last [KeptAnswers] fences, and may forget older ones.
type Ledger interface {
	KeepAnswer(ctx context.Context, id string, fence int64, key string, answer []byte) error
	Answer(ctx context.Context, id, key string) ([]byte, error)
}

// KeptAnswers is for how many fences a [Ledger] keeps the answers of turns that were not
// committed. No answer is longer than four times [turn.MaxReplyBytes] before a [Codec] has
// sealed it.
const KeptAnswers = 64

// Codec changes bytes on their way to the store and back, to compress or to encrypt
// them. Open gets what Seal has returned, at the same place; it must refuse bytes that
// were changed or come from another place, if that matters. A Codec is safe for
// concurrent use and keeps neither of its arguments.
//
// What is stored once is never sealed again. To change a key, let Seal write the id of the new key in front and let
// Open choose the key by that id. To end the use of the old key, move the campaigns to another store with the new
// codec: [Engine.Export] opens the records, [Engine.Import] seals them.
type Codec interface {
	Seal(at Place, plain []byte) ([]byte, error)
	Open(at Place, sealed []byte) ([]byte, error)
}

// Place is where bytes belong. An encrypting [Codec] takes it as additional data, so
// that nothing can be put in the place of something else, and may have a key for each
// campaign, so that throwing the key away deletes it.
type Place struct {
	Campaign string
	Version  int64
	Kind     string // of the record; "snapshot", "answer" for one in a [Ledger], "post/" and its key for a post
}

// String returns the place as text that is different for every place.
func (p Place) String() string { return fmt.Sprintf("%q/%d/%s", p.Campaign, p.Version, p.Kind) }

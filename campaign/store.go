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
// compressed or encrypted. A log is append-only. Its entries are numbered from 1, and the first one
// creates the campaign.
//
// Any number of goroutines may call a Store, and any number of processes if it allows several.
// Campaigns do not affect each other. The store copies its arguments and returns copies. It
// preserves all bytes, and the members of an [Entry], times to the nanosecond.
//
// The error of every method is [ErrNotFound] for an unknown campaign, and [ErrDeleted] for a deleted
// one. If the store cannot be reached or is too busy, the error is [ErrUnavailable], and a retry may
// help. A cancelled ctx ends a call early, with its error.
//
// A store that several processes share is also a [Cluster]. Package storetest tests both.
type Store interface {
	// Append writes the entry if the log ends with the version before it. When it returns nil, the
	// entry is durable. Version 1 creates the log. If the log ends with a different version, the
	// error is [ErrVersionConflict], and nothing is written. That is also the error of version 1 if
	// the log exists.
	//
	// If the log has the same entry already, see [Entry.Same], Append returns nil and writes
	// nothing. After [ErrUnavailable] or the end of ctx it is unknown whether the entry was written,
	// so a caller may call Append again.
	//
	// The snapshot is the whole campaign after this entry; nil means none. It is written together
	// with the entry, or neither is. A store keeps at least the newest snapshot.
	Append(ctx context.Context, id string, entry Entry, snapshot []byte) error

	// Load returns the newest snapshot and every entry after it, in order.
	Load(ctx context.Context, id string) (Saved, error)

	// Records yields the entries after a version, oldest first; 0 means all. It needs no snapshot,
	// and stops after the first error. During the range, the store can be used for other calls. The
	// sequence may be ranged over again.
	Records(ctx context.Context, id string, after int64) iter.Seq2[Entry, error]

	// Find returns the version of the oldest entry with a Key, or 0 if there is none. It never finds
	// an entry without a Key. The engine calls it to recognize a repeated submission, however old.
	Find(ctx context.Context, id, key string) (version int64, err error)

	// List returns campaigns in byte order of their IDs, without deleted ones.
	List(ctx context.Context, page Page) ([]Info, error)

	// Delete removes the log and the snapshots of a campaign. Its ID stays reserved: every later
	// call for it returns [ErrDeleted], including Append and a second Delete.
	Delete(ctx context.Context, id string) error

	// Trim removes all snapshots of a campaign but the newest. Entries are never removed.
	Trim(ctx context.Context, id string) error
}

// The errors of a [Store], wrapped with the ID of the campaign.
var (
	ErrNotFound        = errors.New("campaign not found")
	ErrVersionConflict = errors.New("version conflict")
	ErrUnavailable     = errors.New("the store is unavailable") // a retry may help
)

// ErrExists is returned for a new campaign whose ID is taken. It is also an [ErrVersionConflict]:
// the store has a log of that ID.
var ErrExists error = specificError{"a campaign with this id exists already", ErrVersionConflict}

// ErrDeleted is returned for a deleted campaign. Its ID stays reserved, so that a process that
// still plays it cannot restore a part of it. It is also an [ErrNotFound].
var ErrDeleted error = specificError{"the campaign was deleted", ErrNotFound}

// specificError is an error that also matches a more general one.
type specificError struct {
	text    string
	general error
}

// Error returns the text of the more exact error.
func (e specificError) Error() string        { return e.text }
func (e specificError) Is(target error) bool { return target == e.general }

// Entry is a [turn.Record] in the form of a store. The engine needs only Version and Data, and
// [Store].Find needs Key, a hash of the client turn ID as 32 hexadecimal digits. The other members
// are for people and programs that inspect a database.
type Entry struct {
	Version int64     // place in the log, from 1
	Kind    string    // the [turn.RecordKind]
	At      time.Time // as [turn.Record.At]; may be zero
	TurnID  string    // of a committed turn, else empty
	Key     string    `json:",omitempty"` // of the submission that led to it, see [Store].Find; else empty
	Data    []byte    // the record; any bytes

	// Fence is the fence of the lease under which the entry is written, 0 without a lease. It is
	// for a [Cluster] and is not stored, so it is 0 in entries that are read.
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

// Page selects the campaigns to list. The zero Page selects all.
type Page struct {
	Prefix string // common prefix of the IDs
	After  string // the last ID of the previous page; empty: from the beginning
	Limit  int    // maximum number of campaigns; 0: no limit
}

// Info describes a stored campaign, see [Store].List.
type Info struct {
	ID      string
	Version int64     // of the newest entry
	Created time.Time // At of the first entry
	Updated time.Time // At of the newest entry
}

// Codec transforms bytes on their way to the store and back, for compression or encryption. Open
// receives what Seal has returned, with the same place. If it protects data, it must refuse bytes
// that were changed or come from a different place. A Codec is safe for concurrent use and does not
// keep its arguments.
//
// If Open cannot answer now, for example because a key server is not reachable, its error must wrap
// [ErrUnavailable]. Any other error of Open means that the bytes are damaged: [Engine.Repair] then
// continues the campaign without them.
//
// Stored data is never sealed again. To change a key, let Seal write the ID of the new key as a
// prefix, and let Open choose the key by that ID. To end the use of the old key, move the campaigns
// to a different store with the new codec: [Engine.Export] opens the records, [Engine.Import] seals
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
	Kind     string // of the record; or "snapshot"; "answer" and "post/" with a key in a [Cluster]
}

// String returns a text that is different for every place.
func (p Place) String() string { return fmt.Sprintf("%q/%d/%s", p.Campaign, p.Version, p.Kind) }

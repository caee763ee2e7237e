package campaign

import (
	"context"
	"encoding/json"
	"errors"
	"time"
)

// Store keeps the logs of campaigns. A log is append-only; its records are
// numbered from 1, the first one creates the campaign. The contract:
//
//   - Append writes the record if the log holds exactly expected records, and
//     then it is safe: a process that dies right after the call loses nothing. A
//     lost race is [ErrVersionConflict] and writes nothing. expected 0 creates
//     the log; if there is one already, that is [ErrVersionConflict] too.
//   - A snapshot, if one is given, is the whole campaign after this record. A
//     store keeps at least the newest.
//   - Load returns the newest snapshot and every record after it, in order.
//   - Records returns all records after the given version, oldest first; 0 means
//     from the beginning. It never needs a snapshot.
//   - An unknown campaign is [ErrNotFound].
//   - Any number of processes and goroutines may call a Store; campaigns do not
//     disturb one another. A cancelled ctx ends a call early: Append has then
//     either written everything or nothing, and the caller finds out by Load.
//   - The store copies what it is given and returns copies.
//
// The package storetest examines an implementation against this list.
type Store interface {
	Append(ctx context.Context, id string, expected int64, rec Record, snapshot []byte) error
	Load(ctx context.Context, id string) (Saved, error)
	Records(ctx context.Context, id string, after int64) ([]Record, error)
}

// The errors of a [Store], wrapped with the campaign's id.
var (
	ErrNotFound        = errors.New("campaign not found")
	ErrVersionConflict = errors.New("version conflict")
)

// ErrExists is returned for a new campaign with the id of another one. It is an
// [ErrVersionConflict] too: the store has a log of that id.
var ErrExists error = existsError{}

type existsError struct{}

func (existsError) Error() string        { return "a campaign with this id exists already" }
func (existsError) Is(target error) bool { return target == ErrVersionConflict }

// Saved is what a store knows of a campaign.
type Saved struct {
	// Snapshot is the newest whole campaign, as of SnapshotVersion.
	Snapshot        []byte
	SnapshotVersion int64
	Records         []Record // after the snapshot
}

// Record is one committed step of a campaign.
type Record struct {
	Version int64     `json:"version"` // place in the log, from 1
	Kind    string    `json:"kind"`    // create, turn, or what else changed the campaign
	At      time.Time `json:"at,omitzero"`

	// Inputs are what the machine was told; replaying them gives the same step.
	Inputs Inputs `json:"inputs,omitempty"`
	// Delta is what the step changed.
	Delta Delta `json:"delta,omitempty"`
	// Turn is the record of a committed turn.
	Turn *Turn `json:"turn,omitempty"`
	// Campaign is the whole start, in the first record of a log.
	Campaign json.RawMessage `json:"campaign,omitempty"`

	Extra map[string]json.RawMessage `json:"-"` // unknown JSON members, kept
}

// The kinds of records that are no instruction of the host's.
const (
	kindCreate   = "create"
	kindTurn     = "turn"
	kindConflict = "conflict"
	kindFailed   = "turn_failed"
)

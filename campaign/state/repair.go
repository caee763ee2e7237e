package state

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/talewright/talewright/memvars/tree"
)

// The repair part says what is wrong with a stored campaign, and what was done about it.
//
// A log is played again to see whether it still says what was played: package campaign does so with
// Engine.Rebuild, and mends what differs with Engine.Repair. The record that it writes has a
// [RepairNote], and so has the campaign from then on: the history says what happened to it. Nothing of a
// log is ever removed.

// RepairKeep says with which state a campaign goes on.
type RepairKeep string

// What can be kept.
const (
	// KeepLogged is what the records say that they have changed: what everybody who played has seen.
	KeepLogged RepairKeep = "logged"
	// KeepReplayed is what the records lead to when they are played again by what the machine was told, with the
	// present content. Texts of turns stay as they were told.
	KeepReplayed RepairKeep = "replayed"
)

// RepairCause says what was wrong.
type RepairCause string

// The causes.
const (
	CauseDamaged  RepairCause = "damaged"  // records cannot be read
	CauseDrifted  RepairCause = "drifted"  // records played again lead elsewhere
	CauseSnapshot RepairCause = "snapshot" // the snapshot is of another campaign than the log
)

// RepairNote is what a repair has found and done. It is part of the campaign for ever.
type RepairNote struct {
	Version int64       `json:"version"` // of the record of the repair
	At      time.Time   `json:"at,omitzero"`
	Cause   RepairCause `json:"cause"`
	// From is the version of the first record that is concerned; what the records from there to the
	// repair say of the state does not count.
	From int64      `json:"from"`
	Keep RepairKeep `json:"keep"`
	// Reached is the version whose state the campaign went on with, where records could not be read.
	Reached int64 `json:"reached,omitempty"`
	// Path, Got and Want are those of the first [RepairDifference].
	Path tree.Path `json:"path,omitempty"`
	Got  string    `json:"got,omitempty"`
	Want string    `json:"want,omitempty"`
	// Detail is the error as text.
	Detail string `json:"detail,omitempty"`
}

// Covers reports whether what the record of a version says of the state counts no more.
func (n RepairNote) Covers(version int64) bool { return n.From <= version && version < n.Version }

// RepairDifference is where a replay first leads elsewhere than the log, or a stored campaign is another than
// its log says. A retry does not help. It wraps turn.ErrDiverged.
type RepairDifference struct {
	Version int64     // of the record, or of the stored campaign
	Path    tree.Path // within the record or the campaign; nil: it leads to no record that could be compared
	Got     string    // the replayed value as JSON, shortened; "" for none
	Want    string    // the stored one
	Err     error
}

// Error names the place and both values.
func (d *RepairDifference) Error() string {
	if d.Path == nil {
		return d.Err.Error()
	}
	return fmt.Sprintf("%s: at %s: replayed %s, logged %s", d.Err, d.Path, d.Got, d.Want)
}

// Unwrap returns what it wraps.
func (d *RepairDifference) Unwrap() error { return d.Err }

// ErrRecordLost is the error within a [LogDamage] for a record that was lost before: an export has its place.
var ErrRecordLost = errors.New("the record is lost")

// ErrRecordMissing is the error within a [LogDamage] for a record that is not there, though later ones are,
// or a snapshot of a later version.
var ErrRecordMissing = errors.New("the record is missing")

// ErrChecksum is the error within a [LogDamage] for a record whose bytes are not those that were written.
var ErrChecksum = errors.New("the checksum is another one: the bytes have changed since they were written")

// ErrSnapshot is the error within a [LogDamage] for a snapshot that cannot be used: its bytes have changed, or it is of
// another campaign or version. The log has all that it says.
var ErrSnapshot = errors.New("the snapshot cannot be used")

// LogDamage is the error for a record that cannot be read: it was cut off, changed, put in another's
// place or removed. With [ErrSnapshot] it is the error for the snapshot of that version.
// A retry does not help. Engine.Repair goes on without it.
type LogDamage struct {
	Version int64
	Err     error
}

// Error names the record and what is wrong with it.
func (d *LogDamage) Error() string {
	if errors.Is(d.Err, ErrSnapshot) {
		return fmt.Sprintf("campaign: the snapshot of version %d is damaged, a repair writes another one: %s", d.Version, d.Err)
	}
	return fmt.Sprintf("campaign: record %d is damaged, a repair goes on without it: %s", d.Version, d.Err)
}

// Unwrap returns what is wrong.
func (d *LogDamage) Unwrap() error { return d.Err }

// RepairRef is the name of a state that the repair of a version keeps, counted from 1.
func RepairRef(version int64, n int) string { return fmt.Sprintf("repaired_%d_%d", version, n) }

// RepairRefVersion is the version of the repair that keeps a state, false for any other name.
func RepairRefVersion(ref string) (version int64, ok bool) {
	rest, is := strings.CutPrefix(ref, "repaired_")
	digits, number, _ := strings.Cut(rest, "_")
	version, err := strconv.ParseInt(digits, 10, 64)
	n, bad := strconv.Atoi(number)
	return version, is && err == nil && bad == nil && version > 0 && RepairRef(version, n) == ref
}

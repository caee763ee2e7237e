package state

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/talewright/talewright/memvars/tree"
)

// This file describes what was wrong with a stored campaign and how it was repaired.
//
// Package campaign replays a log with Engine.Rebuild to check that it still gives the same
// campaign. Engine.Repair repairs differences. It writes a record with a [RepairNote]. The campaign
// keeps that note forever, so its history shows the repair. A repair never removes anything from a
// log.

// RepairKeep selects the state with which a campaign continues after a repair.
type RepairKeep string

// The choices.
const (
	// KeepLogged continues with the changes in the records. The players saw this state.
	KeepLogged RepairKeep = "logged"
	// KeepReplayed continues with the result of a replay: the machine gets the inputs of the
	// records again, with the present content. Texts of turns do not change.
	KeepReplayed RepairKeep = "replayed"
)

// RepairCause is the reason for a repair.
type RepairCause string

// The causes.
const (
	CauseDamaged  RepairCause = "damaged"  // records cannot be read
	CauseDrifted  RepairCause = "drifted"  // a replay of the records gives a different result
	CauseSnapshot RepairCause = "snapshot" // the snapshot is not of the campaign in the log
)

// RepairNote records the finding and the result of a repair. The campaign keeps it forever.
type RepairNote struct {
	Version int64       `json:"version"` // of the record of the repair
	At      time.Time   `json:"at,omitzero"`
	Cause   RepairCause `json:"cause"`
	// From is the version of the first affected record. The state changes of the records from there
	// up to the repair are ignored.
	From int64      `json:"from"`
	Keep RepairKeep `json:"keep"`
	// Reached is the version whose state the campaign continued with, if records could not be read.
	Reached int64 `json:"reached,omitempty"`
	// Path, Got and Want come from the first [RepairDifference].
	Path tree.Path `json:"path,omitempty"`
	Got  string    `json:"got,omitempty"`
	Want string    `json:"want,omitempty"`
	// Detail is the text of the error.
	Detail string `json:"detail,omitempty"`
}

// Covers reports whether the state changes in the record of a version are ignored.
func (n RepairNote) Covers(version int64) bool { return n.From <= version && version < n.Version }

// RepairDifference is the first place where a replay gives a different result than the log, or
// where a stored campaign differs from its log. A retry does not help. It wraps turn.ErrDiverged.
type RepairDifference struct {
	Version int64     // of the record, or of the stored campaign
	Path    tree.Path // within the record or the campaign; nil: the replay gave no record to compare
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

// Unwrap returns the wrapped error.
func (d *RepairDifference) Unwrap() error { return d.Err }

// ErrRecordLost is the error within a [LogDamage] for a record that was already lost before an
// export. The export has a record of the kind turn.RecordLost in its place.
var ErrRecordLost = errors.New("the record is lost")

// ErrRecordMissing is the error within a [LogDamage] for a record that does not exist although
// later records, or a snapshot of a later version, exist.
var ErrRecordMissing = errors.New("the record is missing")

// ErrChecksum is the error within a [LogDamage] for a record whose bytes have changed since they
// were written.
var ErrChecksum = errors.New("the checksum differs: the bytes have changed since they were written")

// ErrSnapshot is the error within a [LogDamage] for a snapshot that cannot be used: its bytes have
// changed, or it belongs to a different campaign or version. The log has all the data of the
// snapshot.
var ErrSnapshot = errors.New("the snapshot cannot be used")

// LogDamage is the error for a record that cannot be read: it was truncated, changed, put in the
// place of a different record, or removed. With [ErrSnapshot] it is the error for the snapshot of
// that version. A retry does not help. Engine.Repair continues without the record.
type LogDamage struct {
	Version int64
	Err     error
}

// Error names the record and the problem.
func (d *LogDamage) Error() string {
	if errors.Is(d.Err, ErrSnapshot) {
		return fmt.Sprintf("campaign: the snapshot of version %d is damaged; Engine.Repair writes a new one: %s", d.Version, d.Err)
	}
	return fmt.Sprintf("campaign: record %d is damaged; Engine.Repair continues without it: %s", d.Version, d.Err)
}

// Unwrap returns the problem.
func (d *LogDamage) Unwrap() error { return d.Err }

// RepairRef returns the name of the n-th state that the repair of a version stores, from 1.
func RepairRef(version int64, n int) string { return fmt.Sprintf("repaired_%d_%d", version, n) }

// RepairRefVersion returns the version of the repair that stores a state. It reports false for any
// other name.
func RepairRefVersion(ref string) (version int64, ok bool) {
	digits, number, _ := strings.Cut(strings.TrimPrefix(ref, "repaired_"), "_")
	version, _ = strconv.ParseInt(digits, 10, 64)
	n, _ := strconv.Atoi(number)
	return version, version > 0 && RepairRef(version, n) == ref
}

package repair

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/talewright/talewright/memvars/tree"
)

// Keep says with which state a campaign goes on.
type Keep string

// What can be kept.
const (
	// Logged is what the records say that they have changed: what everybody who played has seen.
	Logged Keep = "logged"
	// Replayed is what the records lead to when they are played again by what the machine was told, with the
	// present content. Texts of turns stay as they were told.
	Replayed Keep = "replayed"
)

// Cause says what was wrong.
type Cause string

// The causes.
const (
	Damaged  Cause = "damaged"  // records cannot be read
	Drifted  Cause = "drifted"  // records played again lead elsewhere
	Snapshot Cause = "snapshot" // the snapshot is of another campaign than the log
)

// Note is what a repair has found and done. It is part of the campaign for ever.
type Note struct {
	Version int64     `json:"version"` // of the record of the repair
	At      time.Time `json:"at,omitzero"`
	Cause   Cause     `json:"cause"`
	// From is the version of the first record that is concerned; what the records from there to the
	// repair say of the state does not count.
	From int64 `json:"from"`
	Keep Keep  `json:"keep"`
	// Reached is the version whose state the campaign went on with, where records could not be read.
	Reached int64 `json:"reached,omitempty"`
	// Path, Got and Want are those of the first [Difference].
	Path tree.Path `json:"path,omitempty"`
	Got  string    `json:"got,omitempty"`
	Want string    `json:"want,omitempty"`
	// Detail is the error as text.
	Detail string `json:"detail,omitempty"`
}

// Covers reports whether what the record of a version says of the state counts no more.
func (n Note) Covers(version int64) bool { return n.From <= version && version < n.Version }

// Difference is where a replay first leads elsewhere than the log, or a stored campaign is another than
// its log says. A retry does not help. It wraps turn.ErrDiverged.
type Difference struct {
	Version int64     // of the record, or of the stored campaign
	Path    tree.Path // within the record or the campaign; nil: it leads to no record that could be compared
	Got     string    // the replayed value as JSON, shortened; "" for none
	Want    string    // the stored one
	Err     error
}

// Error names the place and both values.
func (d *Difference) Error() string {
	if d.Path == nil {
		return d.Err.Error()
	}
	return fmt.Sprintf("%s: at %s: replayed %s, logged %s", d.Err, d.Path, d.Got, d.Want)
}

// Unwrap returns what it wraps.
func (d *Difference) Unwrap() error { return d.Err }

// ErrLost is the error within a [Damage] for a record that was lost before: an export has its place.
var ErrLost = errors.New("the record is lost")

// ErrMissing is the error within a [Damage] for a record that is not there, though later ones are,
// or a snapshot of a later version.
var ErrMissing = errors.New("the record is missing")

// ErrChecksum is the error within a [Damage] for a record whose bytes are not those that were written.
var ErrChecksum = errors.New("the checksum is another one: the bytes have changed since they were written")

// ErrSnapshot is the error within a [Damage] for a snapshot that cannot be used: its bytes have changed, or it is of
// another campaign or version. The log has all that it says.
var ErrSnapshot = errors.New("the snapshot cannot be used")

// Damage is the error for a record that cannot be read: it was cut off, changed, put in another's
// place or removed. With [ErrSnapshot] it is the error for the snapshot of that version.
// A retry does not help. Engine.Repair goes on without it.
type Damage struct {
	Version int64
	Err     error
}

// Error names the record and what is wrong with it.
func (d *Damage) Error() string {
	if errors.Is(d.Err, ErrSnapshot) {
		return fmt.Sprintf("campaign: the snapshot of version %d is damaged, a repair writes another one: %s", d.Version, d.Err)
	}
	return fmt.Sprintf("campaign: record %d is damaged, a repair goes on without it: %s", d.Version, d.Err)
}

// Unwrap returns what is wrong.
func (d *Damage) Unwrap() error { return d.Err }

// Ref is the name of a state that the repair of a version keeps, counted from 1.
func Ref(version int64, n int) string { return fmt.Sprintf("repaired_%d_%d", version, n) }

// RefVersion is the version of the repair that keeps a state, false for any other name.
func RefVersion(ref string) (version int64, ok bool) {
	rest, is := strings.CutPrefix(ref, "repaired_")
	digits, number, _ := strings.Cut(rest, "_")
	version, err := strconv.ParseInt(digits, 10, 64)
	n, bad := strconv.Atoi(number)
	return version, is && err == nil && bad == nil && version > 0 && Ref(version, n) == ref
}

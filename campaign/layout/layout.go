package layout

import (
	"errors"
	"fmt"
	"strings"
)

// Current is the layout of the records and snapshots that this version writes.
//
//   - 1: the campaign has all its turns and the states of its checkpoints, under names that are
//     counted ("snapshot_0007").
//   - 2: the campaign is its head. References name the version whose record led to a state
//     ("state_12"), jumps tell which turns lead where, snapshots say their layout.
const Current = 2

// Behaviour is the number of the behaviour that this version plays with. A record of behaviour 1 does
// not say so.
const Behaviour = 1

var (
	// ErrNewer is returned for what was written in a layout that this version does not know. It is
	// not read in part: use the version that has written it, or a newer one.
	ErrNewer = errors.New("it was written by a newer version of this library: read it with that version")
	// ErrOlder is returned for a record of an older layout behind one of a newer: two versions play
	// one campaign at the same time. Load it again, and end the older one.
	ErrOlder = errors.New("an older version of this library has written behind a newer one")
)

// Check refuses the layouts that this version does not know: with [ErrNewer], or another error for
// what is none.
func Check(number int) error {
	switch {
	case number > Current:
		return fmt.Errorf("layout %d, up to %d are known: %w", number, Current, ErrNewer)
	case number < 1:
		return fmt.Errorf("layout %d: there is none", number)
	}
	return nil
}

// Unplayable is the error for a campaign that a newer version has played, in a way that this one
// cannot go on from: it can be shown and exported, but neither played nor forked nor rebuilt. A
// retry does not help; the newer version does.
type Unplayable struct {
	Version   int64    // of the newest record that says so; 0: the snapshot does
	Behaviour int      // that it was played with; 0: one that is known
	Inputs    []string // the names of those that are not known
}

// Error says what is not known, and what to do.
func (u *Unplayable) Error() string {
	var why []string
	if u.Behaviour > Behaviour {
		why = append(why, fmt.Sprintf("behaviour %d, up to %d are known", u.Behaviour, Behaviour))
	}
	if len(u.Inputs) > 0 {
		why = append(why, fmt.Sprintf("unknown input %q", u.Inputs))
	}
	return fmt.Sprintf("record %d: %s: a newer version of this library has played it: play it with that version",
		u.Version, strings.Join(why, ", "))
}

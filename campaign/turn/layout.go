package turn

import (
	"errors"
	"fmt"
	"strings"
)

// This file numbers the stored forms of campaigns.
//
// A record of a log has the number of its form, the layout, and the number of the behaviour that
// played it. The layout increases when earlier records can no longer be read as they are. The
// behaviour increases when the same inputs give a different result than before. Records of an older
// behaviour are restored as they are, and are not compared with a replay.
//
// A record of a newer layout is refused ([ErrNewerLayout]). A record of a newer behaviour can be
// read but not played ([Unplayable]).

// Layout is the layout of the records and snapshots that this version writes.
const Layout = 1

// Behaviour is the number of the behaviour that this version plays with. A record of behaviour 1
// does not store the number.
const Behaviour = 1

// ErrNewerLayout is returned for data in a layout that this version does not know. Nothing of it is
// read: use the version that wrote it, or a newer one.
var ErrNewerLayout = errors.New("it was written by a newer version of this library: read it with that version")

// CheckLayout refuses the layouts that this version does not know: a greater number with
// [ErrNewerLayout], a number below 1 with a different error.
func CheckLayout(number int) error {
	switch {
	case number > Layout:
		return fmt.Errorf("layout %d, up to %d are known: %w", number, Layout, ErrNewerLayout)
	case number < 1:
		return fmt.Errorf("layout %d: the first one is 1", number)
	}
	return nil
}

// Unplayable is the error for a campaign that a newer version has played in a way that this version
// does not know. Such a campaign can be shown and exported, but not played, forked or rebuilt. A
// retry does not help; the newer version does.
type Unplayable struct {
	Version   int64    // version of the newest such record; 0: it is known from the snapshot
	Behaviour int      // of the record; 0: a known one
	Inputs    []string // the names of the unknown inputs
}

// Error says what is unknown, and what to do.
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

package turn

import (
	"errors"
	"fmt"
	"strings"
)

// The layout part numbers the stored forms of campaigns.
//
// A record of a log says the number of its form, the layout, and the number of the behaviour that it
// was played with. The layout goes up when earlier records can no longer be read as they are: then a
// step leads from each layout to the next, and a log of every layout stays readable.
// The behaviour goes up when the same inputs lead elsewhere than before: such records are restored as
// they are, and are not compared with a replay.
//
// What a newer version has written is refused, as a whole ([ErrNewerLayout]) or to be played ([Unplayable]).

// Layout is the layout of the records and snapshots that this version writes.
const Layout = 1

// Behaviour is the number of the behaviour that this version plays with. A record of behaviour 1 does
// not say so.
const Behaviour = 1

// ErrNewerLayout is returned for what was written in a layout that this version does not know. Nothing of it is
// read: use the version that wrote it, or a newer one.
var ErrNewerLayout = errors.New("it was written by a newer version of this library: read it with that version")

// CheckLayout refuses the layouts that this version does not know: a greater number with [ErrNewerLayout], a number
// below 1 with another error.
func CheckLayout(number int) error {
	switch {
	case number > Layout:
		return fmt.Errorf("layout %d, up to %d are known: %w", number, Layout, ErrNewerLayout)
	case number < 1:
		return fmt.Errorf("layout %d: the first one is 1", number)
	}
	return nil
}

// steps lead from each layout to the next: steps[0] turns the JSON form of a record of layout 1 into one of
// layout 2. The table is as long as there are older layouts.
var steps = [Layout - 1]func(record []byte) ([]byte, error){}

// UpgradeRecord returns the JSON form of a record of the given layout as the present layout has it. The number is
// one that [CheckLayout] accepts. A record of the present layout is returned as it is.
func UpgradeRecord(number int, data []byte) (_ []byte, err error) {
	for _, step := range steps[number-1:] {
		if data, err = step(data); err != nil {
			return nil, err
		}
	}
	return data, nil
}

// Unplayable is the error for a campaign that a newer version has played in a way that this version does not
// know. Such a campaign can be shown and exported, but not played, forked or rebuilt. A
// retry does not help; the newer version does.
type Unplayable struct {
	Version   int64    // of the newest record that says so; 0: the snapshot does
	Behaviour int      // of the record; 0: one that is known
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

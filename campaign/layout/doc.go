// Package layout knows the stored forms of campaigns over the years.
//
// A record of a log says the number of its form, the layout, and the number of the behaviour that it
// was played with. The layout goes up when earlier records can no longer be read as they stand; an
// upgrade then leads from each layout to the next, and a log of every layout stays readable for ever.
// The behaviour goes up when the same inputs lead elsewhere than before: such records are restored as
// they stand, and are not held to a replay.
//
// What a newer version has written is refused, as a whole ([ErrNewer]) or to be played ([Unplayable]).
package layout

// Package layout numbers the stored forms of campaigns.
//
// A record of a log says the number of its form, the layout, and the number of the behaviour that it
// was played with. The layout goes up when earlier records can no longer be read as they are: then a
// step leads from each layout to the next, and a log of every layout stays readable.
// The behaviour goes up when the same inputs lead elsewhere than before: such records are restored as
// they are, and are not compared with a replay.
//
// What a newer version has written is refused, as a whole ([ErrNewer]) or to be played ([Unplayable]).
package layout

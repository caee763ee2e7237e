// Package state holds the data types of a campaign: the [Campaign] itself; the [State], which play
// changes and a rollback restores; the world and its map, characters, turns with their traces,
// checkpoints and branches. All types are plain values with a JSON form that keeps unknown members.
// The engine never modifies a value that a caller holds.
//
// A [Setup] is the beginning of a campaign. Package turn has the operations of play. This package
// has the operations that need only the values: to store a state and return to it
// ([Campaign.Rollback], [Campaign.SwitchBranch]), to advance the milestone, to change hit points
// within their bounds, and to compute the difference of two campaigns as data ([Delta]).
//
// Hit points, places and life states are fields of [Character]. Rules and macros read and write
// them as variables, which are [Views] on the characters.
//
// The package has more than 40 names because hosts, tools, stores and stored files all share these
// types.
package state

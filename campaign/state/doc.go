// Package state holds the nouns of a campaign: the [Campaign] itself, the [State] that play
// changes and a rollback restores, characters, turns, checkpoints and branches; the world and its
// map stand in package world, what a turn tells of itself in package turntrace. All of them are
// plain values with a JSON form that keeps members which nobody knows; a value that you hold
// never changes.
//
// A [Setup] is how a campaign begins. What changes a campaign stands in package turn; what is
// here are the operations that need nothing but the values: to keep a state and return to it
// ([Campaign.Rollback], [Campaign.SwitchBranch]), to push the milestone, to change hit points
// within their bounds, and the difference of two campaigns as data ([Delta]).
//
// Hit points, places and life states are fields of [Character]. Rules and macros know them as
// variables, which are [Views] on the characters.
//
// Beyond 40 names, since these are the words that hosts, tools, stores and stored files
// share: a reader finds them in one place.
package state

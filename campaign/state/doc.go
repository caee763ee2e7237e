// Package state has the data types of a campaign. A [Campaign] has a [State], which play changes
// and a rollback restores. There are the world and its map, characters, turns with their traces,
// checkpoints and branches:
//
//	c, err := engine.Campaign(ctx, "greyhaven")
//	mara, known := c.State.Character("mara")
//	gold, known := c.State.Variables.Int("gold")
//	for _, t := range c.BranchTurns() { … } // oldest first
//
// All types are plain values with a JSON form that keeps unknown members.
// The engine never modifies a value that a caller holds.
//
// A [Setup] is the beginning of a campaign. Package turn has the operations of play. This package
// has the operations that need only the values. They store a state and return to it
// ([Campaign.Rollback], [Campaign.SwitchBranch]), advance the milestone, change hit points within
// their bounds, and compute the difference of two campaigns as data ([Delta]).
//
// Hit points, places and life states are fields of [Character]. Rules and macros read and write
// them as variables, which are [Views] on the characters.
package state

// Package spatial is a small world on grids: scenes with rectangular zones, things to
// come near to, and exits. Moving in it gives events for rules and reactions.
//
// A [World] is compiled once and shared; a [Place] is the player's position, a plain
// value that belongs to the game's state.
package spatial

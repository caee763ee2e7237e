package rules

// The spatial files have a small world on grids: scenes with rectangular zones, entities that the
// player can approach, and exits. Movement raises events for rules and reactions.
//
// A [SpatialWorld] is compiled once and shared. A [SpatialPlace] is the player's position, a plain
// value that belongs to the game's state.

// SpatialAction is a way to move.
type SpatialAction string

// The ways.
const (
	SpatialEnter    SpatialAction = "enter"    // a scene, at a spot within it
	SpatialStep     SpatialAction = "step"     // a step that leads out of the scene does nothing
	SpatialPut      SpatialAction = "put"      // the nearest spot within the scene
	SpatialInteract SpatialAction = "interact" // with the nearest entity in reach
)

package rules

// The spatial part is a small world on grids: scenes with rectangular zones, things to
// come near to, and exits. Moving in it gives events for rules and reactions.
//
// A [SpatialWorld] is compiled once and shared; a [SpatialPlace] is the player's position, a plain
// value that belongs to the game's state.

// SpatialAction is a way to move.
type SpatialAction string

// The ways.
const (
	SpatialEnter    SpatialAction = "enter"    // a scene, at a spot within it
	SpatialStep     SpatialAction = "step"     // one that leads out of the scene does nothing
	SpatialPut      SpatialAction = "put"      // the nearest spot within the scene
	SpatialInteract SpatialAction = "interact" // with what the player stands next to
)

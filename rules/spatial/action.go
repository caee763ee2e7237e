package spatial

// Action is a way to move.
type Action string

// The ways.
const (
	Enter    Action = "enter"    // a scene, at a spot within it
	Step     Action = "step"     // one that leads out of the scene does nothing
	Put      Action = "put"      // the nearest spot within the scene
	Interact Action = "interact" // with what the player stands next to
)

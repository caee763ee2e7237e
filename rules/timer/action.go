package timer

// Action is what becomes of a countdown.
type Action string

// The actions.
const (
	Start  Action = "start" // one of that id that runs starts anew
	Pause  Action = "pause"
	Resume Action = "resume"
	Cancel Action = "cancel"
)

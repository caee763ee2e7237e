package rules

// TimerAction is an action on a countdown.
type TimerAction string

// The actions.
const (
	TimerStart  TimerAction = "start" // a running countdown with that id starts again
	TimerPause  TimerAction = "pause"
	TimerResume TimerAction = "resume"
	TimerCancel TimerAction = "cancel"
)

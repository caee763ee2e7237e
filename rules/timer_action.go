package rules

// TimerAction is what becomes of a countdown.
type TimerAction string

// The actions.
const (
	TimerStart  TimerAction = "start" // one of that id that runs starts anew
	TimerPause  TimerAction = "pause"
	TimerResume TimerAction = "resume"
	TimerCancel TimerAction = "cancel"
)

package turn

import (
	"fmt"
	"time"

	"github.com/talewright/talewright/campaign/state"
)

// SetTimer starts, pauses, resumes or cancels a countdown. Rules do the same with the
// actions start-timer, pause-timer, resume-timer and cancel-timer, whose members are
// timerId and, to start one, name, duration and repeat.
type SetTimer struct {
	Do       TimerAction `json:"do"`
	TimerID  string      `json:"timer_id"`
	Name     string      `json:"name,omitempty"`
	Duration float64     `json:"duration,omitempty"`
	Repeat   bool        `json:"repeat,omitempty"`
	At       time.Time   `json:"at,omitzero"`
}

// TimerAction is what becomes of a countdown.
type TimerAction string

// The actions.
const (
	StartTimer  TimerAction = "start" // one of that id that runs starts anew
	PauseTimer  TimerAction = "pause"
	ResumeTimer TimerAction = "resume"
	CancelTimer TimerAction = "cancel"
)

func (SetTimer) inputType() string { return "set_timer" }

func (in SetTimer) stamped(now time.Time) Input { in.At = orNow(in.At, now); return in }

func (in SetTimer) apply(m *Machine) (Stop, error) {
	next := m.base.Clone()
	if err := setTimer(&next.State, in); err != nil {
		return idle, err
	}
	return m.change(in, in.At, next), nil
}

// setTimer changes one countdown, or says why not.
func setTimer(s *state.State, in SetTimer) error {
	_, known := s.Timers.Remaining(in.TimerID)
	switch {
	case in.Do == StartTimer && in.TimerID == "":
		return &state.Refusal{Code: state.UnknownTimer, Detail: "timer_id is missing"}
	case in.Do == StartTimer && !known && len(s.Timers) >= maxTimers:
		return &state.Refusal{Code: state.TooManyTimers, Detail: fmt.Sprintf("%d are running", len(s.Timers))}
	case in.Do != StartTimer && !known:
		return &state.Refusal{Code: state.UnknownTimer, Detail: fmt.Sprintf("no timer %q", in.TimerID)}
	}
	switch in.Do {
	case StartTimer:
		s.Timers = s.Timers.Start(in.TimerID, in.Name, in.Duration, in.Repeat)
	case PauseTimer:
		s.Timers = s.Timers.Pause(in.TimerID)
	case ResumeTimer:
		s.Timers = s.Timers.Resume(in.TimerID)
	case CancelTimer:
		s.Timers = s.Timers.Cancel(in.TimerID)
	default:
		return &state.Refusal{Code: state.UnknownTimer, Detail: fmt.Sprintf("do is %q, none of start, pause, resume, cancel", in.Do)}
	}
	return nil
}

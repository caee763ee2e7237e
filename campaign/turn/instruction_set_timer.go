package turn

import (
	"fmt"
	"time"

	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn/internal/opening"
	"github.com/talewright/talewright/rules/timer"
)

// SetTimer starts, pauses, resumes or cancels a countdown. Rules do the same with the
// actions start-timer, pause-timer, resume-timer and cancel-timer, whose members are
// timerId and, to start one, name, duration and repeat.
type SetTimer struct {
	Do       timer.Action `json:"do"`
	TimerID  string       `json:"timer_id"`
	Name     string       `json:"name,omitempty"`
	Duration float64      `json:"duration,omitempty"`
	Repeat   bool         `json:"repeat,omitempty"`
	At       time.Time    `json:"at,omitzero"`
}

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
	case in.Do == timer.Start && in.TimerID == "":
		return &state.Refusal{Code: state.UnknownTimer, Detail: "timer_id is missing"}
	case in.Do == timer.Start && !known && len(s.Timers) >= opening.MaxTimers:
		return &state.Refusal{Code: state.TooManyTimers, Detail: fmt.Sprintf("%d are running", len(s.Timers))}
	case in.Do != timer.Start && !known:
		return &state.Refusal{Code: state.UnknownTimer, Detail: fmt.Sprintf("no timer %q", in.TimerID)}
	}
	switch in.Do {
	case timer.Start:
		s.Timers = s.Timers.Start(in.TimerID, in.Name, in.Duration, in.Repeat)
	case timer.Pause:
		s.Timers = s.Timers.Pause(in.TimerID)
	case timer.Resume:
		s.Timers = s.Timers.Resume(in.TimerID)
	case timer.Cancel:
		s.Timers = s.Timers.Cancel(in.TimerID)
	default:
		return &state.Refusal{Code: state.UnknownTimer, Detail: fmt.Sprintf("do is %q, none of start, pause, resume, cancel", in.Do)}
	}
	return nil
}

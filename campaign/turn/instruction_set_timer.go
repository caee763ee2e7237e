package turn

import (
	"time"

	"github.com/talewright/talewright/campaign/turn/internal/draft"
	"github.com/talewright/talewright/rules"
)

// SetTimer starts, pauses, resumes or cancels a countdown. Rules use the actions start-timer,
// pause-timer, resume-timer and cancel-timer. Their member is timerId; start-timer also has name,
// duration and repeat.
type SetTimer struct {
	Do       rules.TimerAction `json:"do"`
	TimerID  string            `json:"timer_id"`
	Name     string            `json:"name,omitempty"`
	Duration float64           `json:"duration,omitempty"`
	Repeat   bool              `json:"repeat,omitempty"`
	At       time.Time         `json:"at,omitzero"`
}

func (SetTimer) inputType() string { return "set_timer" }

func (in SetTimer) apply(m *Machine) (Stop, error) {
	next := m.base.Clone()
	if err := draft.SetTimer(&next.State, draft.Countdown{Do: in.Do, ID: in.TimerID, Name: in.Name, Duration: in.Duration, Repeat: in.Repeat}); err != nil {
		return idle, err
	}
	return m.change(in, in.At, next), nil
}

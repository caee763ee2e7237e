package turn

import (
	"time"

	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/rules"
)

// PassTime lets the host's time pass: countdowns go on, and rules and reactions hear of
// those that end. The unit is the host's, the one that timers are started in. Time that
// passes with a turn goes into [Submit].
type PassTime struct {
	Elapsed float64   `json:"elapsed"`
	At      time.Time `json:"at,omitzero"`
}

func (PassTime) inputType() string { return "pass_time" }

func (in PassTime) stamped(now time.Time) Input { in.At = orNow(in.At, now); return in }

func (in PassTime) apply(m *Machine) (Stop, error) {
	t := m.betweenTurns(in.At)
	return m.hear(in, t, passTime(&t.staged.state, in.Elapsed)), nil
}

// passTime lets countdowns go on and returns the events of those that ended.
func passTime(s *state.State, elapsed float64) []rules.Event {
	if elapsed == 0 || len(s.Timers) == 0 {
		return nil
	}
	var events []rules.Event
	s.Timers, events = s.Timers.Tick(elapsed)
	return events
}

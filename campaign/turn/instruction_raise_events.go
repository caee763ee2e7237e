package turn

import (
	"time"

	"github.com/talewright/talewright/rules"
)

// RaiseEvents runs rules and reactions for events of the host, between turns: a button, a timer, a
// zone.
type RaiseEvents struct {
	Events []rules.Event `json:"events"`
	At     time.Time     `json:"at,omitzero"`
}

func (RaiseEvents) inputType() string { return "raise_events" }

func (in RaiseEvents) apply(m *Machine) (Stop, error) {
	betweenTurns(m, in.At)
	return runBetweenTurns(m, in, in.Events...), nil
}

package turn

import (
	"time"

	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn/internal/draft"
	"github.com/talewright/talewright/campaign/turn/internal/play"
	"github.com/talewright/talewright/hooks/act"
)

// PassTime lets the host's time pass: countdowns go on, and rules and reactions hear of
// those that end. The unit is the host's, the one that timers are started in. Time that
// passes with a turn goes into [Submit]. Hooks hear of it as clock.passed, with the times of the
// host's clock: scheduled and idle ones answer where a host passes the time again and again.
type PassTime struct {
	Elapsed float64   `json:"elapsed"`
	At      time.Time `json:"at,omitzero"`
}

func (PassTime) inputType() string { return "pass_time" }

func (in PassTime) stamped(now time.Time) Input { in.At = orNow(in.At, now); return in }

func (in PassTime) apply(m *Machine) (Stop, error) {
	if head := m.base.State.HeadTurnID; head != state.StartTurnID {
		if _, ok := turnAt(m, head); !ok {
			return atPast, nil
		}
	}
	t := betweenTurns(m, in.At)
	t.Order.In.Elapsed = in.Elapsed
	t.Stage.Chain(draft.PassTime(&t.Stage.Staged.State, in.Elapsed)...)
	return atClock, nil
}

// clockPassed commits what rules and hooks did about it.
func clockPassed(m *Machine) Stop {
	t := m.turn
	next := play.StagedCampaign(t)
	if m.game.Hooks().Wants(act.ClockPassed) && t.Order.In.At.After(next.ClockPassed) {
		next.ClockPassed = t.Order.In.At
	}
	return m.commit(RecordKind(PassTime{}.inputType()), t.Order.In.At, next, nil, doneBetween(t))
}

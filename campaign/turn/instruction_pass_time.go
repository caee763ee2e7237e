package turn

import (
	"time"

	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn/internal/draft"
	"github.com/talewright/talewright/campaign/turn/internal/play"
	"github.com/talewright/talewright/hooks/act"
)

// PassTime advances the host's time. Countdowns advance, and rules and reactions run for the
// countdowns that end. The host chooses the unit; timers use the same unit. Time that passes within
// a turn belongs in [Submit]. Hooks get the event clock.passed with the times of the host's clock.
// Scheduled hooks and idle hooks run only if the host passes the time repeatedly. They run again each
// time that they are due, also without a turn in between.
type PassTime struct {
	Elapsed float64   `json:"elapsed"`
	At      time.Time `json:"at,omitzero"`
}

func (PassTime) inputType() string { return "pass_time" }

func (in PassTime) apply(m *Machine) (Stop, error) {
	if head := m.base.State.HeadTurnID; head != state.StartTurnID {
		if _, ok := turnAt(m, head); !ok {
			return atPast, nil
		}
	}
	t := betweenTurns(m, in.At)
	t.Order.In.Elapsed = in.Elapsed
	ran := &t.Stage.Pending.State.Hooks.Turn
	ran.Count, ran.Ran, ran.Denied = 0, nil, nil
	t.Stage.Chain(draft.PassTime(&t.Stage.Pending.State, in.Elapsed)...)
	return atClock, nil
}

// clockPassed commits the changes of rules and hooks. The hooks that ran do not count for the turn.
func clockPassed(m *Machine) Stop {
	t := m.turn
	next := play.StagedCampaign(t)
	ran, ofTurn := &next.State.Hooks.Turn, m.base.State.Hooks.Turn
	ran.Count, ran.Ran, ran.Denied = ofTurn.Count, ofTurn.Ran, ofTurn.Denied
	if m.game.Hooks().Wants(act.ClockPassed) && t.Order.In.At.After(next.ClockPassed) {
		next.ClockPassed = t.Order.In.At
	}
	return m.commit(RecordKind(PassTime{}.inputType()), t.Order.In.At, next, nil, resultBetweenTurns(t))
}

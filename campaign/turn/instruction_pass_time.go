package turn

import (
	"time"

	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn/internal/stage"
	"github.com/talewright/talewright/hooks/on"
	"github.com/talewright/talewright/memvars/tree"
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
		if _, ok := m.turnAt(head); !ok {
			return atPast, nil
		}
	}
	t := m.betweenTurns(in.At)
	t.in.Elapsed = in.Elapsed
	t.stage.Chain(stage.PassTime(&t.stage.Staged.State, in.Elapsed)...)
	return atClock, nil
}

// clockPayload is the time that has passed since hooks last heard of the clock, and since the
// last turn.
func (t *run) clockPayload() []tree.Member {
	from, active := t.next.ClockPassed, t.next.CreatedAt
	if from.IsZero() {
		from = t.next.CreatedAt
	}
	if last, ok := t.scenery().turn(t.next.State.HeadTurnID); ok {
		active = last.Timestamp
	}
	payload := members(on.ClockPayload(from, t.in.At, active))
	if t.in.Elapsed != 0 {
		payload = append(payload, tree.Member{Key: "elapsed", Value: tree.Float(t.in.Elapsed)})
	}
	return payload
}

// clockPassed commits what rules and hooks did about it.
func (m *Machine) clockPassed() Stop {
	t := m.turn
	next := t.stagedCampaign()
	if m.game.Hooks().Wants(on.ClockPassed) && t.in.At.After(next.ClockPassed) {
		next.ClockPassed = t.in.At
	}
	return m.commit(RecordKind(PassTime{}.inputType()), t.in.At, next, nil,
		Todo{Host: t.stage.Staged.Host, Outcome: &Outcome{Status: Completed, Messages: t.stage.Staged.Messages}})
}

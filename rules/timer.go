package rules

import (
	"math"
	"slices"

	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules/event"
)

// This file has the countdowns of a running game, in any unit of time of the host. Countdowns that
// end become events for rules and reactions.
//
// No clock is read: the host passes the elapsed time.
//
//	timers = timers.Start("bomb", "Bomb", 60, false)
//	timers, events := timers.Tick(dt)
//	outcome := program.Run(state, events, options)

// typeTimerFired is the type of the event that a timer raises; its fields are timerId,
// timerName, duration and repeat.
const typeTimerFired = "timer:fired"

// Timer is one countdown.
type Timer struct {
	ID        string  `json:"id"`
	Name      string  `json:"name"`
	Duration  float64 `json:"duration"`
	Remaining float64 `json:"remaining"` // may be negative after a long gap, if Repeat
	Repeat    bool    `json:"repeat,omitempty"`
	Paused    bool    `json:"paused,omitempty"`
}

// Timers are all countdowns of a game, in starting order. Nil is a game without countdowns. Every
// function returns a new list and does not change its receiver.
type Timers []Timer

// Start starts a countdown. A running countdown with that id is restarted at its place in the list.
// A NaN duration becomes 0, and an infinite one the largest finite number.
func (ts Timers) Start(id, name string, duration float64, repeat bool) Timers {
	duration = finite(duration)
	t := Timer{ID: id, Name: name, Duration: duration, Remaining: duration, Repeat: repeat}
	out := slices.Clone(ts)
	if i := ts.find(id); i >= 0 {
		out[i] = t
		return out
	}
	return append(out, t)
}

// Pause stops a countdown until [Timers.Resume]. An unknown id changes nothing.
func (ts Timers) Pause(id string) Timers { return ts.setPaused(id, true) }

// Resume continues a paused countdown. An unknown id changes nothing.
func (ts Timers) Resume(id string) Timers { return ts.setPaused(id, false) }

// setPaused changes a copy.
func (ts Timers) setPaused(id string, paused bool) Timers {
	out := slices.Clone(ts)
	if i := ts.find(id); i >= 0 {
		out[i].Paused = paused
	}
	return out
}

// Cancel removes a countdown. An unknown id changes nothing.
func (ts Timers) Cancel(id string) Timers {
	return slices.DeleteFunc(slices.Clone(ts), func(t Timer) bool { return t.ID == id })
}

// Remaining returns the remaining time of a countdown, and whether it exists.
func (ts Timers) Remaining(id string) (float64, bool) {
	if i := ts.find(id); i >= 0 {
		return ts[i].Remaining, true
	}
	return 0, false
}

// Tick advances the time. Each countdown that ends raises one event, in order. Then it is removed
// or, if it repeats, starts again with the overshoot subtracted. After a gap of several durations a
// repeating timer catches up by one event per tick.
func (ts Timers) Tick(dt float64) (Timers, []event.Event) {
	var events []event.Event
	dt = finite(dt)
	out := make(Timers, 0, len(ts))
	for _, t := range ts {
		if t.Paused {
			out = append(out, t)
			continue
		}
		t.Remaining = finite(t.Remaining - dt)
		if t.Remaining > 0 {
			out = append(out, t)
			continue
		}
		events = append(events, t.event())
		if t.Repeat {
			t.Remaining = finite(t.Remaining + t.Duration)
			out = append(out, t)
		}
	}
	return out, events
}

// finite converts a time to a number that JSON can store: infinity becomes the largest finite
// number, and NaN becomes 0.
func finite(f float64) float64 {
	if math.IsNaN(f) {
		return 0
	}
	return max(-math.MaxFloat64, min(f, math.MaxFloat64))
}

// event returns the event of a countdown that ends.
func (t Timer) event() event.Event {
	return event.New(typeTimerFired,
		tree.Member{Key: "timerId", Value: tree.Text(t.ID)},
		tree.Member{Key: "timerName", Value: tree.Text(t.Name)},
		tree.Member{Key: "duration", Value: tree.Float(t.Duration)},
		tree.Member{Key: "repeat", Value: tree.Bool(t.Repeat)})
}

// find returns the index of an id, or -1.
func (ts Timers) find(id string) int {
	return slices.IndexFunc(ts, func(t Timer) bool { return t.ID == id })
}

// TimerAction is an action on a countdown.
type TimerAction string

// The actions.
const (
	TimerStart  TimerAction = "start" // a running countdown with that id starts again
	TimerPause  TimerAction = "pause"
	TimerResume TimerAction = "resume"
	TimerCancel TimerAction = "cancel"
)

package rules

import (
	"math"
	"slices"

	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules/event"
)

// The timer part keeps the countdowns of a running game, in whatever unit of time the
// host counts, and turns those that end into events for rules and reactions.
//
// Nothing here reads a clock: the host says how much time has passed.
//
//	timers = timers.Start("bomb", "Bomb", 60, false)
//	timers, events := timers.Tick(dt)
//	outcome := program.Run(state, events, options)

// TypeTimerFired is the type of the event that a timer raises; its fields are timerId,
// timerName, duration and repeat.
const TypeTimerFired = "timer:fired"

// Timer is one countdown.
type Timer struct {
	ID        string  `json:"id"`
	Name      string  `json:"name"`
	Duration  float64 `json:"duration"`
	Remaining float64 `json:"remaining"` // may be negative after a long gap, if Repeat
	Repeat    bool    `json:"repeat,omitempty"`
	Paused    bool    `json:"paused,omitempty"`
}

// Timers are all countdowns of a game, in the order in which they were started. Nil is
// a game without any. Every function returns a new list and leaves its own alone.
type Timers []Timer

// Start begins a countdown. One of that id that runs already is restarted, in its place. A
// duration that is no number is 0, and an infinite one the largest number there is.
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

// Resume lets a paused countdown go on. An unknown id changes nothing.
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

// Remaining returns the time that is left of a countdown, and whether there is one.
func (ts Timers) Remaining(id string) (float64, bool) {
	if i := ts.find(id); i >= 0 {
		return ts[i].Remaining, true
	}
	return 0, false
}

// Tick lets time pass. Each countdown that ends raises one event, in order; it is gone
// then, or, if it repeats, starts anew with what it overshot taken off. After a gap of
// several durations a repeating timer catches up by one event per tick.
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

// finite keeps a time within what JSON can hold: a countdown without end has the largest number
// there is, and one that is no number none.
func finite(f float64) float64 {
	if math.IsNaN(f) {
		return 0
	}
	return max(-math.MaxFloat64, min(f, math.MaxFloat64))
}

// event is what a countdown raises at its end.
func (t Timer) event() event.Event {
	return event.New(TypeTimerFired,
		tree.Member{Key: "timerId", Value: tree.Text(t.ID)},
		tree.Member{Key: "timerName", Value: tree.Text(t.Name)},
		tree.Member{Key: "duration", Value: tree.Float(t.Duration)},
		tree.Member{Key: "repeat", Value: tree.Bool(t.Repeat)})
}

// find returns the place of an id, -1 for none.
func (ts Timers) find(id string) int {
	return slices.IndexFunc(ts, func(t Timer) bool { return t.ID == id })
}

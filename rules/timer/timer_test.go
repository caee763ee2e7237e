package timer_test

import (
	"fmt"
	"testing"

	"github.com/talewright/talewright/rules/timer"
)

func Example() {
	var timers timer.Timers
	timers = timers.Start("bomb", "Bomb", 5, false)
	timers, events := timers.Tick(3)
	fmt.Println(events, timers[0].Remaining)
	timers, events = timers.Tick(3)
	fmt.Println(events[0].Get("timerId"), len(timers))
	// Output:
	// [] 2
	// "bomb" 0
}

// A repeating timer carries what it overshot, and after a long gap fires once per tick.
func TestRepeat(t *testing.T) {
	t.Parallel()
	timers := timer.Timers{}.Start("drip", "Drip", 2, true)
	for i, want := range []float64{-3, -1, 1, 1} {
		dt := 0.0
		if i == 0 {
			dt = 7
		}
		var fired int
		before := timers
		next, events := timers.Tick(dt)
		fired = len(events)
		if left, _ := next.Remaining("drip"); left != want {
			t.Fatalf("tick %d: %v left, want %v", i, left, want)
		}
		if want := 1; i < 3 && fired != want || i == 3 && fired != 0 {
			t.Errorf("tick %d: fired %d times", i, fired)
		}
		if left, _ := before.Remaining("drip"); i == 0 && left != 2 {
			t.Error("the tick changed the list that it was given")
		}
		timers = next
	}
}

func TestUnknownIDsChangeNothing(t *testing.T) {
	t.Parallel()
	timers := timer.Timers{}.Start("a", "A", 1, false)
	for name, got := range map[string]timer.Timers{
		"pause": timers.Pause("b"), "resume": timers.Resume("b"), "cancel": timers.Cancel("b"),
	} {
		if len(got) != 1 || got[0] != timers[0] {
			t.Errorf("%s: %v", name, got)
		}
	}
	if _, ok := timers.Remaining("b"); ok {
		t.Error("a timer that was never started")
	}
}

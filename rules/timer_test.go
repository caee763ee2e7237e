package rules_test

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/talewright/talewright/rules"
)

func Example_timer() {
	var timers rules.Timers
	timers = timers.Start("bomb", "Bomb", 5, false)
	timers, events := timers.Tick(3)
	fmt.Println(events, timers[0].Remaining)
	timers, events = timers.Tick(3)
	fmt.Println(events[0].Get("timerId"), len(timers))
	// Output:
	// [] 2
	// "bomb" 0
}

// A running countdown with the same id starts again, at its place.
func ExampleTimers_Start() {
	timers := rules.Timers{}.Start("bomb", "Bomb", 5, false).Start("tea", "Tea", 3, true)
	timers = timers.Start("bomb", "Bomb", 9, false)
	for _, t := range timers {
		fmt.Println(t.ID, t.Remaining, t.Repeat)
	}
	// Output:
	// bomb 9 false
	// tea 3 true
}

func ExampleTimers_Pause() {
	timers := rules.Timers{}.Start("bomb", "Bomb", 5, false).Pause("bomb")
	timers, events := timers.Tick(100)
	fmt.Println(len(timers), len(events))
	// Output: 1 0
}

func ExampleTimers_Resume() {
	timers := rules.Timers{}.Start("bomb", "Bomb", 5, false).Pause("bomb")
	timers, events := timers.Resume("bomb").Tick(100)
	fmt.Println(len(timers), events[0].Type)
	// Output: 0 timer:fired
}

func ExampleTimers_Cancel() {
	timers := rules.Timers{}.Start("bomb", "Bomb", 5, false)
	fmt.Println(len(timers.Cancel("bomb")), len(timers)) // the list itself does not change
	// Output: 0 1
}

func ExampleTimers_Remaining() {
	timers, _ := rules.Timers{}.Start("bomb", "Bomb", 5, false).Tick(2)
	fmt.Println(timers.Remaining("bomb"))
	fmt.Println(timers.Remaining("cake"))
	// Output:
	// 3 true
	// 0 false
}

// The host advances the time. The end of a countdown is an event for the rules.
func ExampleTimers_Tick() {
	timers := rules.Timers{}.Start("drip", "Drip", 2, true)
	timers, events := timers.Tick(2.5)
	fmt.Println(events[0])
	fmt.Println(timers.Remaining("drip"))
	// Output:
	// {"type":"timer:fired","timerId":"drip","timerName":"Drip","duration":2,"repeat":true}
	// 1.5 true
}

// A repeating timer keeps the time beyond its end. After a long gap it fires once per tick.
func TestRepeat(t *testing.T) {
	t.Parallel()
	timers := rules.Timers{}.Start("drip", "Drip", 2, true)
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
	timers := rules.Timers{}.Start("a", "A", 1, false)
	for name, got := range map[string]rules.Timers{
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

// A list of timers can always be saved, with any values of a host.
func TestTimersStayNumbers(t *testing.T) {
	t.Parallel()
	var ts rules.Timers
	for i, d := range []float64{math.NaN(), math.Inf(1), math.Inf(-1), math.MaxFloat64, -1} {
		ts = ts.Start(fmt.Sprint(i), "", d, true)
	}
	for _, dt := range []float64{math.Inf(1), math.NaN(), math.Inf(-1), 1e308, 1e308} {
		ts, _ = ts.Tick(dt)
		data, err := json.Marshal(ts)
		if err != nil {
			t.Fatal(err)
		}
		var back rules.Timers
		if err := json.Unmarshal(data, &back); err != nil || !slices.Equal(ts, back) {
			t.Errorf("%v reads back as %v (%v)", ts, back, err)
		}
	}
}

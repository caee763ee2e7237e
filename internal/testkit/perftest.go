package testkit

import (
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"testing"
	"time"
)

// The perftest part holds tests to ratios of time.
//
// Machines differ and are shared, so a test compares two times taken in one run,
// takes the shortest of several, and may try again once. Such tests run where
// PERF=1 is set.

// Need skips the test unless ratios are asked for and can be measured.
func Need(t *testing.T) {
	t.Helper()
	if !Wanted() {
		t.Skip("measures time: set PERF=1, leave -short and -race out")
	}
}

// Wanted says whether ratios of time are asked for and can be measured.
func Wanted() bool { return os.Getenv("PERF") != "" && !testing.Short() && !Race }

// WithoutRace skips the test under the race detector: it measures sizes that many steps of one
// goroutine lead to, and minutes of them there find no race.
func WithoutRace(t *testing.T) {
	t.Helper()
	if Race {
		t.Skip("measures sizes after many steps of one goroutine: leave -race out")
	}
}

// Best returns the shortest of n runs: the one that no other process disturbed.
func Best(n int, f func()) time.Duration {
	least := time.Duration(1 << 62)
	for range n {
		start := time.Now()
		f()
		least = min(least, time.Since(start))
	}
	return least
}

// Contest runs two contenders by turns and returns the ratio of their medians: how much
// longer the first one takes where single runs vary. Each is told its round, from 0.
func Contest(rounds int, ours, theirs func(round int)) float64 {
	a, b := make([]time.Duration, rounds), make([]time.Duration, rounds)
	for i := range rounds {
		b[i] = Best(1, func() { theirs(i) })
		a[i] = Best(1, func() { ours(i) })
	}
	slices.Sort(a)
	slices.Sort(b)
	return Ratio(a[rounds/2], b[rounds/2])
}

// Allocs returns how often a call of f allocates once what it needs is there, rounded down.
// Under the race detector pools forget at random, so that the number says nothing there: f is
// called, and the result is 0. A collection would empty the pools too; none takes place here.
func Allocs(runs int, f func()) float64 {
	if Race {
		f()
		return 0
	}
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	return testing.AllocsPerRun(runs, f)
}

// Bytes returns how many bytes f allocates, those of other goroutines included. No collection takes
// place and one processor works: pools forget nothing, and keep nothing for another processor.
// Under the race detector the result is 0, as that of [Allocs] is.
func Bytes(f func()) uint64 {
	if Race {
		f()
		return 0
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// Ratio divides durations.
func Ratio(a, b time.Duration) float64 { return float64(a) / float64(b) }

// AtMost fails if both of two tries are above the limit.
func AtMost(t *testing.T, what string, limit float64, measure func() float64) {
	t.Helper()
	got := measure()
	if got > limit {
		t.Logf("%s: %.3g, must be at most %.3g: trying again", what, got, limit)
		got = measure()
	}
	t.Logf("%s: %.3g, must be at most %.3g", what, got, limit)
	if got > limit {
		t.Errorf("%s: %.3g, must be at most %.3g", what, got, limit)
	}
}

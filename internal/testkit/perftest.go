package testkit

import (
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"testing"
	"time"
)

// This file tests ratios of times.
//
// Machines differ and are shared. So a test compares two times from one run, uses the shortest of
// several, and may try once more. Such tests run only if PERF=1 is set.

// Need skips the test unless ratios are wanted and can be measured.
func Need(t *testing.T) {
	t.Helper()
	if !Wanted() {
		t.Skip("measures time: set PERF=1, leave -short and -race out")
	}
}

// Wanted reports whether ratios of times are wanted and can be measured.
func Wanted() bool { return os.Getenv("PERF") != "" && !testing.Short() && !Race }

// Full reports whether tests with many cases do all of them, as FULL=1 asks. Otherwise, and under the
// race detector, they do a part of them.
func Full() bool { return os.Getenv("FULL") != "" && !Race }

// Cases returns all if the tests are to do all of their cases, else few.
func Cases(all, few int) int {
	if Full() {
		return all
	}
	return few
}

// WithoutRace skips the test under the race detector. The test takes many steps of one goroutine. The
// race detector takes minutes for them and cannot find a race.
func WithoutRace(t *testing.T) {
	t.Helper()
	if Race {
		t.Skip("many steps of one goroutine: leave -race out")
	}
}

// Best returns the shortest time of n runs: the run with the least disturbance by other processes.
func Best(n int, f func()) time.Duration {
	least := time.Duration(1 << 62)
	for range n {
		start := time.Now()
		f()
		least = min(least, time.Since(start))
	}
	return least
}

// Contest runs two functions alternately and returns the ratio of their median times, ours divided
// by theirs. Use it if single runs vary. Each function gets its round, from 0.
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

// Allocs returns the average number of allocations of a call of f, rounded down, after a first
// call. Under the race detector pools drop entries at random, so the number has no meaning: f is
// called, and the result is 0. A garbage collection would empty the pools too, so none runs here.
func Allocs(runs int, f func()) float64 {
	if Race {
		f()
		return 0
	}
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	return testing.AllocsPerRun(runs, f)
}

// Bytes returns the bytes that f allocates, including bytes of other goroutines. No garbage
// collection runs and only one processor is used, so pools keep their contents, and keep none for
// other processors. Under the race detector the result is 0, as for [Allocs].
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

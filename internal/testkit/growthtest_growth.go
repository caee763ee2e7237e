package testkit

import (
	"cmp"
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"
	"time"
)

// This file tests that readers of untrusted bytes have linear cost.
//
// A reader gets texts of n, 4n and 16n bytes, made of one repeated or nested atom. From each size
// to the next, its allocation may grow at most by the factor [limit]. The same applies to its time,
// which is measured if PERF=1 is set. Linear work grows by 4, quadratic work by 16. The largest text
// is read only if PERF=1 is set.

// limit is the greatest allowed growth of the cost when the text grows by four.
const limit = 6

// Costs below these values are not compared: they consist mostly of constant parts.
const (
	leastBytes = 256 << 10
	leastTime  = 2 * time.Millisecond
)

// Atom is a piece of text that is repeated: Head, then Open n times, then Mid, then
// Close n times, then Tail.
type Atom struct{ Head, Open, Mid, Close, Tail string }

// Repeat returns an atom that only repeats a text.
func Repeat(text string) Atom { return Atom{Open: text} }

// Nest returns an atom of n opening and n closing texts.
func Nest(open, mid, close string) Atom { return Atom{Open: open, Mid: mid, Close: close} }

// Text returns the atom repeated to about size bytes.
func (a Atom) Text(size int) string {
	n := max(1, size/max(1, len(a.Open)+len(a.Close)))
	return a.Head + strings.Repeat(a.Open, n) + a.Mid + strings.Repeat(a.Close, n) + a.Tail
}

func (a Atom) String() string {
	text := a.Head + a.Open + "…" + a.Mid
	if a.Close != "" {
		text += a.Close + "…"
	}
	return fmt.Sprintf("%.60q", text+a.Tail)
}

// Reader is a function that reads untrusted bytes.
type Reader struct {
	Name  string
	Read  func(text string)
	Atoms []Atom
	// Size is n, the number of bytes of the smallest text; 0 means 8 KiB.
	Size int
}

// Growth passes every atom to every reader and fails if a cost grows faster than the limit. It logs
// a line for each reader: its worst atom and the factor. The test is skipped under the race detector.
func Growth(t *testing.T, readers ...Reader) {
	t.Helper()
	WithoutRace(t)
	for _, r := range readers {
		t.Run(r.Name, func(t *testing.T) {
			worst, at := 0.0, ""
			for _, atom := range r.Atoms {
				f, what := r.grow(atom)
				if f > worst {
					worst, at = f, fmt.Sprintf("%s of %s", what, atom)
				}
				if f > limit {
					t.Errorf("%s: %s grows by %.1f when the text grows by 4, want at most %d", atom, what, f, limit)
				}
			}
			at = cmp.Or(at, "every atom costs too little to compare")
			t.Logf("growth: %s: %.1f (%s)", r.Name, worst, at)
		})
	}
}

// grow returns the worst factor of one atom and the name of its cost.
func (r Reader) grow(atom Atom) (worst float64, what string) {
	size := cmp.Or(r.Size, 8<<10)
	timed := Wanted()
	texts := make([]string, 2, 3)
	if timed {
		texts = texts[:3]
	}
	for i := range texts {
		texts[i] = atom.Text(size << (2 * i))
	}
	r.Read(texts[0]) // a first run, so that one-time work is not measured
	for i := range len(texts) - 1 {
		small, large := func() { r.Read(texts[i]) }, func() { r.Read(texts[i+1]) }
		f := memory(small, large)
		if f > limit {
			f = least(func() float64 { return coldMemory(small, large) })
		}
		if f > worst {
			worst, what = f, "allocation"
		}
		if !timed {
			continue
		}
		if f := least(func() float64 { return duration(small, large) }); f > worst {
			worst, what = f, "time"
		}
	}
	return worst, what
}

// least repeats a measurement that is above the limit: other goroutines and processes can only make
// the result larger.
func least(factor func() float64) float64 {
	f := factor()
	for range 3 {
		if f <= limit {
			break
		}
		f = min(f, factor())
	}
	return f
}

// memory returns the factor of the allocations of two runs, 0 if they are too small.
func memory(small, large func()) float64 {
	bytes := allocated(large)
	if bytes < leastBytes {
		return 0
	}
	return float64(bytes) / float64(max(allocated(small), leastBytes/4))
}

// coldMemory is memory without the contents of pools: a garbage collection between two runs empties
// the pools for one of them.
func coldMemory(small, large func()) float64 {
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	cold := func(f func()) func() {
		return func() {
			for range 2 { // the first collection only moves a pool's contents to its victim cache
				runtime.GC()
			}
			f()
		}
	}
	return memory(cold(small), cold(large))
}

// duration returns the factor of the times of two runs, 0 if they are too short.
func duration(small, large func()) float64 {
	runtime.GC()
	defer debug.SetGCPercent(debug.SetGCPercent(-1)) // collections are a cost of the heap
	long := Best(3, large)
	if long < leastTime {
		return 0
	}
	return Ratio(long, max(Best(5, small), leastTime/4))
}

// allocated returns the bytes that f allocates, including bytes of other goroutines.
func allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

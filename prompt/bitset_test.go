package prompt

import (
	"math/rand/v2"
	"testing"
)

// TestBitset compares the neighbours with the result of a slow search.
func TestBitset(t *testing.T) {
	t.Parallel()
	const size = 300
	r := rand.New(rand.NewPCG(1, 2))
	set := newBitset(size)
	member := make([]bool, size)
	slow := func(i, step int) int {
		for i += step; i >= 0 && i < size; i += step {
			if member[i] {
				return i
			}
		}
		return -1
	}
	for range 60 {
		for i := range size {
			if got, want := set.before(i), slow(i, -1); got != want {
				t.Fatalf("before(%d) = %d, want %d", i, got, want)
			}
			if got, want := set.after(i), slow(i, 1); got != want {
				t.Fatalf("after(%d) = %d, want %d", i, got, want)
			}
		}
		i := r.IntN(size)
		set.add(i)
		member[i] = true
	}
}

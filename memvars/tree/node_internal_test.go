package tree

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestObjectAgainstList changes objects at random and compares them with a list of their keys,
// which is searched from the front.
func TestObjectAgainstList(t *testing.T) {
	for seed := range uint64(60) {
		r := rand.New(rand.NewPCG(seed, 1))
		o, want := &object{}, []string{}
		for step := range 400 {
			key := fmt.Sprint("k", r.IntN(150))
			free := !slices.Contains(want, key)
			at := 0
			if len(want) > 0 && r.IntN(2) == 0 {
				at = r.IntN(len(want))
			}
			switch n := r.IntN(40); {
			case n == 0:
				o = o.owned(new(owner))
			case n < 20 && free:
				o.put(key, Null)
				want = append(want, key)
			case n < 32 && len(want) > 0 && step > 150:
				o.remove(at)
				want = slices.Delete(want, at, at+1)
			case len(want) > 0 && n < 36 && free:
				o.rename(at, key)
				want[at] = key
			case len(want) > 0: // removed and inserted again, with a change in between
				back, other := want[at], fmt.Sprint("x", step)
				o.remove(at)
				o.put(other, Null)
				if n%2 == 0 {
					o.put(back, Null)
					o.remove(len(o.keys) - 1)
				}
				o.remove(o.find(other))
				o.insert(at, back, Null)
			}
			for i := range 150 {
				key := fmt.Sprint("k", i)
				if got := o.find(key); got != slices.Index(want, key) {
					t.Fatalf("seed %d, step %d: %s is at %d, want %d", seed, step, key, got, slices.Index(want, key))
				}
			}
			if !slices.Equal(o.keys, want) || len(o.vals) != len(want) {
				t.Fatalf("seed %d, step %d: %v, want %v", seed, step, o.keys, want)
			}
		}
	}
}

package worldbook

import (
	"fmt"
	"testing"
)

// TestPlaces: a few keys are found by a linear search, and many by a table. After a reset no key is
// left.
func TestPlaces(t *testing.T) {
	t.Parallel()
	var p places[string]
	for range 2 {
		for i := range 3 * maxLinear {
			if at := p.Find(fmt.Sprint(i)); at != -1 {
				t.Fatalf("%d is at %d before it was added", i, at)
			}
			p.Add(fmt.Sprint(i))
			for k := range i + 1 {
				if at := p.Find(fmt.Sprint(k)); at != k {
					t.Fatalf("of %d keys, %d is at %d", i+1, k, at)
				}
			}
		}
		p.Reset()
	}
}

// TestMemoIsBounded: a value is computed once, and again after the memo was full.
func TestMemoIsBounded(t *testing.T) {
	t.Parallel()
	var m memo[int]
	made := 0
	get := func(key string) int { return m.Get(key, func() int { made++; return made }) }
	if first, again := get("a"), get("a"); first != 1 || again != 1 {
		t.Errorf("%d values were made for one key", made)
	}
	for i := range maxMemoSize {
		get(fmt.Sprint(i))
	}
	if len(m.values) > maxMemoSize || get("a") == 1 {
		t.Errorf("the memo holds %d values", len(m.values))
	}
}

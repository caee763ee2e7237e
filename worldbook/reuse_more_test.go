package worldbook

import (
	"fmt"
	"testing"
)

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

package play

import (
	"maps"
	"testing"
)

// TestCountsOf: all rolls of a turn are used, so that its continuation makes new ones.
func TestCountsOf(t *testing.T) {
	t.Parallel()
	if got := countsOf(map[string][]int{"a": {4, 2}, "b": nil}); !maps.Equal(got, map[string]int{"a": 2, "b": 0}) {
		t.Errorf("%v", got)
	}
}

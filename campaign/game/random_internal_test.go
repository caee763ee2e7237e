package game

import "testing"

// TestRandomIsAFunction: the built-in source returns the n-th number without a state, and the
// numbers are evenly distributed.
func TestRandomIsAFunction(t *testing.T) {
	t.Parallel()
	faces := map[int]int{}
	for n := range uint64(20000) {
		x := Random(7, n)
		if x != Random(7, n) || x < 0 || x >= 1 {
			t.Fatalf("number %d is %v", n, x)
		}
		faces[1+int(x*20)]++
	}
	for face := 1; face <= 20; face++ {
		if n := faces[face]; n < 800 || n > 1200 {
			t.Errorf("face %d came %d times of 20000", face, n)
		}
	}
	if Random(7, 0) == Random(8, 0) {
		t.Error("two seeds begin alike")
	}
}

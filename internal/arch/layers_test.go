package arch

import (
	"math"
	"slices"
	"testing"
)

// layers.txt lists the packages in which more than a few uses between files go upwards.
var layersList = ratchet{file: "testdata/layers.txt", counts: []string{"up"}, most: []int{8}}

// TestUsesRunDown: the files of a package form layers, and each file uses lower ones. In the best
// order, at most a few uses go upwards, or as many as testdata/layers.txt allows.
func TestUsesRunDown(t *testing.T) {
	t.Parallel()
	layersList.hold(t, usesUp(t))
	if !t.Failed() {
		return
	}
	for _, h := range halls(t) {
		if list := up(len(h.names), h.uses()); len(list) > layersList.most[0] {
			for _, u := range list {
				t.Log(h.write(u))
			}
		}
	}
}

// usesUp counts the upward uses in each package.
func usesUp(t *testing.T) map[string][]int {
	t.Helper()
	out := map[string][]int{}
	for _, h := range halls(t) {
		out[h.pkg] = []int{len(up(len(h.names), h.layered()))}
	}
	return out
}

// layered returns the uses that have a direction. A table of all things of a kind is in no layer,
// because it must use each of them.
func (h hall) layered() []use {
	k := kinds[h.pkg]
	return slices.DeleteFunc(h.uses(), func(u use) bool {
		return h.names[u.from] == k.table && k.holds(h.trees[u.to], h.names[u.to])
	})
}

// up returns the upward uses in an order of n files that has few of them.
func up(n int, uses []use) []use {
	using := make([][]int, n) // 1 if a file uses the other
	for i := range using {
		using[i] = make([]int, n)
	}
	for _, u := range uses {
		using[u.from][u.to] = 1
	}
	order := peel(using)
	for moved := true; moved; {
		moved = false
		for file := range n {
			moved = sift(order, file, using) || moved
		}
	}
	return slices.DeleteFunc(slices.Clone(uses), func(u use) bool {
		return slices.Index(order, u.from) > slices.Index(order, u.to)
	})
}

// peel orders files, lowest first. It repeats two steps. Files that use no remaining file go
// lowest. Files that no remaining file uses go highest. If there is neither, the file with the most
// users compared to its own uses goes lowest (Eades, Lin and Smyth, 1993).
func peel(using [][]int) []int {
	rest := make([]int, len(using))
	for i := range rest {
		rest[i] = i
	}
	var low, high []int
	for len(rest) > 0 {
		next, best := 0, math.MinInt
		top := false
		for at, file := range rest {
			out, in := 0, 0
			for _, other := range rest {
				out += using[file][other]
				in += using[other][file]
			}
			switch {
			case out == 0:
				next, best, top = at, math.MaxInt, false
			case in == 0 && best < math.MaxInt:
				next, best, top = at, math.MaxInt-1, true
			case in-out > best:
				next, best, top = at, in-out, false
			}
		}
		if top {
			high = append(high, rest[next])
		} else {
			low = append(low, rest[next])
		}
		rest = slices.Delete(rest, next, next+1)
	}
	slices.Reverse(high)
	return append(low, high...)
}

// sift moves one file to the position with the fewest upward uses, and reports whether its position
// changed.
func sift(order []int, file int, using [][]int) bool {
	at := slices.Index(order, file)
	to, best := at, 0
	for i, more := at-1, 0; i >= 0; i-- { // move it below order[i]
		more += using[file][order[i]] - using[order[i]][file]
		if more < best {
			to, best = i, more
		}
	}
	for i, more := at+1, 0; i < len(order); i++ { // move it above order[i]
		more += using[order[i]][file] - using[file][order[i]]
		if more < best {
			to, best = i, more
		}
	}
	copy(order, slices.Insert(slices.Delete(slices.Clone(order), at, at+1), to, file))
	return to != at
}

// TestUpFindsTheFewest tests small graphs whose smallest number of upward uses is known.
func TestUpFindsTheFewest(t *testing.T) {
	t.Parallel()
	tests := []struct {
		reason string
		files  int
		uses   [][2]int
		want   int
	}{
		{"a chain, whatever the order of its files", 4, [][2]int{{0, 3}, {3, 1}, {1, 2}}, 0},
		{"two that use each other", 2, [][2]int{{0, 1}, {1, 0}}, 1},
		{"a ring is cut once", 5, [][2]int{{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 0}}, 1},
		{"the ground uses one of many that use it", 5, [][2]int{{1, 0}, {2, 0}, {3, 0}, {4, 0}, {0, 3}}, 1},
		{"two rings that share a use are cut there", 4, [][2]int{{0, 1}, {1, 2}, {2, 0}, {1, 3}, {3, 0}}, 1},
		{"each uses each", 4, [][2]int{{0, 1}, {0, 2}, {0, 3}, {1, 0}, {1, 2}, {1, 3}, {2, 0}, {2, 1}, {2, 3}, {3, 0}, {3, 1}, {3, 2}}, 6},
	}
	for _, tt := range tests {
		var uses []use
		for _, u := range tt.uses {
			uses = append(uses, use{from: u[0], to: u[1]})
		}
		if got := up(tt.files, uses); len(got) != tt.want {
			t.Errorf("%s: %v run up, not %d", tt.reason, got, tt.want)
		}
	}
}

package rules

import "github.com/talewright/talewright/memvars/tree"

// placeTree finds the variables at a path, around it and within it. Create it with [newTree].
type placeTree struct {
	at    int32 // variable, -1 for none
	below map[string]*placeTree
	order []string // of below, as declared
}

// newTree returns a tree without variables.
func newTree() *placeTree { return &placeTree{at: -1} }

// Begins reports whether the path of a variable begins with a key.
func (t *placeTree) Begins(key string) bool { return t.below[key] != nil }

// Place adds a variable. If its place overlaps the place of a different variable, it returns that
// variable.
func (t *placeTree) Place(path tree.Path, v int32) (other int32, free bool) {
	for _, seg := range path {
		if t.at >= 0 {
			return t.at, false
		}
		next := t.below[seg]
		if next == nil {
			if t.below == nil {
				t.below = make(map[string]*placeTree)
			}
			next = &placeTree{at: -1}
			t.below[seg] = next
			t.order = append(t.order, seg)
		}
		t = next
	}
	if t.at >= 0 {
		return t.at, false
	}
	for i := range t.within() {
		return i, false
	}
	t.at = v
	return v, true
}

// within yields the variables at a node and below it.
func (t *placeTree) within() func(yield func(int32) bool) {
	return func(yield func(int32) bool) { t.walk(yield) }
}

// walk is within for one function. It returns false if yield did.
func (t *placeTree) walk(yield func(int32) bool) bool {
	if t.at >= 0 && !yield(t.at) {
		return false
	}
	for _, seg := range t.order {
		if !t.below[seg].walk(yield) {
			return false
		}
	}
	return true
}

// Near yields the variables around a stored path, at it and below it. It skips steps into leaves,
// which no place has.
func (t *placeTree) Near(path tree.Path, yield func(int32) bool) {
	for _, seg := range path {
		if t.at >= 0 {
			yield(t.at) // no variable lies within a different one
			return
		}
		next := t.below[seg]
		switch {
		case next != nil:
			t = next
		case seg != "0":
			return
		}
	}
	t.walk(yield)
}

package place

import "github.com/talewright/talewright/memvars/tree"

// Tree finds the variables at a path, around it and within it. Make one with [NewTree].
type Tree struct {
	at    int32 // variable, -1 for none
	below map[string]*Tree
	order []string // of below, as declared
}

// NewTree returns a tree without variables.
func NewTree() *Tree { return &Tree{at: -1} }

// Begins reports whether the path of a variable begins with a key.
func (t *Tree) Begins(key string) bool { return t.below[key] != nil }

// Place enters a variable, unless its place overlaps another's: then it returns that one.
func (t *Tree) Place(path tree.Path, v int32) (other int32, free bool) {
	for _, seg := range path {
		if t.at >= 0 {
			return t.at, false
		}
		next := t.below[seg]
		if next == nil {
			if t.below == nil {
				t.below = make(map[string]*Tree)
			}
			next = &Tree{at: -1}
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
func (t *Tree) within() func(yield func(int32) bool) {
	return func(yield func(int32) bool) { t.walk(yield) }
}

func (t *Tree) walk(yield func(int32) bool) bool {
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

// Near yields the variables around a stored path, at it and below it. A step into a leaf,
// which no place has, is passed over.
func (t *Tree) Near(path tree.Path, yield func(int32) bool) {
	for _, seg := range path {
		if t.at >= 0 {
			yield(t.at) // nothing lies within a variable
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

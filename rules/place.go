package rules

import (
	"slices"
	"strconv"

	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules/effect"
)

// A declared variable is a view on one place of the document. Mostly that is its id at the
// root; elsewhere it shares its value with whoever reads and writes there in another language.
// No two variables share a place, nor does one lie within another: each value has one
// declaration that answers for it.

// placeTree finds the variables at a path, around it and within it.
type placeTree struct {
	at    int32 // variable, -1 for none
	below map[string]*placeTree
	order []string // of below, as declared
}

// place enters a variable, unless its place overlaps another's: then it returns that one.
func (t *placeTree) place(path tree.Path, v int32) (other int32, free bool) {
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

// near yields the variables around a stored path, at it and below it. A step into a leaf,
// which no place has, is passed over.
func (t *placeTree) near(path tree.Path, yield func(int32) bool) {
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

// places finds where the variables live.
func (c *compiler) places(s *schema, at []int) {
	s.places.at = -1
	for i := range s.vars { // ids first: they are what everybody names
		if v := &s.vars[i]; v.Path == "" {
			s.places.place(v.path, int32(i))
		}
	}
	for i := range s.vars {
		v := &s.vars[i]
		if v.Path == "" {
			continue
		}
		where := "variables[" + strconv.Itoa(at[i]) + "].path"
		path, err := tree.ParsePath(v.Path)
		if err != nil {
			c.problems.Add(where, v.ID, Unreadable,
				err.Error()+"; the variable lives under its id; write a path such as stat_data.hp")
			s.places.place(v.path, int32(i))
			continue
		}
		if other, free := s.places.place(path, int32(i)); !free {
			c.problems.Add(where, v.ID, Unreadable, "overlaps the place of "+
				strconv.Quote(s.vars[other].ID)+"; the variable lives under its id; choose another path")
			s.places.place(v.path, int32(i))
			continue
		}
		if slices.Equal(path, v.path) {
			continue
		}
		v.path, v.remote = path, true
		if s.idAt == nil {
			s.idAt = make(map[string]string)
		}
		s.idAt[path.String()] = v.ID
	}
}

// elsewhere returns the place that a text means and the variable's own, if that lives
// elsewhere than under its id; nil otherwise.
func (s *schema) elsewhere(text string, path tree.Path) (whole, place tree.Path) {
	if s == nil || s.idAt == nil {
		return nil, nil
	}
	v, ok := s.withID(text)
	if !ok {
		v, ok = s.withID(s.idAt[path.String()])
	}
	if ok {
		if v.remote {
			return v.path, v.path
		}
		return nil, nil
	}
	if path != nil {
		if v, ok := s.withID(path[0]); ok && v.remote {
			return v.path, append(slices.Clip(v.path), path[1:]...)
		}
	}
	return nil, nil
}

// through follows a place from the root, leaves seen through, and returns the value and the
// path at which it is stored, or would be.
func (s *Program) through(root tree.Value, place tree.Path) (tree.Value, tree.Path) {
	slot := make(tree.Path, 0, len(place)+2)
	v := root
	for _, seg := range place {
		if len(slot) > 0 && seg != "0" && seg != "1" && s.leafAt(slot, v) {
			slot, v = append(slot, "0"), v.At(0)
		}
		slot, v = append(slot, seg), child(v, tree.Path{seg})
	}
	if s.leafAt(place, v) {
		slot, v = append(slot, "0"), v.At(0)
	}
	return v, slot
}

// stored returns the value of a variable as the document has it, absent if it has none, and
// the path at which it is stored.
func (w *writer) stored(v *variable) (tree.Value, tree.Path) {
	value := w.edit.Lookup(v.path)
	if !v.remote || value.Exists() && !value.IsPair() {
		return value, v.path
	}
	return w.set.through(w.edit.Lookup(nil), v.path)
}

// held returns the present value of a variable, or its default.
func (w *writer) held(v *variable) tree.Value {
	if value, _ := w.stored(v); value.Exists() {
		return value
	}
	return v.fallback
}

// slot returns where a variable is stored, and whether it is there.
func (w *writer) slot(v *variable) (tree.Path, bool) {
	value, slot := w.stored(v)
	return slot, value.Exists()
}

// hold writes the value of a variable. What is missing on the way to it is created; a text or
// number in the way is a refusal.
func (w *writer) hold(v *variable, value tree.Value) effect.Why {
	if v.remote {
		slot, has := w.slot(v)
		if !has {
			return w.writePath(effect.Set, slot, value)
		}
		return w.put(slot, value)
	}
	return w.put(v.path, value)
}

// In a document without a schema a leaf, the pair of a value and its description, stands
// for its value: paths lead through it, and a write leaves the description alone.

// The form alone is not enough to know one: a list of two names looks the same. Which branches
// of a document hold leaves is the host's to say; by default it is the common rule, that of
// tree.IsLeaf.

// isLeaf reports whether the value at a path is a leaf.
func (s *Program) isLeaf(path tree.Path, v tree.Value) bool {
	return !s.variables().declared() && s.leafAt(path, v)
}

// leafAt is isLeaf for a document with a schema too: there it is asked on the way to
// variables that live below the root.
func (s *Program) leafAt(path tree.Path, v tree.Value) bool {
	switch {
	case !v.IsPair():
		return false
	case s != nil && s.leaf != nil:
		return s.leaf(path, v)
	}
	return tree.IsLeaf(path, v)
}

// walk follows a path from the node v, which stands behind its first n segments. Beyond
// a leaf that holds a structure it goes on as if the pair were not there; the elements
// of the pair can be named too.
func (s *Program) walk(v tree.Value, path tree.Path, n int) tree.Value {
	for ; n < len(path); n++ {
		if seg := path[n]; n > 0 && seg != "0" && seg != "1" && s.isLeaf(path[:n], v) {
			v = v.At(0)
		}
		if v = child(v, path[n:n+1]); !v.Exists() {
			return v
		}
	}
	if s.isLeaf(path, v) {
		return v.At(0)
	}
	return v
}

// child goes one level down.
func child(v tree.Value, seg tree.Path) tree.Value {
	if v.IsObject() {
		return v.Get(seg[0])
	}
	return v.Lookup(seg)
}

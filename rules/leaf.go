package rules

import "github.com/talewright/talewright/memvars/tree"

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

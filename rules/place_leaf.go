package rules

import (
	"slices"

	"github.com/talewright/talewright/memvars/tree"
)

// The place part finds and writes the places of a document: the nodes of one without a schema, the
// leaves on the way to them, and the places of declared variables.

// In a document without a schema a leaf, the pair of a value and its description, stands
// for its value: paths lead through it, and a write leaves the description alone.

// The form alone is not enough to know one: a list of two names looks the same. Which branches
// of a document hold leaves is the host's to say; by default it is the common rule, that of
// tree.IsLeaf.

// leaves knows the leaves of a document. The zero value is that of one without a schema.
type leaves struct {
	// Is is the host's answer about a pair whose second element is a text; nil: [tree.IsLeaf].
	Is func(path tree.Path, v tree.Value) bool
	// Declared says that there is a schema: paths do not lead through leaves then, but on the way to
	// variables that live below the root.
	Declared bool
	// Lists are the places of declared variables that hold lists. Two texts there are a list; a
	// list with a description is a leaf.
	Lists []tree.Path
}

// Leaf reports whether the value at a path is a leaf.
func (l *leaves) Leaf(path tree.Path, v tree.Value) bool {
	return !l.Declared && l.at(path, v)
}

// at is Leaf for a document with a schema too: there it is asked on the way to
// variables that live below the root.
func (l *leaves) at(path tree.Path, v tree.Value) bool {
	switch {
	case !v.IsPair(), !v.At(0).IsArray() && slices.ContainsFunc(l.Lists, func(p tree.Path) bool { return slices.Equal(p, path) }):
		return false
	case l.Is != nil:
		return l.Is(path, v)
	}
	return tree.IsLeaf(path, v)
}

// Walk follows a path from the node v, which stands behind its first n segments. Beyond
// a leaf that holds a structure it goes on as if the pair were not there; the elements
// of the pair can be named too.
func (l *leaves) Walk(v tree.Value, path tree.Path, n int) tree.Value {
	for ; n < len(path); n++ {
		if seg := path[n]; n > 0 && seg != "0" && seg != "1" && l.Leaf(path[:n], v) {
			v = v.At(0)
		}
		if v = child(v, path[n:n+1]); !v.Exists() {
			return v
		}
	}
	if l.Leaf(path, v) {
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

// Through follows a place from the root, leaves seen through, and returns the value and the
// path at which it is stored, or would be.
func (l *leaves) Through(root tree.Value, place tree.Path) (tree.Value, tree.Path) {
	slot := make(tree.Path, 0, len(place)+2)
	v := root
	for _, seg := range place {
		if len(slot) > 0 && seg != "0" && seg != "1" && l.at(slot, v) {
			slot, v = append(slot, "0"), v.At(0)
		}
		slot, v = append(slot, seg), child(v, tree.Path{seg})
	}
	if l.at(place, v) {
		slot, v = append(slot, "0"), v.At(0)
	}
	return v, slot
}

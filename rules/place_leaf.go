package rules

import (
	"slices"

	"github.com/talewright/talewright/memvars/tree"
)

// The place files find and write the places of a document. Places are the nodes of a document
// without a schema, the leaves on the path to them, and the places of declared variables.

// A leaf is a pair of a value and its description. In a document without a schema it represents its
// value: paths lead through it, and a write does not change the description.

// The form alone cannot identify a leaf: a list of two names looks the same. The host decides which
// branches of a document contain leaves. The default rule is tree.IsLeaf.

// leaves identifies the leaves of a document. The zero value is for a document without a schema.
type leaves struct {
	// Is is the host's decision about a pair whose second element is a text; nil means
	// [tree.IsLeaf].
	Is func(path tree.Path, v tree.Value) bool
	// Declared says that there is a schema. Then paths lead through leaves only above variables
	// that are below the root.
	Declared bool
	// Lists are the places of declared variables that contain lists. Two texts there are a list; a
	// list with a description is a leaf.
	Lists []tree.Path
}

// Leaf reports whether the value at a path is a leaf.
func (l *leaves) Leaf(path tree.Path, v tree.Value) bool {
	return !l.Declared && l.isPair(path, v)
}

// isPair is Leaf without the check for a schema. With a schema it is used above variables that are
// below the root.
func (l *leaves) isPair(path tree.Path, v tree.Value) bool {
	switch {
	case !v.IsPair(), !v.At(0).IsArray() && slices.ContainsFunc(l.Lists, func(p tree.Path) bool { return slices.Equal(p, path) }):
		return false
	case l.Is != nil:
		return l.Is(path, v)
	}
	return tree.IsLeaf(path, v)
}

// Walk follows a path from the node v, which is at its first n segments. After a leaf that contains
// a structure it continues as if the pair did not exist. The elements of the pair can also be
// named.
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

// child returns the node one level down.
func child(v tree.Value, seg tree.Path) tree.Value {
	if v.IsObject() {
		return v.Get(seg[0])
	}
	return v.Lookup(seg)
}

// Through follows a place from the root, through leaves. It returns the value and the path at which
// it is, or would be, stored.
func (l *leaves) Through(root tree.Value, place tree.Path) (tree.Value, tree.Path) {
	slot := make(tree.Path, 0, len(place)+2)
	v := root
	for _, seg := range place {
		if len(slot) > 0 && seg != "0" && seg != "1" && l.isPair(slot, v) {
			slot, v = append(slot, "0"), v.At(0)
		}
		slot, v = append(slot, seg), child(v, tree.Path{seg})
	}
	if l.isPair(place, v) {
		slot, v = append(slot, "0"), v.At(0)
	}
	return v, slot
}

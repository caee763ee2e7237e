package memvars

import (
	"strconv"

	"github.com/talewright/talewright/memvars/tree"
)

// This file reads the members of a node that are about the node itself: whether it is protected and
// whether it is shown.

// protected reports whether a node has the flag that protects it.
func protected(v tree.Value) bool {
	return v.IsObject() && truthy(v.Get("_is_protected"))
}

// metaHidden reports whether a node has the flag that hides it from prompts.
func metaHidden(v tree.Value) bool { return v.IsObject() && falsy(v.Get("_showInEJS")) }

// segmentAt returns the segment of a path that leads from v to its i-th child.
func segmentAt(v tree.Value, i int) string {
	if v.IsArray() {
		return strconv.Itoa(i)
	}
	return v.KeyAt(i)
}

// guards reports whether v is protected or has protected nodes: at any depth if deep is true, else
// only among its children.
func guards(v tree.Value, deep bool) bool {
	if protected(v) {
		return true
	}
	for i := range v.Len() {
		child := v.At(i)
		if protected(child) || deep && guards(child, true) {
			return true
		}
	}
	return false
}

// content returns the value of a setting or flag, which may be a pair of the value and its
// description, [30, "threshold"].
func content(v tree.Value) tree.Value {
	if v.IsPair() {
		return v.At(0)
	}
	return v
}

// truthy reports whether a flag is set: true, or the text true in any case, also with a
// description.
func truthy(v tree.Value) bool {
	v = content(v)
	if b, ok := v.AsBool(); ok {
		return b
	}
	s, _ := v.AsText()
	return equalFoldASCII(s, "true")
}

// falsy reports whether a flag is false: false, or the text, also with a description. It is used
// for the flag that hides a node.
func falsy(v tree.Value) bool {
	v = content(v)
	if b, ok := v.AsBool(); ok {
		return !b
	}
	s, _ := v.AsText()
	return equalFoldASCII(s, "false")
}

// equalFoldASCII compares with a text in lower case.
func equalFoldASCII(s, lower string) bool {
	if len(s) != len(lower) {
		return false
	}
	for i := range len(s) {
		c := s[i]
		if c >= 'A' && c <= 'Z' {
			c += 'a' - 'A'
		}
		if c != lower[i] {
			return false
		}
	}
	return true
}

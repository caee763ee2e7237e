// Package meta reads the members of a document that are about what they stand in: whether it is
// protected, and whether it is shown.
package meta

import "github.com/talewright/talewright/memvars/tree"

// Protected reports whether a node carries the flag that guards it.
func Protected(v tree.Value) bool {
	return v.IsObject() && Truthy(v.Get("_is_protected"))
}

// Hidden reports whether a node carries the flag that hides it from prompts.
func Hidden(v tree.Value) bool { return v.IsObject() && falsy(v.Get("_showInEJS")) }

// Guards reports whether v is protected or holds protected nodes: at any depth, or among its
// children alone.
func Guards(v tree.Value, deep bool) bool {
	if Protected(v) {
		return true
	}
	for i := range v.Len() {
		child := v.At(i)
		if Protected(child) || deep && Guards(child, true) {
			return true
		}
	}
	return false
}

// Content returns the value of a setting or flag that may be written as a pair of the value and its
// description, [30, "threshold"].
func Content(v tree.Value) tree.Value {
	if v.IsPair() {
		return v.At(0)
	}
	return v
}

// Truthy is how flags are read: true, or the text true in any case, also with a description.
func Truthy(v tree.Value) bool {
	v = Content(v)
	if b, ok := v.AsBool(); ok {
		return b
	}
	s, _ := v.AsText()
	return equalFoldASCII(s, "true")
}

// falsy is how the flag that hides a node is read: false, or the text, also with a description.
func falsy(v tree.Value) bool {
	v = Content(v)
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

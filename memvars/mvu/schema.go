package mvu

import (
	"maps"
	"slices"
	"strconv"

	"github.com/talewright/talewright/memvars/tree"
)

// Markers that authors put into initial data.
const (
	metaKey      = "$meta"
	arrayMetaKey = "$arrayMeta"
	listMarker   = "$__META_EXTENSIBLE__$"
)

// node is the schema of a place, as far as it does not follow from the data. Nodes are sparse, so
// that a large document with one marker costs one node. They are immutable once they belong to
// Variables.
type node struct {
	extensible bool // members or elements may be added and removed
	recursive  bool // the same in everything below
	sealed     bool // extensible was set to false
	template   tree.Value
	required   []string // sorted; these members may not be removed
	members    map[string]*node
	element    *node // of a list

	owner *batch // the batch that may still change it; nil: none

	// At the root only.
	strictTemplate, strictSet, mergeTemplates bool
}

// empty reports whether the node has no information and can be dropped.
func (n *node) empty() bool {
	return n == nil || !n.extensible && !n.recursive && !n.sealed && !n.template.Exists() &&
		len(n.required) == 0 && len(n.members) == 0 && n.element == nil &&
		!n.strictTemplate && !n.strictSet && !n.mergeTemplates
}

// clone copies a node and the tables of its children, but not the children.
func (n *node) clone() *node {
	if n == nil {
		return &node{}
	}
	c := *n
	c.members = maps.Clone(n.members)
	c.required = slices.Clone(n.required)
	return &c
}

// batch marks the nodes that one batch created.
type batch struct{ _ byte }

// owned returns the node itself if the batch created it, else a copy that the batch owns.
func (n *node) owned(by *batch) *node {
	if n != nil && n.owner == by {
		return n
	}
	c := n.clone()
	c.owner = by
	return c
}

// extract removes the markers from a value and returns the schema that they describe.
//
// Every value may have markers, also a value that is inserted during play.
func extract(v tree.Value) (tree.Value, *node) {
	n := &node{}
	switch {
	case v.IsObject():
		v = n.cleanObject(v)
	case v.IsArray():
		v = n.cleanList(v)
	}
	if n.empty() {
		n = nil
	}
	return v, n
}

// cleanObject removes the markers from an object and everything in it.
func (n *node) cleanObject(v tree.Value) tree.Value {
	return v.Map(func(i int, child tree.Value) tree.Value {
		key := v.KeyAt(i)
		if key == metaKey {
			n.readMeta(child)
			return tree.Value{}
		}
		clean, sub := extract(child)
		if sub != nil {
			n.setMember(key, sub)
		}
		return clean
	})
}

// cleanList removes the markers from a list: the text at its beginning, and the element with its
// $meta. The rules of the first element apply to all.
func (n *node) cleanList(v tree.Value) tree.Value {
	first := true
	return v.Map(func(_ int, child tree.Value) tree.Value {
		if text, ok := child.AsText(); ok && text == listMarker {
			n.extensible = true
			return tree.Value{}
		}
		if truth, ok := child.Get(arrayMetaKey).AsBool(); ok && truth {
			n.readMeta(child.Get(metaKey))
			return tree.Value{}
		}
		clean, sub := extract(child)
		if first && sub != nil {
			n.element = sub
		}
		first = false
		return clean
	})
}

// readMeta reads the members of a $meta object, or of a schema with the same members.
func (n *node) readMeta(meta tree.Value) {
	flag := func(name string) bool { b, _ := meta.Get(name).AsBool(); return b }
	if b, ok := meta.Get("extensible").AsBool(); ok {
		n.extensible, n.sealed = b, !b
	}
	if flag("recursiveExtensible") {
		n.recursive = true
		if !n.sealed {
			n.extensible = true
		}
	}
	if t := meta.Get("template"); t.Exists() {
		n.template = t
	}
	for _, key := range meta.Get("required").Elements() {
		if text, ok := key.AsText(); ok {
			n.required = append(n.required, text)
		}
	}
	slices.Sort(n.required)
	n.strictTemplate = n.strictTemplate || flag("strictTemplate")
	n.strictSet = n.strictSet || flag("strictSet")
	if b, ok := meta.Get("concatTemplateArray").AsBool(); ok {
		n.mergeTemplates = !b
	}
}

// child returns the node of a member, or of the elements of a list. kind is the kind of the value that n
// describes. The result is nil if there is no such node.
func (n *node) child(kind tree.Kind, key string) *node {
	switch {
	case n == nil:
		return nil
	case kind == tree.KindArray:
		return n.element
	}
	return n.members[key]
}

// setMember adds a node below this one.
func (n *node) setMember(key string, sub *node) {
	if n.members == nil {
		n.members = map[string]*node{}
	}
	n.members[key] = sub
}

// rights are the changes that the schema allows at a place.
type rights struct {
	node      *node // may be nil
	open      bool  // elements or members may be added and removed
	own       bool  // open by a marker of its own, and not by its parent
	recursive bool  // open is true for all descendants too
}

// at follows path and returns the rights there. kind returns the kind at a path. In default mode an
// explicit extensible: false ends the rights that a parent gave to its descendants.
func (n *node) at(kind func(tree.Path) tree.Kind, path tree.Path, compat bool) rights {
	r := n.rights(false, compat)
	for i, seg := range path {
		var sub *node
		if r.node != nil {
			sub = r.node.child(kind(path[:i]), seg)
		}
		r = sub.rights(r.recursive, compat)
	}
	return r
}

// rights returns the rights of a node, given the rights from its parent.
func (n *node) rights(inherited, compat bool) rights {
	r := rights{node: n, open: inherited, recursive: inherited}
	if n == nil {
		return r
	}
	if n.sealed && !compat {
		r.open, r.recursive = false, false
	}
	r.own = !inherited && n.extensible
	r.open = r.open || n.extensible || n.recursive && !n.sealed
	r.recursive = r.recursive || n.recursive
	return r
}

// requires reports whether the schema requires a member of the object.
func (r rights) requires(key string) bool {
	if !r.open {
		return true
	}
	if r.node == nil {
		return false
	}
	_, found := slices.BinarySearch(r.node.required, key)
	return found
}

// with returns a tree in which sub describes the place at path. A nil sub removes the description. n
// describes the place after the first depth segments of path. Nodes on the way are copied, unless the
// batch owns them. kind returns the kind at a path.
func (n *node) with(by *batch, kind func(tree.Path) tree.Kind, path tree.Path, depth int, sub *node) *node {
	if depth == len(path) {
		return sub
	}
	if n == nil && sub == nil {
		return nil
	}
	c, key, at := n.owned(by), path[depth], kind(path[:depth])
	next := c.child(at, key).with(by, kind, path, depth+1, sub)
	switch {
	case at == tree.KindArray:
		c.element = next
	case next.empty():
		delete(c.members, key)
	default:
		c.setMember(key, next)
	}
	if c.empty() {
		return nil
	}
	return c
}

// index reads a list index of a value.
func index(v tree.Value) (int, bool) {
	n, ok := v.AsNumber()
	if !ok {
		return 0, false
	}
	i, ok := n.Int64()
	return int(i), ok && i > -1<<31 && i < 1<<31
}

// itoa is strconv.Itoa; list indexes are texts in paths.
func itoa(i int) string { return strconv.Itoa(i) }

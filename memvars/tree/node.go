package tree

import (
	"maps"
	"slices"
)

// indexFrom is the number of members above which an object keeps a hash index;
// below it a walk over the keys is faster.
const indexFrom = 8

// owner marks the nodes that one edit batch has made and may still change in
// place. It holds a byte because pointers to empty structs need not differ.
type owner struct{ _ byte }

// object is an ordered JSON object. A node is shared by every document that
// contains it; only the batch whose owner it carries writes to it. Keys are shared
// between versions as long as only values change.
//
// Versions with other keys share the index too, so it may be behind: by some keys at
// the end that it does not know, and by some that are gone, which moved those after
// them up.
//
// A node whose owner is no longer at work never changes again, and is read by any
// number of goroutines.
type object struct {
	keys  []string
	vals  []Value
	index map[string]int // nil while there are few keys
	added int            // keys at the end that the index does not know
	first int            // keys that are gone from the front
	gone  int            // how far keys may stand before their places, first aside
	owner *owner
	// Whether keys and index belong to this node alone.
	ownKeys, ownIndex bool
}

type array struct {
	vals  []Value
	owner *owner
}

// find returns the place of a key, -1 if it is not there.
func (o *object) find(key string) int {
	if o.index == nil {
		return slices.Index(o.keys, key)
	}
	known := len(o.keys) - o.added
	if at, ok := o.index[key]; ok {
		at -= o.first
		for i := min(at, known-1); i >= max(at-o.gone, 0); i-- {
			if o.keys[i] == key {
				return i
			}
		}
	}
	if i := slices.Index(o.keys[known:], key); i >= 0 {
		return known + i
	}
	return -1
}

// put writes a member of a node that nobody else sees yet.
func (o *object) put(key string, v Value) {
	if i := o.find(key); i >= 0 {
		o.vals[i] = v
		return
	}
	o.takeKeys()
	o.keys = append(o.keys, key)
	o.vals = append(o.vals, v)
	if o.ownIndex && o.added == 0 {
		o.index[key] = len(o.keys) - 1 + o.gone + o.first
		return
	}
	o.added++
	o.keepUp()
}

// takeKeys makes the keys the node's own before they change. Values change much
// more often than keys, so versions share them until then.
func (o *object) takeKeys() {
	if !o.ownKeys {
		o.keys = slices.Clone(o.keys)
		o.ownKeys = true
	}
}

// keepUp makes the index anew once it is behind by so much that looking around in
// the keys would cost more than it did to make.
func (o *object) keepUp() {
	behind := max(o.added, o.gone)
	if len(o.keys) <= indexFrom || o.index == nil || behind > 16 && behind*behind > len(o.keys) {
		o.reindex()
	}
}

// reindex makes the hash index anew.
func (o *object) reindex() {
	o.index, o.ownIndex, o.added, o.first, o.gone = nil, false, 0, 0, 0
	if len(o.keys) <= indexFrom {
		return
	}
	o.index, o.ownIndex = make(map[string]int, len(o.keys)), true
	for i, k := range o.keys {
		o.index[k] = i
	}
}

// remove deletes the i-th member; those after it keep their order.
func (o *object) remove(i int) {
	o.takeKeys()
	switch {
	case i >= len(o.keys)-o.added:
		o.added--
	case i == 0:
		o.first++
	default:
		o.gone++
	}
	o.keys = cut(o.keys, i)
	o.vals = cut(o.vals, i)
	o.keepUp()
}

// insert puts a member back at a place from which it was removed.
func (o *object) insert(i int, key string, v Value) {
	o.takeKeys()
	switch {
	case i >= len(o.keys)-o.added:
		o.added++
	case i == 0 && o.first > 0:
		o.first--
	}
	o.keys = slices.Insert(o.keys, i, key)
	o.vals = slices.Insert(o.vals, i, v)
	// The index knows the member and those behind it from before, unless it was made anew.
	next := min(i+1, len(o.keys)-1)
	if o.index == nil || o.find(key) != i || o.find(o.keys[next]) != next {
		o.reindex()
	}
}

// cut removes an element of a list that nobody else sees, and moves the shorter part of
// the others.
func cut[T any](list []T, i int) []T {
	if i >= len(list)/2 {
		return slices.Delete(list, i, i+1)
	}
	copy(list[1:], list[:i])
	clear(list[:1])
	return list[1:]
}

// rename changes a key in its place, which is what keeps the order of members.
func (o *object) rename(i int, key string) {
	o.takeKeys()
	o.keys[i] = key
	if o.index == nil || i >= len(o.keys)-o.added {
		return
	}
	if !o.ownIndex {
		o.index, o.ownIndex = maps.Clone(o.index), true
	}
	o.index[key] = i + o.gone + o.first
}

// owned returns the node itself if the batch made it, else a copy that it owns.
func (o *object) owned(by *owner) *object {
	if o.owner == by {
		return o
	}
	o = o.copied()
	o.owner = by
	return o
}

// copied returns a copy that shares keys and index.
func (o *object) copied() *object {
	return &object{
		keys: o.keys, vals: slices.Clone(o.vals), index: o.index, added: o.added, first: o.first, gone: o.gone,
	}
}

// owned is that of an object, for lists.
func (a *array) owned(by *owner) *array {
	if a.owner == by {
		return a
	}
	return &array{vals: slices.Clone(a.vals), owner: by}
}

package tree

import (
	"maps"
	"slices"
)

// indexFrom is the number of members above which an object has a hash index. Below it a linear
// search is faster.
const indexFrom = 8

// owner marks the nodes that one edit batch created and may still change in place. It has a byte
// because pointers to empty structs may be equal.
type owner struct{ _ byte }

// object is an ordered JSON object. Every document that contains a node shares it; only the batch
// that owns it writes to it. Versions share keys while only values change.
//
// Versions with different keys share the index too, so the index may be out of date. It may miss
// some keys at the end. It may have removed keys; later keys have then moved up.
//
// A node whose owner is finished never changes again and is safe for concurrent reads.
type object struct {
	keys         []string
	vals         []Value
	index        map[string]int // nil while there are few keys
	unindexed    int            // number of keys at the end that the index misses
	removedFirst int            // number of keys that were removed from the front
	maxShift     int            // how far a key may be before its indexed position, not counting removedFirst
	owner        *owner
	// Whether keys and index belong to this node alone.
	ownKeys, ownIndex bool
}

// array is a JSON list, shared and owned as an object is.
type array struct {
	vals  []Value
	owner *owner
}

// find returns the position of a key, -1 if it does not exist.
func (o *object) find(key string) int {
	if o.index == nil {
		return slices.Index(o.keys, key)
	}
	known := len(o.keys) - o.unindexed
	if at, ok := o.index[key]; ok {
		at -= o.removedFirst
		for i := min(at, known-1); i >= max(at-o.maxShift, 0); i-- {
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

// put writes a member of a node that is not shared yet.
func (o *object) put(key string, v Value) {
	if i := o.find(key); i >= 0 {
		o.vals[i] = v
		return
	}
	o.unshareKeys()
	o.keys = append(o.keys, key)
	o.vals = append(o.vals, v)
	if o.ownIndex && o.unindexed == 0 {
		o.index[key] = len(o.keys) - 1 + o.maxShift + o.removedFirst
		return
	}
	o.unindexed++
	o.reindexIfStale()
}

// unshareKeys gives the node its own keys before they change. Values change much more often than
// keys, so versions share keys until then.
func (o *object) unshareKeys() {
	if !o.ownKeys {
		o.keys = slices.Clone(o.keys)
		o.ownKeys = true
	}
}

// reindexIfStale rebuilds the index once it is so far out of date that searching near the indexed
// positions would cost more than rebuilding.
func (o *object) reindexIfStale() {
	changed := max(o.unindexed, o.maxShift)
	if len(o.keys) <= indexFrom || o.index == nil || changed > 16 && changed*changed > len(o.keys) {
		o.reindex()
	}
}

// reindex rebuilds the hash index.
func (o *object) reindex() {
	o.index, o.ownIndex, o.unindexed, o.removedFirst, o.maxShift = nil, false, 0, 0, 0
	if len(o.keys) <= indexFrom {
		return
	}
	o.index, o.ownIndex = make(map[string]int, len(o.keys)), true
	for i, k := range o.keys {
		o.index[k] = i
	}
}

// remove deletes the i-th member; later members keep their order.
func (o *object) remove(i int) {
	o.unshareKeys()
	switch {
	case i >= len(o.keys)-o.unindexed:
		o.unindexed--
	case i == 0:
		o.removedFirst++
	default:
		o.maxShift++
	}
	o.keys = cut(o.keys, i)
	o.vals = cut(o.vals, i)
	o.reindexIfStale()
}

// insert restores a removed member at its position.
func (o *object) insert(i int, key string, v Value) {
	o.unshareKeys()
	switch {
	case i >= len(o.keys)-o.unindexed:
		o.unindexed++
	case i == 0 && o.removedFirst > 0:
		o.removedFirst--
	}
	o.keys = slices.Insert(o.keys, i, key)
	o.vals = slices.Insert(o.vals, i, v)
	// The index knows the member and the later ones from before, unless it was rebuilt.
	next := min(i+1, len(o.keys)-1)
	if o.index == nil || o.find(key) != i || o.find(o.keys[next]) != next {
		o.reindex()
	}
}

// cut removes an element of a list that is not shared, and moves the shorter part of the others.
func cut[T any](list []T, i int) []T {
	if i >= len(list)/2 {
		return slices.Delete(list, i, i+1)
	}
	copy(list[1:], list[:i])
	clear(list[:1])
	return list[1:]
}

// rename changes a key without changing its position.
func (o *object) rename(i int, key string) {
	o.unshareKeys()
	o.keys[i] = key
	if o.index == nil || i >= len(o.keys)-o.unindexed {
		return
	}
	if !o.ownIndex {
		o.index, o.ownIndex = maps.Clone(o.index), true
	}
	o.index[key] = i + o.maxShift + o.removedFirst
}

// owned returns the node itself if the batch owns it, else a copy that the batch owns.
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
		keys: o.keys, vals: slices.Clone(o.vals), index: o.index,
		unindexed: o.unindexed, removedFirst: o.removedFirst, maxShift: o.maxShift,
	}
}

// owned is object.owned for lists.
func (a *array) owned(by *owner) *array {
	if a.owner == by {
		return a
	}
	return &array{vals: slices.Clone(a.vals), owner: by}
}

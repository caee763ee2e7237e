package memvars

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
// contains it; only the batch whose owner it carries writes to it. Keys and
// index are shared between versions as long as only values change.
//
// A node whose owner is no longer at work never changes again, and is read by any
// number of goroutines.
type object struct {
	keys    []string
	vals    []Value
	index   map[string]int // nil while there are few keys
	owner   *owner
	ownKeys bool // keys and index belong to this node alone
}

type array struct {
	vals  []Value
	owner *owner
}

// find returns the place of a key, -1 if it is not there.
func (o *object) find(key string) int {
	if o.index != nil {
		if i, ok := o.index[key]; ok {
			return i
		}
		return -1
	}
	return slices.Index(o.keys, key)
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
	switch {
	case o.index != nil:
		o.index[key] = len(o.keys) - 1
	case len(o.keys) > indexFrom:
		o.reindex()
	}
}

// takeKeys makes the keys the node's own before they change. Values change much
// more often than keys, so versions share them until then.
func (o *object) takeKeys() {
	if !o.ownKeys {
		o.keys = slices.Clone(o.keys)
		o.index = maps.Clone(o.index)
		o.ownKeys = true
	}
}

// reindex makes the hash index anew. Removing a key moves all keys after it, so
// there is nothing to save.
func (o *object) reindex() {
	o.index = nil
	if len(o.keys) <= indexFrom {
		return
	}
	o.index = make(map[string]int, len(o.keys))
	for i, k := range o.keys {
		o.index[k] = i
	}
}

// remove deletes the i-th member; those after it keep their order.
func (o *object) remove(i int) {
	o.takeKeys()
	o.keys = slices.Delete(o.keys, i, i+1)
	o.vals = slices.Delete(o.vals, i, i+1)
	o.reindex()
}

// rename changes a key in its place, which is what keeps the order of members.
func (o *object) rename(i int, key string) {
	o.takeKeys()
	if o.index != nil {
		delete(o.index, o.keys[i])
		o.index[key] = i
	}
	o.keys[i] = key
}

// owned returns the node itself if the batch made it, else a copy that it owns.
func (o *object) owned(by *owner) *object {
	if o.owner == by {
		return o
	}
	return &object{keys: o.keys, vals: slices.Clone(o.vals), index: o.index, owner: by}
}

// owned is that of an object, for lists.
func (a *array) owned(by *owner) *array {
	if a.owner == by {
		return a
	}
	return &array{vals: slices.Clone(a.vals), owner: by}
}

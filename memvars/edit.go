package memvars

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
)

// The ways in which an edit can fail. [Edit] methods return them wrapped with
// the path.
var (
	ErrNotFound     = errors.New("path not found")
	ErrNotContainer = errors.New("not an object or a list")
	ErrIndex        = errors.New("index out of range")
	ErrExists       = errors.New("destination exists")
	ErrDepth        = errors.New("nested too deeply")
)

// Edit is one batch of changes to a document. It copies each node that it
// touches once, so that a batch costs what it changes and not what the document
// holds. An operation that returns an error has changed nothing.
//
// An Edit belongs to one goroutine. The documents that it started from and that
// it returned stay as they are.
type Edit struct {
	root  *object
	owner *owner
}

// Edit starts a batch on d.
func (d Document) Edit() *Edit {
	root := d.root
	if root == nil {
		root = emptyObject
	}
	return &Edit{root: root, owner: new(owner)}
}

// Document returns the result so far. Editing may go on afterwards without
// touching the returned document.
func (e *Edit) Document() Document {
	e.owner = new(owner)
	return Document{e.root}
}

// Lookup returns the node at the path in the present state of the batch. Later
// edits do not change it.
func (e *Edit) Lookup(p Path) Value { return e.freeze(e.peek(p)) }

// Kind returns the kind of the node at the path. Unlike [Edit.Lookup] it does not
// make later edits of a container copy it.
func (e *Edit) Kind(p Path) Kind { return e.peek(p).Kind() }

// Len returns the number of elements or members of the node at the path, as
// [Value.Len] does. Like [Edit.Kind] it does not make later edits copy the node.
func (e *Edit) Len(p Path) int { return e.peek(p).Len() }

// peek is Lookup for a look that ends before the next edit.
func (e *Edit) peek(p Path) Value { return Value{e.root}.Lookup(p) }

// freeze makes sure that no later edit changes v in place: it gives up the nodes
// of v that the batch owns. Below a node that it does not own there are none.
//
// It is what makes values that a batch hands out immutable, without a copy: the
// next edit below them makes the copy, if there is one.
func (e *Edit) freeze(v Value) Value {
	switch c := v.v.(type) {
	case *object:
		if c.owner == e.owner {
			c.owner = nil
			for _, child := range c.vals {
				e.freeze(child)
			}
		}
	case *array:
		if c.owner == e.owner {
			c.owner = nil
			for _, child := range c.vals {
				e.freeze(child)
			}
		}
	}
	return v
}

// Set writes v at the path. The parent must exist. On an object the last segment
// is replaced or added at the end; on an array it must be an index up to the
// length, which appends.
func (e *Edit) Set(p Path, v Value) error {
	if len(p) == 0 {
		o, ok := v.v.(*object)
		if !ok {
			return fmt.Errorf("memvars: set root: %w", ErrNotContainer)
		}
		e.root = o
		return nil
	}
	if tooDeep(v, maxDepth-len(p)) {
		return fmt.Errorf("memvars: set %s: %w", p, ErrDepth)
	}
	parent, last := p[:len(p)-1], p[len(p)-1]
	switch c := e.peek(parent).v.(type) {
	case *object:
		e.ownObject(parent).put(last, v)
		return nil
	case *array:
		i, ok := arrayIndex(last)
		if !ok || i > len(c.vals) {
			return fmt.Errorf("memvars: set %s: %w", p, ErrIndex)
		}
		a := e.ownArray(parent)
		if i == len(a.vals) {
			a.vals = append(a.vals, v)
		} else {
			a.vals[i] = v
		}
		return nil
	case nil:
		return fmt.Errorf("memvars: set %s: parent: %w", p, ErrNotFound)
	}
	return fmt.Errorf("memvars: set %s: parent: %w", p, ErrNotContainer)
}

// tooDeep reports whether v has more levels than limit: a document that could not
// be loaded again must not come to be.
func tooDeep(v Value, limit int) bool {
	var vals []Value
	switch c := v.v.(type) {
	case *object:
		vals = c.vals
	case *array:
		vals = c.vals
	default:
		return limit < 0
	}
	return limit <= 0 && len(vals) > 0 || slices.ContainsFunc(vals, func(v Value) bool {
		return tooDeep(v, limit-1)
	})
}

// Insert puts v into the array at the path before index i; i equal to the
// length appends.
func (e *Edit) Insert(p Path, i int, v Value) error {
	c, ok := e.peek(p).v.(*array)
	if !ok {
		return fmt.Errorf("memvars: insert into %s: %w", p, ErrNotContainer)
	}
	if i < 0 || i > len(c.vals) {
		return fmt.Errorf("memvars: insert into %s at %d: %w", p, i, ErrIndex)
	}
	if tooDeep(v, maxDepth-len(p)-1) {
		return fmt.Errorf("memvars: insert into %s: %w", p, ErrDepth)
	}
	a := e.ownArray(p)
	a.vals = slices.Insert(a.vals, i, v)
	return nil
}

// Delete removes the node at the path; later elements of an array move up.
func (e *Edit) Delete(p Path) error {
	if len(p) == 0 || !e.peek(p).Exists() {
		return fmt.Errorf("memvars: delete %s: %w", p, ErrNotFound)
	}
	parent, last := p[:len(p)-1], p[len(p)-1]
	if _, ok := e.peek(parent).v.(*array); ok {
		a := e.ownArray(parent)
		i, _ := arrayIndex(last)
		a.vals = cut(a.vals, i)
		return nil
	}
	o := e.ownObject(parent)
	o.remove(o.find(last))
	return nil
}

// Rename gives the object member at the path another key and keeps its place.
func (e *Edit) Rename(p Path, key string) error {
	if len(p) == 0 || !e.peek(p).Exists() {
		return fmt.Errorf("memvars: rename %s: %w", p, ErrNotFound)
	}
	parent, last := p[:len(p)-1], p[len(p)-1]
	holder, ok := e.peek(parent).v.(*object)
	if !ok {
		return fmt.Errorf("memvars: rename %s: %w", p, ErrNotContainer)
	}
	if key == last {
		return nil
	}
	if holder.find(key) >= 0 {
		return fmt.Errorf("memvars: rename %s to %s: %w", p, strconv.Quote(key), ErrExists)
	}
	o := e.ownObject(parent)
	o.rename(o.find(last), key)
	return nil
}

// ownObject makes every node on the way to p the batch's own and returns the
// object at p, which must be there.
func (e *Edit) ownObject(p Path) *object {
	o, _ := e.own(p).v.(*object)
	return o
}

// ownArray is ownObject for a list.
func (e *Edit) ownArray(p Path) *array {
	a, _ := e.own(p).v.(*array)
	return a
}

// own walks down p and replaces every node on the way that belongs to another
// version by a copy that belongs to the batch. A node is copied once per batch:
// the second edit below it finds it owned.
func (e *Edit) own(p Path) Value {
	e.root = e.root.owned(e.owner)
	at := Value{e.root}
	for _, seg := range p {
		var slot *Value
		switch c := at.v.(type) {
		case *object:
			slot = &c.vals[c.find(seg)]
		case *array:
			i, _ := arrayIndex(seg)
			slot = &c.vals[i]
		}
		switch c := slot.v.(type) {
		case *object:
			*slot = Value{c.owned(e.owner)}
		case *array:
			*slot = Value{c.owned(e.owner)}
		}
		at = *slot
	}
	return at
}

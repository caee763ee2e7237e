package tree

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
)

// The errors of an edit. [Edit] methods return them wrapped with the path.
var (
	ErrNotFound     = errors.New("path not found")
	ErrNotContainer = errors.New("not an object or a list")
	ErrIndex        = errors.New("index out of range")
	ErrExists       = errors.New("destination exists")
	ErrDepth        = errors.New("nested too deeply")
)

// Edit is one batch of changes to a document. It copies each changed node once, so the cost of a
// batch follows the changes and not the size of the document. An operation that returns an error
// has changed nothing.
//
// An Edit is for one goroutine. The original document and the returned documents never change.
type Edit struct {
	root   *object
	owner  *owner
	levels int // limit of the nesting

	recording bool   // true after the first mark
	steps     []step // since the first mark
}

// Edit starts a batch on d.
func (d Document) Edit() *Edit {
	root := d.root
	if root == nil {
		root = emptyObject
	}
	return &Edit{root: root, owner: new(owner), levels: MaxDepth}
}

// Edit starts a batch on an object that is not a document but may contain one, such as a record of
// a host. It may have [MaxNesting] levels. [Edit.Value] returns the result. The error is
// [ErrNotContainer] or [ErrDepth], wrapped.
func (v Value) Edit() (*Edit, error) {
	if v.Deeper(MaxNesting) {
		return nil, fmt.Errorf("tree: a value of more than %d levels: %w", MaxNesting, ErrDepth)
	}
	d, err := asDocument(v)
	if err != nil {
		return nil, err
	}
	e := d.Edit()
	e.levels = MaxNesting
	return e, nil
}

// Value returns the result so far, as [Edit.Document] does. Use it to end a batch of [Value.Edit],
// whose result may be deeper than a document.
func (e *Edit) Value() Value { return e.Document().Root() }

// Document returns the result so far. Later edits do not change the returned document.
func (e *Edit) Document() Document {
	e.owner = new(owner)
	return Document{e.root}
}

// Lookup returns the node at the path in the current state of the batch. Later edits do not change
// it.
func (e *Edit) Lookup(p Path) Value { return e.Freeze(e.Peek(p)) }

// Kind returns the kind of the node at the path. Unlike [Edit.Lookup] it does not
// make later edits of a container copy it.
func (e *Edit) Kind(p Path) Kind { return e.Peek(p).Kind() }

// Len returns the number of elements or members of the node at the path, as
// [Value.Len] does. Like [Edit.Kind] it does not make later edits copy the node.
func (e *Edit) Len(p Path) int { return e.Peek(p).Len() }

// Peek is [Edit.Lookup] for use before the next edit, which may change the returned value. It
// causes no later copies. [Edit.Freeze] makes the value permanent.
func (e *Edit) Peek(p Path) Value { return Value{e.root}.Lookup(p) }

// Freeze ensures that no later edit changes v in place. The batch no longer owns the nodes of v.
// Below a node that the batch does not own there are no owned nodes.
//
// Freeze makes values of a batch immutable without copying them. The next edit below such a value
// makes the copy.
func (e *Edit) Freeze(v Value) Value {
	var of **owner
	switch c := v.v.(type) {
	case *object:
		of = &c.owner
	case *array:
		of = &c.owner
	}
	if of != nil && *of == e.owner {
		*of = nil
		for _, child := range v.children() {
			e.Freeze(child)
		}
	}
	return v
}

// Set writes v at the path. The parent must exist. In an object the last segment is replaced, or
// added at the end. In an array it must be an index up to the length; the length appends.
func (e *Edit) Set(p Path, v Value) error {
	if v.Deeper(e.levels - len(p)) {
		return fmt.Errorf("tree: set %s: %w", p, ErrDepth)
	}
	if len(p) == 0 {
		o, ok := v.v.(*object)
		if !ok {
			return fmt.Errorf("tree: set root: %w", ErrNotContainer)
		}
		e.record(p, 0, Value{e.root}, v)
		e.root = o
		return nil
	}
	parent, last := p[:len(p)-1], p[len(p)-1]
	switch c := e.Peek(parent).v.(type) {
	case *object:
		o := e.ownObject(parent)
		if e.recording {
			at, old := o.find(last), Value{}
			if at >= 0 {
				old = o.vals[at]
			} else {
				at = len(o.keys)
			}
			e.record(p, at, old, v)
		}
		o.put(last, v)
		return nil
	case *array:
		i, ok := Index(last)
		if !ok || i > len(c.vals) {
			return fmt.Errorf("tree: set %s: %w", p, ErrIndex)
		}
		a := e.ownArray(parent)
		if i == len(a.vals) {
			e.record(p, i, Value{}, v)
			a.vals = append(a.vals, v)
		} else {
			e.record(p, i, a.vals[i], v)
			a.vals[i] = v
		}
		return nil
	case nil:
		return fmt.Errorf("tree: set %s: parent: %w", p, ErrNotFound)
	}
	return fmt.Errorf("tree: set %s: parent: %w", p, ErrNotContainer)
}

// Insert inserts v into the array at the path before index i. If i equals the length, it appends.
func (e *Edit) Insert(p Path, i int, v Value) error {
	c, ok := e.Peek(p).v.(*array)
	if !ok {
		return fmt.Errorf("tree: insert into %s: %w", p, ErrNotContainer)
	}
	if i < 0 || i > len(c.vals) {
		return fmt.Errorf("tree: insert into %s at %d: %w", p, i, ErrIndex)
	}
	if v.Deeper(e.levels - len(p) - 1) {
		return fmt.Errorf("tree: insert into %s: %w", p, ErrDepth)
	}
	a := e.ownArray(p)
	if e.recording {
		e.record(p.Child(strconv.Itoa(i)), i, Value{}, v)
	}
	a.vals = slices.Insert(a.vals, i, v)
	return nil
}

// Delete removes the node at the path; later elements of an array move up.
func (e *Edit) Delete(p Path) error {
	if len(p) == 0 || !e.Peek(p).Exists() {
		return fmt.Errorf("tree: delete %s: %w", p, ErrNotFound)
	}
	parent, last := p[:len(p)-1], p[len(p)-1]
	if _, ok := e.Peek(parent).v.(*array); ok {
		a := e.ownArray(parent)
		i, _ := Index(last)
		e.record(p, i, a.vals[i], Value{})
		a.vals = cut(a.vals, i)
		return nil
	}
	o := e.ownObject(parent)
	at := o.find(last)
	e.record(p, at, o.vals[at], Value{})
	o.remove(at)
	return nil
}

// Rename changes the key of the object member at the path and keeps its position.
func (e *Edit) Rename(p Path, key string) error {
	if len(p) == 0 || !e.Peek(p).Exists() {
		return fmt.Errorf("tree: rename %s: %w", p, ErrNotFound)
	}
	parent, last := p[:len(p)-1], p[len(p)-1]
	holder, ok := e.Peek(parent).v.(*object)
	if !ok {
		return fmt.Errorf("tree: rename %s: %w", p, ErrNotContainer)
	}
	if key == last {
		return nil
	}
	if holder.find(key) >= 0 {
		return fmt.Errorf("tree: rename %s to %s: %w", p, strconv.Quote(key), ErrExists)
	}
	o := e.ownObject(parent)
	at := o.find(last)
	if e.recording {
		// Only the key is new: the batch keeps its ownership of the value.
		e.steps = append(e.steps, step{path: slices.Clone(p), at: at, old: o.vals[at], new: o.vals[at], key: key})
	}
	o.rename(at, key)
	return nil
}

// ownObject makes every node on the path p the batch's own and returns the object at p, which must
// exist.
func (e *Edit) ownObject(p Path) *object {
	o, _ := e.own(p).v.(*object)
	return o
}

// ownArray is ownObject for a list.
func (e *Edit) ownArray(p Path) *array {
	a, _ := e.own(p).v.(*array)
	return a
}

// own walks down p and replaces every node of a different version by a copy that belongs to the
// batch. A node is copied once per batch: a second edit below it finds it already owned.
func (e *Edit) own(p Path) Value {
	e.root = e.root.owned(e.owner)
	at := Value{e.root}
	for _, seg := range p {
		var slot *Value
		switch c := at.v.(type) {
		case *object:
			slot = &c.vals[c.find(seg)]
		case *array:
			i, _ := Index(seg)
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

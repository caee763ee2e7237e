package tree

import "fmt"

// Document is the state of all variables: an immutable JSON object whose members
// keep their order and whose numbers keep their spelling. The zero Document is
// the empty object. Keeping a Document is keeping a snapshot, at no cost; two
// versions share everything that did not change.
//
// A Document is safe for concurrent use.
type Document struct {
	root *object
}

// NewDocument returns the document whose root is v, which must be an object of at most
// [MaxDepth] levels: what could not be loaded again, or kept in a record, must not come to be.
// The error is [ErrNotContainer] or [ErrDepth], wrapped.
func NewDocument(v Value) (Document, error) {
	if v.Deeper(MaxDepth) {
		return Document{}, fmt.Errorf("tree: a document of more than %d levels: %w", MaxDepth, ErrDepth)
	}
	return asDocument(v)
}

// asDocument is NewDocument for a value that is known not to be too deep.
func asDocument(v Value) (Document, error) {
	o, ok := v.v.(*object)
	if !ok {
		return Document{}, fmt.Errorf("tree: a document is an object, not %s: %w", v.Kind(), ErrNotContainer)
	}
	return Document{o}, nil
}

// Root returns the whole document as a value.
func (d Document) Root() Value {
	if d.root == nil {
		return Value{emptyObject}
	}
	return Value{d.root}
}

// emptyObject is shared: it carries no owner, so nothing ever writes to it.
var emptyObject = &object{}

// Lookup returns the node at the path exactly as it is stored, absent if there
// is none. It knows nothing of leaves: see [Document.Get].
func (d Document) Lookup(p Path) Value { return d.Root().Lookup(p) }

// Equal reports whether both documents hold the same JSON value.
func (d Document) Equal(e Document) bool { return d.Root().Equal(e.Root()) }

// Same reports whether both are the same version: the comparison of two
// pointers. An edit that changed nothing returns the same version.
func (d Document) Same(e Document) bool { return d.Root().Same(e.Root()) }

// String returns the document as compact JSON.
func (d Document) String() string { return d.Root().String() }

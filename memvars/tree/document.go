package tree

import "fmt"

// Document is the state of all variables: an immutable JSON object whose members keep their order
// and whose numbers keep their spelling. The zero Document is the empty object. Keeping a Document
// is keeping a snapshot, at no cost: two versions share all unchanged parts.
//
// A Document is safe for concurrent use.
type Document struct {
	root *object
}

// NewDocument returns the document with the root v, which must be an object of at most [MaxDepth]
// levels. A deeper document could not be loaded again or stored in a record. The error is
// [ErrNotContainer] or [ErrDepth], wrapped.
func NewDocument(v Value) (Document, error) {
	if v.Deeper(MaxDepth) {
		return Document{}, fmt.Errorf("tree: a document of more than %d levels: %w", MaxDepth, ErrDepth)
	}
	return asDocument(v)
}

// asDocument is NewDocument for a value whose depth is already checked.
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

// emptyObject is shared: it has no owner, so it is never written.
var emptyObject = &object{}

// Lookup returns the node at the path in its stored form, absent if it does not exist. It does not
// see through leaves: see [Document.Get].
func (d Document) Lookup(p Path) Value { return d.Root().Lookup(p) }

// Equal reports whether both documents are the same JSON value.
func (d Document) Equal(e Document) bool { return d.Root().Equal(e.Root()) }

// Same reports whether both are the same version, by comparing two pointers. An edit without
// changes returns the same version.
func (d Document) Same(e Document) bool { return d.Root().Same(e.Root()) }

// String returns the document as compact JSON.
func (d Document) String() string { return d.Root().String() }

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

// Get returns a variable by its text path, in the form of [ParsePath], with the module first:
//
//	doc.Get("stat_data.world_shard.level")
//
// A leaf (a pair of a value and its description in one of the modules play_character_data and
// stat_data) is read as its value. "level[0]" is the value too, and "level[1]" the description. If
// the value of a leaf is an object, the path continues in it as if there were no pair. A root key
// that equals the whole text has precedence over the path, so that variables with names like
// "quest.stage" work.
//
// The result is nil for a null, a bool, a string, a [Number], or a [Value] for a list or an object.
// The result ok is false if the path does not exist or is malformed. [IsLeaf] decides which pairs
// are leaves; the method Read of memvars.System follows different rules. [Document.Int],
// [Document.Float], [Document.Text] and [Document.Bool] save the type switch.
func (d Document) Get(path string) (value any, ok bool) {
	v, ok := d.read(path)
	if !ok {
		return nil, false
	}
	switch c := v.v.(type) {
	case null:
		return nil, true
	case bool, string, Number:
		return c, true
	}
	return v, true
}

// read is Get before the conversion to a Go value.
func (d Document) read(path string) (Value, bool) {
	if v := d.Root().Get(path); v.Exists() {
		return v, true
	}
	p, err := ParsePath(path)
	if err != nil {
		return Value{}, false
	}
	at, err := d.Root().Find(p, IsLeaf)
	return at.Content(), err == nil
}

// Int returns a whole number, read as [Document.Get] does. The result ok is false if there is no
// number, if it has a fraction, or if it does not fit in an int64.
func (d Document) Int(path string) (n int64, ok bool) {
	v, _ := d.read(path)
	number, ok := v.AsNumber()
	if !ok {
		return 0, false
	}
	return number.Int64()
}

// Float returns a number in double precision, read as [Document.Get] does. ok is false if there is
// no number.
func (d Document) Float(path string) (f float64, ok bool) {
	v, _ := d.read(path)
	return v.AsFloat()
}

// Text returns a string, read as [Document.Get] does. ok is false if there is no string; numbers
// are not converted.
func (d Document) Text(path string) (s string, ok bool) {
	v, _ := d.read(path)
	return v.AsText()
}

// Bool returns a boolean, read as [Document.Get] does. ok is false if there is no boolean; texts
// are not converted.
func (d Document) Bool(path string) (b, ok bool) {
	v, _ := d.read(path)
	return v.AsBool()
}

package rules

import (
	"errors"
	"slices"
	"strconv"

	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules/effect"
)

// This file finds and writes the places of a document. Places are the nodes of a document without a
// schema, the leaves on the path to them, and the places of declared variables.

// doc writes to a document by paths. A write is checked completely before anything is written, so a
// refused write has changed nothing.
type doc struct {
	Edit   *tree.Edit
	Leaves *leaves
}

// maxSegments limits the written paths. Typical paths have at most five segments.
const maxSegments = 100

// parse parses a path to write.
func parse(text string) (tree.Path, effect.Why) {
	path, err := tree.ParsePath(text)
	if err != nil {
		return nil, effect.Deny(effect.BadPath, "a path is written a.b[0], without empty parts")
	}
	return path, effect.Why{}
}

// tooDeep refuses a path with more segments than the limit.
func tooDeep(path tree.Path) effect.Why {
	if len(path) > maxSegments {
		return effect.Deny(effect.BadPath, "deeper than %d levels", maxSegments)
	}
	return effect.Why{}
}

// changed returns a change, or a change without a path if the values are deeply equal.
func changed(path tree.Path, old, next tree.Value) tree.Change {
	if next.Equal(old) {
		return tree.Change{}
	}
	return tree.Change{Path: path, Old: old, New: next}
}

// Node applies an operation to the node that a text names. It returns the change, without a path if
// nothing changed. If why is set, the write is refused and has changed nothing.
func (d *doc) Node(op effect.Operation, text string, operand tree.Value) (tree.Change, effect.Why) {
	at, why := d.locate(text)
	if why.Reason != "" {
		return tree.Change{}, why
	}
	if op == effect.Delete {
		switch {
		case namesPart(at.path, operand):
			change, why := d.deletePart(at, operand)
			return change, d.explain(at, why)
		case at.value:
			return tree.Change{}, effect.Deny(effect.BadPath, "the value of a pair is not deleted without its description; delete the pair")
		}
		at.path = d.wholeLeaf(at.path)
	}
	// Without a schema the variables are not declared. A change is reported at the node, or at the
	// top of a new branch. Only that part is read, because a batch copies the parts it has read
	// before it writes them again.
	top := len(at.path)
	for top > 1 && d.Edit.Kind(at.path[:top-1]) == tree.Absent {
		top--
	}
	old := d.Edit.Lookup(at.path[:top])
	if why := d.Write(op, at.path, operand); why.Reason != "" {
		return tree.Change{}, d.explain(at, why)
	}
	name := at.name[:len(at.name)-(len(at.path)-top)] // no created node is a leaf
	return changed(name, old, d.Edit.Lookup(at.path[:top])), effect.Why{}
}

// namesPart reports whether the operand of a delete names a part of the node at a path, in a
// document without a schema. Otherwise the delete removes the node itself. An operand that names a
// part never removes the node, even if the node has no parts. A list of two texts may be read as a
// value with its description and must not be lost. A path of one segment is a variable. A delete
// only removes parts from it, as with a schema.
func namesPart(path tree.Path, operand tree.Value) bool {
	// Editors and patches write true or null if there is no operand.
	withoutName := !operand.Exists() || operand.IsNull() || operand.Kind() == tree.KindBool
	return len(path) == 1 || !withoutName
}

// explain adds a hint to a refusal: a node was read as a text with its description, but may be
// meant as a list of two texts.
func (d *doc) explain(at placeNode, why effect.Why) effect.Why {
	n := len(at.path) - 1
	if why.Reason != effect.WrongVariable || n < 1 || at.path[n] != "0" || !d.leaf(at.path[:n], at.path[:n]) ||
		d.Edit.Kind(at.path) != tree.KindText {
		return why
	}
	return effect.Deny(effect.WrongVariable, "%s is read as a text and its description; if it is a list of texts, say so in leaf_paths",
		at.name.String())
}

// deletePart removes the key or index that the operand names from the node at a path. A missing key
// or index changes nothing.
func (d *doc) deletePart(at placeNode, operand tree.Value) (tree.Change, effect.Why) {
	old := d.Edit.Lookup(at.path)
	if !old.Exists() || old.IsNull() {
		return tree.Change{}, effect.Why{}
	}
	next, why := effect.Delete.Result(old, operand)
	if why.Reason == "" && !next.Equal(old) {
		why = d.Put(at.path, next)
	}
	if why.Reason != "" {
		return tree.Change{}, why
	}
	return changed(at.name, old, next), effect.Why{}
}

// wholeLeaf returns the path of the node itself if a path has led into a leaf. A leaf is deleted
// with its description, because the description alone would not be a leaf.
func (d *doc) wholeLeaf(path tree.Path) tree.Path {
	n := len(path) - 1
	if n > 0 && path[n] == "0" && d.leaf(path[:n], path[:n]) {
		return path[:n]
	}
	return path
}

// placeNode is a place in a document without a schema: its path, and its name, which is the path
// without the steps into leaves. If value is true, the text names the value of a leaf by its index
// 0.
type placeNode struct {
	path, name tree.Path
	value      bool
}

// locate converts a text to the place of a node: the key with that name, or the node at the path.
// The path may lead through leaves.
func (d *doc) locate(text string) (at placeNode, why effect.Why) {
	path := tree.Path{text}
	if d.Edit.Kind(path) == tree.Absent {
		if path, why = parse(text); why.Reason != "" {
			return at, why
		}
	}
	if why := tooDeep(path); why.Reason != "" {
		return at, why
	}
	for i, seg := range path {
		// A path leads through a leaf to its value. Its elements can also be named; the second
		// element is the description, which the game only reads.
		if i > 0 && d.leaf(path[:i], at.path) {
			if seg == "1" {
				return at, effect.Deny(effect.BadPath, "the description of a value is not written")
			}
			at.path = append(at.path, "0")
			if seg == "0" {
				at.value = i == len(path)-1
				continue
			}
		}
		at.path, at.name = append(at.path, seg), append(at.name, seg)
	}
	if d.leaf(path, at.path) {
		at.path = append(at.path, "0")
	}
	return at, effect.Why{}
}

// leaf reports whether the node at a path is a leaf. name is its name in content.
func (d *doc) leaf(name, path tree.Path) bool {
	return d.Edit.Kind(path) == tree.KindArray && d.Leaves.Leaf(name, d.Edit.Lookup(path))
}

// reserved lists keys that scripts must not write. They are harmless in Go, but JavaScript programs
// also read the states, and there these keys are dangerous.
var reserved = [...]string{"__proto__", "prototype", "constructor"}

// Write applies an operation to the node at a path and creates missing objects above it. Everything
// is checked before anything is written.
func (d *doc) Write(op effect.Operation, path tree.Path, operand tree.Value) effect.Why {
	for _, seg := range path {
		if slices.Contains(reserved[:], seg) {
			return effect.Deny(effect.BadPath, "the key %s is reserved", seg)
		}
	}
	// A write creates missing nodes only if it will be applied: a refused operation must not leave
	// empty objects.
	missing, why := d.checkPath(path)
	if why.Reason != "" {
		return why
	}
	old := d.Edit.Lookup(path)
	if op == effect.Delete {
		if old.Exists() && !old.IsNull() {
			_ = d.Edit.Delete(path) // it exists
		}
		return effect.Why{}
	}
	// Null can be set but not computed with: the operation starts from a missing value.
	if old.IsNull() && op != effect.Set && op != "" {
		old = tree.Value{}
	}
	next, why := op.Result(old, operand)
	if why.Reason != "" {
		return why
	}
	if old.Exists() && next.Equal(old) {
		return effect.Why{}
	}
	// Missing nodes are built first and written in one step: all of them or none.
	for n := len(path); n > missing; n-- {
		next = tree.Object(tree.Member{Key: path[n-1], Value: next})
	}
	return d.Put(path[:missing], next)
}

// Put stores a value. It is the only place that writes values to the document, so a value that
// could not be stored is refused here.
func (d *doc) Put(path tree.Path, v tree.Value) effect.Why {
	if why := effect.Storable(v); why.Reason != "" {
		return why
	}
	switch err := d.Edit.Set(path, v); {
	case err == nil:
		return effect.Why{}
	case errors.Is(err, tree.ErrDepth):
		return effect.Deny(effect.TooLarge, "nested deeper than %d levels", tree.MaxDepth)
	}
	return effect.Deny(effect.BadPath, "nothing can be written there")
}

// checkPath checks that the node at a path can be written. It returns the number of segments up to
// the first node that must be created.
func (d *doc) checkPath(path tree.Path) (int, effect.Why) {
	for i := range path {
		switch d.Edit.Kind(path[:i]) {
		case tree.Absent, tree.KindNull:
			return i, effect.Why{}
		case tree.KindObject:
		case tree.KindArray:
			// The length itself is a valid index: writing there extends the list.
			n, err := strconv.Atoi(path[i])
			if err != nil || n < 0 || n > d.Edit.Lookup(path[:i]).Len() || strconv.Itoa(n) != path[i] {
				return 0, effect.Deny(effect.BadPath, "%s is a list without a place %q", path[:i].String(), path[i])
			}
		default:
			return 0, effect.Deny(effect.BadPath, "%s is not a list or an object", path[:i].String())
		}
	}
	return len(path), effect.Why{}
}

// A leaf is a pair of a value and its description. In a document without a schema it represents its
// value: paths lead through it, and a write does not change the description.

// The form alone cannot identify a leaf: a list of two names looks the same. The host decides which
// branches of a document contain leaves. The default rule is tree.IsLeaf.

// leaves identifies the leaves of a document. The zero value is for a document without a schema.
type leaves struct {
	// Is is the host's decision about a pair whose second element is a text; nil means
	// [tree.IsLeaf].
	Is func(path tree.Path, v tree.Value) bool
	// Declared says that there is a schema. Then paths lead through leaves only above variables
	// that are below the root.
	Declared bool
	// Lists are the places of declared variables that contain lists. Two texts there are a list; a
	// list with a description is a leaf.
	Lists []tree.Path
}

// Leaf reports whether the value at a path is a leaf.
func (l *leaves) Leaf(path tree.Path, v tree.Value) bool {
	return !l.Declared && l.isPair(path, v)
}

// isPair is Leaf without the check for a schema. With a schema it is used above variables that are
// below the root.
func (l *leaves) isPair(path tree.Path, v tree.Value) bool {
	switch {
	case !v.IsPair(), !v.At(0).IsArray() && slices.ContainsFunc(l.Lists, func(p tree.Path) bool { return slices.Equal(p, path) }):
		return false
	case l.Is != nil:
		return l.Is(path, v)
	}
	return tree.IsLeaf(path, v)
}

// Walk follows a path from the node v, which is at its first n segments. After a leaf that contains
// a structure it continues as if the pair did not exist. The elements of the pair can also be
// named.
func (l *leaves) Walk(v tree.Value, path tree.Path, n int) tree.Value {
	for ; n < len(path); n++ {
		if seg := path[n]; n > 0 && seg != "0" && seg != "1" && l.Leaf(path[:n], v) {
			v = v.At(0)
		}
		if v = v.Lookup(path[n : n+1]); !v.Exists() {
			return v
		}
	}
	if l.Leaf(path, v) {
		return v.At(0)
	}
	return v
}

// Through follows a place from the root, through leaves. It returns the value and the path at which
// it is, or would be, stored.
func (l *leaves) Through(root tree.Value, place tree.Path) (tree.Value, tree.Path) {
	slot := make(tree.Path, 0, len(place)+2)
	v := root
	for i, seg := range place {
		if len(slot) > 0 && seg != "0" && seg != "1" && l.isPair(slot, v) {
			slot, v = append(slot, "0"), v.At(0)
		}
		slot, v = append(slot, seg), v.Lookup(place[i:i+1])
	}
	if l.isPair(place, v) {
		slot, v = append(slot, "0"), v.At(0)
	}
	return v, slot
}

// placeTree finds the variables at a path, around it and within it. Create it with [newTree].
type placeTree struct {
	at    int32 // variable, -1 for none
	below map[string]*placeTree
	order []string // of below, as declared
}

// newTree returns a tree without variables.
func newTree() *placeTree { return &placeTree{at: -1} }

// Begins reports whether the path of a variable begins with a key.
func (t *placeTree) Begins(key string) bool { return t.below[key] != nil }

// Place adds a variable. If its place overlaps the place of a different variable, it returns that
// variable.
func (t *placeTree) Place(path tree.Path, v int32) (other int32, free bool) {
	for _, seg := range path {
		if t.at >= 0 {
			return t.at, false
		}
		next := t.below[seg]
		if next == nil {
			if t.below == nil {
				t.below = make(map[string]*placeTree)
			}
			next = newTree()
			t.below[seg] = next
			t.order = append(t.order, seg)
		}
		t = next
	}
	if t.at >= 0 {
		return t.at, false
	}
	if t.below != nil { // a new node has a variable or nodes below it
		t.walk(func(i int32) bool { other = i; return false })
		return other, false
	}
	t.at = v
	return v, true
}

// walk yields the variables at a node and below it. It returns false if yield did.
func (t *placeTree) walk(yield func(int32) bool) bool {
	if t.at >= 0 && !yield(t.at) {
		return false
	}
	for _, seg := range t.order {
		if !t.below[seg].walk(yield) {
			return false
		}
	}
	return true
}

// Near yields the variables around a stored path, at it and below it. It skips steps into leaves,
// which no place has.
func (t *placeTree) Near(path tree.Path, yield func(int32) bool) {
	for _, seg := range path {
		if t.at >= 0 {
			yield(t.at) // no variable lies within a different one
			return
		}
		next := t.below[seg]
		switch {
		case next != nil:
			t = next
		case seg != "0":
			return
		}
	}
	t.walk(yield)
}

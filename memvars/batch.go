package memvars

import (
	"slices"
	"strconv"
	"strings"

	"github.com/talewright/talewright/internal/utf8text"
	"github.com/talewright/talewright/memvars/tree"
)

// batch is a batch of edits of one document, with the changes and notes about them. Commands and
// passes write through it. It belongs to one goroutine.
type batch struct {
	Edit    *tree.Edit
	Profile *Profile
	Gate    gate // nil: nothing is declared
	// Changes are the changes so far. Notes are the places that were not changed, with reasons.
	Changes []tree.Change
	Notes   []Note
}

// Note says that a pass did not change a place.
type Note struct {
	Pass string    `json:"pass"`
	Path tree.Path `json:"path"`
	Text string    `json:"text"`
}

// String returns the pass, the place and the text.
func (n Note) String() string { return n.Pass + " " + n.Path.String() + ": " + n.Text }

// gate knows the variables that a game has declared.
type gate interface {
	// Admit returns the stored value for a value that a pass writes into a place. ok is false if
	// nothing is stored.
	Admit(at tree.Place, v tree.Value) (stored tree.Value, ok bool)
	// Holds reports whether a node is, or contains, a declared variable. A pass does not remove
	// such a node.
	Holds(at tree.Path) bool
}

// Root returns the current document. Use it only until the next write; freeze a value to keep it.
func (b *batch) Root() tree.Value { return b.Edit.Peek(nil) }

// Note records why a pass did not change a place. Notes are for authors. They are not errors, and a
// model never sees them.
//
// The text may quote a model's text, so it is cut; see [cut].
func (b *batch) Note(pass string, path tree.Path, text string) {
	b.Notes = append(b.Notes, Note{Pass: pass, Path: path, Text: cut(text)})
}

// maxSaid limits, in bytes, a name, a reason, a quotation or a hint that is returned to the author
// of a command.
const maxSaid = 200

// cut shortens a text to 200 bytes, at a character boundary.
func cut(s string) string {
	if len(s) <= maxSaid {
		return s
	}
	return utf8text.Cut(s, maxSaid) + "…"
}

// Change records a change. The path is copied, because callers reuse its array while they walk
// through the document.
func (b *batch) Change(c tree.Change) {
	c.Path = slices.Clone(c.Path)
	b.Changes = append(b.Changes, c)
}

// Put writes a value. The caller has checked that this is possible.
func (b *batch) Put(path tree.Path, v tree.Value) { b.noteError(path, b.Edit.Set(path, v)) }

// Remove removes a node. The caller has checked that this is possible.
func (b *batch) Remove(path tree.Path) { b.noteError(path, b.Edit.Delete(path)) }

// Rename changes the key of a member. The caller has checked that this is possible.
func (b *batch) Rename(path tree.Path, key string) { b.noteError(path, b.Edit.Rename(path, key)) }

// noteError records an error as a note. An error means that the caller's check is wrong. The fuzz
// tests fail for such notes.
func (b *batch) noteError(path tree.Path, err error) {
	if err != nil {
		b.Note("edit", path, err.Error())
	}
}

// Text returns a text, or "" if there is none.
func (b *batch) Text(path tree.Path) string {
	s, _ := b.Profile.Content(b.Root(), path).AsText()
	return s
}

// Number returns a number, or a text that reads as one.
func (b *batch) Number(path tree.Path) (tree.Number, bool) {
	return numeric(b.Profile.Content(b.Root(), path))
}

// numeric reads a number, or a text that reads as one: models write both. The value may have a
// description, [30, "threshold"].
func numeric(v tree.Value) (tree.Number, bool) {
	v = content(v)
	if n, ok := v.AsNumber(); ok {
		return n, true
	}
	s, _ := v.AsText()
	s = strings.TrimSpace(s)
	return tree.Number(s), tree.Number(s).Valid()
}

// Update writes the content of an existing place if the value differs. It reports whether it wrote.
func (b *batch) Update(path tree.Path, v tree.Value, cause string) bool {
	at, err := b.Profile.Find(b.Root(), path)
	old := at.Content()
	if err != nil || old.Equal(v) {
		return false
	}
	if b.Gate != nil {
		var ok bool
		if v, ok = b.Gate.Admit(at, v); !ok || old.Equal(v) {
			return false
		}
	}
	b.Edit.Freeze(old)
	b.Put(at.Slot(), v)
	b.Change(tree.Change{Path: at.Path, Old: old, New: v, By: cause})
	return true
}

// Store writes a value that the engine has computed, and creates missing parents. A description next
// to the old value stays. If the place cannot be written, nothing happens.
func (b *batch) Store(path tree.Path, v tree.Value, cause string) {
	if at, err := b.Profile.Find(b.Root(), path); err == nil {
		if at.Content().IsPair() {
			path = at.Slot().Child("0")
		}
		b.Update(path, v, cause)
		return
	}
	d := b.Destination(path)
	if d.Code != "" || d.Exist {
		return
	}
	built := nest(d.Rest, v)
	b.Put(d.At, built)
	b.Change(tree.Change{Path: d.At, Old: d.Old, New: built, By: cause})
}

// Drop removes a node for a pass, and records the change. old is the value of the node.
func (b *batch) Drop(path tree.Path, old tree.Value, cause string) {
	b.Edit.Freeze(old)
	b.Change(tree.Change{Path: path, Old: old, By: cause})
	b.Remove(path)
}

// target is the destination of a value.
type target struct {
	At    tree.Path  // the place to write: the topmost that does not exist yet
	Rest  tree.Path  // the objects to create below it
	Old   tree.Value // the replaced value, absent if At does not exist
	Exist bool       // the whole path exists
	Code  Code       // why nothing can be written there
}

// Destination follows path from the root. Missing objects will be created, and a null becomes an
// object. A list takes an index; its length or a dash appends.
func (b *batch) Destination(path tree.Path) target {
	at := b.Root()
	for i, seg := range path {
		here := path[:i:i]
		switch at.Kind() {
		case tree.KindObject:
			child := at.Get(seg)
			if !child.Exists() {
				return target{At: path[: i+1 : i+1], Rest: path[i+1:]}
			}
			at = child
		case tree.KindArray:
			n, isIndex := tree.Index(seg)
			switch {
			case seg == "-" || isIndex && n == at.Len():
				end := append(here, strconv.Itoa(at.Len()))
				return target{At: end, Rest: path[i+1:]}
			case !isIndex:
				return target{Code: NotAContainer}
			case n > at.Len():
				return target{Code: IndexOutOfRange}
			}
			at = at.At(n)
		case tree.KindNull:
			return target{At: here, Rest: path[i:], Old: at}
		default:
			return target{Code: NotAContainer, At: here, Rest: path[i:], Old: at}
		}
	}
	return target{At: path, Old: at, Exist: true}
}

// nest wraps a value in the objects that rest names.
func nest(rest tree.Path, v tree.Value) tree.Value {
	for _, key := range slices.Backward(rest) {
		v = tree.Object(tree.Member{Key: key, Value: v})
	}
	return v
}

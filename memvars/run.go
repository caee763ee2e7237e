package memvars

import (
	"slices"
	"strconv"
	"strings"

	"github.com/talewright/talewright/internal/utf8text"
	"github.com/talewright/talewright/memvars/tree"
)

// run is the work on one document: a batch of edits, with the changes and notes about them. Commands
// and passes write through it. It belongs to one goroutine.
type run struct {
	edit         *tree.Edit
	sys          *System
	actor        Actor
	cause        string // of the changes of the current command; see cause
	result       Result
	bag          sweptBag
	writtenNodes int // see maxWritten
	commands     int // of the message
	// Buffers for the lists of a plan. The next plan uses them again, to save allocations.
	writes  []write
	events  []tree.Change
	touched []touch
	// numbered are the entries of summary.small by their keys without number, for the keys that
	// commands wrote.
	series map[string]*series
}

// touch is the effect of a command on one node, however the command was written.
type touch struct {
	path     tree.Path  // from the root, as the document stores it
	old, new tree.Value // absent: did not exist, or is removed
	removed  bool       // by a deletion or a move
	list     bool       // elements of the list moved; old is not looked up yet
}

// writeKind says what a write does.
type writeKind uint8

const (
	put    writeKind = iota // set value at path
	remove                  // delete path
	rename                  // change the key of the member at path to key
)

// write is one step of a plan.
type write struct {
	kind  writeKind
	path  tree.Path  // from the root
	value tree.Value // of a put
	key   string     // of a rename
}

// sweptBag says which part of the inventory is clean, because an inventory may be large, and a message
// may have many commands.
type sweptBag struct {
	last tree.Value // the inventory after the last sweep
	// swept says that last is clean except for later writes. unclean says that a sweep removed
	// elements of lists, which may have changed the meaning of those lists.
	swept, unclean bool
}

// newRun starts the work on d. Nothing is copied before the first write.
func newRun(s *System, d tree.Document, by Actor) *run {
	if by != User && by != Host {
		by = AI // an unknown actor is trusted least
	}
	return &run{edit: d.Edit(), sys: s, actor: by}
}

// finish returns the document. It is the given one if nothing changed.
func (r *run) finish(d tree.Document) (tree.Document, Result) {
	if r.root().Same(d.Root()) {
		return d, r.result
	}
	return r.edit.Document(), r.result
}

// root returns the current document. Use it only until the next write; freeze a value to keep it.
func (r *run) root() tree.Value { return r.edit.Peek(nil) }

// note records why a pass did not change a place. Notes are for authors. They are not errors, and a
// model never sees them.
//
// The text may quote a model's text, so it is cut; see [cut].
func (r *run) note(pass string, path tree.Path, text string) {
	r.result.Notes = append(r.result.Notes, Note{Pass: pass, Path: path, Text: cut(text)})
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

// change records a change. The path is copied, because callers reuse its array while they walk
// through the document.
func (r *run) change(c tree.Change) {
	c.Path = slices.Clone(c.Path)
	r.result.Changes = append(r.result.Changes, c)
}

// put writes a value. The caller has checked that this is possible.
func (r *run) put(path tree.Path, v tree.Value) { r.noteError(path, r.edit.Set(path, v)) }

// remove removes a node. The caller has checked that this is possible.
func (r *run) remove(path tree.Path) { r.noteError(path, r.edit.Delete(path)) }

// rename changes the key of a member. The caller has checked that this is possible.
func (r *run) rename(path tree.Path, key string) { r.noteError(path, r.edit.Rename(path, key)) }

// noteError records an error as a note. An error means that the caller's check is wrong. The fuzz
// tests fail for such notes.
func (r *run) noteError(path tree.Path, err error) {
	if err != nil {
		r.note("edit", path, err.Error())
	}
}

// text returns the text at a path. It returns "" for other values.
func (r *run) text(path tree.Path) string {
	s, _ := r.sys.profile.Content(r.root(), path).AsText()
	return s
}

// number returns a number, or a text that reads as one.
func (r *run) number(path tree.Path) (tree.Number, bool) {
	return numeric(r.sys.profile.Content(r.root(), path))
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

// update writes the content of an existing place for a pass, if the value differs.
func (r *run) update(path tree.Path, v tree.Value, cause string) {
	at, err := r.sys.profile.Find(r.root(), path)
	old := at.Content()
	if err != nil || old.Equal(v) {
		return
	}
	v, ok := r.admit(at, v)
	if !ok || old.Equal(v) {
		return
	}
	r.edit.Freeze(old)
	r.put(at.Slot(), v)
	r.change(tree.Change{Path: at.Path, Old: old, New: v, By: cause})
}

// store writes a value that the engine has computed, and creates missing parents. A description next
// to the old value stays. If the place cannot be written, nothing happens.
func (r *run) store(path tree.Path, v tree.Value, cause string) {
	if at, err := r.sys.profile.Find(r.root(), path); err == nil {
		if at.Content().IsPair() {
			path = at.Slot().Child("0")
		}
		r.update(path, v, cause)
		return
	}
	d := r.destination(path)
	if d.Code != "" || d.Exist {
		return
	}
	built := nest(d.Rest, v)
	r.put(d.At, built)
	r.change(tree.Change{Path: d.At, Old: d.Old, New: built, By: cause})
}

// drop removes a node for a pass, and records the change. old is the value of the node.
func (r *run) drop(path tree.Path, old tree.Value, cause string) {
	r.edit.Freeze(old)
	r.change(tree.Change{Path: path, Old: old, By: cause})
	r.remove(path)
}

// target is the destination of a value.
type target struct {
	At    tree.Path  // the place to write: the topmost that does not exist yet
	Rest  tree.Path  // the objects to create below it
	Old   tree.Value // the replaced value, absent if At does not exist
	Exist bool       // the whole path exists
	Code  Code       // why nothing can be written there
}

// destination follows path from the root. Missing objects will be created, and a null becomes an
// object. A list takes an index; its length or a dash appends.
func (r *run) destination(path tree.Path) target {
	at := r.root()
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

// admit returns the gate's value for a value that a pass writes into a place. ok is false if nothing
// is stored.
func (r *run) admit(at tree.Place, v tree.Value) (stored tree.Value, ok bool) {
	for _, place := range placesNear(r.sys.gate, at.Path) {
		if rest, ok := r.match(place, at.Path); !ok || len(rest) > 0 || len(place) != len(logical(place, at.Path)) {
			continue
		}
		stored, refusal := r.sys.gate.Judge(Write{Actor: Host, Path: place, Old: at.Content(), New: v})
		return stored, refusal == nil
	}
	return v, true
}

// holdsDeclared reports whether a node is, or contains, a declared variable. A pass does not remove
// such a node.
func (r *run) holdsDeclared(at tree.Path) bool {
	return slices.ContainsFunc(placesNear(r.sys.gate, at), func(place tree.Path) bool {
		rest, ok := r.match(place, at)
		return ok && (len(rest) > 0 || len(logical(place, at)) == len(place))
	})
}

// logical returns the path of a node without the steps into leaves, as far as the segments of the
// place allow that.
func logical(place, path tree.Path) tree.Path {
	out := make(tree.Path, 0, len(path))
	for _, seg := range path {
		if seg == "0" && (len(out) >= len(place) || place[len(out)] != "0") {
			continue
		}
		out = append(out, seg)
	}
	return out
}

// match compares a place with the path of a node in the current document.
func (r *run) match(place, path tree.Path) (rest tree.Path, ok bool) {
	return r.sys.profile.Match(r.root(), place, path)
}

// placesNear lists the places of [Gate.Near], none without a gate. A loop over the iterator itself
// would move the variables of its body to the heap, including the plan of each command.
func placesNear(g Gate, path tree.Path) []tree.Path {
	if g == nil {
		return nil
	}
	return slices.Collect(g.Near(path))
}

// series are the entries of summary.small under one key. The first entry has the key itself, the
// others have the key with a number: day, day-1, day-2. A run caches them, because a message may
// have many entries.
type series struct {
	key    string
	size   int             // number of entries
	texts  map[string]bool // the entries that are texts
	others []tree.Value    // all other entries
}

// freeKey returns the first key without an entry.
func (s *series) freeKey() string {
	if s.size == 0 {
		return s.key
	}
	return s.key + "-" + strconv.Itoa(s.size)
}

// add adds an entry at the first free key.
func (s *series) add(v tree.Value) {
	s.size++
	if text, ok := v.AsText(); ok {
		s.texts[text] = true
	} else {
		s.others = append(s.others, v)
	}
}

// contains reports whether an entry has the value.
func (s *series) contains(v tree.Value) bool {
	if text, ok := v.AsText(); ok {
		return s.texts[text]
	}
	return slices.ContainsFunc(s.others, v.Equal)
}

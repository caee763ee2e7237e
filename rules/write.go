package rules

import (
	"errors"
	"maps"
	"slices"
	"strconv"

	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules/declare"
	"github.com/talewright/talewright/rules/effect"
	"github.com/talewright/talewright/rules/event"
)

// Writing has three forms: a declared variable as a whole, a path into a declared json
// variable, and any node of a document without a schema. All of them go through operate,
// so that the nine operations mean the same at every depth, and all of them check first
// and write then: a write that is refused has changed nothing.

// What is reported depends on the form. Of a declared variable, and of a path into one, the
// change is of the variable as a whole, because that is what rules watch; of a document
// without a schema it is of the node. An equal value is no change in any of them.

// writer carries effects out, one after another, each seeing those before it. It
// copies a map of the ledger when it first writes to it.
type writer struct {
	set    *Program
	state  State
	edit   *tree.Edit
	opts   Options
	owned  ownership
	asked  bool                 // a generation was requested in this chain
	out    Applied              // of all batches, but for its state
	raised []event.Event        // emitted, and triggers, of all batches
	fresh  []effect.SendContext // one-shot context added

	// Lengths at the beginning of the batch: what is behind them is its own.
	changedBefore, raisedBefore int
}

// newWriter starts a batch, or the batches of a chain, on a state.
func newWriter(s *Program, st State, opts Options) *writer {
	return &writer{set: s, state: st, edit: st.Variables.Edit(), opts: opts}
}

// Value reads a reference: an id, a display name, or a path.
func (w *writer) Value(ref string) tree.Value {
	// A declared name means the variable, whatever the document holds under that key.
	s := w.set.variables()
	if v, ok := s.named(ref); ok {
		return w.held(v)
	}
	if v := w.edit.Lookup(tree.Path{ref}); v.Exists() {
		if w.set.isLeaf(tree.Path{ref}, v) {
			return v.At(0)
		}
		return v
	}
	if v, ok := w.state.view(ref); ok {
		return v
	}
	path, err := tree.ParsePath(ref)
	if err != nil {
		return tree.Value{}
	}
	if v, ok := s.withID(path[0]); ok && v.remote {
		return w.held(v).Lookup(path[1:])
	}
	if root := w.edit.Lookup(path[:1]); root.Exists() {
		return w.set.walk(w.edit.Lookup(nil), path, 0)
	}
	return s.fallback(ref, path)
}

// Set carries out one write.
func (w *writer) Set(c effect.Caused, e effect.SetVariable) {
	operand := e.Value
	if e.ValueRef != "" {
		operand = w.Value(e.ValueRef)
		if !operand.Exists() {
			// The literal is no fallback: it is what the editor left there.
			w.Refuse(c, e.Path, operand,
				deny(effect.NoReference, "nothing is called %q", e.ValueRef))
			return
		}
	}
	if tooLong(operand) {
		w.Refuse(c, e.Path, tree.Value{}, deny(effect.WrongOperand, "a number of more than %d digits", tree.MaxDigits))
		return
	}
	w.report(c, w.write(e, operand))
}

// written is what one write has come to: a change, or nothing, or a refusal.
type written struct {
	change tree.Change // without a path: nothing
	place  string      // as a refusal calls it
	tried  tree.Value  // what would have been written
	why    effect.Why
}

// report notes what a write has come to.
func (w *writer) report(c effect.Caused, r written) {
	if r.why.Reason != "" {
		w.Refuse(c, r.place, r.tried, r.why)
	} else if r.change.Path != nil {
		r.change.By = c.By
		w.changed(r.change)
	}
}

// write finds out which form a write has, and carries it out.
func (w *writer) write(e effect.SetVariable, operand tree.Value) written {
	s := w.set.variables()
	if v, ok := s.named(e.Path); ok {
		return w.writeVariable(e.Operation, v, operand)
	}
	if old, ok := w.state.view(e.Path); ok && w.edit.Kind(tree.Path{e.Path}) == tree.Absent {
		return w.writeView(e, old, operand)
	}
	if s.declared() {
		return w.writeInside(e, operand)
	}
	return w.writeNode(e, operand)
}

// changedTo is a change, or nothing for an equal value: deeply, an equal list is no news.
func changedTo(path tree.Path, old, next tree.Value) written {
	if next.Equal(old) {
		return written{}
	}
	return written{change: tree.Change{Path: path, Old: old, New: next}}
}

// writeVariable writes a declared variable as a whole. The value that is reported as
// refused is the one that would have been stored, where it got that far.
func (w *writer) writeVariable(op effect.Operation, v *variable, operand tree.Value) written {
	old := w.held(v)
	next, why := op.Result(old, operand)
	if why.Reason != "" {
		return written{place: v.ID, tried: operand, why: why}
	}
	attempted := next
	if next, why = v.conform(op, old, next); why.Reason != "" {
		return written{place: v.ID, tried: attempted, why: why}
	}
	if next.Equal(old) {
		return written{}
	}
	if why := w.hold(v, next); why.Reason != "" {
		return written{place: v.ID, tried: operand, why: why}
	}
	return changedTo(v.path, old, next)
}

// writeInside writes a path into a declared json variable and reports the whole.
func (w *writer) writeInside(e effect.SetVariable, operand tree.Value) written {
	r := written{place: e.Path, tried: operand}
	var v *variable
	var path tree.Path
	if v, path, r.why = w.inside(e.Path); r.why.Reason != "" {
		return r
	}
	old := w.held(v)
	// A text has no parts, also one that happens to hold JSON.
	if v.Type != declare.JSON || !isStructure(old) {
		r.why = deny(effect.BadPath, "%s is no list or object", v.ID)
		return r
	}
	slot, has := w.slot(v)
	if !has {
		if r.why = w.hold(v, old); r.why.Reason != "" {
			return r
		}
		slot, _ = w.slot(v)
	}
	if r.why = w.writePath(e.Operation, append(slices.Clip(slot), path[1:]...), operand); r.why.Reason != "" {
		return r
	}
	return changedTo(v.path, old, w.held(v))
}

// inside reads a path into a declared variable. Paths begin with ids: a display name may hold dots
// of its own.
func (w *writer) inside(text string) (*variable, tree.Path, effect.Why) {
	path, err := tree.ParsePath(text)
	if err != nil {
		return nil, nil, malformed
	}
	v, ok := w.set.variables().withID(path[0])
	switch {
	case !ok || len(path) < 2:
		return nil, nil, deny(effect.UnknownVariable, "not declared")
	case len(path) > maxSegments:
		return nil, nil, deny(effect.BadPath, "deeper than %d levels", maxSegments)
	}
	return v, path, effect.Why{}
}

// writeNode writes anywhere in a document without a schema and reports the node.
func (w *writer) writeNode(e effect.SetVariable, operand tree.Value) written {
	r := written{place: e.Path, tried: operand}
	at, why := w.locate(e.Path)
	if r.why = why; why.Reason != "" {
		return r
	}
	if e.Operation == effect.Delete {
		if w.namesPart(at.path, operand) {
			return w.deletePart(e.Path, at, operand)
		}
		at.path = w.whole(at.path)
	}
	// Without a schema nobody has said what the variables are. A change is reported where
	// it shows: at the node, or at the top of a branch that was not there. Only that is looked
	// at, because a batch copies what it has shown before it writes there again.
	top := len(at.path)
	for top > 1 && w.edit.Kind(at.path[:top-1]) == tree.Absent {
		top--
	}
	old := w.edit.Lookup(at.path[:top])
	if r.why = w.writePath(e.Operation, at.path, operand); r.why.Reason != "" {
		return r
	}
	name := at.name[:len(at.name)-(len(at.path)-top)] // nothing that is created is a leaf
	return changedTo(name, old, w.edit.Lookup(at.path[:top]))
}

// namesPart reports whether a delete in a document without a schema takes a part out of the
// node at a path, or else removes the node itself. Of a variable, which is what a path of one
// segment names, it only ever takes parts, as it does with a schema: a forgotten index must not
// cost the whole list. Deeper in, a path may name the part by itself.
func (w *writer) namesPart(path tree.Path, operand tree.Value) bool {
	if len(path) == 1 {
		return true
	}
	// True and null are what editors and patches write where nothing more is asked for.
	unsaid := !operand.Exists() || operand.IsNull() || operand.Kind() == tree.KindBool
	return !unsaid && isStructure(w.edit.Lookup(path))
}

// deletePart removes the key or index that the operand names from the node at a path. A key
// or index that is not there changes nothing.
func (w *writer) deletePart(text string, at node, operand tree.Value) written {
	r := written{place: text, tried: operand}
	old := w.edit.Lookup(at.path)
	if !old.Exists() || old.IsNull() {
		return written{}
	}
	next, why := effect.Delete.Result(old, operand)
	if r.why = why; why.Reason != "" {
		return r
	}
	if next.Equal(old) {
		return written{}
	}
	if r.why = w.put(at.path, next); r.why.Reason != "" {
		return r
	}
	return changedTo(at.name, old, next)
}

// whole is the path of the node itself where a path has led into a leaf: a leaf is deleted
// with its description, which alone would be no leaf any more.
func (w *writer) whole(path tree.Path) tree.Path {
	n := len(path) - 1
	if n > 0 && path[n] == "0" && w.leaf(path[:n], path[:n]) {
		return path[:n]
	}
	return path
}

// node is a place in a document without a schema: the path to it, and its name, which is the
// path without the steps into leaves.
type node struct{ path, name tree.Path }

// maxSegments bounds the paths that are written. People need five.
const maxSegments = 100

// locate turns a text into the place of the node that it means: the key of that
// name, or the node behind the leaves on the way.
func (w *writer) locate(text string) (at node, why effect.Why) {
	path := tree.Path{text}
	if w.edit.Kind(path) == tree.Absent {
		parsed, err := tree.ParsePath(text)
		if err != nil {
			return at, malformed
		}
		path = parsed
	}
	if len(path) > maxSegments {
		return at, deny(effect.BadPath, "deeper than %d levels", maxSegments)
	}
	for i, seg := range path {
		// A leaf is passed through to its value. Its elements can be named too; the second
		// one is documentation, which the game only reads.
		if i > 0 && w.leaf(path[:i], at.path) {
			if seg == "1" {
				return at, deny(effect.BadPath, "the description of a value is not written")
			}
			at.path = append(at.path, "0")
			if seg == "0" {
				continue
			}
		}
		at.path, at.name = append(at.path, seg), append(at.name, seg)
	}
	if w.leaf(path, at.path) {
		at.path = append(at.path, "0")
	}
	return at, effect.Why{}
}

// leaf reports whether the node at a path, which content calls by a name, is a leaf.
func (w *writer) leaf(name, path tree.Path) bool {
	return w.edit.Kind(path) == tree.KindArray && w.set.isLeaf(name, w.edit.Lookup(path))
}

// reserved are the keys that scripts must not reach. Go has no use for them; worlds are also
// played, and their states read, by programs in which they are doors.
var reserved = [...]string{"__proto__", "prototype", "constructor"}

// writePath applies an operation to the node at a path, creating objects on the
// way. Everything is checked before anything is written.
func (w *writer) writePath(op effect.Operation, path tree.Path, operand tree.Value) effect.Why {
	for _, seg := range path {
		if slices.Contains(reserved[:], seg) {
			return deny(effect.BadPath, "the key %s is reserved", seg)
		}
	}
	// A write creates what it needs on the way, but only when it will be carried out: an
	// operation that is refused must not leave empty objects behind.
	missing, why := w.passable(path)
	if why.Reason != "" {
		return why
	}
	old := w.edit.Lookup(path)
	if op == effect.Delete {
		if old.Exists() && !old.IsNull() {
			_ = w.edit.Delete(path) // it is there
		}
		return effect.Why{}
	}
	// Null is a value to set and nothing to compute with: the operation starts from nothing.
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
	// What is missing is made first and written in one step: all of it or nothing.
	for n := len(path); n > missing; n-- {
		next = tree.Object(tree.Member{Key: path[n-1], Value: next})
	}
	return w.put(path[:missing], next)
}

// put stores a value: the one place where the document is written, so that what cannot be stored
// with it later is refused now, and by itself.
func (w *writer) put(path tree.Path, v tree.Value) effect.Why {
	if why := effect.Storable(v); why.Reason != "" {
		return why
	}
	switch err := w.edit.Set(path, v); {
	case errors.Is(err, tree.ErrDepth):
		return deny(effect.TooLarge, "nested deeper than %d levels", tree.MaxDepth)
	case err != nil:
		return deny(effect.BadPath, "nothing can be written there")
	}
	return effect.Why{}
}

// passable checks that the node at a path can be written, and returns how many
// segments lead to the first node that has to be created.
func (w *writer) passable(path tree.Path) (int, effect.Why) {
	for i := range path {
		switch w.edit.Kind(path[:i]) {
		case tree.Absent, tree.KindNull:
			return i, effect.Why{}
		case tree.KindObject:
		case tree.KindArray:
			// The length itself is a place: writing there extends the list.
			n, err := strconv.Atoi(path[i])
			if err != nil || n < 0 || n > w.edit.Lookup(path[:i]).Len() || strconv.Itoa(n) != path[i] {
				return 0, deny(effect.BadPath, "%s is a list without a place %q", path[:i].String(), path[i])
			}
		default:
			return 0, deny(effect.BadPath, "%s is no list or object", path[:i].String())
		}
	}
	return len(path), effect.Why{}
}

// changed notes a change.
func (w *writer) changed(c tree.Change) { w.out.Changes = append(w.out.Changes, c) }

// recompute brings the formula variables up to date after a batch.
func (w *writer) recompute() {
	s := w.set.variables()
	if s == nil || len(s.formulas) == 0 || len(w.out.Changes) == w.changedBefore {
		return
	}
	w.compute()
}

// compute gives each formula variable its value. They come in the order in which they depend
// on each other, so that one pass will do however long the way is.
func (w *writer) compute() {
	s := w.set.variables()
	for _, i := range s.formulas {
		v := &s.vars[i]
		result, ok := v.formula.Eval(w.Value)
		if !ok { // half a result is worse than the last whole one
			continue
		}
		w.report(effect.Caused{By: "formula"}, w.writeVariable(effect.Set, v, v.computed(result)))
	}
}

// tooLong reports whether an operand is, or holds, a number of more digits than anything
// computes with.
func tooLong(v tree.Value) bool {
	if n, ok := v.AsNumber(); ok {
		return len(n) > tree.MaxDigits
	}
	for _, m := range v.Members() {
		if tooLong(m) {
			return true
		}
	}
	for _, e := range v.Elements() {
		if tooLong(e) {
			return true
		}
	}
	return false
}

// writeView writes a view that holds a value.
func (w *writer) writeView(e effect.SetVariable, old, operand tree.Value) written {
	next, why := e.Operation.Result(old, operand)
	if why.Reason != "" {
		return written{place: e.Path, tried: operand, why: why}
	}
	if next.Equal(old) {
		return written{}
	}
	views, now, err := w.state.Views.WithView(e.Path, next)
	if err != nil {
		return written{place: e.Path, tried: next, why: deny(effect.BadValue, "%v", err)}
	}
	w.state.Views = views
	return changedTo(tree.Path{e.Path}, old, now)
}

// malformed refuses a text that is no path.
var malformed = deny(effect.BadPath, "a path is written a.b[0], without empty parts")

// Refuse notes what was not carried out.
func (w *writer) Refuse(c effect.Caused, path string, value tree.Value, why effect.Why) {
	w.out.Refused = append(w.out.Refused, effect.Refusal{
		By: c.By, Effect: c.Effect, Path: path, Value: value, Reason: why.Reason, Text: why.In(w.set.language()),
	})
}

// ownership says which parts of the ledger the writer may change in place: those that it has
// copied. All others are shared with the state that went in, which stays as it is.
type ownership struct {
	enabled, cooldowns, fireCounts, entries, variables, books, directives, pending bool
}

// own copies a map of the ledger before the first write of a chain, and only then: chains
// in which nothing happens copy nothing, others once per map and not per firing. A new map
// gets room for n keys.
func own[V any](m *map[string]V, owned *bool, n int) {
	if *owned {
		return
	}
	*owned = true
	*m = maps.Clone(*m)
	if *m == nil {
		*m = make(map[string]V, n)
	}
}

// stored returns the value of a variable as the document has it, absent if it has none, and
// the path at which it is stored.
func (w *writer) stored(v *variable) (tree.Value, tree.Path) {
	value := w.edit.Lookup(v.path)
	if !v.remote || value.Exists() && !value.IsPair() {
		return value, v.path
	}
	return w.set.through(w.edit.Lookup(nil), v.path)
}

// held returns the present value of a variable, or its default.
func (w *writer) held(v *variable) tree.Value {
	if value, _ := w.stored(v); value.Exists() {
		return value
	}
	return v.fallback
}

// slot returns where a variable is stored, and whether it is there.
func (w *writer) slot(v *variable) (tree.Path, bool) {
	value, slot := w.stored(v)
	return slot, value.Exists()
}

// hold writes the value of a variable. What is missing on the way to it is created; a text or
// number in the way is a refusal.
func (w *writer) hold(v *variable, value tree.Value) effect.Why {
	if v.remote {
		slot, has := w.slot(v)
		if !has {
			return w.writePath(effect.Set, slot, value)
		}
		return w.put(slot, value)
	}
	return w.put(v.path, value)
}

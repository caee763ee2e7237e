package rules

import (
	"slices"

	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules/declare"
	"github.com/talewright/talewright/rules/effect"
	"github.com/talewright/talewright/rules/event"
	"github.com/talewright/talewright/rules/internal/keep"
	"github.com/talewright/talewright/rules/internal/place"
)

// Writing has three forms: a declared variable as a whole, a path into a declared json
// variable, and any node of a document without a schema. All of them go through operate,
// so that the nine operations mean the same at every depth, and all of them check first
// and write then: a write that is refused has changed nothing.

// What is reported depends on the form. Of a declared variable, and of a path into one, the
// change is of the variable as a whole, because that is what rules watch; of a document
// without a schema it is of the node. An equal value is no change in any of them.

// writer carries effects out, one after another, each seeing those before it.
type writer struct {
	set    *Program
	state  State
	edit   *tree.Edit
	doc    place.Doc // of edit
	keeper keep.Keeper
	opts   Options
	asked  bool                 // a generation was requested in this chain
	out    Applied              // of all batches, but for its state
	raised []event.Event        // emitted, and triggers, of all batches
	fresh  []effect.SendContext // one-shot context added

	// Lengths at the beginning of the batch: what is behind them is its own.
	changedBefore, raisedBefore int
}

// newWriter starts a batch, or the batches of a chain, on a state.
func newWriter(s *Program, st State, opts Options) *writer {
	w := &writer{set: s, state: st, edit: st.Variables.Edit(), opts: opts}
	w.doc = place.Doc{Edit: w.edit, Leaves: s.leaves()}
	w.keeper.Ledger = &w.state.Ledger
	return w
}

// Value reads a reference: an id, a display name, or a path.
func (w *writer) Value(ref string) tree.Value {
	// A declared name means the variable, whatever the document holds under that key.
	s := w.set.variables()
	if v, ok := s.named(ref); ok {
		return w.held(v)
	}
	if v := w.edit.Lookup(tree.Path{ref}); v.Exists() {
		if w.doc.Leaves.Leaf(tree.Path{ref}, v) {
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
		return w.doc.Leaves.Walk(w.edit.Lookup(nil), path, 0)
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
				effect.Deny(effect.NoReference, "nothing is called %q", e.ValueRef))
			return
		}
	}
	if operand.ContainsFunc(tooLong) {
		w.Refuse(c, e.Path, tree.Value{}, effect.Deny(effect.WrongOperand, "a number of more than %d digits", tree.MaxDigits))
		return
	}
	w.report(c, w.write(e, operand))
}

// Refuse notes what was not carried out.
func (w *writer) Refuse(c effect.Caused, path string, value tree.Value, why effect.Why) {
	w.out.Refused = append(w.out.Refused, effect.Refusal{
		By: c.By, Effect: c.Effect, Path: path, Value: value, Reason: why.Reason, Text: why.In(w.set.language()),
	})
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
		w.out.Changes = append(w.out.Changes, r.change)
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
	change, why := w.doc.Node(e.Operation, e.Path, operand)
	return written{change: change, place: e.Path, tried: operand, why: why}
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
	return written{change: place.Changed(v.path, old, next)}
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
		r.why = effect.Deny(effect.BadPath, "%s is no list or object", v.ID)
		return r
	}
	slot, has := w.slot(v)
	if !has {
		if r.why = w.hold(v, old); r.why.Reason != "" {
			return r
		}
		slot, _ = w.slot(v)
	}
	if r.why = w.doc.Write(e.Operation, append(slices.Clip(slot), path[1:]...), operand); r.why.Reason != "" {
		return r
	}
	return written{change: place.Changed(v.path, old, w.held(v))}
}

// inside reads a path into a declared variable. Paths begin with ids: a display name may hold dots
// of its own.
func (w *writer) inside(text string) (*variable, tree.Path, effect.Why) {
	path, why := place.Parse(text)
	if why.Reason != "" {
		return nil, nil, why
	}
	v, ok := w.set.variables().withID(path[0])
	if !ok || len(path) < 2 {
		return nil, nil, effect.Deny(effect.UnknownVariable, "not declared")
	}
	return v, path, place.TooDeep(path)
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
		return written{place: e.Path, tried: next, why: effect.Deny(effect.BadValue, "%v", err)}
	}
	w.state.Views = views
	return written{change: place.Changed(tree.Path{e.Path}, old, now)}
}

// stored returns the value of a variable as the document has it, absent if it has none, and
// the path at which it is stored.
func (w *writer) stored(v *variable) (tree.Value, tree.Path) {
	value := w.edit.Lookup(v.path)
	if !v.remote || value.Exists() && !value.IsPair() {
		return value, v.path
	}
	return w.doc.Leaves.Through(w.edit.Lookup(nil), v.path)
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
			return w.doc.Write(effect.Set, slot, value)
		}
		return w.doc.Put(slot, value)
	}
	return w.doc.Put(v.path, value)
}

// tooLong reports whether a value is a number of more digits than anything computes with.
func tooLong(v tree.Value) bool {
	n, ok := v.AsNumber()
	return ok && len(n) > tree.MaxDigits
}

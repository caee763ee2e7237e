package rules

import (
	"slices"

	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules/effect"
)

// There are three forms of writes. They write a whole declared variable, a path in a declared json
// variable, or any node of a document without a schema. All of them use effect.Operation.Result, so
// that the nine operations have the same meaning at every depth. All of them check first and then
// write: a refused write has changed nothing.

// The reported change depends on the form. For a declared variable, and for a path into one, it is
// the whole variable, because rules watch variables. In a document without a schema it is the node.
// An equal value is no change in any form.

// values are the variables of one state during writes: in its document, and in its views.
type values struct {
	schema *schema
	doc    doc
	views  Views
}

// written is the result of one write: a change, nothing, or a refusal.
type written struct {
	change tree.Change // without a path: no change
	place  string      // the name in a refusal
	tried  tree.Value  // what would have been written
	why    effect.Why
}

// edit starts writing the variables of a state.
func (s *Program) edit(st State) values {
	return values{schema: s.variables(), doc: doc{Edit: st.Variables.Edit(), Leaves: s.leaves()}, views: st.Views}
}

// saved returns a state with the present variables.
func (vs *values) saved(st State) State {
	st.Variables, st.Views = vs.doc.Edit.Document(), vs.views
	return st
}

// Value reads a reference: an id, a display name, or a path.
func (vs *values) Value(ref string) tree.Value {
	// A declared name means the variable, also if the document has a different key of that name.
	s := vs.schema
	if v, ok := s.named(ref); ok {
		return vs.held(v)
	}
	if v := vs.doc.Edit.Lookup(tree.Path{ref}); v.Exists() {
		if vs.doc.Leaves.Leaf(tree.Path{ref}, v) {
			return v.At(0)
		}
		return v
	}
	if v, ok := vs.view(ref); ok {
		return v
	}
	path, err := tree.ParsePath(ref)
	if err != nil {
		return tree.Value{}
	}
	if v, ok := s.withID(path[0]); ok && v.remote {
		return vs.held(v).Lookup(path[1:])
	}
	if root := vs.doc.Edit.Lookup(path[:1]); root.Exists() {
		return vs.doc.Leaves.Walk(vs.doc.Edit.Lookup(nil), path, 0)
	}
	return s.fallback(ref, path)
}

// write finds the form of a write and performs it.
func (vs *values) write(e effect.SetVariable, operand tree.Value) written {
	s := vs.schema
	if v, ok := s.named(e.Path); ok {
		return vs.writeVariable(e.Operation, v, operand)
	}
	if old, ok := vs.view(e.Path); ok && vs.doc.Edit.Kind(tree.Path{e.Path}) == tree.Absent {
		return vs.writeView(e, old, operand)
	}
	if s.declared() {
		return vs.writeInside(e, operand)
	}
	change, why := vs.doc.Node(e.Operation, e.Path, operand)
	return written{change: change, place: e.Path, tried: operand, why: why}
}

// writeVariable writes a whole declared variable. A refusal reports the value that would have been
// stored, if it was computed.
func (vs *values) writeVariable(op effect.Operation, v *variable, operand tree.Value) written {
	old := vs.held(v)
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
	if why := vs.hold(v, next); why.Reason != "" {
		return written{place: v.ID, tried: operand, why: why}
	}
	return written{change: tree.Change{Path: v.path, Old: old, New: next}}
}

// writeInside writes a path into a declared json variable and reports a change of the whole
// variable.
func (vs *values) writeInside(e effect.SetVariable, operand tree.Value) written {
	r := written{place: e.Path, tried: operand}
	var v *variable
	var path tree.Path
	if v, path, r.why = vs.inside(e.Path); r.why.Reason != "" {
		return r
	}
	old := vs.held(v)
	// A text has no parts, even if it contains JSON.
	if v.Type != TypeJSON || !isStructure(old) {
		r.why = effect.Deny(effect.BadPath, "%s is not a list or an object", v.ID)
		return r
	}
	slot, has := vs.slot(v)
	if !has {
		if r.why = vs.hold(v, old); r.why.Reason != "" {
			return r
		}
		slot, _ = vs.slot(v)
	}
	if r.why = vs.doc.Write(e.Operation, append(slices.Clip(slot), path[1:]...), operand); r.why.Reason != "" {
		return r
	}
	return written{change: changed(v.path, old, vs.held(v))}
}

// undeclared refuses a write to a variable that does not exist.
var undeclared = effect.Deny(effect.UnknownVariable, "not declared")

// inside parses a path into a declared variable. Paths begin with ids, because a display name may
// contain dots.
func (vs *values) inside(text string) (*variable, tree.Path, effect.Why) {
	path, why := parse(text)
	if why.Reason != "" {
		return nil, nil, why
	}
	v, ok := vs.schema.withID(path[0])
	if !ok || len(path) < 2 {
		return nil, nil, undeclared
	}
	return v, path, tooDeep(path)
}

// view reads a view.
func (vs *values) view(id string) (tree.Value, bool) {
	if vs.views == nil {
		return tree.Value{}, false
	}
	return vs.views.View(id)
}

// writeView writes a view that holds a value.
func (vs *values) writeView(e effect.SetVariable, old, operand tree.Value) written {
	next, why := e.Operation.Result(old, operand)
	if why.Reason != "" {
		return written{place: e.Path, tried: operand, why: why}
	}
	if next.Equal(old) {
		return written{}
	}
	views, now, err := vs.views.WithView(e.Path, next)
	if err != nil {
		return written{place: e.Path, tried: next, why: effect.Deny(effect.BadValue, "%v", err)}
	}
	vs.views = views
	return written{change: changed(tree.Path{e.Path}, old, now)}
}

// stored returns the value of a variable in the document, absent if it is missing, and the path at
// which it is stored.
func (vs *values) stored(v *variable) (tree.Value, tree.Path) {
	value := vs.doc.Edit.Lookup(v.path)
	if !v.remote || value.Exists() && !value.IsPair() {
		return value, v.path
	}
	return vs.doc.Leaves.Through(vs.doc.Edit.Lookup(nil), v.path)
}

// held returns the present value of a variable, or its default.
func (vs *values) held(v *variable) tree.Value {
	if value, _ := vs.stored(v); value.Exists() {
		return value
	}
	return v.fallback
}

// slot returns the place at which a variable is stored, and whether it exists.
func (vs *values) slot(v *variable) (tree.Path, bool) {
	value, slot := vs.stored(v)
	return slot, value.Exists()
}

// hold writes the value of a variable. It creates missing nodes above the target. If a node above
// the target is a text or number, the write is refused.
func (vs *values) hold(v *variable, value tree.Value) effect.Why {
	if v.remote {
		slot, has := vs.slot(v)
		if !has {
			return vs.doc.Write(effect.Set, slot, value)
		}
		return vs.doc.Put(slot, value)
	}
	return vs.doc.Put(v.path, value)
}

// compute computes each formula variable and calls tell with each result. They are in dependency
// order, so one pass is sufficient.
func (vs *values) compute(tell func(written)) {
	for _, i := range vs.schema.formulas {
		v := &vs.schema.vars[i]
		if result, ok := v.formula.Eval(vs.Value); ok { // an invalid result keeps the last value
			tell(vs.writeVariable(effect.Set, v, v.computed(result)))
		}
	}
}

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

// variableWriter are the variables of one state during writes: in its document, and in its views.
type variableWriter struct {
	schema *schema
	doc    doc
	views  Views
}

// writeResult is the result of one write: a change, nothing, or a refusal.
type writeResult struct {
	change tree.Change // without a path: no change
	place  string      // the name in a refusal
	tried  tree.Value  // what would have been written
	why    effect.Why
}

// edit starts writing the variables of a state.
func (s *Program) edit(st State) variableWriter {
	return variableWriter{schema: s.schema, doc: doc{Edit: st.Variables.Edit(), Leaves: &s.seen}, views: st.Views}
}

// savedState returns a state with the present variables.
func (vs *variableWriter) savedState(st State) State {
	st.Variables, st.Views = vs.doc.Edit.Document(), vs.views
	return st
}

// Value reads a reference: an id, a display name, or a path.
func (vs *variableWriter) Value(ref string) tree.Value {
	// A declared name means the variable, also if the document has a different key of that name.
	s := vs.schema
	if v, ok := s.named(ref); ok {
		return vs.current(v)
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
		return vs.current(v).Lookup(path[1:])
	}
	if root := vs.doc.Edit.Lookup(path[:1]); root.Exists() {
		return vs.doc.Leaves.Walk(vs.doc.Edit.Lookup(nil), path, 0)
	}
	if v, inside := s.around(ref, path); v != nil {
		return v.fallback.Lookup(inside)
	}
	return tree.Value{}
}

// write finds the form of a write and performs it.
func (vs *variableWriter) write(e effect.SetVariable, operand tree.Value) writeResult {
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
	return writeResult{change: change, place: e.Path, tried: operand, why: why}
}

// writeVariable writes a whole declared variable. A refusal reports the value that would have been
// stored, if it was computed.
func (vs *variableWriter) writeVariable(op effect.Operation, v *variable, operand tree.Value) writeResult {
	old := vs.current(v)
	next, why := op.Result(old, operand)
	if why.Reason != "" {
		return writeResult{place: v.ID, tried: operand, why: why}
	}
	attempted := next
	if next, why = v.conform(op, old, next); why.Reason != "" {
		return writeResult{place: v.ID, tried: attempted, why: why}
	}
	if next.Equal(old) {
		return writeResult{}
	}
	if why := vs.store(v, next); why.Reason != "" {
		return writeResult{place: v.ID, tried: operand, why: why}
	}
	return writeResult{change: tree.Change{Path: v.path, Old: old, New: next}}
}

// writeInside writes a path into a declared json variable and reports a change of the whole
// variable.
func (vs *variableWriter) writeInside(e effect.SetVariable, operand tree.Value) writeResult {
	r := writeResult{place: e.Path, tried: operand}
	var v *variable
	var path tree.Path
	if v, path, r.why = vs.parseInside(e.Path); r.why.Reason != "" {
		return r
	}
	old := vs.current(v)
	// A text has no parts, even if it contains JSON.
	if v.Type != TypeJSON || !isStructure(old) {
		r.why = effect.Deny(effect.BadPath, "%s is not a list or an object", v.ID)
		return r
	}
	slot, exists := vs.slotOf(v)
	if !exists {
		if r.why = vs.store(v, old); r.why.Reason != "" {
			return r
		}
		slot, _ = vs.slotOf(v)
	}
	if r.why = vs.doc.Write(e.Operation, append(slices.Clip(slot), path[1:]...), operand); r.why.Reason != "" {
		return r
	}
	return writeResult{change: changed(v.path, old, vs.current(v))}
}

// undeclared refuses a write to a variable that does not exist.
var undeclared = effect.Deny(effect.UnknownVariable, "not declared")

// parseInside parses a path into a declared variable. Paths begin with ids, because a display name
// may contain dots.
func (vs *variableWriter) parseInside(text string) (*variable, tree.Path, effect.Why) {
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
func (vs *variableWriter) view(id string) (tree.Value, bool) {
	if vs.views == nil {
		return tree.Value{}, false
	}
	return vs.views.View(id)
}

// writeView writes a view that holds a value.
func (vs *variableWriter) writeView(e effect.SetVariable, old, operand tree.Value) writeResult {
	next, why := e.Operation.Result(old, operand)
	if why.Reason != "" {
		return writeResult{place: e.Path, tried: operand, why: why}
	}
	if next.Equal(old) {
		return writeResult{}
	}
	views, now, err := vs.views.WithView(e.Path, next)
	if err != nil {
		return writeResult{place: e.Path, tried: next, why: effect.Deny(effect.BadValue, "%v", err)}
	}
	vs.views = views
	return writeResult{change: changed(tree.Path{e.Path}, old, now)}
}

// locate returns the value of a variable in the document, absent if it is missing, and the path at
// which it is stored.
func (vs *variableWriter) locate(v *variable) (tree.Value, tree.Path) {
	value := vs.doc.Edit.Lookup(v.path)
	if !v.remote || value.Exists() && !value.IsPair() {
		return value, v.path
	}
	return vs.doc.Leaves.Through(vs.doc.Edit.Lookup(nil), v.path)
}

// current returns the present value of a variable, or its default.
func (vs *variableWriter) current(v *variable) tree.Value {
	if value, _ := vs.locate(v); value.Exists() {
		return value
	}
	return v.fallback
}

// slotOf returns the place at which a variable is stored, and whether it exists.
func (vs *variableWriter) slotOf(v *variable) (tree.Path, bool) {
	value, slot := vs.locate(v)
	return slot, value.Exists()
}

// store writes the value of a variable. It creates missing nodes above the target. If a node above
// the target is a text or number, the write is refused.
func (vs *variableWriter) store(v *variable, value tree.Value) effect.Why {
	if v.remote {
		slot, exists := vs.slotOf(v)
		if !exists {
			return vs.doc.Write(effect.Set, slot, value)
		}
		return vs.doc.Put(slot, value)
	}
	return vs.doc.Put(v.path, value)
}

// computeFormulas computes each formula variable and calls tell with each result. They are in
// dependency order, so one pass is sufficient.
func (vs *variableWriter) computeFormulas(tell func(writeResult)) {
	for _, i := range vs.schema.formulas {
		v := &vs.schema.vars[i]
		if result, ok := v.compute(vs.Value); ok { // an invalid result keeps the last value
			tell(vs.writeVariable(effect.Set, v, result))
		}
	}
}

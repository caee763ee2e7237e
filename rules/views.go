package rules

import "github.com/talewright/talewright/memvars/tree"

// Views are variables that live outside of the document: fields of a host's own values, such as
// the hit points of its characters. Rules, conditions and formulas read and write them by their
// ids like any others, and events name them so; there is one truth, and it is the host's.
//
// A Views is a value: nothing that it returned changes by a later write. Ids that are also keys
// of the document mean the document.
type Views interface {
	// View returns the present value, and whether there is such a view.
	View(id string) (tree.Value, bool)
	// WithView returns the views after a write of a value to one of them, and what that one
	// holds then, which may be another value within its bounds. An error is why nothing is
	// written; it becomes a [Refusal] with the reason [BadValue].
	WithView(id string, value tree.Value) (Views, tree.Value, error)
}

// view reads a view of the state.
func (st *State) view(id string) (tree.Value, bool) {
	if st.Views == nil {
		return tree.Value{}, false
	}
	return st.Views.View(id)
}

// writeView writes a view that holds a value.
func (w *writer) writeView(e SetVariable, old, operand tree.Value) written {
	next, why := operate(e.Operation, old, operand)
	if why.reason != "" {
		return written{place: e.Path, tried: operand, why: why}
	}
	if next.Equal(old) {
		return written{}
	}
	views, now, err := w.state.Views.WithView(e.Path, next)
	if err != nil {
		return written{place: e.Path, tried: next, why: deny(BadValue, "%v", err)}
	}
	w.state.Views = views
	return changedTo(tree.Path{e.Path}, old, now)
}

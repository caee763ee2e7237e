package rules

import (
	"strings"

	"github.com/talewright/talewright/memvars/tree"
)

// lorePrefix begins the keys under which lore keeps notes of its own among the variables.
const lorePrefix = "__lore_"

// Restore makes a saved state, or that of a new game, fit the declared variables: what is
// not declared is dropped, except keys that begin with "__lore_", what is missing gets its
// default, and formula variables get the values that follow. Nothing of that is a change: rules
// do not hear of it. A formula that cannot be computed leaves its variable as it was. Without a
// schema the state is returned as it is.
//
// Call it when a game begins and when one is loaded: from then on what a document says about
// a variable is what rules, conditions and formulas see.
func (s *Program) Restore(st State) State {
	sc := s.variables()
	if sc == nil {
		return st
	}
	// The order is that of the declarations, whatever that of the save was: equal states
	// have equal bytes.
	root := st.Variables.Root()
	members := make([]tree.Member, 0, len(sc.vars))
	for i := range sc.vars {
		v := &sc.vars[i]
		if v.remote {
			continue
		}
		value := root.Get(v.ID)
		if !value.Exists() {
			value = v.fallback
		}
		members = append(members, tree.Member{Key: v.ID, Value: value})
	}
	for k, v := range root.Members() {
		if i, declared := sc.byID[k]; declared && !sc.vars[i].remote {
			continue
		}
		if strings.HasPrefix(k, lorePrefix) || sc.places.below[k] != nil {
			members = append(members, tree.Member{Key: k, Value: v})
		}
	}
	doc, err := tree.NewDocument(tree.Object(members...))
	if err == nil { // an object is always a document
		st.Variables = doc
	}
	return s.Complete(st)
}

// Complete is [Program.Restore] for a document that is not the schema's alone, as one that holds
// the modules of package memvars: what is missing gets its default, formula variables get the
// values that follow, and everything else stays. A state that lacks nothing is returned as it is.
func (s *Program) Complete(st State) State {
	sc := s.variables()
	if sc == nil {
		return st
	}
	w := newWriter(s, st, Options{})
	for i := range sc.vars {
		if v := &sc.vars[i]; !w.has(v) {
			_ = w.hold(v, v.fallback) // what stands in the way of a place is not the schema's
		}
	}
	w.compute()
	st.Variables = w.edit.Document()
	return st
}

// Follow gives formula variables the values that follow from the others, after another writer
// than rules has written those, and tells what changed.
func (s *Program) Follow(st State) (State, []tree.Change) {
	if sc := s.variables(); sc == nil || len(sc.formulas) == 0 {
		return st, nil
	}
	w := newWriter(s, st, Options{})
	w.compute()
	st.Variables = w.edit.Document()
	return st, w.out.Changes
}

// has reports whether the document has a value for a variable.
func (w *writer) has(v *variable) bool {
	value, _ := w.stored(v)
	return value.Exists()
}

// Rollback returns an older snapshot as the new state. Everything is as it was then,
// the ledger too, but for the variables of scope "setup": those belong to the player's
// preparation and not to the story, and keep what they hold now.
func (s *Program) Rollback(now, snapshot State) State {
	sc := s.variables()
	if sc == nil {
		return snapshot
	}
	w, present := newWriter(s, snapshot, Options{}), newWriter(s, now, Options{})
	for i := range sc.vars {
		v := &sc.vars[i]
		if held, _ := present.stored(v); v.Scope == "setup" && held.Exists() {
			_ = w.hold(v, held) // what stands in the way of a place is not the schema's
		}
	}
	snapshot.Variables = w.edit.Document()
	return snapshot
}

package rules

import (
	"strings"

	"github.com/talewright/talewright/memvars"
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
	members := make([]memvars.Member, 0, len(sc.vars))
	for i := range sc.vars {
		v := root.Get(sc.vars[i].ID)
		if !v.Exists() {
			v = sc.vars[i].fallback
		}
		members = append(members, memvars.Member{Key: sc.vars[i].ID, Value: v})
	}
	for k, v := range root.Members() {
		if _, declared := sc.byID[k]; !declared && strings.HasPrefix(k, lorePrefix) {
			members = append(members, memvars.Member{Key: k, Value: v})
		}
	}
	doc, err := memvars.NewDocument(memvars.Object(members...))
	if err == nil { // an object is always a document
		st.Variables = doc
	}
	if len(sc.formulas) > 0 {
		w := newWriter(s, st, Options{})
		w.compute()
		st.Variables = w.edit.Document()
	}
	return st
}

// Rollback returns an older snapshot as the new state. Everything is as it was then,
// the ledger too, but for the variables of scope "setup": those belong to the player's
// preparation and not to the story, and keep what they hold now.
func (s *Program) Rollback(now, snapshot State) State {
	sc := s.variables()
	if sc == nil {
		return snapshot
	}
	edit := snapshot.Variables.Edit()
	for i := range sc.vars {
		v := &sc.vars[i]
		if held := now.Variables.Lookup(v.path); v.Scope == "setup" && held.Exists() {
			_ = edit.Set(v.path, held) // the root of a document is an object
		}
	}
	snapshot.Variables = edit.Document()
	return snapshot
}

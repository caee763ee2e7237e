package rules

import (
	"strings"

	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules/event"
)

// lorePrefix begins the keys under which lore stores its own data among the variables.
const lorePrefix = "__lore_"

// Restore makes a saved state, or the state of a new game, match the declared variables. Undeclared
// variables are dropped, except keys that begin with "__lore_". Missing variables get their
// default, and formula variables are computed. These are not changes: rules do not see them. If a
// formula cannot be computed, its variable keeps its value. Without a schema the state is returned
// unchanged.
//
// Call it when a game begins and when a game is loaded. After that, rules, conditions and formulas
// see exactly the values in the document.
func (s *Program) Restore(st State) State {
	sc := s.variables()
	if sc == nil {
		return st
	}
	// The order is the order of the declarations, not of the save, so that equal states have equal
	// bytes.
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
		if strings.HasPrefix(k, lorePrefix) || sc.places.Begins(k) {
			members = append(members, tree.Member{Key: k, Value: v})
		}
	}
	doc, err := tree.NewDocument(tree.Object(members...))
	if err == nil { // an object is always a valid document
		st.Variables = doc
	}
	return s.Complete(st)
}

// Complete is [Program.Restore] for a document that contains more than the schema, such as the
// modules of package memvars. Missing variables get their default, formula variables are computed,
// and everything else is kept. A complete state is returned unchanged.
func (s *Program) Complete(st State) State {
	sc := s.variables()
	if sc == nil {
		return st
	}
	vs := s.edit(st)
	for i := range sc.vars {
		v := &sc.vars[i]
		if _, exists := vs.slotOf(v); !exists {
			_ = vs.store(v, v.fallback) // a value that blocks a place is not part of the schema
		}
	}
	vs.computeFormulas(func(writeResult) {})
	return vs.savedState(st)
}

// Follow recomputes the formula variables after a writer other than rules has changed variables. It
// returns the changes.
func (s *Program) Follow(st State) (State, []tree.Change) {
	if sc := s.variables(); sc == nil || len(sc.formulas) == 0 {
		return st, nil
	}
	w := newWriter(s, st, Options{})
	w.recompute()
	return w.savedState(st), w.out.Changes
}

// Rollback returns an older snapshot as the new state. Everything is as in the snapshot, also the
// ledger, except the variables of scope "setup". Those belong to the player's preparation and not
// to the story, and keep their present values. Formulas are computed with these values.
func (s *Program) Rollback(now, snapshot State) State {
	sc := s.variables()
	if sc == nil {
		return snapshot
	}
	vs, present := s.edit(snapshot), s.edit(now)
	for i := range sc.vars {
		v := &sc.vars[i]
		if value, _ := present.locate(v); v.Scope == "setup" && value.Exists() {
			_ = vs.store(v, value) // a value that blocks a place is not part of the schema
		}
	}
	vs.computeFormulas(func(writeResult) {})
	return vs.savedState(snapshot)
}

// Heard returns the events for changes that writers other than rules made to a document. The events
// are as for changes by rules. There is one event for each declared variable, under its id, with
// its whole old and new value. This is so even if only a part of it, or a node around it, was
// written. Every other node has an event under its path.
func (s *Program) Heard(before, after tree.Document, changes []tree.Change) []event.Event {
	sc := s.variables()
	var out []event.Event
	reported := make(map[int32]bool)
	for i := range changes {
		c := &changes[i]
		inside := false
		if sc != nil {
			sc.places.Near(c.Path, func(n int32) bool {
				v := &sc.vars[n]
				inside = inside || reaches(c.Path, v.path)
				if reported[n] {
					return true
				}
				reported[n] = true
				old, next := s.declaredIn(before, v), s.declaredIn(after, v)
				if !old.Equal(next) {
					out = append(out, event.Changed(v.ID, old, next))
				}
				return true
			})
		}
		if !inside {
			out = append(out, event.Changed(event.NameOf(c.Path), c.Old, c.New))
		}
	}
	return out
}

// Declared reads a declared variable in a document, by its id or else its display name, wherever it
// is stored. It also reads a node in it by a path that begins with the id. A missing value is the
// default. ok is false for a name that is not a declared variable.
func (s *Program) Declared(doc tree.Document, name string) (value tree.Value, ok bool) {
	sc := s.variables()
	if v, known := sc.named(name); known {
		return s.declaredIn(doc, v), true
	}
	path, err := tree.ParsePath(name)
	if err != nil {
		return tree.Value{}, false
	}
	v, known := sc.withID(path[0])
	if !known {
		return tree.Value{}, false
	}
	value = s.declaredIn(doc, v).Lookup(path[1:])
	return value, value.Exists()
}

// reaches reports whether a stored path leads to a place or into it.
func reaches(path, place tree.Path) bool {
	for _, seg := range path {
		if len(place) == 0 {
			break
		}
		if seg == place[0] {
			place = place[1:]
		} else if seg != "0" {
			return false
		}
	}
	return len(place) == 0
}

// declaredIn returns the value of a variable in a document, or its default.
func (s *Program) declaredIn(doc tree.Document, v *variable) tree.Value {
	value := doc.Lookup(v.path)
	if v.remote {
		value, _ = s.seen.Through(doc.Root(), v.path)
	}
	if !value.Exists() {
		return v.fallback
	}
	return value
}

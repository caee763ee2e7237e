package rules

import (
	"iter"
	"strings"

	"github.com/talewright/talewright/memvars"
	"github.com/talewright/talewright/memvars/command"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules/effect"
)

// Gate is the schema of a [Program] in one state of a game: what package memvars asks about
// every write and before everything that it shows. Make one with [Program.Gate].
type Gate struct {
	set    *Program
	state  State
	access []Access // by variable, once another than the host has asked
}

// Gate binds the schema to a state: which variables are active, and so visible, depends on
// what has been switched and on the conditions that hold. The gate stays that of the state
// given; make another when rules have run. It belongs to one goroutine.
//
// It is what keeps the promises of the schema for writers in every language:
//
//   - A variable goes by its id, or else its display name, and what a model may not see has no
//     name for it.
//   - A value is converted, kept within bounds and guarded as one that a rule sets, and a
//     variable with a formula is not written at all. A variable cannot be removed.
//   - A model writes what [Program.Access] says is writable, a player what is not internal.
//   - Hidden from a model is what is not readable, from a player what is internal.
//
// A program without a schema has no gate: nil, which memvars takes for "nothing is declared".
func (s *Program) Gate(st State) memvars.Gate {
	if !s.variables().declared() || len(s.schema.vars) == 0 {
		return nil
	}
	return &Gate{set: s, state: st}
}

// Resolve returns the place of a declared variable by its id, or else its display name.
func (g *Gate) Resolve(name string, by memvars.Actor) (tree.Path, bool) {
	i, ok := g.set.schema.numberOf(name)
	if !ok || g.conceals(i, by) {
		return nil, false
	}
	return g.set.schema.vars[i].path, true
}

// Near yields the places of the declared variables at a path, around and within it.
func (g *Gate) Near(path tree.Path) iter.Seq[tree.Path] {
	return func(yield func(tree.Path) bool) {
		g.set.schema.places.Near(path, func(i int32) bool { return yield(g.set.schema.vars[i].path) })
	}
}

// Hidden returns the places that an actor may not see, in the order of the declarations.
func (g *Gate) Hidden(from memvars.Actor) []tree.Path {
	var out []tree.Path
	for i := range g.set.schema.vars {
		if g.conceals(i, from) {
			out = append(out, g.set.schema.vars[i].path)
		}
	}
	return out
}

// Judge returns the value that a write gives a variable, or why it gives none.
func (g *Gate) Judge(w memvars.Write) (tree.Value, *memvars.Refusal) {
	s := g.set.schema
	i := int32(-1)
	s.places.Near(w.Path, func(n int32) bool { i = n; return false })
	if i < 0 {
		return w.New, nil // nobody has declared it
	}
	v := &s.vars[i]
	switch {
	case g.conceals(int(i), w.Actor): // with no word more than that
		return tree.Value{}, &memvars.Refusal{Code: command.PermissionDenied}
	case v.formula != nil:
		return tree.Value{}, &memvars.Refusal{Code: command.ReadonlyDerived}
	case w.Actor == memvars.AI && !g.all()[i].Writable:
		return tree.Value{}, &memvars.Refusal{
			Code: command.PermissionDenied, Text: g.set.words.Say("%s is read only", v.ID)}
	case !w.New.Exists():
		return tree.Value{}, &memvars.Refusal{
			Code: command.StructuralBranch, Text: g.set.words.Say("%s always has a value; set another one", v.ID)}
	}
	old := w.Old
	if !old.Exists() {
		old = v.fallback
	}
	next, why := v.conform(effect.Set, old, w.New)
	switch why.Reason {
	case "":
		return next, nil
	case effect.OnceTrue:
		return tree.Value{}, &memvars.Refusal{Code: command.OnceTrue, Text: why.In(g.set.words)}
	}
	return tree.Value{}, &memvars.Refusal{Code: command.TypeMismatch, Text: why.In(g.set.words)}
}

// conceals reports whether an actor may not see a variable.
func (g *Gate) conceals(i int, from memvars.Actor) bool {
	switch from {
	case memvars.Host:
		return false
	case memvars.User:
		return g.set.schema.vars[i].Internal
	}
	return !g.all()[i].Readable
}

// all asks for the access to all variables at once: their modules and conditions are looked
// at in one view of the state.
func (g *Gate) all() []Access {
	if g.access == nil {
		r := g.set.begin(&g.state, nil, &Options{})
		defer r.end()
		g.access = make([]Access, len(g.set.schema.vars))
		for i := range g.access {
			g.access[i] = r.gates.access(&g.set.schema.vars[i])
		}
	}
	return g.access
}

// Access is what a model may do with a variable now. Rules, hooks and the host may do
// everything at any time.
type Access struct {
	Active   bool // its module and its own activation are on, and it is not switched off
	Readable bool // it may be shown
	Writable bool // a model may write it
}

// Access returns what a model may do with a declared variable. Without a schema, and
// for an id that is not declared, everything is allowed: such a write is refused
// elsewhere, and reported there.
func (s *Program) Access(st State, id string) Access {
	v, ok := s.variables().withID(id)
	if !ok {
		return Access{true, true, true}
	}
	r := s.begin(&st, nil, &Options{})
	defer r.end()
	return r.gates.access(v)
}

// access joins what was authored with the state. A variable that a model may not read it
// may not write either: it could not know what it does.
func (w *view) access(v *variable) Access {
	a := Access{Active: w.variableActive(v)}
	a.Readable = a.Active && !v.Internal && v.AIAccess != AINone
	a.Writable = a.Readable && v.AIAccess != AIRead && v.Formula == ""
	return a
}

// variableActive asks, in this order, the module, the switch and the activation. The run-
// time switch beats the authored flag, as it does for rules and entries.
func (w *view) variableActive(v *variable) bool {
	if !w.moduleActive(v.module) {
		return false
	}
	on, switched := w.state.Ledger.Variables[v.ID]
	if !switched {
		on = v.Enabled == nil || *v.Enabled
	}
	if !on {
		return false
	}
	return w.decideActivation(&v.Activation, v.conditions)
}

// FilterWrites drops the writes that a model may not make: to internal and inactive
// variables, to those that it may only read or not even that, to formula
// variables, and to @ paths. Everything else is kept, writes to unknown variables too, in order.
//
// A refusal is a sentence for the model: a variable that the model may not read is "not declared" there, as if it
// did not exist. The reason of the refusal is for the host.
//
// All writes are judged by the state that is given: one that switches a variable on does not
// open it for the next. FilterWrites is pure and safe for concurrent use.
func (s *Program) FilterWrites(st State, effects []effect.Caused) (kept []effect.Caused, dropped []effect.Refusal) {
	if s == nil {
		s, _ = Compile(Content{})
	}
	r := s.begin(&st, nil, &Options{})
	defer r.end()
	for _, c := range effects {
		// What is no write, or to a variable that is not declared, is judged elsewhere: dropping it here
		// would hide the better reason.
		e, isWrite := c.Effect.(effect.SetVariable)
		if isWrite && strings.HasPrefix(e.Path, "@") {
			dropped = append(dropped, effect.Refusal{By: c.By, Effect: e, Path: e.Path, Value: e.Value,
				Reason: effect.SystemPath, Text: s.words.Say("no variable, and not a model's to command")})
			continue
		}
		v, known := s.variables().target(e.Path)
		if !isWrite || !known {
			kept = append(kept, c)
			continue
		}
		a := r.gates.access(v)
		if a.Writable {
			kept = append(kept, c)
			continue
		}
		why := effect.Deny(effect.ReadOnlyVariable, "a model may not write it")
		switch {
		case v.Internal:
			why.Reason = effect.InternalVariable
		case !a.Active:
			why.Reason = effect.InactiveVariable
		}
		text := why.In(s.words)
		if !a.Readable {
			text = undeclared.In(s.words)
		}
		dropped = append(dropped, effect.Refusal{
			By: c.By, Effect: e, Path: e.Path, Value: e.Value, Reason: why.Reason, Text: text,
		})
	}
	return kept, dropped
}

// target returns the declared variable that a write concerns, by id, display name, or
// the root of a path.
func (s *schema) target(path string) (*variable, bool) {
	if v, ok := s.named(path); ok {
		return v, true
	}
	if root, err := tree.ParsePath(path); err == nil {
		return s.withID(root[0])
	}
	if i := strings.IndexAny(path, ".["); i > 0 { // malformed behind its root
		return s.withID(path[:i])
	}
	return nil, false
}

package rules

import (
	"iter"
	"strings"

	"github.com/talewright/talewright/memvars"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules/effect"
)

// Gate is the schema of a [Program] in one state of a game. Package memvars calls it for every
// write and before it shows anything. Create one with [Program.Gate].
type Gate struct {
	set    *Program
	state  State
	access []Access // by variable, filled on the first call for an actor other than the host
}

// Gate connects the schema to a state: switches and conditions decide which variables are active
// and so visible. The gate keeps the given state; create a new gate after rules have run. It
// belongs to one goroutine.
//
// It applies the rules of the schema to writers in every language:
//
//   - A variable is named by its id, or otherwise by its display name. A variable that a model may
//     not see has no name for it.
//   - A value is converted, limited and guarded in the same way as a value that a rule sets. A
//     variable with a formula cannot be written. A variable cannot be removed.
//   - A model writes variables that are writable by [Program.Access]. A player writes variables
//     that are not internal.
//   - Variables that are not readable are hidden from a model. Internal variables are hidden from a
//     player.
//
// For a program without a schema the result is nil, which memvars treats as "nothing is declared".
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

// Hidden returns the places that an actor may not see, in declaration order.
func (g *Gate) Hidden(from memvars.Actor) []tree.Path {
	var out []tree.Path
	for i := range g.set.schema.vars {
		if g.conceals(i, from) {
			out = append(out, g.set.schema.vars[i].path)
		}
	}
	return out
}

// Judge returns the value that a write gives a variable, or a refusal.
func (g *Gate) Judge(w memvars.Write) (tree.Value, *memvars.Refusal) {
	s := g.set.schema
	i := int32(-1)
	s.places.Near(w.Path, func(n int32) bool { i = n; return false })
	if i < 0 {
		return w.New, nil // not declared
	}
	v := &s.vars[i]
	switch {
	case g.conceals(int(i), w.Actor): // without further details
		return tree.Value{}, &memvars.Refusal{Code: memvars.PermissionDenied}
	case v.formula != nil:
		return tree.Value{}, &memvars.Refusal{Code: memvars.ReadonlyDerived}
	case w.Actor == memvars.AI && !g.accesses()[i].Writable:
		return tree.Value{}, &memvars.Refusal{
			Code: memvars.PermissionDenied, Text: g.set.words.Say("%s is read only", v.ID)}
	case !w.New.Exists():
		return tree.Value{}, &memvars.Refusal{
			Code: memvars.StructuralBranch, Text: g.set.words.Say("%s always has a value; set a different one", v.ID)}
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
		return tree.Value{}, &memvars.Refusal{Code: memvars.OnceTrue, Text: why.In(g.set.words)}
	}
	return tree.Value{}, &memvars.Refusal{Code: memvars.TypeMismatch, Text: why.In(g.set.words)}
}

// conceals reports whether a variable is hidden from an actor.
func (g *Gate) conceals(i int, from memvars.Actor) bool {
	switch from {
	case memvars.Host:
		return false
	case memvars.User:
		return g.set.schema.vars[i].Internal
	}
	return !g.accesses()[i].Readable
}

// accesses returns the access to all variables. Their modules and conditions are decided in one
// view of the state.
func (g *Gate) accesses() []Access {
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

// Access is the present permission of models for a variable. Rules, hooks and the host always have
// full access.
type Access struct {
	Active   bool // its module and its own activation are on, and it is not switched off
	Readable bool // it may be shown
	Writable bool // a model may write it
}

// Access returns the permission of models for a declared variable. Without a schema, and for an id
// that is not declared, everything is allowed: such a write is refused and reported elsewhere.
func (s *Program) Access(st State, id string) Access {
	v, ok := s.variables().withID(id)
	if !ok {
		return Access{true, true, true}
	}
	r := s.begin(&st, nil, &Options{})
	defer r.end()
	return r.gates.access(v)
}

// access combines the declaration with the state. A model may not write a variable that it may not
// read, because it could not know the effect.
func (w *view) access(v *variable) Access {
	a := Access{Active: w.variableActive(v)}
	a.Readable = a.Active && !v.Internal && v.AIAccess != AINone
	a.Writable = a.Readable && v.AIAccess != AIRead && v.Formula == ""
	return a
}

// variableActive checks the module, the switch and the activation, in this order. The run-time
// switch overrides the authored flag, as for rules and entries.
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

// FilterWrites drops the writes that a model may not make. These are writes to internal and
// inactive variables, to variables that are read-only or not readable for it, to formula variables,
// and to @ paths. All other writes are kept in order, also writes to unknown variables.
//
// A refusal has a sentence for the model: a variable that the model may not read is "not declared"
// in it, as if it did not exist. The reason of the refusal is for the host.
//
// All writes are judged by the given state: a write that switches a variable on does not allow
// later writes to it. FilterWrites is pure and safe for concurrent use.
func (s *Program) FilterWrites(st State, effects []effect.Attributed) (kept []effect.Attributed, dropped []effect.Refusal) {
	s = s.orNone()
	r := s.begin(&st, nil, &Options{})
	defer r.end()
	for _, c := range effects {
		// Other effects are judged elsewhere. Dropping them here would hide the better reason.
		e, isWrite := c.Effect.(effect.SetVariable)
		why := r.gates.forbids(e.Path)
		if !isWrite || why.Reason == "" {
			kept = append(kept, c)
			continue
		}
		dropped = append(dropped, effect.Refusal{
			By: c.Source, Effect: e, Path: e.Path, Value: e.Value, Reason: why.Reason, Text: why.In(s.words),
		})
	}
	return kept, dropped
}

// forbids returns why a model may not write to a path. It allows undeclared variables, which are
// judged elsewhere.
func (w *view) forbids(path string) effect.Why {
	if strings.HasPrefix(path, "@") {
		return effect.Deny(effect.SystemPath, "no variable, and not a model's to command")
	}
	v, known := w.set.schema.writtenVariable(path)
	if !known {
		return effect.Why{}
	}
	a, reason := w.access(v), effect.ReadOnlyVariable
	switch {
	case a.Writable:
		return effect.Why{}
	case v.Internal:
		reason = effect.InternalVariable
	case !a.Active:
		reason = effect.InactiveVariable
	}
	if !a.Readable { // as if it did not exist
		return effect.Deny(reason, "not declared")
	}
	return effect.Deny(reason, "a model may not write it")
}

// writtenVariable returns the declared variable of a write, by id, display name, or the root of a
// path.
func (s *schema) writtenVariable(path string) (*variable, bool) {
	if v, ok := s.named(path); ok {
		return v, true
	}
	if root, err := tree.ParsePath(path); err == nil {
		return s.withID(root[0])
	}
	if i := strings.IndexAny(path, ".["); i > 0 { // malformed after its root
		return s.withID(path[:i])
	}
	return nil, false
}

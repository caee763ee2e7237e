package rules

import (
	"math"
	"strconv"
	"strings"

	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules/declare"
	"github.com/talewright/talewright/rules/effect"
	"github.com/talewright/talewright/rules/formula"
	"github.com/talewright/talewright/rules/internal/param"
	"github.com/talewright/talewright/rules/internal/report"
)

// A schema is the author's promise about variables, and the library keeps it: what is not
// declared is not created, what is declared has a value of its type within its bounds.
// Without that promise one careless write of a text over a number would silence every rule
// on that number for the rest of a game.

// Where the promise is kept: operate computes, conform decides whether the result may be the
// variable's value, Restore brings old saves in line, and a default stands wherever a document
// has nothing. Nothing else in this package asks for types.

// schema is the compiled list of declared variables; nil where there is none.
type schema struct {
	vars     []variable
	byID     map[string]int
	byName   map[string]int // display names; the last declared wins
	formulas []int          // in order of dependence
	places   placeTree
	// idAt names the variables by their places, where any lives elsewhere than under its
	// id; nil: none does.
	idAt map[string]string
}

type variable struct {
	declare.Variable
	path       tree.Path // its place in the document
	remote     bool      // the place is another one than the id at the root
	fallback   tree.Value
	formula    *formula.Formula
	conditions []test // of its activation
	module     int32
}

// declared reports whether there is a schema; an empty one is one.
func (s *schema) declared() bool { return s != nil }

// named returns a declared variable by its id or else by its display name.
func (s *schema) named(text string) (*variable, bool) {
	i, ok := s.numberOf(text)
	if !ok {
		return nil, false
	}
	return &s.vars[i], true
}

// numberOf is named for the number of the variable.
func (s *schema) numberOf(text string) (int, bool) {
	if s == nil {
		return 0, false
	}
	i, ok := s.byID[text]
	if !ok { // an id wins over every name, so that renaming for display breaks nothing
		i, ok = s.byName[text]
	}
	if !ok && s.idAt != nil { // or by its place, if that is another one
		if id, known := s.idAt[text]; known {
			i, ok = s.byID[id]
		}
	}
	return i, ok
}

// withID returns a declared variable by its id alone: paths begin with ids, not with
// names.
func (s *schema) withID(id string) (*variable, bool) {
	if s == nil {
		return nil, false
	}
	i, ok := s.byID[id]
	if !ok {
		return nil, false
	}
	return &s.vars[i], true
}

// fallback returns what a document lacks and a declaration gives: the default of a
// variable, or the node in it.
func (s *schema) fallback(text string, path tree.Path) tree.Value {
	if v, ok := s.withID(text); ok {
		return v.fallback
	}
	if s != nil && s.idAt != nil {
		if v, ok := s.withID(s.idAt[path.String()]); ok {
			return v.fallback
		}
	}
	if path != nil {
		if v, ok := s.withID(path[0]); ok {
			return v.fallback.Lookup(path[1:])
		}
	}
	return tree.Value{}
}

// schema compiles the declarations. Later ones of an id are left out, for the first is
// what rules were tested with.
func (c *compiler) schema(vars []declare.Variable) *schema {
	if vars == nil {
		return nil
	}
	// An empty list is a schema too, one in which there is nothing to write.
	var at []int // places in the list of the author
	s := &schema{byID: make(map[string]int), byName: make(map[string]int)}
	for i, v := range vars {
		path := "variables[" + strconv.Itoa(i) + "]"
		if v.ID == "" {
			c.problems.Add(path+".id", "", MissingID,
				"no id; nothing can name the variable; add one")
			continue
		}
		if _, twice := s.byID[v.ID]; twice {
			c.problems.Add(path+".id", v.ID, DuplicateID,
				"declared twice; the first one counts; rename or remove this one")
			continue
		}
		c.checkVariable(path, v)
		s.byID[v.ID] = len(s.vars)
		if v.Name != "" {
			s.byName[v.Name] = len(s.vars)
		}
		at = append(at, i)
		s.vars = append(s.vars, variable{
			Variable: v,
			path:     tree.Path{v.ID},
			fallback: fallbackOf(v),
			formula:  c.formula(path, v),
		})
	}
	c.places(s, at)
	c.orderFormulas(s)
	return s
}

// fallbackOf is the value of a variable before anyone wrote to it.
func fallbackOf(v declare.Variable) tree.Value {
	if v.Default.Exists() { // of the right type or not: that is reported, and play goes on
		return v.Default
	}
	switch v.Type {
	case declare.Number:
		return tree.Int(0)
	case declare.String:
		return tree.Text("")
	case declare.Boolean:
		return tree.Bool(false)
	}
	return tree.Null
}

// checkVariable finds declarations that contradict themselves.
func (c *compiler) checkVariable(path string, v declare.Variable) {
	c.misread(path, v.ID, v.Extra, "a text",
		"id", "name", "type", "path", "formula", "aiAccess", "worldbookId", "scope")
	c.misread(path, v.ID, v.Extra, "a number", "min", "max")
	c.misread(path, v.ID, v.Extra, "true or false", "onceTrue", "internal", "enabled")
	c.misread(path, v.ID, v.Extra, "an object", "activation")
	c.activation(path+".activation", v.ID, v.Activation)
	switch v.Type {
	case declare.Number, declare.String, declare.Boolean, declare.JSON:
		if v.Default.Exists() && !v.Type.Fits(v.Default) {
			c.problems.Add(path+".defaultValue", v.ID, Unreadable,
				"the default is "+v.Default.Kind().String()+"; write one of type "+string(v.Type)+
					", or change the type")
		}
	default:
		c.problems.Add(path+".type", v.ID, Unreadable,
			"unknown type "+strconv.Quote(string(v.Type))+"; "+
				report.Hint(v.Type, declare.Number, declare.String, declare.Boolean, declare.JSON))
	}
	if v.Min != nil && v.Max != nil && *v.Min > *v.Max {
		c.problems.Add(path+".min", v.ID, Unreadable, "min is above max; max counts; swap them")
	}
}

// formula parses the formula of a variable, nil for none.
func (c *compiler) formula(path string, v declare.Variable) *formula.Formula {
	if v.Formula == "" {
		return nil
	}
	f, err := formula.Parse(v.Formula)
	if err != nil {
		c.problems.Add(path+".formula", v.ID, BadFormula,
			err.Error()+"; until it is repaired the variable keeps its value")
		return nil
	}
	return f
}

// orderFormulas sorts the formula variables so that each comes after those it
// reads. The members of a circle, and what depends on them, are left out and reported.
func (c *compiler) orderFormulas(s *schema) {
	const (
		unseen = iota
		open
		done
		cyclic
	)
	// Depth first: a variable is listed after those it reads. Who is met while still open
	// is part of a circle.
	state := make([]int, len(s.vars))
	var visit func(i int) bool
	visit = func(i int) bool {
		switch state[i] {
		case open, cyclic:
			return false
		case done:
			return true
		}
		state[i] = open
		for _, name := range s.vars[i].formula.Names() {
			root := name
			if p, err := tree.ParsePath(name); err == nil {
				root = p[0]
			}
			// "bag.gold" may be an id of its own, or lead into bag.
			for _, n := range []string{name, root} {
				v, ok := s.named(n)
				if !ok || v.formula == nil {
					continue
				}
				if !visit(s.byID[v.ID]) {
					state[i] = cyclic
					return false
				}
				break
			}
		}
		state[i] = done
		s.formulas = append(s.formulas, i)
		return true
	}
	for i := range s.vars {
		if s.vars[i].formula != nil && !visit(i) {
			c.problems.Add("variables["+strconv.Itoa(i)+"].formula", s.vars[i].ID, BadFormula,
				"depends on itself, or on one that does; the variable keeps its value; break the circle")
		}
	}
}

// clamp keeps a number within the bounds of its variable.
func (v *variable) clamp(value tree.Value) tree.Value {
	f, ok := floatOf(value)
	if !ok {
		return value
	}
	// Max comes second and wins where an author has swapped the two.
	if v.Min != nil && f < *v.Min {
		f, value = *v.Min, tree.Float(*v.Min)
	}
	if v.Max != nil && f > *v.Max {
		value = tree.Float(*v.Max)
	}
	return value
}

// computed turns the result of a formula into a value of the variable's type.
func (v *variable) computed(result float64) tree.Value {
	switch v.Type {
	case declare.Boolean:
		return tree.Bool(result != 0)
	case declare.String:
		return tree.Text(tree.Float(result + 0).String()) // without the sign of -0
	}
	// Whole results are written as such, without the exponent that a large double gets.
	if result == math.Trunc(result) && math.Abs(result) < 1<<53 {
		return v.clamp(tree.Int(int64(result)))
	}
	return v.clamp(tree.Float(result))
}

// conform makes a result fit the declared variable: a numeric text becomes a
// number where one is wanted, numbers are kept within bounds, lists and objects
// are guarded against bare scalars, and a once-true flag stays true.
func (v *variable) conform(op effect.Operation, old, next tree.Value) (tree.Value, effect.Why) {
	switch v.Type {
	case declare.Number:
		// The one conversion there is, and only of what is set: models and forms send "5".
		if s, ok := next.AsText(); ok {
			if n, ok := param.Numeric(s); ok {
				next = n
			}
		}
		next = v.clamp(next)
	case declare.JSON:
		// A model that answers "none" for an inventory must not delete it.
		if (op == effect.Set || op == "") && isStructure(old) && !isStructure(next) {
			s, _ := next.AsText()
			parsed, err := tree.ParseValue([]byte(s))
			if err != nil || !isStructure(parsed) {
				return old, deny(effect.StructureGuard, "a list or object is not replaced by %s", next.Kind())
			}
			next = parsed
		}
		return next, effect.Why{}
	case declare.Boolean:
		if was, _ := old.AsBool(); v.OnceTrue && was {
			if is, ok := next.AsBool(); ok && !is {
				return old, deny(effect.OnceTrue, "once true, it stays true")
			}
		}
	}
	if !v.Type.Fits(next) {
		return old, deny(effect.WrongType, "a variable of type %s cannot be %s", v.Type, next.Kind())
	}
	return next, effect.Why{}
}

// isStructure reports whether a value has parts.
func isStructure(v tree.Value) bool { return v.IsArray() || v.IsObject() }

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

// Follow gives formula variables the values that follow from the others, after somebody else
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

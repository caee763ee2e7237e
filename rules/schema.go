package rules

import (
	"math"
	"strconv"

	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules/formula"
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
	Variable
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
func (c *compiler) schema(vars []Variable) *schema {
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
func fallbackOf(v Variable) tree.Value {
	if v.Default.Exists() { // of the right type or not: that is reported, and play goes on
		return v.Default
	}
	switch v.Type {
	case NumberType:
		return tree.Int(0)
	case StringType:
		return tree.Text("")
	case BooleanType:
		return tree.Bool(false)
	}
	return tree.Null
}

// checkVariable finds declarations that contradict themselves.
func (c *compiler) checkVariable(path string, v Variable) {
	c.misread(path, v.ID, v.Extra, "a text",
		"id", "name", "type", "path", "formula", "aiAccess", "worldbookId", "scope")
	c.misread(path, v.ID, v.Extra, "a number", "min", "max")
	c.misread(path, v.ID, v.Extra, "true or false", "onceTrue", "internal", "enabled")
	c.misread(path, v.ID, v.Extra, "an object", "activation")
	c.activation(path+".activation", v.ID, v.Activation)
	switch v.Type {
	case NumberType, StringType, BooleanType, JSONType:
		if v.Default.Exists() && !v.Type.Fits(v.Default) {
			c.problems.Add(path+".defaultValue", v.ID, Unreadable,
				"the default is "+v.Default.Kind().String()+"; write one of type "+string(v.Type)+
					", or change the type")
		}
	default:
		c.problems.Add(path+".type", v.ID, Unreadable,
			"unknown type "+strconv.Quote(string(v.Type))+"; "+
				report.Hint(v.Type, NumberType, StringType, BooleanType, JSONType))
	}
	if v.Min != nil && v.Max != nil && *v.Min > *v.Max {
		c.problems.Add(path+".min", v.ID, Unreadable, "min is above max; max counts; swap them")
	}
}

// formula parses the formula of a variable, nil for none.
func (c *compiler) formula(path string, v Variable) *formula.Formula {
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

// Fits reports whether a value is of the type. A json variable, and one of a type that
// nobody knows, takes everything that is a value.
func (t VariableType) Fits(v tree.Value) bool {
	switch t {
	case NumberType:
		return v.Kind() == tree.KindNumber
	case StringType:
		return v.Kind() == tree.KindText
	case BooleanType:
		return v.Kind() == tree.KindBool
	}
	return v.Exists()
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
	case BooleanType:
		return tree.Bool(result != 0)
	case StringType:
		return tree.Text(tree.Float(result + 0).String()) // without the sign of -0
	}
	// Whole results are written as such, without the exponent that a large double gets.
	if result == math.Trunc(result) && math.Abs(result) < 1<<53 {
		return v.clamp(tree.Int(int64(result)))
	}
	return v.clamp(tree.Float(result))
}

package rules

import (
	"math"
	"slices"
	"strconv"

	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules/effect"
	"github.com/talewright/talewright/rules/internal/report"
)

// A schema declares variables, and the library enforces it: undeclared variables are not created,
// and a declared variable has a value of its type within its bounds. Otherwise one careless write
// of a text over a number would disable every rule on that number for the rest of a game.

// The schema is enforced in three places. The method conform decides whether the result of an
// operation may be the variable's value. Restore converts old saves. A default replaces a missing
// value. No other code in this package checks types.

// declared reports whether there is a schema. An empty schema counts.
func (s *schema) declared() bool { return s != nil }

// named returns a declared variable by its id or else by its display name.
func (s *schema) named(text string) (*variable, bool) {
	i, ok := s.numberOf(text)
	if !ok {
		return nil, false
	}
	return &s.vars[i], true
}

// numberOf is named, but returns the index of the variable.
func (s *schema) numberOf(text string) (int, bool) {
	if s == nil {
		return 0, false
	}
	i, ok := s.byID[text]
	if !ok { // an id takes precedence over every name, so that a new display name breaks nothing
		i, ok = s.byName[text]
	}
	if !ok { // or by its place, if that differs
		i, ok = s.at[text]
	}
	return i, ok
}

// withID returns a declared variable only by its id, because paths begin with ids, not with names.
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

// around returns the variable that a text names, or that a path leads into, with the rest of the
// path. Without such a variable it returns nil.
func (s *schema) around(text string, path tree.Path) (v *variable, inside tree.Path) {
	if v, ok := s.withID(text); ok {
		return v, nil
	}
	if s != nil && s.at != nil {
		if i, ok := s.at[path.String()]; ok {
			return &s.vars[i], nil
		}
	}
	if path != nil {
		if v, ok := s.withID(path[0]); ok {
			return v, path[1:]
		}
	}
	return nil, nil
}

// clamp limits a number to the bounds of its variable.
func (v *variable) clamp(value tree.Value) tree.Value {
	f, ok := value.AsFloat()
	if !ok {
		return value
	}
	// Max is applied second, so it counts if an author has swapped the two.
	if v.Min != nil && f < *v.Min {
		f, value = *v.Min, tree.Float(*v.Min)
	}
	if v.Max != nil && f > *v.Max {
		value = tree.Float(*v.Max)
	}
	return value
}

// compute returns the result of the variable's formula in the variable's type. A text is a result only
// for a text variable.
func (v *variable) compute(lookup func(name string) tree.Value) (result tree.Value, ok bool) {
	found, ok := v.formula.eval(lookup)
	if ok && found.kind == isText && v.Type == TypeString {
		return tree.Text(found.text), true
	}
	n := found.number()
	return v.computed(n), ok && !math.IsNaN(n) && !math.IsInf(n, 0)
}

// computed converts a number that a formula gave to the variable's type.
func (v *variable) computed(result float64) tree.Value {
	switch v.Type {
	case TypeBoolean:
		return tree.Bool(result != 0)
	case TypeString:
		return tree.Text(tree.Float(result + 0).String()) // without the sign of -0
	}
	// Whole results are written without the exponent that a large double gets.
	if result == math.Trunc(result) && math.Abs(result) < 1<<53 {
		return v.clamp(tree.Int(int64(result)))
	}
	return v.clamp(tree.Float(result))
}

// conform makes a result fit the declared variable. A numeric text becomes a number for a number
// variable. Numbers are limited to the bounds. A scalar never replaces a list or an object. A
// once-true flag stays true.
func (v *variable) conform(op effect.Operation, old, next tree.Value) (tree.Value, effect.Why) {
	switch v.Type {
	case TypeNumber:
		// This is the only conversion, and only for set: models and forms send "5".
		if s, ok := next.AsText(); ok {
			if n, ok := report.Numeric(s); ok {
				next = n
			}
		}
		next = v.clamp(next)
	case TypeJSON:
		// A model that answers "none" for an inventory must not delete it.
		if (op == effect.Set || op == "") && isStructure(old) && !isStructure(next) {
			s, _ := next.AsText()
			parsed, err := tree.ParseValue([]byte(s))
			if err != nil || !isStructure(parsed) {
				return old, effect.Deny(effect.StructureGuard, "a list or object is not replaced by %s", next.Kind())
			}
			next = parsed
		}
		return next, effect.Why{}
	case TypeBoolean:
		if was, _ := old.AsBool(); v.OnceTrue && was {
			if is, ok := next.AsBool(); ok && !is {
				return old, effect.Deny(effect.OnceTrue, "once true, it stays true")
			}
		}
	}
	if !v.Type.fits(next) {
		return old, effect.Deny(effect.WrongType, "a variable of type %s cannot be %s", v.Type, next.Kind())
	}
	return next, effect.Why{}
}

// isStructure reports whether a value has parts.
func isStructure(v tree.Value) bool { return v.IsArray() || v.IsObject() }

// schema compiles the declarations. Later declarations of an id are left out, because rules were
// tested with the first one.
func (c *compiler) schema(vars []Variable) *schema {
	if vars == nil {
		return nil
	}
	// An empty list is also a schema, without variables to write.
	var at []int // indexes in the author's list
	s := &schema{byID: make(map[string]int), byName: make(map[string]int)}
	for i, v := range vars {
		path := "variables[" + strconv.Itoa(i) + "]"
		if v.ID == "" {
			c.problems.Add(path+".id", "", MissingID, "no id; nothing can name the variable; add one")
			continue
		}
		if _, twice := s.byID[v.ID]; twice {
			c.problems.Add(path+".id", v.ID, DuplicateID,
				"declared twice; the first one is used; rename or remove this one")
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

// fallbackOf returns the value of a variable before the first write. A default of a wrong type is
// reported. It is converted if it spells a value of the type, and is otherwise ignored: with a value of a
// different type every later write would be refused.
func fallbackOf(v Variable) tree.Value {
	if v.Type.fits(v.Default) {
		return v.Default
	}
	text, isText := v.Default.AsText()
	if spelled, err := tree.ParseValue([]byte(text)); isText && err == nil && v.Type.fits(spelled) {
		return spelled
	}
	if kind := v.Default.Kind(); v.Type == TypeString && (kind == tree.KindNumber || kind == tree.KindBool) {
		return tree.Text(v.Default.String())
	}
	switch v.Type {
	case TypeNumber:
		return tree.Int(0)
	case TypeString:
		return tree.Text("")
	case TypeBoolean:
		return tree.Bool(false)
	}
	return tree.Null
}

// checkVariable reports contradictory declarations.
func (c *compiler) checkVariable(path string, v Variable) {
	c.misread(path, v.ID, v.Extra, "a text",
		"id", "name", "type", "path", "formula", "aiAccess", "worldbookId", "scope")
	c.misread(path, v.ID, v.Extra, "a number", "min", "max")
	c.misread(path, v.ID, v.Extra, "true or false", "onceTrue", "internal", "enabled")
	c.misread(path, v.ID, v.Extra, "an object", "activation")
	c.activation(path+".activation", v.ID, v.Activation)
	switch v.Type {
	case TypeNumber, TypeString, TypeBoolean, TypeJSON:
		if v.Default.Exists() && !v.Type.fits(v.Default) {
			c.problems.Add(path+".defaultValue", v.ID, Unreadable,
				"the default is %s; write one of type %s, or change the type", v.Default.Kind(), v.Type)
		}
	default:
		c.problems.Add(path+".type", v.ID, Unreadable,
			"unknown type %q; %s", v.Type, report.Hint(v.Type, TypeNumber, TypeString, TypeBoolean, TypeJSON))
	}
	if v.Min != nil && v.Max != nil && *v.Min > *v.Max {
		c.problems.Add(path+".min", v.ID, Unreadable, "min is above max; max is used; swap them")
	}
}

// formula parses the formula of a variable, or returns nil if it has none.
func (c *compiler) formula(path string, v Variable) *Formula {
	if v.Formula == "" {
		return nil
	}
	f, err := ParseFormula(v.Formula)
	if err != nil {
		c.problems.Add(path+".formula", v.ID, codeBadFormula,
			"%s; until it is repaired the variable keeps its value", err)
		return nil
	}
	return f
}

// orderFormulas sorts the formula variables so that each comes after the variables it reads. The
// members of a cycle, and variables that depend on them, are left out and reported.
func (c *compiler) orderFormulas(s *schema) {
	o := formulaOrder{schema: s, state: make([]formulaState, len(s.vars))}
	for i := range s.vars {
		if s.vars[i].formula != nil && !o.place(i) {
			c.problems.Add("variables["+strconv.Itoa(i)+"].formula", s.vars[i].ID, codeBadFormula,
				"depends on itself, directly or through other formulas; the variable keeps its value; remove the cycle")
		}
	}
}

// formulaOrder places the formula variables of a schema in order.
type formulaOrder struct {
	*schema
	state []formulaState // by variable
}

// formulaState says how far a variable is.
type formulaState uint8

const (
	notPlaced formulaState = iota
	placing                // the variables that it reads are being placed; for good if one of them leads back to it
	placed
)

// place appends a variable to the formulas, after the variables that it reads. It fails if the variable
// depends on itself: then it is reached again while it is being placed.
func (o *formulaOrder) place(i int) bool {
	switch o.state[i] {
	case placing:
		return false
	case placed:
		return true
	}
	o.state[i] = placing
	for _, name := range o.vars[i].formula.Names() {
		if read := o.formulaNamed(name); read >= 0 && !o.place(read) {
			return false
		}
	}
	o.state[i] = placed
	o.formulas = append(o.formulas, i)
	return true
}

// formulaNamed returns the formula variable that a name in a formula means, or -1. "bag.gold" may be an id,
// or lead into bag.
func (s *schema) formulaNamed(name string) int {
	for _, id := range []string{name, rootOf(name)} {
		if v, ok := s.named(id); ok && v.formula != nil {
			return s.byID[v.ID]
		}
	}
	return -1
}

// places computes the places of the variables.
func (c *compiler) places(s *schema, at []int) {
	s.places = newTree()
	for i := range s.vars { // ids first, because they are the usual names
		if v := &s.vars[i]; v.Path == "" {
			s.places.Place(v.path, int32(i))
		}
	}
	for i := range s.vars {
		v := &s.vars[i]
		if v.Path == "" {
			continue
		}
		where := "variables[" + strconv.Itoa(at[i]) + "].path"
		path, err := tree.ParsePath(v.Path)
		if err != nil {
			c.problems.Add(where, v.ID, Unreadable,
				"%s; the variable lives under its id; write a path such as stat_data.hp", err)
			s.places.Place(v.path, int32(i))
			continue
		}
		if other, free := s.places.Place(path, int32(i)); !free {
			c.problems.Add(where, v.ID, Unreadable,
				"overlaps the place of %q; the variable is stored under its id; choose a different path",
				s.vars[other].ID)
			s.places.Place(v.path, int32(i))
			continue
		}
		if slices.Equal(path, v.path) {
			continue
		}
		v.path, v.remote = path, true
		if v.fallback.IsArray() {
			c.set.seen.Lists = append(c.set.seen.Lists, path)
		}
		if s.at == nil {
			s.at = make(map[string]int)
		}
		s.at[path.String()] = i
	}
}

// modules compiles the modules before their members.
func (c *compiler) modules(list []Module) {
	for i, m := range list {
		path := "modules[" + strconv.Itoa(i) + "]"
		if m.ID == "" {
			c.problems.Add(path+".id", "", MissingID, "no id; nothing can belong to the module; add one")
		} else if c.moduleOf(m.ID) >= 0 {
			c.problems.Add(path+".id", m.ID, DuplicateID,
				"declared twice; the first one is used; rename or remove this one")
			continue
		}
		c.misread(path, m.ID, m.Extra, "a text", "id", "name")
		c.misread(path, m.ID, m.Extra, "a number", "order")
		c.misread(path, m.ID, m.Extra, "an object", "activation")
		c.misread(path, m.ID, m.Extra, "true or false", "exclusive")
		c.activation(path+".activation", m.ID, m.Activation)
		if m.ID != "" {
			c.moduleAt[m.ID] = int32(len(c.set.modules))
		}
		c.set.modules = append(c.set.modules, module{
			Module: m,
			tests:  c.tests(m.Activation.Conditions),
			enter:  plainKeywords(m.Activation.Keywords),
			leave:  plainKeywords(m.Activation.LeaveKeywords),
		})
	}
}

// activation reports parts of an activation that will not do what its author meant.
func (c *compiler) activation(path, id string, a Activation) {
	c.misread(path, id, a.Extra, "a text", "mode", "conditionLogic", "greetingId")
	c.misread(path, id, a.Extra, "a list of objects", "conditions")
	c.misread(path, id, a.Extra, "a list of texts", "keywords", "leaveKeywords", "greetingIds")
	c.misread(path, id, a.Extra, "true or false", "exclusive")
	switch a.Mode {
	case "", ModeAlways, ModeManual, ModeConditions, ModeKeywords, ModeGreeting:
	default:
		c.problems.Add(path+".mode", id, Ignored,
			"unknown mode %q, taken as always; %s",
			a.Mode, report.Hint(a.Mode, ModeAlways, ModeManual, ModeConditions, ModeKeywords, ModeGreeting))
	}
}

// activations compiles the conditions of the variables. They need slots.
func (c *compiler) activations() {
	s := c.set.schema
	if s == nil {
		return
	}
	for i := range s.vars {
		v := &s.vars[i]
		v.conditions = c.tests(v.Activation.Conditions)
		v.module = c.moduleOf(v.BookID)
	}
}

// moduleOf returns the index of a module. A member of a deleted module stays active: silently
// losing a rule would be worse than keeping it.
func (c *compiler) moduleOf(id string) int32 {
	if id == Unplaced {
		return inUnplaced
	}
	if i, ok := c.moduleAt[id]; ok {
		return i
	}
	return inNoModule
}

// plainKeywords compiles the keywords of a module and drops blank ones.
func plainKeywords(keys []string) []keyword {
	var out []keyword
	for _, key := range keys {
		if k, ok := compileKeyword(key, false); ok {
			out = append(out, k)
		}
	}
	return out
}

// tests compiles conditions. Names become slots and constants are read once, so that only
// comparisons remain during play.
func (c *compiler) tests(conditions []Condition) []test {
	out := make([]test, len(conditions))
	for i, cond := range conditions {
		t := test{
			op:       cond.comparing(),
			left:     c.slot(cond.VariableID),
			right:    -1,
			constant: operandOf(cond.Value),
		}
		if s, ok := cond.Value.AsText(); ok {
			t.tokens = report.HasToken(s)
		}
		if cond.ValueRef != "" {
			t.right = c.slot(cond.ValueRef)
			t.param, _ = report.Key(cond.ValueRef)
		}
		out[i] = t
	}
	return out
}

// slot returns the number of the slot for a text. It creates a slot if necessary.
func (c *compiler) slot(text string) int32 {
	if i, ok := c.slots[text]; ok {
		return i
	}
	// A text that is a single plain segment needs no path: it is found by its key.
	i := int32(len(c.set.slots))
	c.set.slots = append(c.set.slots, c.set.schema.slot(text))
	c.slots[text] = i
	return i
}

// slot returns what a condition reads for a text: a variable, or a node of the document.
func (s *schema) slot(text string) slot {
	out := slot{text: text}
	if p, err := tree.ParsePath(text); err == nil && (len(p) > 1 || p[0] != text) {
		out.path = p
	}
	v, inside := s.around(text, out.path)
	if v == nil {
		return out
	}
	out.fallback = v.fallback.Lookup(inside)
	if v.remote {
		out.variablePlace, out.place = v.path, slices.Concat(v.path, inside)
	}
	return out
}

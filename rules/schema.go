package rules

import (
	"math"
	"slices"
	"strings"

	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules/effect"
	"github.com/talewright/talewright/rules/internal/report"
)

// A schema is the author's promise about variables, and the library keeps it: what is not
// declared is not created, what is declared has a value of its type within its bounds.
// Without that promise one careless write of a text over a number would silence every rule
// on that number for the rest of a game.

// Where the promise is kept: operate computes, conform decides whether the result may be the
// variable's value, Restore brings old saves in line, and a default stands wherever a document
// has nothing. Nothing else in this package asks for types.

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
	case TypeBoolean:
		return tree.Bool(result != 0)
	case TypeString:
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
	case TypeNumber:
		// The one conversion there is, and only of what is set: models and forms send "5".
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
	if !v.Type.Fits(next) {
		return old, effect.Deny(effect.WrongType, "a variable of type %s cannot be %s", v.Type, next.Kind())
	}
	return next, effect.Why{}
}

// isStructure reports whether a value has parts.
func isStructure(v tree.Value) bool { return v.IsArray() || v.IsObject() }

// floatOf is AsFloat with a short way for what most variables hold: whole numbers of a few
// digits. Reading them is most of what a change costs that concerns nobody.
func floatOf(v tree.Value) (float64, bool) {
	n, ok := v.AsNumber()
	if !ok {
		return 0, false
	}
	digits := strings.TrimPrefix(string(n), "-")
	if len(digits) == 0 || len(digits) > 9 {
		return v.AsFloat()
	}
	whole := 0
	for i := range len(digits) {
		c := digits[i] - '0'
		if c > 9 {
			return v.AsFloat()
		}
		whole = whole*10 + int(c)
	}
	if len(digits) < len(n) {
		whole = -whole
	}
	return float64(whole), true
}

// elsewhere returns the place that a text means and the variable's own, if that lives
// elsewhere than under its id; nil otherwise.
func (s *schema) elsewhere(text string, path tree.Path) (whole, place tree.Path) {
	if s == nil || s.idAt == nil {
		return nil, nil
	}
	v, ok := s.withID(text)
	if !ok {
		v, ok = s.withID(s.idAt[path.String()])
	}
	if ok {
		if v.remote {
			return v.path, v.path
		}
		return nil, nil
	}
	if path != nil {
		if v, ok := s.withID(path[0]); ok && v.remote {
			return v.path, append(slices.Clip(v.path), path[1:]...)
		}
	}
	return nil, nil
}

package rules

import (
	"math"
	"slices"
	"strings"

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
	if !ok && s.idAt != nil { // or by its place, if that differs
		if id, known := s.idAt[text]; known {
			i, ok = s.byID[id]
		}
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

// fallback returns the declared value for something that a document lacks: the default of a
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

// clamp limits a number to the bounds of its variable.
func (v *variable) clamp(value tree.Value) tree.Value {
	f, ok := floatOf(value)
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

// computed converts the result of a formula to the variable's type.
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
	if !v.Type.Fits(next) {
		return old, effect.Deny(effect.WrongType, "a variable of type %s cannot be %s", v.Type, next.Kind())
	}
	return next, effect.Why{}
}

// isStructure reports whether a value has parts.
func isStructure(v tree.Value) bool { return v.IsArray() || v.IsObject() }

// floatOf is AsFloat with a fast path for the usual values: whole numbers of a few digits. Reading
// them is most of the cost of a change that concerns no rule.
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

// elsewhere returns the place of the variable, and the place that a text means in it, if the
// variable is not stored under its id; otherwise nil.
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

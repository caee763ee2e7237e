package condition

import (
	"math"
	"slices"
	"strings"

	"github.com/talewright/talewright/hooks/act"
	"github.com/talewright/talewright/memvars/tree"
)

// The field part holds the fields that hooks know of a character's state and of a relationship: their
// names, how each of them moves, and the numbers that they are reckoned in.

// OfRelationship says how a field of the relationship moves.
func OfRelationship(field string) (act.Field, *act.Failure) {
	if !inRelationship(field) {
		return act.Field{}, &act.Failure{Code: act.CodeUnknownField, Param: field,
			Detail: "no relationship has a field " + Cut(field, 80) + Hint(field, relationshipFields[:]...)}
	}
	return act.Field{Add: true, Type: act.IntegerField, Min: new(0.0), Max: new(100.0)}, nil
}

// OfState says how a field of the character state moves. Protection comes
// before existence, so that nobody can probe for private names. What the host
// registers for the three standard fields is not looked at.
func OfState(registered map[string]act.Field, state tree.Value, field string) (act.Field, *act.Failure) {
	switch {
	case slices.Contains(protectedFields[:], field) || strings.HasPrefix(field, "_"):
		return act.Field{}, &act.Failure{Code: act.CodeProtectedField, Detail: field + " is protected", Param: field}
	case !state.Get(field).Exists():
		return act.Field{}, &act.Failure{Code: act.CodeUnknownField, Detail: "the state has no field " + field, Param: field}
	}
	switch field {
	case "mood":
		return act.Field{Type: act.TextField}, nil
	case "mood_intensity":
		return act.Field{Add: true, Type: act.NumberField, Min: new(0.0), Max: new(1.0)}, nil
	case "energy":
		return act.Field{Add: true, Type: act.IntegerField, Min: new(0.0), Max: new(100.0)}, nil
	}
	return registered[field], nil
}

// Moved returns the new value of a field: the sum where the field adds, else by
// itself, if its type is right. Texts stand for numbers where a number is asked
// for and are stored as numbers, so that the types of a state do not depend on how a
// hook was written.
func Moved(f act.Field, name string, old, by tree.Value) (tree.Value, *act.Failure) {
	if f.Add {
		return added(f, name, old, by)
	}
	switch f.Type {
	case act.TextField:
		if s, ok := by.AsText(); !ok || s == "" {
			return by, act.Invalid(name, "must be a text that is not empty, not %s", Brief(by))
		}
	case act.BooleanField:
		if _, ok := by.AsBool(); !ok {
			return by, act.Invalid(name, "must be true or false, not %s", Brief(by))
		}
	case act.NumberField, act.IntegerField:
		n, ok := Number(by)
		if !ok {
			return by, act.Invalid(name, "must be a number, not %s", Brief(by))
		}
		return bounded(f, n), nil
	default:
		if n, ok := by.AsNumber(); ok {
			return bounded(f, n), nil
		}
	}
	return by, nil
}

// added returns old plus by, each of them truncated toward zero for integers. A state
// of another program's may hold 60.7 where ours are integers; the first move makes it
// one.
func added(f act.Field, name string, old, by tree.Value) (tree.Value, *act.Failure) {
	a, ok := Number(old)
	if !ok {
		return old, act.Invalid(name, "is %s, which is no number to add to", Brief(old))
	}
	b, ok := Number(by)
	if !ok {
		return by, act.Invalid(name, "must be a number, not %s", Brief(by))
	}
	if f.Type == act.IntegerField {
		a, b = truncated(a), truncated(b)
	}
	sum := a.Add(b)
	if math.IsInf(sum.Float64(), 0) {
		return by, act.Invalid(name, "would become too large a number")
	}
	return bounded(f, rounded(sum)), nil
}

// bounded returns the number within the field's bounds, truncated for integers.
func bounded(f act.Field, n tree.Number) tree.Value {
	if f.Type == act.IntegerField {
		n = truncated(n)
	}
	switch {
	case f.Min != nil && n.Cmp(spelled(*f.Min)) < 0:
		n = spelled(*f.Min)
	case f.Max != nil && n.Cmp(spelled(*f.Max)) > 0:
		n = spelled(*f.Max)
	}
	return tree.Num(n)
}

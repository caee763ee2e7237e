package condition

import (
	"math"
	"slices"
	"strings"

	"github.com/talewright/talewright/hooks/act"
	"github.com/talewright/talewright/memvars/tree"
)

// comparedFields have standard comparisons: <field>_gte and similar keys.
var comparedFields = [...]string{
	"energy", "mood_intensity", "affection", "trust", "familiarity", "dependency", "security", "jealousy",
}

// relationshipFields are all the fields of a relationship; each is 0 to 100.
var relationshipFields = comparedFields[2:]

// protectedFields identify a state. Names that begin with "_" are protected too.
var protectedFields = [...]string{
	"id", "character_id", "user_id", "target_id", "scope_id", "conversation_id", "group_id",
	"created_at", "updated_at",
}

// OfRelationship returns how a field of the relationship changes.
func OfRelationship(field string) (act.Field, *act.Failure) {
	if !slices.Contains(relationshipFields, field) {
		return act.Field{}, &act.Failure{Code: act.CodeUnknownField, Param: field,
			Detail: "no relationship has a field " + Cut(field, 80) + Hint(field, relationshipFields...)}
	}
	return act.Field{Add: true, Type: act.IntegerField, Min: new(0.0), Max: new(100.0)}, nil
}

// OfState returns how a field of the character state changes. Protection is checked before
// existence, so that private names cannot be found by trying. A host's registration of the three
// standard fields is ignored.
func OfState(registered map[string]act.Field, state tree.Value, field string) (act.Field, *act.Failure) {
	switch {
	case slices.Contains(protectedFields[:], field) || strings.HasPrefix(field, "_"):
		return act.Field{}, &act.Failure{Code: act.CodeProtectedField, Detail: field + " is protected", Param: field}
	case !state.Get(field).Exists():
		return act.Field{}, &act.Failure{Code: act.CodeUnknownField, Detail: "the state has no field " + field}
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

// Changed returns the new value of a field: the sum of old and by if the field adds, otherwise by
// itself if its type is right. If a number is expected, a decimal text is accepted and stored as a
// number. So the types in a state do not depend on the notation in a hook.
func Changed(f act.Field, name string, old, by tree.Value) (tree.Value, *act.Failure) {
	if f.Add {
		return sumOf(f, name, old, by)
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

// sumOf returns old plus by. For integers each of them is truncated toward zero. A state from a
// different program may have 60.7 in an integer field; the first change makes it an integer.
func sumOf(f act.Field, name string, old, by tree.Value) (tree.Value, *act.Failure) {
	a, ok := Number(old)
	if !ok {
		return old, act.Invalid(name, "is %s, which is not a number to add to", Brief(old))
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

// bounded limits the number to the field's bounds, and truncates it for integers.
func bounded(f act.Field, n tree.Number) tree.Value {
	if f.Type == act.IntegerField {
		n = truncated(n)
	}
	switch {
	case f.Min != nil && n.Cmp(numberOf(*f.Min)) < 0:
		n = numberOf(*f.Min)
	case f.Max != nil && n.Cmp(numberOf(*f.Max)) > 0:
		n = numberOf(*f.Max)
	}
	return tree.Num(n)
}

package condition

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/talewright/talewright/hooks/act"
	"github.com/talewright/talewright/memvars/tree"
)

// relationshipFields are all the fields of a relationship; each is 0 to 100.
var relationshipFields = [...]string{
	"affection", "trust", "familiarity", "dependency", "security", "jealousy",
}

// protectedFields identify a state. Names that begin with "_" are protected too.
var protectedFields = [...]string{
	"id", "character_id", "user_id", "target_id", "scope_id", "conversation_id", "group_id",
	"created_at", "updated_at",
}

// inRelationship reports whether the name is one of the six.
func inRelationship(name string) bool { return slices.Contains(relationshipFields[:], name) }

// hasComparisons reports whether <field>_gte and similar keys are standard keys.
func hasComparisons(name string) bool {
	return inRelationship(name) || name == "energy" || name == "mood_intensity"
}

// comparedFields lists the fields that have standard comparisons.
func comparedFields() []string {
	return append([]string{"energy", "mood_intensity"}, relationshipFields[:]...)
}

// maxDecimal is the greatest length in bytes of a text that is read as a number: games do not need
// exact arithmetic with longer numbers.
const maxDecimal = 64

// Number reads a JSON number, or a text that is a plain decimal number: an optional sign, digits,
// and an optional fraction. It refuses numbers that are too large for double precision.
func Number(v tree.Value) (tree.Number, bool) {
	n, ok := v.AsNumber()
	if text, isText := v.AsText(); isText {
		n, ok = decimal(text)
	}
	if !ok || math.IsInf(n.Float64(), 0) {
		return "", false
	}
	return n, true
}

// decimal converts a plain decimal text to a JSON number, which has neither a plus sign nor leading
// zeros. It is stricter than the standard parsers, which accept infinities, exponents, hexadecimal
// digits and underscores. A text with one of those is more likely an accident than a number.
func decimal(text string) (tree.Number, bool) {
	if len(text) > maxDecimal {
		return "", false
	}
	digits, negative := strings.CutPrefix(text, "-")
	if !negative {
		digits = strings.TrimPrefix(digits, "+")
	}
	whole, fraction, dot := strings.Cut(digits, ".")
	if !isDigits(whole) || dot && !isDigits(fraction) {
		return "", false
	}
	n := strings.TrimLeft(whole, "0")
	n = cmp.Or(n, "0")
	if negative {
		n = "-" + n
	}
	if dot {
		n += "." + fraction
	}
	return tree.Number(n), true
}

// isDigits reports whether s has at least one character and only ASCII digits.
func isDigits(s string) bool {
	for _, c := range []byte(s) {
		if c < '0' || c > '9' {
			return false
		}
	}
	return s != ""
}

// Whole reads a number without a fraction that fits into an int on this machine.
func Whole(v tree.Value) (int, bool) {
	n, ok := v.AsNumber()
	i, whole := n.Int64()
	return int(i), ok && whole && int64(int(i)) == i
}

// Numbers in a game are decimals. The functions below compute with the decimal text, because in
// double precision 1.9999999999999999 is 2.

// Sums are kept to six decimals: unit is the last decimal, and scale is 1/unit.
const scale, unit, half tree.Number = "1000000", "0.000001", "0.5"

// rounded rounds a sum to six decimals, because authors often compute in binary, where 0.1 is not
// exact. Sums of shorter decimals are exact and do not change.
func rounded(n tree.Number) tree.Number {
	scaled := n.Mul(scale)
	if whole := truncated(scaled); whole.Cmp(scaled) == 0 || tooLarge(scaled) {
		return n
	}
	if scaled.Cmp("0") < 0 {
		return truncated(scaled.Sub(half)).Mul(unit)
	}
	return truncated(scaled.Add(half)).Mul(unit)
}

// tooLarge reports whether a number exceeds the range of 64 bits.
func tooLarge(n tree.Number) bool {
	return n.Cmp(integer(math.MaxInt64)) >= 0 || n.Cmp(integer(math.MinInt64)) <= 0
}

// truncated truncates a number toward zero. Numbers beyond the range of 64 bits become the limit of
// that range.
func truncated(n tree.Number) tree.Number {
	if i, ok := n.Int64(); ok {
		return integer(i)
	}
	whole := n.Floor()
	if n.Cmp("0") < 0 {
		whole = n.Ceil()
	}
	least, most := integer(-math.MaxInt64), integer(math.MaxInt64)
	switch {
	case whole.Cmp(least) < 0:
		return least
	case whole.Cmp(most) > 0:
		return most
	}
	return whole
}

// integer returns i as a Number.
func integer(i int64) tree.Number { return tree.Number(strconv.FormatInt(i, 10)) }

// numberOf returns a bound as a Number.
func numberOf(f float64) tree.Number {
	n, _ := tree.Float(f).AsNumber()
	return n
}

// OfRelationship returns how a field of the relationship changes.
func OfRelationship(field string) (act.Field, *act.Failure) {
	if !inRelationship(field) {
		return act.Field{}, &act.Failure{Code: act.CodeUnknownField, Param: field,
			Detail: "no relationship has a field " + Cut(field, 80) + Hint(field, relationshipFields[:]...)}
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

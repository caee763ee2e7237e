package hooks

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/talewright/talewright/hooks/trace"
	"github.com/talewright/talewright/memvars/tree"
)

// Field describes a field of the character state that the host registers. The
// zero Field is what an unregistered one is: replaced by any value.
type Field struct {
	// Add says that a delta is added; otherwise the value is replaced.
	Add bool `json:"add,omitempty"`
	// Type restricts the value. An added field is a number at least.
	Type FieldType `json:"type,omitempty"`
	// Min and Max bound numbers; nil means unbounded.
	Min *float64 `json:"min,omitempty"`
	Max *float64 `json:"max,omitempty"`
}

// FieldType is the type of a registered field.
type FieldType string

// The field types. Numbers may be given as plain decimal texts.
const (
	AnyField     FieldType = ""
	NumberField  FieldType = "number"
	IntegerField FieldType = "integer" // truncated toward zero
	TextField    FieldType = "text"
	BooleanField FieldType = "boolean"
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

// isRelationshipField reports whether the name is one of the six.
func isRelationshipField(name string) bool { return slices.Contains(relationshipFields[:], name) }

// isNumericField reports whether <field>_gte and its like are standard keys.
func isNumericField(name string) bool {
	return isRelationshipField(name) || name == "energy" || name == "mood_intensity"
}

// numericFields lists the fields of standard comparisons.
func numericFields() []string {
	return append([]string{"energy", "mood_intensity"}, relationshipFields[:]...)
}

// relationshipField says how a field of the relationship moves.
func relationshipField(field string) (Field, *Failure) {
	if !isRelationshipField(field) {
		return Field{}, &Failure{trace.CodeUnknownField, "no relationship has a field " + cut(field, 80) +
			hint(field, relationshipFields[:]...), field}
	}
	return Field{Add: true, Type: IntegerField, Min: new(0.0), Max: new(100.0)}, nil
}

// stateField says how a field of the character state moves. Protection comes
// before existence, so that nobody can probe for private names. What the host
// registers for the three standard fields is not looked at.
func stateField(registered map[string]Field, state tree.Value, field string) (Field, *Failure) {
	switch {
	case slices.Contains(protectedFields[:], field) || strings.HasPrefix(field, "_"):
		return Field{}, &Failure{trace.CodeProtectedField, field + " is protected", field}
	case !state.Get(field).Exists():
		return Field{}, &Failure{trace.CodeUnknownField, "the state has no field " + field, field}
	}
	switch field {
	case "mood":
		return Field{Type: TextField}, nil
	case "mood_intensity":
		return Field{Add: true, Type: NumberField, Min: new(0.0), Max: new(1.0)}, nil
	case "energy":
		return Field{Add: true, Type: IntegerField, Min: new(0.0), Max: new(100.0)}, nil
	}
	return registered[field], nil
}

// moved returns the new value of a field: the sum where the field adds, else by
// itself, if its type is right. Texts stand for numbers where a number is asked
// for and are stored as numbers, or the state would change its types with the hand
// that wrote the hook.
func (f Field) moved(name string, old, by tree.Value) (tree.Value, *Failure) {
	if f.Add {
		return f.added(name, old, by)
	}
	switch f.Type {
	case TextField:
		if s, ok := by.AsText(); !ok || s == "" {
			return by, invalid(name, "must be a text that is not empty, not %s", brief(by))
		}
	case BooleanField:
		if _, ok := by.AsBool(); !ok {
			return by, invalid(name, "must be true or false, not %s", brief(by))
		}
	case NumberField, IntegerField:
		n, ok := asNumber(by)
		if !ok {
			return by, invalid(name, "must be a number, not %s", brief(by))
		}
		return f.bounded(n), nil
	default:
		if n, ok := by.AsNumber(); ok {
			return f.bounded(n), nil
		}
	}
	return by, nil
}

// added returns old plus by, each of them truncated toward zero for integers. A state
// of another program's may hold 60.7 where ours are integers; the first move makes it
// one.
func (f Field) added(name string, old, by tree.Value) (tree.Value, *Failure) {
	a, ok := asNumber(old)
	if !ok {
		return old, invalid(name, "is %s, which is no number to add to", brief(old))
	}
	b, ok := asNumber(by)
	if !ok {
		return by, invalid(name, "must be a number, not %s", brief(by))
	}
	if f.Type == IntegerField {
		a, b = truncated(a), truncated(b)
	}
	sum := a.Add(b)
	if math.IsInf(sum.Float64(), 0) {
		return by, invalid(name, "would become too large a number")
	}
	return f.bounded(rounded(sum)), nil
}

// bounded returns the number within the field's bounds, truncated for integers.
func (f Field) bounded(n tree.Number) tree.Value {
	if f.Type == IntegerField {
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

// The numbers of a game are decimals. Everything below computes with their spelling: in
// double precision 1.9999999999999999 is 2.

// scale and unit are one unit over the last of the six decimals that sums are kept to.
const scale, unit, half tree.Number = "1000000", "0.000001", "0.5"

// rounded keeps a sum to six decimals, because 0.1 is none in many an author's
// arithmetic. Sums of shorter decimals are exact and pass unchanged.
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

// truncated cuts a number toward zero; what exceeds the range of 64 bits is
// bounded by it.
func truncated(n tree.Number) tree.Number {
	if i, ok := n.Int64(); ok {
		return integer(i)
	}
	if n.Cmp("0") < 0 {
		return wholePart(n, -1)
	}
	return wholePart(n, 1)
}

// wholePart returns the whole number between zero and n that is nearest to n, found by
// halving: comparing is exact, whatever the number of digits.
func wholePart(n tree.Number, sign int64) tree.Number {
	low, high := int64(0), int64(math.MaxInt64) // without the sign
	for low < high {
		middle := high - (high-low)/2
		if integer(sign*middle).Cmp(n)*int(sign) <= 0 {
			low = middle
		} else {
			high = middle - 1
		}
	}
	return integer(sign * low)
}

// integer spells an integer.
func integer(i int64) tree.Number { return tree.Number(strconv.FormatInt(i, 10)) }

// spelled spells a bound.
func spelled(f float64) tree.Number {
	n, _ := tree.Float(f).AsNumber()
	return n
}

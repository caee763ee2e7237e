package tree

import (
	"iter"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Kind is the kind of a [Value].
type Kind uint8

// The kinds. Absent is the kind of the zero Value: there is no value, which is different from a
// JSON null.
const (
	Absent Kind = iota
	KindNull
	KindBool
	KindNumber
	KindText
	KindArray
	KindObject
)

// String returns the name of the kind in JSON Schema; "absent" for [Absent].
func (k Kind) String() string {
	names := [...]string{"absent", "null", "boolean", "number", "string", "array", "object"}
	if int(k) < len(names) {
		return names[k]
	}
	return "kind " + strconv.Itoa(int(k))
}

// Value is one node of a document: a scalar, an array or an object with ordered members. It is
// immutable and safe for concurrent use. A copy is only a copy of a pointer. The zero Value is
// absent.
type Value struct {
	// v is nil (absent), null, bool, Number, string, *array or *object.
	v any
}

type null struct{}

// Null is the JSON null.
var Null = Value{null{}}

// Member is one key and value of an object.
type Member struct {
	Key   string
	Value Value
}

// Bool returns a boolean value.
func Bool(b bool) Value { return Value{b} }

// Text returns a string value. Bytes that are not UTF-8 become the replacement character, because
// JSON does not allow them.
func Text(s string) Value { return Value{strings.ToValidUTF8(s, "\uFFFD")} }

// Int returns an integer value.
func Int(n int64) Value { return Value{Number(strconv.FormatInt(n, 10))} }

// Float returns the shortest number that reads back as f. NaN and the infinities become null,
// because JSON does not have them.
func Float(f float64) Value {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return Null
	}
	return Value{formatFloat(f)}
}

// Num returns a number value with the given spelling.
func Num(n Number) Value { return Value{n} }

// Array returns an array of the given values. Absent elements become null.
func Array(elems ...Value) Value {
	vals := slices.Clone(elems)
	for i, v := range vals {
		if !v.Exists() {
			vals[i] = Null
		}
	}
	return Value{&array{vals: vals}}
}

// Object returns an object with the given members in the given order. If a key is repeated, the
// last value is used, at the position of the first. Absent values are left out.
func Object(members ...Member) Value {
	o := &object{
		keys: make([]string, 0, len(members)), vals: make([]Value, 0, len(members)), ownKeys: true,
	}
	for _, m := range members {
		if m.Value.Exists() {
			o.put(strings.ToValidUTF8(m.Key, "\uFFFD"), m.Value)
		}
	}
	return Value{o}
}

// Kind returns the kind of v.
func (v Value) Kind() Kind {
	switch v.v.(type) {
	case nil:
		return Absent
	case null:
		return KindNull
	case bool:
		return KindBool
	case Number:
		return KindNumber
	case string:
		return KindText
	case *array:
		return KindArray
	default:
		return KindObject
	}
}

// Exists reports whether v is not absent. A null exists.
func (v Value) Exists() bool { return v.v != nil }

// IsZero reports whether v is absent, so that the omitzero option of
// encoding/json leaves such members out.
func (v Value) IsZero() bool { return v.v == nil }

// IsNull reports whether v is the JSON null.
func (v Value) IsNull() bool { return v.Kind() == KindNull }

// AsBool returns the boolean and reports whether v is one.
func (v Value) AsBool() (b, ok bool) { b, ok = v.v.(bool); return b, ok }

// AsText returns the string and reports whether v is one.
func (v Value) AsText() (s string, ok bool) { s, ok = v.v.(string); return s, ok }

// AsNumber returns the number with its spelling and reports whether v is one.
func (v Value) AsNumber() (n Number, ok bool) { n, ok = v.v.(Number); return n, ok }

// AsFloat returns the number in double precision and reports whether v is one.
func (v Value) AsFloat() (f float64, ok bool) {
	n, ok := v.v.(Number)
	if !ok {
		return 0, false
	}
	return n.Float64(), true
}

// IsArray reports whether v is an array.
func (v Value) IsArray() bool { _, ok := v.v.(*array); return ok }

// IsObject reports whether v is an object.
func (v Value) IsObject() bool { _, ok := v.v.(*object); return ok }

// Len returns the number of elements or members, 0 for scalars.
func (v Value) Len() int {
	return len(v.children())
}

// Get returns the member of an object by its key, absent if it does not exist.
func (v Value) Get(key string) Value {
	if o, ok := v.v.(*object); ok {
		if i := o.find(key); i >= 0 {
			return o.vals[i]
		}
	}
	return Value{}
}

// At returns the i-th element of an array or member value of an object, absent if i is out of
// range.
func (v Value) At(i int) Value {
	vals := v.children()
	if i < 0 || i >= len(vals) {
		return Value{}
	}
	return vals[i]
}

// IndexOf returns the position of a member of an object by its key, -1 if it does not exist.
// [Value.At] returns the value at that position.
func (v Value) IndexOf(key string) int {
	if o, ok := v.v.(*object); ok {
		return o.find(key)
	}
	return -1
}

// KeyAt returns the i-th key of an object, "" in all other cases.
func (v Value) KeyAt(i int) string {
	if o, ok := v.v.(*object); ok && i >= 0 && i < len(o.keys) {
		return o.keys[i]
	}
	return ""
}

// Members yields the members of an object in their order.
func (v Value) Members() iter.Seq2[string, Value] {
	return func(yield func(string, Value) bool) {
		o, ok := v.v.(*object)
		if !ok {
			return
		}
		for i, k := range o.keys {
			if !yield(k, o.vals[i]) {
				return
			}
		}
	}
}

// Elements yields the elements of an array in their order.
func (v Value) Elements() iter.Seq2[int, Value] {
	return func(yield func(int, Value) bool) {
		a, ok := v.v.(*array)
		if !ok {
			return
		}
		for i, e := range a.vals {
			if !yield(i, e) {
				return
			}
		}
	}
}

// List returns a copy of the elements of an array, nil for any other value.
func (v Value) List() []Value {
	if !v.IsArray() {
		return nil
	}
	return slices.Clone(v.children())
}

// Lookup follows the path from v. The result is absent if the path leads nowhere. A segment is a
// key in an object and a decimal index in an array.
func (v Value) Lookup(p Path) Value {
	for _, seg := range p {
		v, _ = v.step(seg)
	}
	return v
}

// Deeper reports whether v has more than the given number of levels. A scalar and an empty
// container have no level, a list of scalars has one. It is used to refuse documents that could not
// be loaded again, see [MaxDepth].
func (v Value) Deeper(levels int) bool {
	vals := v.children()
	return levels < 0 || levels == 0 && len(vals) > 0 || slices.ContainsFunc(vals, func(v Value) bool {
		return v.Deeper(levels - 1)
	})
}

// ContainsFunc reports whether f is true for v or for a value within it.
func (v Value) ContainsFunc(f func(Value) bool) bool {
	return f(v) || slices.ContainsFunc(v.children(), func(v Value) bool { return v.ContainsFunc(f) })
}

// Size counts the nodes of v, itself included, and stops at limit: a larger value counts as limit.
// A value may share its parts many times, so that counting all of them could take longer than
// building the value.
func (v Value) Size(limit int) int {
	n := 1
	for _, child := range v.children() {
		if n >= limit {
			break
		}
		n += child.Size(limit - n)
	}
	return min(n, max(limit, 0))
}

// children returns the elements or member values. Do not modify the slice.
func (v Value) children() []Value {
	switch c := v.v.(type) {
	case *array:
		return c.vals
	case *object:
		return c.vals
	}
	return nil
}

// Equal reports whether two values are the same JSON value: numbers by their exact value, objects
// without regard to member order. It is fast if the two share structure.
func (v Value) Equal(w Value) bool {
	if v.Same(w) {
		return true
	}
	switch a := v.v.(type) {
	case Number:
		b, ok := w.v.(Number)
		return ok && a.Cmp(b) == 0
	case *array:
		b, ok := w.v.(*array)
		return ok && slices.EqualFunc(a.vals, b.vals, Value.Equal)
	case *object:
		b, ok := w.v.(*object)
		if !ok || len(a.keys) != len(b.keys) {
			return false
		}
		for i, k := range a.keys {
			j := b.find(k)
			if j < 0 || !a.vals[i].Equal(b.vals[j]) {
				return false
			}
		}
		return true
	}
	return false
}

// Same reports identity: equal scalars with equal spelling, or the same node.
func (v Value) Same(w Value) bool { return v.v == w.v }

// Any converts v to the types of encoding/json with UseNumber off: nil, bool, float64, string,
// []any and map[string]any. An absent value also becomes nil.
func (v Value) Any() any {
	switch c := v.v.(type) {
	case bool:
		return c
	case Number:
		return c.Float64()
	case string:
		return c
	case *array:
		out := make([]any, len(c.vals))
		for i, e := range c.vals {
			out[i] = e.Any()
		}
		return out
	case *object:
		out := make(map[string]any, len(c.vals))
		for i, k := range c.keys {
			out[k] = c.vals[i].Any()
		}
		return out
	}
	return nil
}

package state

import (
	"encoding"
	"encoding/json"
	"math"
	"reflect"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/talewright/talewright/hooks/act"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules"
	"github.com/talewright/talewright/rules/effect"
)

// The state in memory must equal what a reload would give: a campaign and a turn are used as they
// read back from their JSON. Nearly all values read back unchanged, and an inspection shows that.
// Only the other values are written and read again, so that a turn allocates less.

// form describes how the values of a type are stored.
type form struct {
	kind   formKind
	elem   *form       // of a list, a map or a pointer
	fields []formField // of a struct
	extra  int         // index of its field for unknown members, -1 if it has none
}

// formField is a member of a struct.
type formField struct {
	part
	*form
	omitEmpty, omitZero bool
}

// formKind says how the values of a type are stored, and when such a value reads back unchanged.
type formKind uint8

const (
	formUncertain formKind = iota // only the type's own methods define how it reads back
	formPlain
	formFloat
	formText
	formList
	formMap
	formPointer
	formStruct
	formLog // a struct whose list is never nil
	formValue
	formTime
	formEvent
	formFired // effects of rules: they were already read back when the rule fired
)

// namedForms are the types whose form does not follow from their fields.
var namedForms = map[reflect.Type]formKind{
	reflect.TypeFor[tree.Value]():    formValue,
	reflect.TypeFor[tree.Document](): formUncertain,
	reflect.TypeFor[time.Time]():     formTime,
	reflect.TypeFor[rules.Event]():   formEvent,
	reflect.TypeFor[effect.List]():   formFired,
}

// formOf returns the form of a type. A struct with methods for JSON is treated by its fields if it
// has a field Extra, because its methods only serve that field.
func formOf(typ reflect.Type) *form {
	if kind, ok := namedForms[typ]; ok {
		return &form{kind: kind}
	}
	if typ.Kind() == reflect.Struct {
		return structForm(typ)
	}
	if hasOwnForm(typ) {
		return &form{}
	}
	switch typ.Kind() {
	case reflect.Bool, reflect.Int, reflect.Int64, reflect.Uint64:
		return &form{kind: formPlain}
	case reflect.Float64:
		return &form{kind: formFloat}
	case reflect.String:
		return &form{kind: formText}
	case reflect.Slice, reflect.Array:
		return &form{kind: formList, elem: formOf(typ.Elem())}
	case reflect.Map:
		if typ.Key().Kind() == reflect.String && !hasOwnForm(typ.Key()) {
			return &form{kind: formMap, elem: formOf(typ.Elem())}
		}
	case reflect.Pointer:
		switch elem := formOf(typ.Elem()); elem.kind { // no such element is written as null
		case formPlain, formFloat, formText, formStruct:
			return &form{kind: formPointer, elem: elem}
		}
	}
	return &form{}
}

func structForm(typ reflect.Type) *form {
	f := &form{kind: formStruct, extra: -1}
	if typ == reflect.TypeFor[act.Log]() {
		f.kind = formLog
	}
	for i := range typ.NumField() {
		tagged := typ.Field(i)
		name, options, _ := strings.Cut(tagged.Tag.Get("json"), ",")
		if name == "-" && tagged.Name == "Extra" {
			f.extra = i
			continue
		}
		if name == "-" && (tagged.Type == reflect.TypeFor[Snapshots]() || typ == reflect.TypeFor[Campaign]()) {
			continue // kept in memory only, not in the JSON form
		}
		if name == "-" || name == "" || strings.Contains(options, "string") {
			return &form{}
		}
		f.fields = append(f.fields, formField{part{i, name}, formOf(tagged.Type),
			strings.Contains(options, "omitempty"), strings.Contains(options, "omitzero")})
	}
	if f.extra < 0 && hasOwnForm(typ) {
		return &form{}
	}
	return f
}

// hasOwnForm reports whether a type has methods for JSON or for texts.
func hasOwnForm(typ reflect.Type) bool {
	for _, method := range []reflect.Type{
		reflect.TypeFor[json.Marshaler](), reflect.TypeFor[json.Unmarshaler](),
		reflect.TypeFor[encoding.TextMarshaler](), reflect.TypeFor[encoding.TextUnmarshaler](),
	} {
		if reflect.PointerTo(typ).Implements(method) {
			return true
		}
	}
	return false
}

// readsBackSame reports whether a value is sure to read back unchanged. It returns false for values with
// unknown members, which the JSON readers handle.
func (f *form) readsBackSame(v reflect.Value) bool {
	switch f.kind {
	case formPlain, formFired:
		return true
	case formFloat:
		return !math.IsNaN(v.Float()) && !math.IsInf(v.Float(), 0)
	case formText:
		return utf8.ValidString(v.String())
	case formValue: // an absent value reads back as null
		return valueIn(v).Exists() && valueReadsBackSame(valueIn(v), maxKeptDepth)
	case formTime:
		return timeReadsBackSame(*pointerTo[time.Time](v))
	case formEvent:
		e := pointerTo[rules.Event](v)
		return utf8.ValidString(e.Type) && valueReadsBackSame(e.Fields, maxKeptDepth) && !e.Fields.Get("type").Exists() &&
			(!e.Fields.Exists() || e.Fields.IsObject() && e.Fields.Len() > 0)
	case formPointer:
		return v.IsNil() || f.elem.readsBackSame(v.Elem())
	case formList:
		for i := range v.Len() {
			if !f.elem.readsBackSame(v.Index(i)) {
				return false
			}
		}
		return true
	case formMap:
		for key, elem := range v.Seq2() {
			if !utf8.ValidString(key.String()) || !f.elem.readsBackSame(f.elemOf(elem)) {
				return false
			}
		}
		return true
	case formLog:
		return pointerTo[act.Log](v).Results != nil && f.fieldsReadBackSame(v)
	case formStruct:
		return f.fieldsReadBackSame(v)
	}
	return false
}

func (f *form) fieldsReadBackSame(v reflect.Value) bool {
	if f.extra >= 0 && !v.Field(f.extra).IsNil() {
		return false
	}
	for i := range f.fields {
		if m := &f.fields[i]; !m.memberReadsBackSame(v.Field(m.field)) {
			return false
		}
	}
	return true
}

// memberReadsBackSame is readsBackSame for a member of a struct.
func (m *formField) memberReadsBackSame(v reflect.Value) bool {
	if m.isOmitted(v) {
		return v.IsZero() // an empty list reads back as nil
	}
	return m.readsBackSame(v)
}

// isOmitted reports whether a member is not written.
func (m *formField) isOmitted(v reflect.Value) bool {
	if m.omitEmpty {
		switch v.Kind() {
		case reflect.Slice, reflect.Map:
			if v.Len() == 0 {
				return true
			}
		case reflect.Struct, reflect.Array:
		default:
			if v.IsZero() {
				return true
			}
		}
	}
	if !m.omitZero {
		return false
	}
	switch m.kind {
	case formValue:
		return !valueIn(v).Exists()
	case formTime:
		return pointerTo[time.Time](v).IsZero()
	}
	if zeroer, ok := v.Addr().Interface().(interface{ IsZero() bool }); ok {
		return zeroer.IsZero()
	}
	return v.IsZero()
}

// value returns the JSON value of a value for which [form.readsBackSame] is true. The result shares the
// JSON values in it.
func (f *form) value(v reflect.Value) (tree.Value, error) {
	switch f.kind {
	case formText:
		return tree.Text(v.String()), nil
	case formValue:
		return valueIn(v), nil
	case formPlain:
		switch v.Kind() {
		case reflect.Bool:
			return tree.Bool(v.Bool()), nil
		case reflect.Int, reflect.Int64:
			return tree.Int(v.Int()), nil
		}
	case formPointer:
		if !v.IsNil() {
			return f.elem.value(v.Elem())
		}
		return tree.Null, nil
	case formList:
		return f.list(v)
	case formStruct:
		return f.object(v)
	}
	return tree.Of(v.Addr().Interface())
}

func (f *form) list(v reflect.Value) (tree.Value, error) {
	if v.Kind() == reflect.Slice && v.IsNil() {
		return tree.Null, nil
	}
	out := make([]tree.Value, v.Len())
	for i := range out {
		var err error
		if out[i], err = f.elem.value(v.Index(i)); err != nil {
			return tree.Value{}, err
		}
	}
	return tree.Array(out...), nil
}

// object returns the object of a struct.
func (f *form) object(v reflect.Value) (tree.Value, error) {
	out := make([]tree.Member, 0, len(f.fields))
	for i := range f.fields {
		m := &f.fields[i]
		value, err := m.memberValue(v.Field(m.field))
		if err != nil {
			return value, err
		}
		if value.Exists() {
			out = append(out, tree.Member{Key: m.name, Value: value})
		}
	}
	return tree.Object(out...), nil
}

// memberValue is value for a member of a struct. It returns an absent value if the member is not
// written.
func (m *formField) memberValue(v reflect.Value) (tree.Value, error) {
	if m.isOmitted(v) {
		return tree.Value{}, nil
	}
	return m.value(v)
}

// pointerTo returns a pointer to the value in a [reflect.Value], without a copy.
func pointerTo[T any](v reflect.Value) *T { return v.Addr().Interface().(*T) }

func valueIn(v reflect.Value) tree.Value { return *pointerTo[tree.Value](v) }

// elemOf returns an element of a map as an addressable value.
func (f *form) elemOf(v reflect.Value) reflect.Value {
	if f.elem.kind == formPlain || f.elem.kind == formText {
		return v
	}
	out := reflect.New(v.Type()).Elem()
	out.Set(v)
	return out
}

// maxKeptDepth limits how deep values are inspected. Deeper values are written and read again.
const maxKeptDepth = 100

// valueReadsBackSame reports whether a JSON value of at most the given depth reads back unchanged: any code
// may have built its numbers and keys. The texts of a value are always UTF-8.
func valueReadsBackSame(v tree.Value, levels int) bool {
	switch v.Kind() {
	case tree.KindNumber:
		n, _ := v.AsNumber()
		return isWhole(string(n)) || json.Valid([]byte(n))
	case tree.KindArray, tree.KindObject:
		for i := range v.Len() { // an element of an array has no key
			if levels == 0 || !utf8.ValidString(v.KeyAt(i)) || !valueReadsBackSame(v.At(i), levels-1) {
				return false
			}
		}
	}
	return true
}

// isWhole reports whether a number has only digits and no leading zero.
func isWhole(n string) bool {
	n = strings.TrimPrefix(n, "-")
	return n != "" && (n[0] != '0' || n == "0") && strings.Trim(n, "0123456789") == ""
}

// timeReadsBackSame reports whether a time reads back unchanged, with its location and without a monotonic
// clock reading.
func timeReadsBackSame(t time.Time) bool {
	if t.Location() == time.UTC { // without a clock reading
		return t.Year() >= 0 && t.Year() <= 9999
	}
	back, _ := time.Parse(time.RFC3339Nano, t.Format(time.RFC3339Nano)) // no time is equal to a failed one
	return back == t
}

// part is one member of a struct.
type part struct {
	field int
	name  string // in JSON
}

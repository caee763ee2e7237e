package state

import (
	"encoding"
	"encoding/json"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/talewright/talewright/hooks/act"
	"github.com/talewright/talewright/internal/openjson"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules"
	"github.com/talewright/talewright/rules/effect"
)

// What is played is what the log keeps: a campaign and a turn are taken as they read back
// from their JSON. Nearly all of what a turn leaves reads back as it is, which can be seen
// by looking at it; only the rest is written and read again. TestTurnAllocates fails
// without it, TestKeepsOnlyWhatReadsBack holds it to what the types' own readers do.

// form is how the values of a type are stored.
type form struct {
	kind   formKind
	elem   *form       // of a list, a map or a pointer
	fields []formField // of a struct
	extra  int         // its field for members that nobody knows, -1 if it has none
}

// formField is a member of a struct.
type formField struct {
	part
	*form
	omitEmpty, omitZero bool
}

type formKind uint8

const (
	formOdd formKind = iota // only its own methods know how it reads back
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
	formFired // effects that were read back when they were fired: see [past.readFired]
)

// namedForms are the types whose form is not seen from their fields.
var namedForms = map[reflect.Type]formKind{
	reflect.TypeFor[tree.Value]():    formValue,
	reflect.TypeFor[tree.Document](): formOdd,
	reflect.TypeFor[time.Time]():     formTime,
	reflect.TypeFor[rules.Event]():   formEvent,
	reflect.TypeFor[effect.List]():   formFired,
}

// formOf is the form of a type. A struct with methods for JSON is read and written by its
// fields all the same, where it has a field Extra: that is what those methods are for.
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
	case reflect.Slice:
		if typ.Elem().Kind() != reflect.Uint8 {
			return &form{kind: formList, elem: formOf(typ.Elem())}
		}
	case reflect.Array:
		return &form{kind: formList, elem: formOf(typ.Elem())}
	case reflect.Map:
		if typ.Key().Kind() == reflect.String && !hasOwnForm(typ.Key()) {
			return &form{kind: formMap, elem: formOf(typ.Elem())}
		}
	case reflect.Pointer:
		switch elem := formOf(typ.Elem()); elem.kind { // none of which is written as null
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
		if name == "-" && tagged.Name == "Extra" && tagged.Type == reflect.TypeFor[openjson.Extra]() {
			f.extra = i
			continue
		}
		if name == "-" && (tagged.Type == reflect.TypeFor[Snapshots]() || typ == reflect.TypeFor[Campaign]()) {
			continue // what is at hand, and no part of the form
		}
		if name == "-" || name == "" || !tagged.IsExported() || strings.Contains(options, "string") {
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

// keeps reports whether a value is sure to read back as it is. Members that nobody knows
// are left to their own readers.
func (f *form) keeps(v reflect.Value) bool {
	switch f.kind {
	case formPlain, formFired:
		return true
	case formFloat:
		return !math.IsNaN(v.Float()) && !math.IsInf(v.Float(), 0)
	case formText:
		return utf8.ValidString(v.String())
	case formValue:
		return keepsValue(valueIn(v), maxKeptDepth)
	case formTime:
		return keepsTime(*in[time.Time](v))
	case formEvent:
		e := in[rules.Event](v)
		return utf8.ValidString(e.Type) && keepsValue(e.Fields, maxKeptDepth) && !e.Fields.Get("type").Exists() &&
			(!e.Fields.Exists() || e.Fields.IsObject() && e.Fields.Len() > 0)
	case formPointer:
		return v.IsNil() || f.elem.keeps(v.Elem())
	case formList:
		for i := range v.Len() {
			if !f.elem.keeps(v.Index(i)) {
				return false
			}
		}
		return true
	case formMap:
		for key, elem := range v.Seq2() {
			if !utf8.ValidString(key.String()) || !f.elem.keeps(f.elemOf(elem)) {
				return false
			}
		}
		return true
	case formLog:
		return in[act.Log](v).Results != nil && f.keepsFields(v)
	case formStruct:
		return f.keepsFields(v)
	}
	return false
}

func (f *form) keepsFields(v reflect.Value) bool {
	if f.extra >= 0 && !v.Field(f.extra).IsNil() {
		return false
	}
	for i := range f.fields {
		if m := &f.fields[i]; !m.keepsMember(v.Field(m.field)) {
			return false
		}
	}
	return true
}

// keepsMember is keeps for a member of a struct.
func (m *formField) keepsMember(v reflect.Value) bool {
	switch {
	case m.leftOut(v):
		return v.IsZero() // an empty list comes back as none
	case m.kind == formValue && !valueIn(v).Exists():
		return false // it comes back as null
	}
	return m.keeps(v)
}

// leftOut reports whether a member is not written.
func (m *formField) leftOut(v reflect.Value) bool {
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
		return in[time.Time](v).IsZero()
	}
	if z, ok := v.Addr().Interface().(interface{ IsZero() bool }); ok {
		return z.IsZero()
	}
	return v.IsZero()
}

// value is the JSON value of what [form.keeps] keeps. It shares the values in it.
func (f *form) value(v reflect.Value) (tree.Value, error) {
	switch f.kind {
	case formText:
		return tree.Text(v.String()), nil
	case formValue:
		if value := valueIn(v); value.Exists() {
			return value, nil
		}
		return tree.Null, nil
	case formPlain:
		switch v.Kind() {
		case reflect.Bool:
			return tree.Bool(v.Bool()), nil
		case reflect.Int, reflect.Int64:
			return tree.Int(v.Int()), nil
		case reflect.Uint64:
			return tree.Num(tree.Number(strconv.FormatUint(v.Uint(), 10))), nil
		}
	case formPointer:
		if !v.IsNil() {
			return f.elem.value(v.Elem())
		}
		return tree.Null, nil
	case formList:
		return f.list(v)
	case formMap:
		return f.members(v)
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

// members is the object of a map, sorted.
func (f *form) members(v reflect.Value) (tree.Value, error) {
	if v.IsNil() {
		return tree.Null, nil
	}
	out := make([]tree.Member, 0, v.Len())
	for key, elem := range v.Seq2() {
		value, err := f.elem.value(f.elemOf(elem))
		if err != nil {
			return value, err
		}
		out = append(out, tree.Member{Key: key.String(), Value: value})
	}
	slices.SortFunc(out, func(a, b tree.Member) int { return strings.Compare(a.Key, b.Key) })
	return tree.Object(out...), nil
}

// object is the object of a struct.
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

// memberValue is value for a member of a struct, absent if it is not written.
func (m *formField) memberValue(v reflect.Value) (tree.Value, error) {
	if m.leftOut(v) {
		return tree.Value{}, nil
	}
	return m.value(v)
}

// in is what a [reflect.Value] holds, without a copy.
func in[T any](v reflect.Value) *T { return v.Addr().Interface().(*T) }

func valueIn(v reflect.Value) tree.Value { return *in[tree.Value](v) }

// elemOf is an element of a map as one that can be looked into.
func (f *form) elemOf(v reflect.Value) reflect.Value {
	if f.elem.kind == formPlain || f.elem.kind == formText {
		return v
	}
	out := reflect.New(v.Type()).Elem()
	out.Set(v)
	return out
}

// maxKeptDepth bounds how deep values are looked into; those that go deeper are written.
const maxKeptDepth = 100

// keepsValue reports whether a JSON value of at most so many levels reads back as it is:
// whoever has built it, its numbers are numbers, and its texts are UTF-8.
func keepsValue(v tree.Value, levels int) bool {
	switch v.Kind() {
	case tree.KindText:
		text, _ := v.AsText()
		return utf8.ValidString(text)
	case tree.KindNumber:
		n, _ := v.AsNumber()
		return isWhole(string(n)) || json.Valid([]byte(n))
	case tree.KindArray:
		for i := range v.Len() {
			if levels == 0 || !keepsValue(v.At(i), levels-1) {
				return false
			}
		}
	case tree.KindObject:
		for i := range v.Len() {
			if levels == 0 || !utf8.ValidString(v.KeyAt(i)) || !keepsValue(v.At(i), levels-1) {
				return false
			}
		}
	}
	return true
}

// isWhole reports whether a number is digits alone, none of which is a leading zero.
func isWhole(n string) bool {
	n = strings.TrimPrefix(n, "-")
	return n != "" && (n[0] != '0' || n == "0") && strings.Trim(n, "0123456789") == ""
}

// keepsTime reports whether a time reads back as it is: with its place, and without the
// reading of a monotonic clock.
func keepsTime(t time.Time) bool {
	if t == (time.Time{}) {
		return true
	}
	if t.IsZero() || t.Year() < 0 || t.Year() > 9999 {
		return false
	}
	if t.Location() == time.UTC {
		return t == t.Round(0)
	}
	back, err := time.Parse(time.RFC3339Nano, t.Format(time.RFC3339Nano))
	return err == nil && back == t
}

// part is one member of a struct.
type part struct {
	field int
	name  string // in JSON
}

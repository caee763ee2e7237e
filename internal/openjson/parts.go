package openjson

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"
)

// Write implements MarshalJSON for a struct that keeps unknown members in its field Extra: it
// writes the fields, then Extra. The JSON is compact, even if Extra is not.
//
// The type or the elements of a field with the tag `openjson:"own"` need AppendJSON or MarshalJSON.
// MarshalJSON must call Write or return compact JSON in a different way. Write copies that result
// unchanged. encoding/json would read each byte of it again, for each level of a large value. See
// BenchmarkEntryOf and BenchmarkSnapshot of package campaign.
func Write[T any](v T) ([]byte, error) {
	self := reflect.ValueOf(&v)
	p := plainOf(self.Type().Elem())
	extra := *extraOf(self.Elem(), p)
	if p.parts == nil {
		return Encode(self.Convert(p.pointer).Interface(), extra)
	}
	out, err := p.write(self.Elem())
	if err != nil || len(extra) == 0 {
		return out, err
	}
	return addExtra(out, extra, knownNames(p.pointer))
}

// Read implements UnmarshalJSON for such a struct. It replaces *into; on an error *into does not
// change. The error is the error of [Decode].
func Read[T any](data []byte, into *T) error {
	var v T
	self := reflect.ValueOf(&v)
	p := plainOf(self.Type().Elem())
	extra, err := Decode(data, self.Convert(p.pointer).Interface())
	if err != nil {
		return err
	}
	*extraOf(self.Elem(), p) = extra
	*into = v
	return nil
}

// Plain returns a struct with a field Extra as a struct without methods, which encoding/json writes
// field by field, and Extra.
func Plain[T any](v T) (plain any, extra Extra) {
	self := reflect.ValueOf(&v)
	p := plainOf(self.Type().Elem())
	return self.Convert(p.pointer).Interface(), *extraOf(self.Elem(), p)
}

// plain is a struct type without its methods, so that encoding/json reads and writes the fields and
// does not call the type's own methods again.
type plain struct {
	pointer reflect.Type
	extra   int    // index of the field Extra
	parts   []part // nil: no field is encoded by its own MarshalJSON
}

var plainByType sync.Map // reflect.Type -> plain, a pure function of the key

func plainOf(t reflect.Type) plain {
	if p, ok := plainByType.Load(t); ok {
		return p.(plain)
	}
	fields := make([]reflect.StructField, t.NumField())
	p := plain{extra: -1}
	for i := range fields {
		if fields[i] = t.Field(i); fields[i].Name == "Extra" && fields[i].Type == reflect.TypeFor[Extra]() {
			p.extra = i
		}
	}
	if p.extra < 0 {
		panic(fmt.Sprintf("openjson: %s has no field Extra", t))
	}
	p.pointer, p.parts = reflect.PointerTo(reflect.StructOf(fields)), partsOf(fields)
	plainByType.Store(t, p)
	return p
}

func extraOf(v reflect.Value, p plain) *map[string]json.RawMessage {
	return v.Field(p.extra).Addr().Interface().(*Extra)
}

// part is one field that is encoded by its own MarshalJSON, or the fields between two such fields.
type part struct {
	from, to int          // the range of the fields
	between  reflect.Type // a struct type of these fields; nil: it is one field with its own encoding
	key      string       // name of that field and a colon, as JSON
	skip     string       // "omitempty", "omitzero" or nothing
}

// partsOf divides the fields of a struct into parts. It returns nil if no field has the tag
// `openjson:"own"`.
func partsOf(fields []reflect.StructField) (parts []part) {
	from, found := 0, false
	for i, f := range fields {
		if f.Tag.Get("openjson") != "own" {
			continue
		}
		found = true
		if from < i {
			parts = append(parts, part{from: from, to: i, between: reflect.StructOf(fields[from:i])})
		}
		name, skip, _ := strings.Cut(f.Tag.Get("json"), ",")
		parts = append(parts, part{from: i, to: i + 1, key: `"` + name + `":`, skip: skip})
		from = i + 1
	}
	if !found {
		return nil
	}
	if from < len(fields) {
		parts = append(parts, part{from: from, to: len(fields), between: reflect.StructOf(fields[from:])})
	}
	return parts
}

// write encodes a struct part by part.
func (p plain) write(v reflect.Value) ([]byte, error) {
	pieces := make([][]byte, 0, 4*len(p.parts))
	for _, part := range p.parts {
		var err error
		if pieces, err = part.appendTo(pieces, v); err != nil {
			return nil, err
		}
	}
	if len(pieces) == 0 {
		return []byte("{}"), nil
	}
	pieces[0] = []byte("{") // replaces the comma
	return bytes.Join(append(pieces, []byte("}")), nil), nil
}

var comma = []byte(",")

// appendTo appends the part to the object, after a comma; it appends nothing if the part is
// omitted.
func (p part) appendTo(pieces [][]byte, v reflect.Value) ([][]byte, error) {
	if p.between == nil {
		field := v.Field(p.from)
		if p.leavesOut(field) {
			return pieces, nil
		}
		return appendOwn(append(pieces, comma, []byte(p.key)), field)
	}
	some := reflect.New(p.between)
	for i := p.from; i < p.to; i++ {
		some.Elem().Field(i - p.from).Set(v.Field(i))
	}
	body, err := Marshal(some.Interface())
	if err != nil || len(body) <= len("{}") {
		return pieces, err
	}
	return append(pieces, comma, body[1:len(body)-1]), nil
}

// leavesOut reports whether encoding/json would omit such a field.
func (p part) leavesOut(field reflect.Value) bool {
	switch p.skip {
	case "omitempty":
		return field.Kind() == reflect.Slice && field.Len() == 0 || field.Kind() == reflect.Pointer && field.IsNil()
	case "omitzero":
		if zero, ok := field.Interface().(interface{ IsZero() bool }); ok {
			return zero.IsZero()
		}
		return field.IsZero()
	}
	return false
}

// appender is a type that needs no separate allocation for each of its parts.
type appender interface{ AppendJSON(to []byte) []byte }

// appendOwn appends the result of AppendJSON or MarshalJSON, of a value or of each element of a
// list.
func appendOwn(pieces [][]byte, v reflect.Value) ([][]byte, error) {
	if own, ok := v.Interface().(appender); ok {
		return append(pieces, own.AppendJSON(nil)), nil
	}
	if own, ok := v.Interface().(json.Marshaler); ok && (v.Kind() != reflect.Pointer || !v.IsNil()) {
		body, err := own.MarshalJSON()
		return append(pieces, body), err
	}
	if v.Kind() != reflect.Slice || v.IsNil() {
		return append(pieces, []byte("null")), nil
	}
	pieces = append(pieces, []byte("["))
	for i := range v.Len() {
		if i > 0 {
			pieces = append(pieces, comma)
		}
		var err error
		if pieces, err = appendOwn(pieces, v.Index(i)); err != nil {
			return pieces, err
		}
	}
	return append(pieces, []byte("]")), nil
}

// readParts reads an object like [Decode], but part by part: a field with the tag `openjson:"own"`
// reads its own text, and encoding/json reads the other fields. encoding/json alone would read each
// byte of a large value twice more for each level above it. See BenchmarkRead.
//
// It reports false, and leaves the zero value in dst, for a type without that tag and for JSON that
// it does not read: text with a mistake, escaped or repeated names, and unknown names that
// encoding/json would take for a field.
func readParts(data []byte, dst reflect.Value, known []string) (extra Extra, ok bool) {
	own := ownFields(dst.Type())
	if len(own) == 0 {
		return nil, false
	}
	defer func() {
		if !ok {
			dst.SetZero()
		}
	}()
	rest, read := append(make([]byte, 0, 1024), '{'), make([]string, 0, len(known)) // the names of fields that were read
	all := Scan(data)
	for all.Next() {
		name, ok := all.plainName()
		if !ok {
			return nil, false
		}
		value := all.Value
		isField := slices.Contains(known, name)
		if _, twice := extra[name]; twice || isField && slices.Contains(read, name) {
			return nil, false
		}
		if isField {
			read = append(read, name)
		}
		field, reads := own[name]
		switch {
		case reads && string(value) != "null":
			if !readOwn(value, dst.Field(field)) {
				return nil, false
			}
		case isField:
			if len(rest) > len("{") {
				rest = append(rest, ',')
			}
			rest = append(append(append(append(rest, '"'), name...), `":`...), value...)
		case !json.Valid(value) || slices.ContainsFunc(known, func(k string) bool { return strings.EqualFold(k, name) }):
			return nil, false
		default:
			if extra == nil {
				extra = Extra{}
			}
			extra[name] = bytes.Clone(value)
		}
	}
	return extra, all.end == '}' && all.ended() && json.Unmarshal(append(rest, '}'), dst.Addr().Interface()) == nil
}

// plainName returns the name of a member. It returns false in a list, and for a name that is not
// printable ASCII without escapes.
func (c *Cursor[T]) plainName() (name string, ok bool) {
	if c.end == ']' || bytes.ContainsFunc(c.Name, func(r rune) bool { return r < ' ' || r >= 0x7f || r == '\\' }) {
		return "", false
	}
	return string(c.Name), true
}

// readOwn reads the text of a field, or each element of a list. It reports false for a mistake.
func readOwn(data []byte, into reflect.Value) bool {
	if own, is := into.Addr().Interface().(json.Unmarshaler); is {
		return string(data) != "null" && own.UnmarshalJSON(data) == nil
	}
	switch into.Kind() {
	case reflect.Pointer:
		into.Set(reflect.New(into.Type().Elem()))
		return readOwn(data, into.Elem())
	case reflect.Slice:
		into.Set(reflect.MakeSlice(into.Type(), 0, 0))
		all := Scan(data)
		for all.Next() {
			n := into.Len()
			into.Grow(1)
			into.SetLen(n + 1)
			if all.end != ']' || !readOwn(all.Value, into.Index(n)) {
				return false
			}
		}
		return all.end == ']' && all.ended()
	}
	return json.Unmarshal(data, into.Addr().Interface()) == nil
}

var ownByType sync.Map // reflect.Type -> map[string]int, a pure function of the key

// ownFields returns the indexes of the fields with the tag `openjson:"own"`, by name.
func ownFields(t reflect.Type) map[string]int {
	if own, ok := ownByType.Load(t); ok {
		return own.(map[string]int)
	}
	own := map[string]int{}
	for i := range t.NumField() {
		if f := t.Field(i); f.Tag.Get("openjson") == "own" {
			name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
			own[name] = i
		}
	}
	ownByType.Store(t, own)
	return own
}

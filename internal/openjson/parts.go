package openjson

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"
)

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

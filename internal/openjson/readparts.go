package openjson

import (
	"bytes"
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"sync"
)

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

// Package openjson encodes and decodes structs that keep unknown JSON members.
//
// Content from other programs has its own fields. A type that must write them back unchanged has an
// Extra map in addition to its known fields. Its UnmarshalJSON and MarshalJSON methods call
// [Decode] and [Encode], each with a copy of the value without methods.
//
// [ParseNumber] and [FormatNumber] read and write numbers as JavaScript does.
package openjson

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"sync"
)

// Extra holds the JSON members that are unknown to a type, by name.
type Extra = map[string]json.RawMessage

// Clone returns a copy that shares nothing with extra.
func Clone(extra Extra) Extra {
	out := maps.Clone(extra)
	for name, raw := range out {
		out[name] = bytes.Clone(raw)
	}
	return out
}

// Decode reads the JSON object data into dst, a pointer to a struct, and returns the members that
// have no field in the struct. The result is nil if there are none. Names are compared exactly:
// "Path" is not "path", and is kept like every other unknown member.
//
// The error for values of the wrong kind joins one [*TypeError] for each of them, up to a hundred.
func Decode(data []byte, dst any) (Extra, error) {
	typ := reflect.TypeOf(dst).Elem()
	if bytes.Equal(bytes.TrimSpace(data), []byte("null")) {
		return nil, json.Unmarshal(data, dst)
	}
	known := knownNames(typ)
	inParts := len(ownFields(typ)) > 0
	if !inParts && onlyKnown(data, known) {
		if json.Unmarshal(data, dst) == nil {
			return nil, nil
		}
	} else if extra, ok := readParts(data, reflect.ValueOf(dst).Elem(), known); ok {
		return extra, nil
	}
	var all map[string]json.RawMessage
	if err := json.Unmarshal(data, &all); err != nil {
		if own := json.Unmarshal(data, dst); own != nil {
			err = own
		}
		return nil, explain(data, typ, err)
	}
	for _, name := range known {
		delete(all, name)
	}
	for name := range all {
		like := func(k string) bool { return strings.EqualFold(k, name) }
		if slices.ContainsFunc(known, like) { // encoding/json would assign it to the field
			exact, err := only(known, data)
			if err != nil {
				return nil, err
			}
			data = exact
			break
		}
	}
	if err := json.Unmarshal(data, dst); err != nil {
		return nil, explain(data, typ, err)
	}
	if len(all) == 0 {
		return nil, nil
	}
	return all, nil
}

// onlyKnown reports whether data is an object whose members all have one of the names, exactly as
// written. Then no member must be kept, and no list of the members is needed: see
// BenchmarkTurn/history=N of package campaign. It does not check the syntax.
func onlyKnown(data []byte, names []string) bool {
	all := Scan(data)
	for all.Next() {
		if name, ok := all.plainName(); !ok || !slices.Contains(names, name) {
			return false
		}
	}
	return all.end == '}' && all.ended()
}

// only returns the object data with only the members of the given names.
func only(names []string, data []byte) ([]byte, error) {
	var all map[string]json.RawMessage
	if err := json.Unmarshal(data, &all); err != nil {
		return nil, err
	}
	maps.DeleteFunc(all, func(name string, _ json.RawMessage) bool { return !slices.Contains(names, name) })
	return json.Marshal(all)
}

// Encode writes src, a struct, as a JSON object, and then the extra members sorted by name. An
// extra member with the name of a field of src is omitted: the field takes precedence. An empty
// extra value is written as null. If an extra value is not JSON, the error names it.
func Encode(src any, extra Extra) ([]byte, error) {
	out, err := Marshal(src)
	if err != nil || len(extra) == 0 {
		return out, err
	}
	if len(out) < 2 || out[0] != '{' {
		return nil, fmt.Errorf("openjson: %T does not encode to an object", src)
	}
	return addExtra(out, extra, knownNames(reflect.TypeOf(src)))
}

// addExtra adds the extra members to an object with the known members.
func addExtra(out []byte, extra Extra, known []string) ([]byte, error) {
	to := bytes.NewBuffer(out[:len(out)-1])
	for _, name := range slices.Sorted(maps.Keys(extra)) {
		if slices.Contains(known, name) {
			continue
		}
		if to.Len() > 1 {
			to.WriteByte(',')
		}
		key, err := Marshal(name)
		if err != nil {
			return nil, err
		}
		to.Write(key)
		to.WriteByte(':')
		if value := extra[name]; len(value) == 0 {
			to.WriteString("null")
		} else if json.Compact(to, value) != nil {
			return nil, fmt.Errorf("openjson: the member %q is not JSON", name)
		}
	}
	to.WriteByte('}')
	return to.Bytes(), nil
}

// Marshal is json.Marshal without the escaping of <, > and &: prompts and stored texts keep their
// characters.
func Marshal(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}

// Tagged returns the JSON object with one additional member at the beginning, a text that needs no
// escaping. At the beginning, people find it, and readers of streams can decide early.
func Tagged(member, text string, object []byte) []byte {
	out := append(make([]byte, 0, len(member)+len(text)+len(object)+6), `{"`+member+`":"`+text+`"`...)
	if len(object) > len("{}") {
		out = append(out, ',')
	}
	return append(out, object[1:]...)
}

// MarshalList encodes a list whose elements are encoded by a function.
func MarshalList[T any](list []T, write func(T) ([]byte, error)) ([]byte, error) {
	out := []byte{'['}
	for i, e := range list {
		if i > 0 {
			out = append(out, ',')
		}
		b, err := write(e)
		if err != nil {
			return nil, err
		}
		out = append(out, b...)
	}
	return append(out, ']'), nil
}

// Names returns the JSON names of the members of a struct type.
func Names[T any]() []string { return slices.Clone(knownNames(reflect.TypeFor[T]())) }

var namesByType sync.Map // reflect.Type -> []string, a pure function of the key

func knownNames(t reflect.Type) []string {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if names, ok := namesByType.Load(t); ok {
		return names.([]string)
	}
	var names []string
	for i := range t.NumField() {
		f := t.Field(i)
		tag, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case tag == "-":
		case f.Anonymous && tag == "":
			names = append(names, knownNames(f.Type)...)
		case tag != "":
			names = append(names, tag)
		default:
			names = append(names, f.Name)
		}
	}
	namesByType.Store(t, names)
	return names
}

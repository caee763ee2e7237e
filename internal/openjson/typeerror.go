package openjson

import (
	"bytes"
	"cmp"
	"encoding"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"time"
)

// TypeError reports a value of the wrong kind.
type TypeError struct {
	// Path is the path to the value from the object that was read, such as characters[2].hp. It is
	// empty for that object itself.
	Path string
	// Want and Got describe kinds of JSON values in words: "a text", "a list".
	Want, Got string
	// Err is the error of a type with its own UnmarshalJSON; Want and Got are then empty.
	Err error
}

// Error returns the path and the mistake.
func (e *TypeError) Error() string {
	text := "must be " + e.Want + ", not " + e.Got
	if e.Err != nil {
		text = e.Err.Error()
	}
	if e.Path == "" {
		return text
	}
	return e.Path + ": " + text
}

// Unwrap returns the error of a type with its own UnmarshalJSON.
func (e *TypeError) Unwrap() error { return e.Err }

// maxMistakes is the greatest number of errors in the list; maxNesting is the maximum depth of the
// search.
const (
	maxMistakes = 100
	maxNesting  = 32
)

// explain returns all mistakes of JSON that cannot be read into a type, joined. They replace the
// first mistake, which encoding/json describes in terms of Go. Text that is not JSON keeps its
// error.
func explain(data []byte, into reflect.Type, err error) error {
	if syntax := (*json.SyntaxError)(nil); errors.As(err, &syntax) {
		return err
	}
	f := finder{}
	f.look("", data, into, maxNesting)
	if len(f.found) == 0 {
		return err
	}
	return errors.Join(f.found...)
}

// finder collects mistakes.
type finder struct{ found []error }

// look finds the mistakes of a value and of its parts. It reads only refused values again.
func (f *finder) look(path string, raw json.RawMessage, t reflect.Type, levels int) {
	if len(f.found) >= maxMistakes {
		return
	}
	v := reflect.New(t)
	err := json.Unmarshal(raw, v.Interface())
	if err == nil {
		return
	}
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if readsItself(t) {
		f.own(path, raw, t, err)
		return
	}
	before := len(f.found)
	if levels > 0 {
		f.parts(path, raw, t, levels-1)
	}
	if len(f.found) == before {
		f.found = append(f.found, &TypeError{Path: path, Want: wanted(t), Got: got(raw)})
	}
}

// own adds the error of a type with its own UnmarshalJSON. If this package found the mistakes, the
// path is added before each of them.
func (f *finder) own(path string, raw json.RawMessage, t reflect.Type, err error) {
	list := []error{err}
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		list = joined.Unwrap()
	}
	for _, err := range list {
		inner, ok := err.(*TypeError)
		native := (*json.UnmarshalTypeError)(nil)
		switch {
		case ok:
			f.found = append(f.found, &TypeError{join(path, inner.Path), inner.Want, inner.Got, inner.Err})
		case errors.As(err, &native), t == timeType:
			f.found = append(f.found, &TypeError{Path: path, Want: wanted(t), Got: got(raw)})
		default:
			f.found = append(f.found, &TypeError{Path: path, Err: err})
		}
	}
}

// parts checks the members or elements of a value.
func (f *finder) parts(path string, raw json.RawMessage, t reflect.Type, levels int) {
	switch t.Kind() {
	case reflect.Struct:
		var members map[string]json.RawMessage
		if json.Unmarshal(raw, &members) != nil {
			return
		}
		f.fields(path, members, t, levels)
	case reflect.Slice, reflect.Array:
		var list []json.RawMessage
		if json.Unmarshal(raw, &list) != nil {
			return
		}
		for i, element := range list {
			f.look(fmt.Sprintf("%s[%d]", path, i), element, t.Elem(), levels)
		}
	case reflect.Map:
		var members map[string]json.RawMessage
		if json.Unmarshal(raw, &members) != nil {
			return
		}
		for _, name := range slices.Sorted(maps.Keys(members)) {
			f.look(join(path, name), members[name], t.Elem(), levels)
		}
	}
}

// fields checks the members that have a field in a struct.
func (f *finder) fields(path string, members map[string]json.RawMessage, t reflect.Type, levels int) {
	for i := range t.NumField() {
		field := t.Field(i)
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		switch {
		case name == "-" || field.PkgPath != "" && !field.Anonymous:
			continue
		case field.Anonymous && name == "":
			inner := field.Type
			for inner.Kind() == reflect.Pointer {
				inner = inner.Elem()
			}
			if inner.Kind() == reflect.Struct {
				f.fields(path, members, inner, levels)
				continue
			}
		}
		name = cmp.Or(name, field.Name)
		if raw, ok := members[name]; ok {
			f.look(join(path, name), raw, field.Type, levels)
		}
	}
}

var (
	selfReader = reflect.TypeFor[json.Unmarshaler]()
	textReader = reflect.TypeFor[encoding.TextUnmarshaler]()
)

var timeType = reflect.TypeFor[time.Time]()

func readsItself(t reflect.Type) bool {
	p := reflect.PointerTo(t)
	return p.Implements(selfReader) || p.Implements(textReader)
}

// wanted describes the kind of JSON value that a type accepts.
func wanted(t reflect.Type) string {
	if t == timeType {
		return `a time such as "2026-05-01T12:00:00Z"`
	}
	switch t.Kind() {
	case reflect.String:
		return "a text"
	case reflect.Bool:
		return "true or false"
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return "a whole number in range"
	case reflect.Float32, reflect.Float64:
		return "a number in range"
	case reflect.Slice, reflect.Array:
		return "a list"
	case reflect.Map, reflect.Struct:
		return "an object"
	}
	return "another value"
}

// Kind describes the kind of JSON value of a text.
func Kind(raw json.RawMessage) string {
	text := bytes.TrimSpace(raw)
	if len(text) == 0 {
		return "nothing"
	}
	switch text[0] {
	case '"':
		return "a text"
	case '[':
		return "a list"
	case '{':
		return "an object"
	case 't', 'f':
		return "true or false"
	case 'n':
		return "null"
	}
	return "a number"
}

// got returns [Kind], but for a number it returns the number itself: it may be of the right kind
// and still not fit.
func got(raw json.RawMessage) string {
	kind := Kind(raw)
	if kind != "a number" {
		return kind
	}
	text := string(bytes.TrimSpace(raw))
	if len(text) > 40 {
		text = text[:40] + "…"
	}
	return "the number " + text
}

// join returns the path of a member; the name may be a path itself.
func join(path, name string) string {
	switch {
	case name == "":
		return path
	case path == "" || strings.HasPrefix(name, "["):
		return path + name
	}
	return path + "." + name
}

// Package presetfile reads and writes the JSON objects of preset files so that a
// file goes back as it came.
//
// Presets are exchanged between programs of many versions. A member that we do
// not know must survive, and so must one that we know and that says nothing: a
// switch that is explicitly off, an empty text, a null, a number in quotes. So a
// type keeps, beside its Extra members, the known ones as they were read; what
// nobody has changed since is written in the same form, what was missing stays
// missing.
package presetfile

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/talewright/talewright"
	"github.com/talewright/talewright/internal/openjson"
)

// Members are members of an object by name, as they were read.
type Members = map[string]json.RawMessage

// wrong is one mistake, for which the file is refused: its place (prompts[2].role; empty:
// the file) and what is wrong there.
func wrong(path, text string) talewright.Problem {
	return talewright.Problem{Path: path, Code: BadFile, Severity: talewright.Fatal, Text: text}
}

// BadFile is the code of all mistakes in preset files.
const BadFile talewright.Code = "bad_file"

// Parse reads a file into dst. The prefix, "instruct: template", begins the
// message of the error, which wraps [talewright.Problems].
func Parse(prefix string, data []byte, dst json.Unmarshaler) error {
	err := error(talewright.Problems{wrong("", "null is no preset: an object is wanted")})
	if !bytes.Equal(bytes.TrimSpace(data), []byte("null")) {
		err = dst.UnmarshalJSON(data)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", prefix, err)
	}
	return nil
}

// Decode reads an object into dst, a pointer to a struct whose fields have the
// names of their members as tags. It returns the members that no field claims,
// and those that one does, as they were read. Names count to the letter; a null
// leaves its field alone, like a missing member. The error is [talewright.Problems]
// with every mistake; dst is then half filled, so it should be a copy.
func Decode(data []byte, dst any) (extra, read Members, err error) {
	var all Members
	if err := json.Unmarshal(data, &all); err != nil {
		return nil, nil, talewright.Problems{wrong("", notObject(err))}
	}
	if all == nil { // null, which by custom changes nothing
		return nil, nil, nil
	}
	read = Members{}
	var problems talewright.Problems
	v := reflect.ValueOf(dst).Elem()
	for i := range v.NumField() {
		name := memberName(v.Type().Field(i))
		raw, ok := all[name]
		if name == "" || !ok {
			continue
		}
		delete(all, name)
		read[name] = raw
		problems = append(problems, decodeValue(name, raw, v.Field(i))...)
	}
	if len(problems) > 0 {
		return nil, nil, problems
	}
	if len(all) > 0 {
		extra = all
	}
	return extra, read, nil
}

// notObject says why data is no object. A file of another kind, a list or a text,
// is a mistake of its own: the user has picked the wrong one.
func notObject(err error) string {
	if _, other := errors.AsType[*json.UnmarshalTypeError](err); other {
		return "an object is wanted"
	}
	return "this is not JSON: " + err.Error()
}

// memberName is the name of the member of a field, empty if it has none.
func memberName(f reflect.StructField) string {
	name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
	if name == "-" {
		return ""
	}
	return name
}

// decodeValue reads one member into its field.
func decodeValue(path string, raw json.RawMessage, field reflect.Value) talewright.Problems {
	if string(raw) == "null" {
		return nil
	}
	if field.Kind() == reflect.Slice && reflect.PointerTo(field.Type().Elem()).Implements(unmarshaler) {
		return decodeList(path, raw, field)
	}
	if err := json.Unmarshal(raw, field.Addr().Interface()); err == nil {
		return nil
	}
	if n, ok := wholeNumber(raw); ok {
		number := field
		if number.Kind() == reflect.Pointer && number.Type().Elem().Kind() == reflect.Int {
			number.Set(reflect.New(number.Type().Elem()))
			number = number.Elem()
		}
		if number.Kind() == reflect.Int {
			number.SetInt(int64(n))
			return nil
		}
	}
	if list := notTexts(path, raw, field.Type()); len(list) > 0 {
		return list
	}
	return talewright.Problems{wrong(path, fmt.Sprintf("%s is wanted, not %s", wanted(field.Type()), shorten(raw)))}
}

// notTexts finds the elements that do not belong into a list of texts. It is empty for
// other types, and for what is no list at all.
func notTexts(path string, raw json.RawMessage, t reflect.Type) talewright.Problems {
	var list []json.RawMessage
	if t != reflect.TypeFor[[]string]() || json.Unmarshal(raw, &list) != nil {
		return nil
	}
	var problems talewright.Problems
	for i, element := range list {
		if json.Unmarshal(element, new(string)) != nil && len(problems) < maxProblems {
			problems = append(problems, wrong(fmt.Sprintf("%s[%d]", path, i), "a text is wanted, not "+shorten(element)))
		}
	}
	return problems
}

// maxProblems bounds the mistakes of one list, so that a file is not told by far more
// than it holds.
const maxProblems = 100

var unmarshaler = reflect.TypeFor[json.Unmarshaler]()

// decodeList reads a list of objects, each with the place of its mistakes. The list
// is always a new one: what the field held before may belong to somebody else.
func decodeList(path string, raw json.RawMessage, field reflect.Value) talewright.Problems {
	var list []json.RawMessage
	if json.Unmarshal(raw, &list) != nil {
		return talewright.Problems{wrong(path, "a list is wanted, not "+shorten(raw))}
	}
	var problems talewright.Problems
	out := reflect.MakeSlice(field.Type(), len(list), len(list))
	for i, raw := range list {
		if len(problems) >= maxProblems {
			problems = append(problems, wrong(path, "further mistakes are not listed"))
			break
		}
		place := fmt.Sprintf("%s[%d]", path, i)
		err := out.Index(i).Addr().Interface().(json.Unmarshaler).UnmarshalJSON(raw)
		if inner, ok := errors.AsType[talewright.Problems](err); ok {
			problems = append(problems, inner.In(place)...)
		} else if err != nil {
			problems = append(problems, wrong(place, err.Error()))
		}
	}
	field.Set(out)
	return problems
}

// wholeNumber reads numbers as forms of web pages write them: "4", 4.0. Programs in
// loosely typed languages do not notice the difference, and their users cannot
// repair it.
func wholeNumber(raw json.RawMessage) (int, bool) {
	text := strings.Trim(string(raw), `"`)
	x, err := strconv.ParseFloat(text, 64)
	if err != nil || x != float64(int32(x)) {
		return 0, false
	}
	return int(x), true
}

// wanted says what a field holds.
func wanted(t reflect.Type) string {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch t.Kind() {
	case reflect.String:
		return "a text"
	case reflect.Int:
		return "a whole number"
	case reflect.Bool:
		return "true or false"
	}
	return "a list of texts"
}

// shorten quotes the begin of a value.
func shorten(raw json.RawMessage) string {
	const most = 40
	text := []rune(string(raw[:min(len(raw), (most+1)*utf8.UTFMax)]))
	if len(text) > most {
		return string(text[:most]) + "…"
	}
	return string(text)
}

// Encode writes src, a struct, as an object. A member that still means what was
// read is written as it was read, one that was missing and still is what missing
// stands for is not written. missing is a struct of the same type with these
// values. A struct that was never read, with read nil, is written by its tags.
// The extra members follow in the order of their names; where a field claims
// one, the field wins. An empty extra value is written as null, one that is no JSON is
// an error.
func Encode(src, missing any, extra, read Members) ([]byte, error) {
	out := []byte{'{'}
	add := func(name string, value []byte) error {
		key, err := openjson.Marshal(name)
		if len(out) > 1 {
			out = append(out, ',')
		}
		out = append(append(append(out, key...), ':'), value...)
		return err
	}
	v, absent := reflect.ValueOf(src), reflect.ValueOf(missing)
	known := map[string]bool{}
	for i := range v.NumField() {
		name := memberName(v.Type().Field(i))
		if name == "" {
			continue
		}
		known[name] = true
		value, err := encodeField(v, absent, i, read)
		if err == nil && value != nil {
			err = add(name, value)
		}
		if err != nil {
			return nil, err
		}
	}
	for _, name := range slices.Sorted(maps.Keys(extra)) {
		if known[name] {
			continue
		}
		value := extra[name]
		if len(value) == 0 {
			value = json.RawMessage("null")
		}
		if !json.Valid(value) {
			return nil, fmt.Errorf("presetfile: the member %q is no JSON", name)
		}
		if err := add(name, value); err != nil {
			return nil, err
		}
	}
	return append(out, '}'), nil
}

// empty reports whether a value says nothing.
func empty(v reflect.Value) bool { return v.IsZero() || v.Kind() == reflect.Slice && v.Len() == 0 }

// encodeField is the value of field i as JSON, nil if it is not written.
func encodeField(v, missing reflect.Value, i int, read Members) ([]byte, error) {
	field, now := v.Type().Field(i), v.Field(i)
	raw, was := read[memberName(field)]
	switch {
	case was:
		// Read it again: the value may hold pointers and lists through which
		// the first reading could have been changed.
		before := reflect.New(field.Type).Elem()
		before.Set(missing.Field(i))
		decodeValue("", raw, before)
		if reflect.DeepEqual(before.Interface(), now.Interface()) {
			return raw, nil
		}
	case read != nil:
		if reflect.DeepEqual(missing.Field(i).Interface(), now.Interface()) {
			return nil, nil
		}
	case strings.Contains(field.Tag.Get("json"), ",omitempty"):
		// What an older member stands for must be denied, not left out.
		if empty(now) && empty(missing.Field(i)) {
			return nil, nil
		}
	}
	return openjson.Marshal(now.Interface())
}

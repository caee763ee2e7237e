package tavern

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/talewright/talewright"
	"github.com/talewright/talewright/internal/openjson"
)

// The presetfile files read and write the JSON objects of preset files so that an unchanged file is
// written back as it was.
//
// Programs of many versions exchange presets. Unknown members must survive, and so must known
// members without effect: a switch that is explicitly off, an empty text, a null, a number in
// quotes. So a type keeps its Extra members and also the known members as they were read. Unchanged
// members are written in the same form, and missing members stay missing.

// presetfileMembers are members of an object by name, as they were read.
type presetfileMembers = map[string]json.RawMessage

// fatalProblem returns a problem for which the file is refused. path is its place, such as prompts[2].role;
// an empty path means the whole file.
func fatalProblem(path, text string) talewright.Problem {
	return talewright.Problem{Path: path, Code: badFile, Severity: talewright.Fatal, Text: text}
}

// badFile is the code of all mistakes in preset files.
const badFile talewright.Code = "bad_file"

// presetfilePointer is a pointer to a preset that [parse] reads.
type presetfilePointer[T any] interface {
	*T
	json.Unmarshaler
	Vet() talewright.Problems
}

// parse reads a file into a preset, which begins as given. It returns the problems of the preset, or
// only the mistakes that refuse the file.
func parse[T any, P presetfilePointer[T]](data []byte, preset T) (T, talewright.Problems) {
	text, err := openjson.File(data)
	switch {
	case err != nil:
	case bytes.Equal(bytes.TrimSpace(text), []byte("null")):
		err = &openjson.TypeError{Want: "an object", Got: "null"}
	default:
		err = P(&preset).UnmarshalJSON(text)
	}
	if err != nil {
		var none T
		return none, problemsOf(err)
	}
	return preset, P(&preset).Vet()
}

// problemsOf returns the mistakes that an error joins, each with its place.
func problemsOf(err error) talewright.Problems {
	list := []error{err}
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		list = joined.Unwrap()
	}
	var problems talewright.Problems
	for _, err := range list {
		e, ok := err.(*openjson.TypeError)
		switch {
		case !ok:
			problems = append(problems, fatalProblem("", "this is not JSON: "+err.Error()))
		case e.Err != nil:
			problems = append(problems, fatalProblem(e.Path, e.Err.Error()))
		default:
			problems = append(problems, fatalProblem(e.Path, "must be "+e.Want+", not "+e.Got))
		}
	}
	return problems
}

// presetfileRead is UnmarshalJSON for a struct that keeps the results of [decode] in two fields.
// The old value of *into is replaced; on an error it does not change.
func presetfileRead[T any](data []byte, into *T, extra, read *presetfileMembers) error {
	var file T
	unknown, known, err := decode(data, &file)
	if err != nil {
		return err
	}
	*into = file
	*extra, *read = unknown, known
	return nil
}

// decode reads an object into dst, a pointer to a struct whose tags are the member names. It
// returns the members without a field, and the members with a field as they were read. Names must
// match exactly. A null leaves its field unchanged, as a missing member does, and so does a value
// of a wrong type, see [presetfileFit]. The error comes from [openjson.Decode]; dst is then partly
// filled, so it should be a copy.
func decode(data []byte, dst any) (extra, read presetfileMembers, err error) {
	var all presetfileMembers
	if err := json.Unmarshal(data, &all); err != nil {
		_, err = openjson.Decode(data, &struct{}{})
		return nil, nil, err
	}
	if all == nil { // by convention null changes nothing
		return nil, nil, nil
	}
	read = presetfileMembers{}
	v := reflect.ValueOf(dst).Elem()
	for i := range v.NumField() {
		name := memberName(v.Type().Field(i))
		raw, ok := all[name]
		if name == "" || !ok {
			continue
		}
		delete(all, name)
		read[name] = raw
		if prepareMember(&raw, v.Field(i)) {
			if err := json.Unmarshal(raw, v.Field(i).Addr().Interface()); err != nil {
				return nil, nil, err
			}
		}
	}
	if len(all) > 0 {
		extra = all
	}
	return extra, read, nil
}

// memberName returns the member name of a field, or "" if it has none.
func memberName(f reflect.StructField) string {
	name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
	if name == "-" {
		return ""
	}
	return name
}

// prepareMember makes a member ready for its field and reports whether it has an effect. A null has no
// effect, and neither has a value that [presetfileFit] leaves out.
func prepareMember(raw *json.RawMessage, field reflect.Value) bool {
	if string(*raw) == "null" {
		return false
	}
	fitted, _ := presetfileFit(*raw, field.Type())
	if fitted == nil {
		return false
	}
	*raw = fitted
	if field.Kind() == reflect.Slice || field.Kind() == reflect.Pointer {
		field.SetZero() // the old value may belong to a different struct
	}
	return true
}

// wholeNumber reads a number, which may be in quotation marks.
func wholeNumber(raw json.RawMessage) (int, bool) {
	text := strings.Trim(string(raw), `"`)
	x, err := strconv.ParseFloat(text, 64)
	if err != nil || x != float64(int32(x)) {
		return 0, false
	}
	return int(x), true
}

// encode writes src, a struct, as an object. A member whose meaning is unchanged is written as it
// was read. A member that was missing and still has the default value is not written. missing is a
// struct of the same type with the default values. If read is nil, the struct was never read and is
// written by its tags. The extra members follow in the order of their names; if a field has the
// same name, the field is used. An empty extra value is written as null; an extra value that is not
// JSON is an error.
func encode(src, missing any, extra, read presetfileMembers) ([]byte, error) {
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
			return nil, fmt.Errorf("presetfile: the member %q is not JSON", name)
		}
		if err := add(name, value); err != nil {
			return nil, err
		}
	}
	return append(out, '}'), nil
}

// isEmpty reports whether a value is zero or an empty list.
func isEmpty(v reflect.Value) bool { return v.IsZero() || v.Kind() == reflect.Slice && v.Len() == 0 }

// encodeField returns the value of field i as JSON, nil if it is not written.
func encodeField(v, missing reflect.Value, i int, read presetfileMembers) ([]byte, error) {
	field, now := v.Type().Field(i), v.Field(i)
	raw, wasRead := read[memberName(field)]
	switch {
	case wasRead:
		// Read it again: the value may have pointers and lists through which the first reading
		// could have been changed.
		before := reflect.New(field.Type).Elem()
		before.Set(missing.Field(i))
		if prepareMember(&raw, before) {
			_ = json.Unmarshal(raw, before.Addr().Interface()) // it was readable
		}
		raw = read[memberName(field)]
		if reflect.DeepEqual(before.Interface(), now.Interface()) {
			return raw, nil
		}
	case read != nil:
		if reflect.DeepEqual(missing.Field(i).Interface(), now.Interface()) {
			return nil, nil
		}
	case strings.Contains(field.Tag.Get("json"), ",omitempty"):
		// The value of an older member must be overridden explicitly, not left out.
		if isEmpty(now) && isEmpty(missing.Field(i)) {
			return nil, nil
		}
	}
	return openjson.Marshal(now.Interface())
}

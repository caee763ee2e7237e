// Package authorjson reads JSON that people wrote: objects of which any member may be of the
// wrong type.
package authorjson

import (
	"encoding/json"
	"errors"
	"maps"
	"math"
	"slices"
	"strconv"

	"github.com/talewright/talewright/internal/openjson"
	"github.com/talewright/talewright/memvars/tree"
)

// Reading by hand, member by member, is longer than handing the object to a decoder, and it is
// what makes two promises possible: one member of the wrong type costs that member alone, and
// everything that was not understood is written back as it was.

// Fields takes an author's JSON object apart, one member after another. Content
// written by people and other programs has members of the wrong type: those are
// not errors but stay behind, so that [Fields.Rest] still holds them and
// [Fields.Bad] names them.
//
// A Fields belongs to one goroutine.
type Fields struct {
	members map[string]tree.Value // those that nobody took yet
	badly   []string              // names, in the order in which they were asked for
	object  bool
}

// Read parses data. The error is that of invalid JSON only: a value that is
// not an object gives a Fields without members, see [Fields.IsObject].
func Read(data []byte) (*Fields, error) {
	v, err := tree.ParseValue(data)
	if err != nil {
		return nil, errors.New("not valid JSON: " + err.Error())
	}
	return Of(v), nil
}

// File parses a file that an author wrote. The error says where it is no JSON, or how else it
// has to be saved, see [openjson.File].
func File(data []byte) (tree.Value, error) {
	text, err := openjson.File(data)
	if err != nil {
		return tree.Value{}, err
	}
	return tree.ParseValue(text)
}

// Of starts on a value that is parsed already.
func Of(v tree.Value) *Fields {
	f := &Fields{members: make(map[string]tree.Value, v.Len()), object: v.IsObject()}
	maps.Insert(f.members, v.Members())
	return f
}

// Unmarshal is the UnmarshalJSON of a type whose members a function reads. After an error,
// which is that of [Read], *into is as it was.
func Unmarshal[T any](data []byte, into *T, read func(*Fields) T) error {
	f, err := Read(data)
	if err == nil {
		*into = read(f)
	}
	return err
}

// UnmarshalValue is [Unmarshal] for a function that reads any value. The error is that of
// [tree.ParseValue].
func UnmarshalValue[T any](data []byte, into *T, read func(tree.Value) T) error {
	v, err := tree.ParseValue(data)
	if err == nil {
		*into = read(v)
	}
	return err
}

// IsObject reports whether there was an object at all.
func (f *Fields) IsObject() bool { return f.object }

// Peek looks at a member without taking it.
func (f *Fields) Peek(name string) tree.Value { return f.members[name] }

// Take marks members as read.
func (f *Fields) Take(names ...string) {
	for _, name := range names {
		delete(f.members, name)
	}
}

// Misread notes a member of the wrong type, once. It is not taken, so that it survives.
func (f *Fields) Misread(name string) {
	if !slices.Contains(f.badly, name) {
		f.badly = append(f.badly, name)
	}
}

// Missing says that the member cannot be had: it is absent, or null, which means
// the same, or of the wrong type, which is noted.
func (f *Fields) Missing(name string, v tree.Value) {
	switch {
	case !v.Exists():
	case v.IsNull():
		f.Take(name)
	default:
		f.Misread(name)
	}
}

// Text takes a string, "" if there is none.
func (f *Fields) Text(name string) string {
	v := f.Peek(name)
	s, ok := v.AsText()
	if !ok {
		f.Missing(name, v)
		return ""
	}
	f.Take(name)
	return s
}

// Number takes a number, nil if there is none or it is null.
func (f *Fields) Number(name string) *float64 {
	v := f.Peek(name)
	n, ok := v.AsFloat()
	// Beyond the doubles there is no number to compare with.
	if !ok || math.IsInf(n, 0) {
		f.Missing(name, v)
		return nil
	}
	f.Take(name)
	return &n
}

// Whole takes a number of turns, times or rounds, nil if there is none or it is
// null. A fraction counts as the next whole number: a rule that may fire while its
// count is below 2.5 fires three times. Numbers that no int holds become the nearest one.
func (f *Fields) Whole(name string) *int {
	v := f.Peek(name)
	if n, ok := v.AsNumber(); ok { // as it is written: doubles have not all whole numbers
		if whole, err := strconv.Atoi(string(n)); err == nil {
			f.Take(name)
			return &whole
		}
	}
	n := f.Number(name)
	if n == nil {
		return nil
	}
	whole := math.MaxInt
	switch n := math.Ceil(*n); {
	case n < math.MinInt:
		whole = math.MinInt
	case n < math.MaxInt: // the nearest double is one above
		whole = int(n)
	}
	return &whole
}

// Flag takes a boolean, nil if there is none or it is null.
func (f *Fields) Flag(name string) *bool {
	v := f.Peek(name)
	b, ok := v.AsBool()
	if !ok {
		f.Missing(name, v)
		return nil
	}
	f.Take(name)
	return &b
}

// True takes a boolean and reports whether it is there and true.
func (f *Fields) True(name string) bool {
	b := f.Flag(name)
	return b != nil && *b
}

// Texts takes a list of strings; a list with anything else in it is noted as bad,
// and its strings are returned.
func (f *Fields) Texts(name string) []string {
	v := f.Peek(name)
	if !v.IsArray() {
		f.Missing(name, v)
		return nil
	}
	out := make([]string, 0, v.Len())
	for _, e := range v.Elements() {
		s, ok := e.AsText()
		if !ok {
			f.Misread(name)
			continue
		}
		out = append(out, s)
	}
	if !slices.Contains(f.badly, name) {
		f.Take(name)
	}
	return out
}

// List takes a list of anything, absent if there is none.
func (f *Fields) List(name string) tree.Value {
	v := f.Peek(name)
	if !v.IsArray() {
		f.Missing(name, v)
		return tree.Value{}
	}
	f.Take(name)
	return v
}

// Object takes an object apart, nil and false if there is none.
func (f *Fields) Object(name string) (*Fields, bool) {
	v := f.Peek(name)
	if !v.IsObject() {
		f.Missing(name, v)
		return nil, false
	}
	f.Take(name)
	return Of(v), true
}

// Value takes a value of any type, absent if there is none.
func (f *Fields) Value(name string) tree.Value {
	v := f.Peek(name)
	f.Take(name)
	return v
}

// Bad returns the names of the members that were asked for and had the wrong type.
func (f *Fields) Bad() []string { return f.badly }

// Rest returns the members that nobody took, nil if there are none.
func (f *Fields) Rest() map[string]json.RawMessage {
	if len(f.members) == 0 {
		return nil
	}
	out := make(map[string]json.RawMessage, len(f.members))
	for _, k := range slices.Sorted(maps.Keys(f.members)) {
		out[k] = f.members[k].AppendJSON(nil)
	}
	return out
}

// Left returns the names of the members that nobody took, sorted.
func (f *Fields) Left() []string { return slices.Sorted(maps.Keys(f.members)) }

// OrZero is a number that was read, 0 where there was none.
func OrZero[N int | float64](n *N) N {
	if n == nil {
		return 0
	}
	return *n
}

// Part takes an object that a function reads; anything else is noted, and the result is zero.
func Part[T any](f *Fields, name string, read func(tree.Value) T) (part T) {
	v := f.Peek(name)
	if !v.IsObject() {
		f.Missing(name, v)
		return part
	}
	f.Take(name)
	return read(v)
}

// List takes a list of objects that a function reads. An element that is no object is noted, and
// read all the same, so that places stay what they are.
func List[T any](f *Fields, name string, read func(tree.Value) T) []T {
	v := f.Peek(name)
	if !v.IsArray() {
		f.Missing(name, v)
		return nil
	}
	out := make([]T, 0, v.Len())
	for _, e := range v.Elements() {
		if !e.IsObject() {
			f.Misread(name)
		}
		out = append(out, read(e))
	}
	if !slices.Contains(f.badly, name) {
		f.Take(name)
	}
	return out
}

// Write is the MarshalJSON of a struct with a field Extra: [Encode] with both.
func Write[T any](v T) ([]byte, error) {
	known, extra := openjson.Plain(v)
	return Encode(known, extra)
}

// Encode is the way back: it writes the known fields of a struct as a JSON object, and
// after them extra, what [Fields.Rest] had left. A member that could not be read is in extra
// under its own name and wins, so that it is saved as it was written.
func Encode(src any, extra map[string]json.RawMessage) ([]byte, error) {
	known, err := openjson.Marshal(src)
	if err != nil || len(extra) == 0 {
		return known, err
	}
	v, err := tree.ParseValue(known)
	if err != nil {
		return nil, err
	}
	var members []tree.Member
	for k, m := range v.Members() {
		members = append(members, tree.Member{Key: k, Value: m})
	}
	for _, k := range slices.Sorted(maps.Keys(extra)) {
		m, err := tree.ParseValue(extra[k])
		if err != nil {
			return nil, err
		}
		members = append(members, tree.Member{Key: k, Value: m})
	}
	return tree.Object(members...).MarshalJSON()
}

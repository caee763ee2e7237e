package rules

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
// [Fields.Bad] names them. Packages that add kinds of content read with it.
//
// A Fields belongs to one goroutine.
type Fields struct {
	members map[string]tree.Value // those that nobody took yet
	badly   []string              // names, in the order in which they were asked for
	object  bool
}

// ReadFields parses data. The error is that of invalid JSON only: a value that is
// not an object gives a Fields without members, see [Fields.IsObject].
func ReadFields(data []byte) (*Fields, error) {
	v, err := tree.ParseValue(data)
	if err != nil {
		return nil, errors.New("rules: " + err.Error())
	}
	return FieldsOf(v), nil
}

// FieldsOf starts on a value that is parsed already.
func FieldsOf(v tree.Value) *Fields {
	f := &Fields{members: make(map[string]tree.Value, v.Len()), object: v.IsObject()}
	for k, m := range v.Members() {
		f.members[k] = m
	}
	return f
}

// IsObject reports whether there was an object at all.
func (f *Fields) IsObject() bool { return f.object }

// obj looks at a member without taking it.
func (f *Fields) obj(name string) tree.Value { return f.members[name] }

// take marks members as read.
func (f *Fields) take(names ...string) {
	for _, name := range names {
		delete(f.members, name)
	}
}

// bad notes a member of the wrong type, once. It is not taken, so that it survives.
func (f *Fields) bad(name string) {
	if !slices.Contains(f.badly, name) {
		f.badly = append(f.badly, name)
	}
}

// missing says that the member cannot be had: it is absent, or null, which means
// the same, or of the wrong type, which is noted.
func (f *Fields) missing(name string, v tree.Value) {
	switch {
	case !v.Exists():
	case v.IsNull():
		f.take(name)
	default:
		f.bad(name)
	}
}

// Text takes a string, "" if there is none.
func (f *Fields) Text(name string) string {
	v := f.obj(name)
	s, ok := v.AsText()
	if !ok {
		f.missing(name, v)
		return ""
	}
	f.take(name)
	return s
}

// Number takes a number, nil if there is none or it is null.
func (f *Fields) Number(name string) *float64 {
	v := f.obj(name)
	n, ok := v.AsFloat()
	// Beyond the doubles there is no number to compare with.
	if !ok || math.IsInf(n, 0) {
		f.missing(name, v)
		return nil
	}
	f.take(name)
	return &n
}

// Whole takes a number of turns, times or rounds, nil if there is none or it is
// null. A fraction counts as the next whole number: a rule that may fire while its
// count is below 2.5 fires three times. Numbers that no int holds become the nearest one.
func (f *Fields) Whole(name string) *int {
	v := f.obj(name)
	if n, ok := v.AsNumber(); ok { // as it is written: doubles have not all whole numbers
		if whole, err := strconv.Atoi(string(n)); err == nil {
			f.take(name)
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
	v := f.obj(name)
	b, ok := v.AsBool()
	if !ok {
		f.missing(name, v)
		return nil
	}
	f.take(name)
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
	v := f.obj(name)
	if !v.IsArray() {
		f.missing(name, v)
		return nil
	}
	out := make([]string, 0, v.Len())
	for _, e := range v.Elements() {
		s, ok := e.AsText()
		if !ok {
			f.bad(name)
			continue
		}
		out = append(out, s)
	}
	if !slices.Contains(f.badly, name) {
		f.take(name)
	}
	return out
}

// List takes a list of anything, absent if there is none.
func (f *Fields) List(name string) tree.Value {
	v := f.obj(name)
	if !v.IsArray() {
		f.missing(name, v)
		return tree.Value{}
	}
	f.take(name)
	return v
}

// Object takes an object apart, nil and false if there is none.
func (f *Fields) Object(name string) (*Fields, bool) {
	v := f.obj(name)
	if !v.IsObject() {
		f.missing(name, v)
		return nil, false
	}
	f.take(name)
	return FieldsOf(v), true
}

// Value takes a value of any type, absent if there is none.
func (f *Fields) Value(name string) tree.Value {
	v := f.obj(name)
	f.take(name)
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

// activation takes an object as an activation; anything else is none.
func (f *Fields) activation(name string) Activation {
	v := f.obj(name)
	if !v.IsObject() {
		f.missing(name, v)
		return Activation{}
	}
	var a Activation
	if a.UnmarshalJSON(v.AppendJSON(nil)) != nil {
		return Activation{}
	}
	f.take(name)
	return a
}

// Conditions takes a list of conditions. An element that is no object is noted as
// bad and becomes the zero [Condition], which never holds.
func (f *Fields) Conditions(name string) []Condition {
	v := f.obj(name)
	if !v.IsArray() {
		f.missing(name, v)
		return nil
	}
	out := make([]Condition, 0, v.Len())
	for _, e := range v.Elements() {
		if !e.IsObject() {
			f.bad(name)
		}
		out = append(out, readCondition(e))
	}
	if !slices.Contains(f.badly, name) {
		f.take(name)
	}
	return out
}

// readCondition reads one condition. From what is no object it makes one that never holds:
// a rule that lost a condition must not fire more often than its author meant.
func readCondition(v tree.Value) Condition {
	f := FieldsOf(v)
	c := Condition{
		VariableID: f.Text("variableId"),
		Operator:   Operator(f.Text("operator")),
		Value:      f.Value("value"),
		ValueRef:   f.Text("valueRef"),
	}
	c.Extra = f.Rest()
	return c
}

// EncodeFields is the way back: it writes the known fields of a struct as a JSON object, and
// after them extra, what [Fields.Rest] had left. A member that could not be read is in extra
// under its own name and wins, so that it is saved as it was written.
func EncodeFields(src any, extra map[string]json.RawMessage) ([]byte, error) {
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

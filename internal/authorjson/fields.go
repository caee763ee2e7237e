// Package authorjson reads JSON that people wrote. Any member of an object may have the wrong type.
package authorjson

import (
	"encoding/json"
	"errors"
	"maps"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/talewright/talewright"
	"github.com/talewright/talewright/internal/openjson"
	"github.com/talewright/talewright/memvars/tree"
)

// Reading member by member needs more code than a decoder, but it gives two guarantees. A member of
// the wrong type loses only that member. Everything that was not understood is written back
// unchanged.

// Fields reads an author's JSON object, member by member. Content from people and other programs
// has members of the wrong type. Such a member is not an error: it is not taken, so [Fields.Rest]
// still contains it and [Fields.Bad] names it.
//
// A Fields is not safe for concurrent use.
type Fields struct {
	value tree.Value
	taken []string // the names that the reader knows, which are few
	badly []string // names, in the order in which they were read
}

// usualMembers is the number of members that few objects exceed.
const usualMembers = 16

// Read parses data. It returns an error only for invalid JSON. A value that is not an object gives
// a Fields without members, see [Fields.IsObject].
func Read(data []byte) (*Fields, error) {
	v, err := tree.ParseValue(data)
	if err != nil {
		return nil, errors.New("not valid JSON: " + err.Error())
	}
	return Of(v), nil
}

// File parses a file that an author wrote. The error says where the text is not JSON, or how the
// file must be saved, see [openjson.File].
func File(data []byte) (tree.Value, error) {
	text, err := openjson.File(data)
	if err != nil {
		return tree.Value{}, err
	}
	return tree.ParseValue(text)
}

// Of returns the Fields of a parsed value.
func Of(v tree.Value) *Fields {
	return &Fields{value: v, taken: make([]string, 0, min(v.Len(), usualMembers))}
}

// Unmarshal implements UnmarshalJSON for a type whose members are read by a function. The error is
// the error of [Read]. On an error *into does not change.
func Unmarshal[T any](data []byte, into *T, read func(*Fields) T) error {
	f, err := Read(data)
	if err == nil {
		*into = read(f)
	}
	return err
}

// UnmarshalValue is like [Unmarshal] for a function that reads any value. The error is the error of
// [tree.ParseValue].
func UnmarshalValue[T any](data []byte, into *T, read func(tree.Value) T) error {
	v, err := tree.ParseValue(data)
	if err == nil {
		*into = read(v)
	}
	return err
}

// IsObject reports whether the value was an object.
func (f *Fields) IsObject() bool { return f.value.IsObject() }

// Peek returns a member without taking it.
func (f *Fields) Peek(name string) tree.Value {
	if slices.Contains(f.taken, name) {
		return tree.Value{}
	}
	return f.value.Get(name)
}

// Take marks members as read.
func (f *Fields) Take(names ...string) { f.taken = append(f.taken, names...) }

// Misread records a member of the wrong type, once. The member is not taken, so it is not lost.
func (f *Fields) Misread(name string) {
	if !slices.Contains(f.badly, name) {
		f.badly = append(f.badly, name)
	}
}

// Missing records that a member cannot be read. An absent member is ignored, a null member is
// taken, because it means the same, and a member of the wrong type is recorded.
func (f *Fields) Missing(name string, v tree.Value) {
	switch {
	case !v.Exists():
	case v.IsNull():
		f.Take(name)
	default:
		f.Misread(name)
	}
}

// Text takes a string; it returns "" if the member is missing.
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

// Number takes a number; it returns nil if the member is missing or null.
func (f *Fields) Number(name string) *float64 {
	v := f.Peek(name)
	n, ok := v.AsFloat()
	// A number beyond the range of float64 cannot be compared.
	if !ok || math.IsInf(n, 0) {
		f.Missing(name, v)
		return nil
	}
	f.Take(name)
	return &n
}

// Whole takes a number of turns, times or rounds; it returns nil if the member is missing or null.
// A fraction is rounded up: a rule that may fire while its count is below 2.5 fires three times. A
// number beyond the range of int becomes the nearest int.
func (f *Fields) Whole(name string) *int {
	v := f.Peek(name)
	if n, ok := v.AsNumber(); ok { // from the text, because a float64 cannot represent all whole numbers
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
	case n < math.MaxInt: // the float64 nearest to MaxInt is one above it
		whole = int(n)
	}
	return &whole
}

// Flag takes a boolean; it returns nil if the member is missing or null.
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

// True takes a boolean and reports whether it exists and is true.
func (f *Fields) True(name string) bool {
	b := f.Flag(name)
	return b != nil && *b
}

// Texts takes a list of strings. A list with other elements is recorded as bad, and its strings are
// returned.
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

// List takes a list with any elements; it returns an absent value if the member is missing.
func (f *Fields) List(name string) tree.Value {
	v := f.Peek(name)
	if !v.IsArray() {
		f.Missing(name, v)
		return tree.Value{}
	}
	f.Take(name)
	return v
}

// Value takes a value of any type; it returns an absent value if the member is missing.
func (f *Fields) Value(name string) tree.Value {
	v := f.Peek(name)
	if v.Exists() {
		f.Take(name)
	}
	return v
}

// Bad returns the names of the members that were read and had the wrong type.
func (f *Fields) Bad() []string { return f.badly }

// Rest returns the members that were not taken, nil if all were.
func (f *Fields) Rest() map[string]json.RawMessage {
	var out map[string]json.RawMessage
	for name, v := range f.value.Members() {
		if slices.Contains(f.taken, name) {
			continue
		}
		if out == nil {
			out = map[string]json.RawMessage{}
		}
		out[name] = v.AppendJSON(nil)
	}
	return out
}

// Left returns the names of the members that were not taken, sorted.
func (f *Fields) Left() []string {
	var out []string
	for name := range f.value.Members() {
		if !slices.Contains(f.taken, name) {
			out = append(out, name)
		}
	}
	slices.Sort(out)
	return out
}

// OrZero returns *n, or 0 if n is nil.
func OrZero[N int | float64](n *N) N {
	if n == nil {
		return 0
	}
	return *n
}

// Part takes an object and reads it with a function. Any other value is recorded as bad, and the
// result is zero.
func Part[T any](f *Fields, name string, read func(tree.Value) T) (part T) {
	v := f.Peek(name)
	if !v.IsObject() {
		f.Missing(name, v)
		return part
	}
	f.Take(name)
	return read(v)
}

// List takes a list of objects and reads them with a function. An element that is not an object is
// recorded as bad but still read, so that indexes do not change.
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

// ReadList reads the elements of a JSON list. A value that is not a list gives nil.
func ReadList[T any](list tree.Value, read func(tree.Value) T) []T {
	if !list.IsArray() {
		return nil
	}
	out := make([]T, list.Len())
	for i, e := range list.Elements() {
		out[i] = read(e)
	}
	return out
}

// ParseFile reads a file with a JSON list. Any other text is a fatal problem with the given text at path.
// An element that is not an object becomes a zero value, so that indexes do not change.
func ParseFile[T any](data []byte, path, text string, read func(*Fields) T) ([]T, talewright.Problems) {
	v, err := File(data)
	if err != nil {
		text = "not JSON: " + err.Error()
	}
	if !v.IsArray() {
		return nil, talewright.Problems{{Path: path, Code: Unreadable, Severity: talewright.Fatal, Text: text}}
	}
	return ReadList(v, func(e tree.Value) (element T) {
		if e.IsObject() {
			element = read(Of(e))
		}
		return element
	}), nil
}

// Write implements MarshalJSON for a struct with a field Extra. It calls [Encode] with both.
func Write[T any](v T) ([]byte, error) {
	known, extra := openjson.Plain(v)
	return Encode(known, extra)
}

// Encode is the reverse of reading: it writes the known fields of a struct as a JSON object, and
// then extra, the members from [Fields.Rest]. A member that could not be read is in extra under its
// own name and takes precedence, so that it is saved as it was written.
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

// Texts returns a list of texts as a value. An empty list is empty, not absent.
func Texts(list []string) tree.Value {
	values := make([]tree.Value, len(list))
	for i, s := range list {
		values[i] = tree.Text(s)
	}
	return tree.Array(values...)
}

// Filled takes the members of the fields of a struct by their JSON names: texts, numbers, whole
// numbers, booleans, lists of texts and values of any type, each as its method of [Fields] takes it.
// Fields of other types stay zero: read those with [Part], [List] or [Fields.List].
func Filled[T any](f *Fields) (filled T) {
	v := reflect.ValueOf(&filled).Elem()
	for _, field := range fieldsOf(v.Type()) {
		field.take(f, field.name, v.Field(field.index))
	}
	return filled
}

// Decoded is [Filled] with the other members in the field Extra, which the struct must have.
func Decoded[T any](f *Fields) T {
	v := Filled[T](f)
	*reflect.ValueOf(&v).Elem().FieldByName("Extra").Addr().Interface().(*openjson.Extra) = f.Rest()
	return v
}

// takers read a member into a field, by the type of the field. Any kind of text has takeText.
var takers = map[reflect.Type]func(f *Fields, name string, to reflect.Value){
	reflect.TypeFor[float64]():    func(f *Fields, name string, to reflect.Value) { to.SetFloat(OrZero(f.Number(name))) },
	reflect.TypeFor[int]():        func(f *Fields, name string, to reflect.Value) { to.SetInt(int64(OrZero(f.Whole(name)))) },
	reflect.TypeFor[bool]():       func(f *Fields, name string, to reflect.Value) { to.SetBool(f.True(name)) },
	reflect.TypeFor[*float64]():   taker((*Fields).Number),
	reflect.TypeFor[*int]():       taker((*Fields).Whole),
	reflect.TypeFor[*bool]():      taker((*Fields).Flag),
	reflect.TypeFor[[]string]():   taker((*Fields).Texts),
	reflect.TypeFor[tree.Value](): taker((*Fields).Value),
}

func taker[V any](take func(f *Fields, name string) V) func(*Fields, string, reflect.Value) {
	return func(f *Fields, name string, to reflect.Value) { *to.Addr().Interface().(*V) = take(f, name) }
}

func takeText(f *Fields, name string, to reflect.Value) { to.SetString(f.Text(name)) }

// taken is a field that [Filled] reads.
type taken struct {
	index int
	name  string
	take  func(f *Fields, name string, to reflect.Value)
}

var fieldsByType sync.Map // reflect.Type -> []taken, a pure function of the key

func fieldsOf(t reflect.Type) []taken {
	if list, ok := fieldsByType.Load(t); ok {
		return list.([]taken)
	}
	var list []taken
	for i := range t.NumField() {
		field := t.Field(i)
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		take := takers[field.Type]
		if field.Type.Kind() == reflect.String {
			take = takeText
		}
		if take != nil && name != "" && name != "-" {
			list = append(list, taken{i, name, take})
		}
	}
	fieldsByType.Store(t, list)
	return list
}

// Unreadable is the code of members of the wrong type.
const Unreadable talewright.Code = "unreadable"

// Misread reports the members that do not have the wanted type. want describes the type: "a number".
// path is the path of an object, and extra is the result of [Fields.Rest] for it. Rest returns the
// unknown members and the known members of a wrong type. Misread reports each given member that is in
// extra.
func Misread(
	path, id string, extra map[string]json.RawMessage, want string, members ...string,
) talewright.Problems {
	var ps talewright.Problems
	for _, member := range members {
		if raw, bad := extra[member]; bad {
			ps = append(ps, talewright.Problem{Path: path + "." + member, ID: id, Code: Unreadable,
				Text: "ignored: " + Line(string(raw)) + " is not " + want})
		}
	}
	return ps
}

// Line shortens a text for people to one short line.
func Line(s string) string {
	const most = 40
	s, _, _ = strings.Cut(s[:min(len(s), (most+1)*utf8.UTFMax)], "\n")
	if runes := []rune(s); len(runes) > most {
		return string(runes[:most-1]) + "…"
	}
	return s
}

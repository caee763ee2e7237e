package state_test

import (
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/talewright/talewright/campaign/internal/filltest"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/internal/openjson"
	"github.com/talewright/talewright/internal/testkit"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules"
	"github.com/talewright/talewright/rules/effect"
)

// TestKeepsOnlyWhatReadsBack compares the shortcut with the JSON readers and writers, for each type
// in a campaign and its turns. A value used without being written must equal the value that would
// be read, and its JSON value must equal what would be written.
func TestKeepsOnlyWhatReadsBack(t *testing.T) {
	t.Parallel()
	types := map[reflect.Type]bool{}
	for _, root := range []reflect.Type{reflect.TypeFor[state.Turn](), reflect.TypeFor[state.Campaign]()} {
		structsIn(root, types)
	}
	// A campaign and a state are handled member by member.
	delete(types, reflect.TypeFor[state.Campaign]())
	delete(types, reflect.TypeFor[state.State]())
	for typ := range types {
		t.Run(typ.String(), func(t *testing.T) {
			kept := 0
			for seed := 0; seed < testkit.Cases(400, 80) || kept < 10 && seed < 4000; seed++ { // few values of a large type are kept
				f := filltest.New(seed, seed%2 == 0)
				x := reflect.New(typ)
				f.Fill(x.Elem(), seed%4+1)
				hollow(f, x.Elem(), seed%5)
				keeps, value, err := state.Keeps(x.Interface())
				if err != nil {
					t.Fatal(err)
				}
				if !keeps {
					continue
				}
				kept++
				wantReadBack(t, x.Interface(), value, fmt.Sprint("seed ", seed))
			}
			if kept < 10 {
				t.Errorf("%d of 4000 are kept: the test says little", kept)
			}
		})
	}
}

// wantReadBack checks that a value, given by its pointer, is equal after it was written and read,
// and that it is written as this JSON value.
func wantReadBack(t *testing.T, x any, value tree.Value, what string) {
	t.Helper()
	same := cmp.Options{
		cmp.Comparer(func(a, b tree.Value) bool { return a.Kind() == b.Kind() && a.String() == b.String() }),
		cmp.Comparer(func(a, b tree.Document) bool { return a.Root().String() == b.Root().String() }),
		cmp.Comparer(func(a, b time.Time) bool { return a == b }),
	}
	data, err := json.Marshal(x)
	if err != nil {
		t.Fatalf("%s: it is kept and cannot be written: %v", what, err)
	}
	y := reflect.New(reflect.TypeOf(x).Elem())
	if err := json.Unmarshal(data, y.Interface()); err != nil {
		t.Fatalf("%s: it is kept and cannot be read: %v\n%s", what, err, data)
	}
	if diff := cmp.Diff(x, y.Interface(), same); diff != "" {
		t.Fatalf("%s (-kept +read back):\n%s", what, diff)
	}
	written, err := tree.ParseValue(data)
	if err != nil {
		t.Fatal(err)
	}
	// encoding/json escapes the signs of markup in its own texts.
	if diff := cmp.Diff(written.String(), value.String()); diff != "" {
		t.Fatalf("%s (-written +value):\n%s", what, diff)
	}
}

type shouted string

func (s shouted) MarshalText() ([]byte, error) { return []byte(strings.ToUpper(string(s))), nil }

// one is a struct with one member.
type one[T any] struct {
	A T `json:"a"`
}

type omitting[T any] struct {
	A T `json:"a,omitempty"`
	B T `json:"b,omitzero"`
}

type quoted struct {
	A int `json:"a,string"`
}

type untagged struct{ A int }

type leavesOut struct {
	A int `json:"-"`
}

type marshals struct {
	A int `json:"a"`
}

func (marshals) MarshalJSON() ([]byte, error) { return []byte(`{}`), nil }

func within(levels int) tree.Value {
	v := tree.Int(1)
	for range levels {
		v = tree.Array(v)
	}
	return v
}

// TestKeepsOfOddValues: the shortcut does not take values of odd types and odd values of other types,
// and what it takes reads back.
func TestKeepsOfOddValues(t *testing.T) {
	t.Parallel()
	text, number, bad := "x", 5, "\xff"
	at := time.Date(2026, 5, 1, 12, 0, 0, 5, time.UTC)
	for i, c := range []struct {
		value any
		keeps bool
	}{
		{&one[map[int]string]{map[int]string{1: "x"}}, false}, {&one[map[shouted]string]{map[shouted]string{"x": "y"}}, false},
		{&one[shouted]{"x"}, false}, {&one[uint8]{1}, false}, {&one[[]byte]{[]byte("x")}, false}, {&one[chan int]{}, false},
		{&quoted{5}, false}, {&untagged{5}, false}, {&leavesOut{}, false}, {&marshals{5}, false}, {&one[marshals]{}, false},
		{&one[*string]{}, true}, {&one[*string]{&text}, true}, {&one[*string]{&bad}, false}, {&one[*int]{&number}, true}, {&one[*untagged]{&untagged{}}, false},
		{&one[*[]int]{new([]int)}, false}, {&one[[2]string]{}, true}, {&one[[2]string]{[2]string{"x", bad}}, false},
		{&one[[]string]{}, true}, {&one[[]string]{[]string{}}, true}, {&one[[]string]{[]string{"x", "y"}}, true}, {&one[[]string]{[]string{"x", bad}}, false},
		{&one[map[string]string]{}, true}, {&one[map[string]string]{map[string]string{}}, true}, {&one[map[string]string]{map[string]string{"b": "x", "a": "y"}}, true},
		{&one[map[string]string]{map[string]string{bad: "x"}}, false}, {&one[map[string]string]{map[string]string{"x": bad}}, false},
		{&one[map[string]one[int]]{map[string]one[int]{"x": {5}}}, true},
		{&omitting[[]string]{}, true}, {&omitting[[]string]{A: []string{}}, false}, {&omitting[[]string]{B: []string{}}, true}, {&omitting[[2]int]{}, true},
		{&omitting[int]{}, true}, {&omitting[int]{5, 5}, true}, {&omitting[one[int]]{}, true}, {&omitting[*int]{&number, &number}, true},
		{&omitting[map[string]string]{A: map[string]string{}}, false}, {&omitting[float64]{B: math.Inf(1)}, false},
		{&one[float64]{1.5}, true}, {&one[float64]{math.NaN()}, false}, {&one[float64]{math.Inf(-1)}, false}, {&one[uint64]{math.MaxUint64}, true}, {&one[bool]{true}, true},
		{&one[time.Time]{}, true}, {&one[time.Time]{at}, true}, {&one[time.Time]{at.AddDate(-2100, 0, 0)}, false}, {&one[time.Time]{at.AddDate(8000, 0, 0)}, false},
		{&one[time.Time]{time.Now()}, false}, {&one[time.Time]{time.Now().UTC()}, true}, {&one[time.Time]{at.In(time.FixedZone("x", 3600))}, false},
		{&one[time.Time]{time.Time{}.In(time.FixedZone("x", 0))}, false}, {&omitting[time.Time]{at, at}, true}, {&omitting[time.Time]{}, true},
		{&one[tree.Value]{}, false}, {&omitting[tree.Value]{A: tree.Null}, true}, {&one[tree.Value]{tree.Null}, true},
		{&one[[]tree.Value]{[]tree.Value{{}}}, false}, {&one[map[string]tree.Value]{map[string]tree.Value{"x": {}}}, false},
		{&one[tree.Value]{tree.Num("12")}, true}, {&one[tree.Value]{tree.Num("-1.5e3")}, true}, {&one[tree.Value]{tree.Num("012")}, false},
		{&one[tree.Value]{tree.Num("x")}, false}, {&one[tree.Value]{tree.Num("")}, false}, {&one[tree.Value]{tree.Num("0")}, true},
		{&one[tree.Value]{tree.Text(bad)}, true}, {&one[tree.Value]{tree.Array(tree.Num("1"), tree.Num("x"))}, false},
		{&one[tree.Value]{tree.Object(tree.Member{Key: bad, Value: tree.Null})}, true}, {&one[tree.Value]{tree.Object(tree.Member{Key: "x", Value: tree.Num("x")})}, false},
		{&one[tree.Value]{tree.Object().With(bad, tree.Null)}, false}, {&one[tree.Value]{tree.Array(tree.Object().With(bad, tree.Null))}, false},
		{&one[tree.Value]{within(100)}, true}, {&one[tree.Value]{within(101)}, false},
		{&one[rules.Event]{rules.Event{Type: "x"}}, true}, {&one[rules.Event]{rules.Event{Type: bad}}, false},
		{&one[rules.Event]{rules.Event{Type: "x", Fields: tree.Object()}}, false}, {&one[rules.Event]{rules.Event{Type: "x", Fields: tree.Object(tree.Member{Key: "a", Value: tree.Int(1)})}}, true},
		{&one[rules.Event]{rules.Event{Type: "x", Fields: tree.Object(tree.Member{Key: "type", Value: tree.Int(1)})}}, false}, {&one[rules.Event]{rules.Event{Type: "x", Fields: tree.Int(1)}}, false},
		{&state.Selected{}, true}, {&state.Selected{Extra: openjson.Extra{"x": json.RawMessage("1")}}, false},
	} {
		keeps, value, err := state.Keeps(c.value)
		if what := fmt.Sprintf("%d: %T %+v", i, c.value, c.value); keeps != c.keeps || err != nil {
			t.Errorf("%s: %v, %v", what, keeps, err)
		} else if keeps {
			wantReadBack(t, c.value, value, what)
		}
	}
	// An effect with an invalid number fails when it is written.
	fired := state.TraceFired{Effects: effect.List{effect.SetVariable{Path: "x", Operation: effect.Set, Value: tree.Num("x")}}}
	for _, ptr := range []any{&one[[]state.TraceFired]{[]state.TraceFired{fired}}, &one[map[string]state.TraceFired]{map[string]state.TraceFired{"x": fired}}} {
		if _, _, err := state.Keeps(ptr); err == nil {
			t.Errorf("%T: a value that cannot be written has a JSON value", ptr)
		}
	}
}

// TestValuesWithoutEncoding: the JSON value of a list of plain values is made without encoding its elements.
func TestValuesWithoutEncoding(t *testing.T) {
	number := 5
	for _, ptr := range []any{repeated(true), repeated("x"), repeated(&number), repeated(tree.Text("x")), repeated(5)} {
		write := state.Writer(ptr)
		if n := testing.AllocsPerRun(20, func() { _, _ = write() }); n > 210 { // one for each element
			t.Errorf("%T: %v allocations for 200 elements", ptr, n)
		}
	}
}

func repeated[T any](v T) *[]T { list := slices.Repeat([]T{v}, 200); return &list }

// structsIn lists the struct types inside other types, if they are stored by their fields.
func structsIn(typ reflect.Type, found map[reflect.Type]bool) {
	switch typ.Kind() {
	case reflect.Slice, reflect.Map, reflect.Pointer:
		structsIn(typ.Elem(), found)
	case reflect.Struct:
		if typ == reflect.TypeFor[tree.Value]() || typ == reflect.TypeFor[time.Time]() || typ == reflect.TypeFor[tree.Document]() || found[typ] {
			return
		}
		found[typ] = true
		for i := range typ.NumField() {
			if typ.Field(i).Tag.Get("json") != "-" {
				structsIn(typ.Field(i).Type, found)
			}
		}
	}
}

// hollow empties some of the lists and maps and removes some values, because programs write these
// differently. One in the given number is not changed.
func hollow(f *filltest.Filler, v reflect.Value, full int) {
	if full == 0 {
		full = 1000
	}
	switch v.Kind() {
	case reflect.Struct:
		if v.Type() == reflect.TypeFor[state.TraceFired]() || v.Type() == reflect.TypeFor[state.ApprovalCall]() { // its effects were already read back
			v.FieldByName("Effects").SetZero()
		}
		if v.Type() == reflect.TypeFor[tree.Value]() {
			if f.IntN(full) == 0 {
				v.SetZero()
			}
			return
		}
		for i := range v.NumField() {
			if v.Field(i).CanSet() {
				hollow(f, v.Field(i), full)
			}
		}
	case reflect.Slice, reflect.Map:
		switch f.IntN(full + 1) {
		case 0:
			v.SetZero()
		case 1:
			if v.Kind() == reflect.Slice {
				v.Set(reflect.MakeSlice(v.Type(), 0, 0))
			} else {
				v.Set(reflect.MakeMap(v.Type()))
			}
		}
		if v.Kind() == reflect.Slice {
			for i := range v.Len() {
				hollow(f, v.Index(i), full)
			}
		}
	}
}

// TestFormsAreKnown: the forms of all parts of turns and states are known, except those listed
// here. Effects occur only where they were already read back.
func TestFormsAreKnown(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		typ          reflect.Type
		odd, effects []string
	}{
		{reflect.TypeFor[state.Turn](), []string{
			"Turn.attempts[].conflicts[].expected[]", "Turn.attempts[].conflicts[].found[]", // facts of any kind
			"Turn.attempts[].warnings[].expected[]", "Turn.attempts[].warnings[].found[]",
			"Turn.overridden_conflicts[].expected[]", "Turn.overridden_conflicts[].found[]",
			"Turn.edit_findings[].expected[]", "Turn.edit_findings[].found[]",
		}, []string{"Turn.trace.fired[].effects"}},
		{reflect.TypeFor[state.State](), []string{"State.variables", "State.variables_before_greeting", "State.variables_after_greeting"}, nil}, // immutable
		{reflect.TypeFor[rules.Memory](), nil, nil},
	} {
		odd, effects := state.OddForms(tc.typ)
		if diff := cmp.Diff(tc.odd, odd); diff != "" {
			t.Errorf("%s: what is odd (-want +got):\n%s", tc.typ, diff)
		}
		if diff := cmp.Diff(tc.effects, effects); diff != "" {
			t.Errorf("%s: where effects stand (-want +got):\n%s", tc.typ, diff)
		}
	}
}

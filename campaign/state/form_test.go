package state_test

import (
	"encoding/json"
	"reflect"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/talewright/talewright/campaign/internal/filltest"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/internal/testkit"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules"
)

// TestKeepsOnlyWhatReadsBack compares the shortcut with the JSON readers and writers, for each type
// in a campaign and its turns. A value used without being written must equal the value that would
// be read, and its JSON value must equal what would be written.
func TestKeepsOnlyWhatReadsBack(t *testing.T) {
	t.Parallel()
	same := cmp.Options{
		cmp.Comparer(func(a, b tree.Value) bool { return a.Kind() == b.Kind() && a.String() == b.String() }),
		cmp.Comparer(func(a, b tree.Document) bool { return a.Root().String() == b.Root().String() }),
		cmp.Comparer(func(a, b time.Time) bool { return a == b }),
	}
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
				data, err := json.Marshal(x.Interface())
				if err != nil {
					t.Fatalf("seed %d: it is kept and cannot be written: %v", seed, err)
				}
				y := reflect.New(typ)
				if err := json.Unmarshal(data, y.Interface()); err != nil {
					t.Fatalf("seed %d: it is kept and cannot be read: %v\n%s", seed, err, data)
				}
				if diff := cmp.Diff(x.Interface(), y.Interface(), same); diff != "" {
					t.Fatalf("seed %d (-kept +read back):\n%s", seed, diff)
				}
				written, err := tree.ParseValue(data)
				if err != nil {
					t.Fatal(err)
				}
				// encoding/json escapes the signs of markup in its own texts.
				if diff := cmp.Diff(written.String(), value.String()); diff != "" {
					t.Fatalf("seed %d (-written +value):\n%s", seed, diff)
				}
			}
			if kept < 10 {
				t.Errorf("%d of 4000 are kept: the test says little", kept)
			}
		})
	}
}

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
		{reflect.TypeFor[state.State](), []string{"State.variables"}, nil}, // immutable
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

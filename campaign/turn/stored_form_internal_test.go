package turn

import (
	"cmp"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/talewright/talewright/campaign/state"
)

// TestStoredForm checks the members of everything that is stored against the list in testdata/logs
// for the present layout. Earlier logs cannot be read if a member is missing or has a different
// type or name. Then Layout increases by one, and an upgrade in layout.go leads from the old form
// to the new one. A new member is allowed if it is left out when it is empty;
//
//	go test ./campaign/turn -run TestStoredForm -args update
//
// writes it into the list, so that a reader of the change sees that the stored form has changed.
func TestStoredForm(t *testing.T) {
	t.Parallel()
	path := fmt.Sprintf("../testdata/logs/layout_%d.form.txt", Layout)
	form := storedForm(t)
	data, err := os.ReadFile(path)
	update := slices.Contains(flag.Args(), "update")
	if err != nil && !update {
		t.Fatalf("%v: run this test with -args update to write it", err)
	}
	listed := strings.Split(strings.TrimSpace(string(data)), "\n")
	for _, fault := range formFaults(form, listed, update) {
		t.Error(fault)
	}
	if update && !t.Failed() {
		if err := os.WriteFile(path, []byte(strings.Join(slices.Sorted(maps.Keys(form)), "\n")+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// formFaults returns the forbidden differences between a form and the listed one. form says of each
// member whether it may be left out.
func formFaults(form map[string]bool, listed []string, update bool) (faults []string) {
	known, within := map[string]bool{}, map[string]bool{"": true}
	for _, line := range listed {
		if line == "" {
			continue
		}
		if known[line] = true; !has(form, line) {
			faults = append(faults, line+" is stored no more: layout.Current has to go up, and an upgrade of package layout leads there")
		}
		path, _, _ := strings.Cut(line, " ")
		within[path[:max(strings.LastIndexByte(path, '.'), 0)]] = true
	}
	for _, line := range slices.Sorted(maps.Keys(form)) {
		path, _, _ := strings.Cut(line, " ")
		switch {
		case known[line]:
		case !form[line] && len(known) > 0 && within[path[:max(strings.LastIndexByte(path, '.'), 0)]]:
			faults = append(faults, line+" is new and always written: leave it out where it says nothing (omitempty, omitzero)")
		case !update:
			faults = append(faults, line+" is new: run this test with -args update to list it")
		}
	}
	return faults
}

// TestStoredFormSees checks that TestStoredForm finds members that are added, left out, renamed or
// of a different type.
func TestStoredFormSees(t *testing.T) {
	t.Parallel()
	listed := []string{"record.a integer", "record.b object", "record.b.c string"}
	for _, c := range []struct {
		reason      string
		form        map[string]bool
		plain, kept string // the faults without and with update
	}{
		{"as it was", map[string]bool{"record.a integer": false, "record.b object": true, "record.b.c string": false}, "", ""},
		{"gone", map[string]bool{"record.b object": true, "record.b.c string": false}, "record.a integer is stored no more", "record.a integer is stored no more"},
		{"another type", map[string]bool{"record.a string": false, "record.b object": true, "record.b.c string": false},
			"record.a integer is stored no more", "record.a integer is stored no more"},
		{"new and left out", map[string]bool{"record.a integer": false, "record.b object": true, "record.b.c string": false, "record.b.d list of string": true},
			"record.b.d list of string is new: run", ""},
		{"new and written", map[string]bool{"record.a integer": false, "record.b object": true, "record.b.c string": false, "record.b.d string": false},
			"record.b.d string is new and always written", "record.b.d string is new and always written"},
		{"new in what is new", map[string]bool{"record.a integer": false, "record.b object": true, "record.b.c string": false, "record.e object": true, "record.e.f string": false},
			"record.e object is new: run", ""},
	} {
		for update, want := range map[bool]string{false: c.plain, true: c.kept} {
			got := strings.Join(formFaults(c.form, listed, update), "\n")
			if !strings.HasPrefix(got, want) || (got == "") != (want == "") {
				t.Errorf("%s, update %v: %q, want %q", c.reason, update, got, want)
			}
		}
	}
}

func has(form map[string]bool, line string) bool { _, ok := form[line]; return ok }

// storedForm returns the members of everything that is stored as "path kind", and whether each is
// left out when it is empty. A path does not name types, because types may move.
func storedForm(t *testing.T) map[string]bool {
	t.Helper()
	f := former{members: map[string]bool{}, within: map[reflect.Type]bool{}}
	f.add("record", reflect.TypeFor[Record]())
	f.add("campaign", reflect.TypeFor[state.Campaign]())
	f.members["input.once string"] = true // a member of every instruction, see Once
	for _, table := range []map[string]decoder{instructions, answers} {
		for name, read := range table {
			in, _, err := read([]byte("{}"))
			if err != nil {
				t.Fatal(err)
			}
			f.members["input "+name] = true
			f.add("input "+name, reflect.TypeOf(in))
		}
	}
	return f.members
}

type former struct {
	members map[string]bool
	within  map[reflect.Type]bool
}

// add adds the members of the type at a path, and returns its kind.
func (f former) add(path string, typ reflect.Type) (kind string) {
	if typ.Kind() == reflect.Pointer {
		return f.add(path, typ.Elem())
	}
	if writesItself(typ) {
		return "of its own"
	}
	switch typ.Kind() {
	case reflect.Slice, reflect.Array:
		return "list of " + f.add(path+"[]", typ.Elem())
	case reflect.Map:
		return "members of " + f.add(path+".*", typ.Elem())
	case reflect.Int, reflect.Int64, reflect.Uint64, reflect.Uint8:
		return "integer"
	case reflect.Struct:
	default:
		return typ.Kind().String()
	}
	if f.within[typ] {
		return "object as around it"
	}
	f.within[typ] = true
	defer delete(f.within, typ)
	for i := range typ.NumField() {
		field := typ.Field(i)
		name, rest, _ := strings.Cut(field.Tag.Get("json"), ",")
		switch {
		case name == "-" || !field.IsExported() && !field.Anonymous:
		case name == "" && field.Anonymous:
			f.add(path, field.Type)
		default:
			at := path + "." + cmp.Or(name, field.Name)
			f.members[at+" "+f.add(at, field.Type)] = strings.HasPrefix(rest, "omit")
		}
	}
	return "object"
}

// writesItself reports whether the JSON form of a type does not come from its members. For a type
// that keeps unknown members it does.
func writesItself(typ reflect.Type) bool {
	if typ.Kind() == reflect.Struct {
		if _, keeps := typ.FieldByName("Extra"); keeps {
			return false
		}
	}
	return typ.Implements(reflect.TypeFor[json.Marshaler]()) || reflect.PointerTo(typ).Implements(reflect.TypeFor[json.Unmarshaler]())
}

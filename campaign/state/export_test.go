package state

import (
	"reflect"

	"github.com/talewright/talewright/memvars/tree"
)

// Keeps reports whether a struct, given by its pointer, is sure to read back unchanged. It also
// returns the value that is used as its JSON form.
func Keeps(ptr any) (bool, tree.Value, error) {
	v := reflect.ValueOf(ptr).Elem()
	f := formOf(v.Type())
	if !f.readsBackSame(v) {
		return false, tree.Value{}, nil
	}
	value, err := f.value(v)
	return true, value, err
}

// OddForms returns the parts of a type that must always be written to know how they read back, and
// the places of effects in it.
func OddForms(typ reflect.Type) (odd, effects []string) {
	var walk func(f *form, at string)
	walk = func(f *form, at string) {
		switch f.kind {
		case formUncertain:
			odd = append(odd, at)
		case formFired:
			effects = append(effects, at)
		}
		if f.elem != nil {
			walk(f.elem, at+"[]")
		}
		for _, m := range f.fields {
			walk(m.form, at+"."+m.name)
		}
	}
	walk(formOf(typ), typ.Name())
	return odd, effects
}

// Writer returns a function that makes the JSON value of what a pointer points to.
func Writer(ptr any) func() (tree.Value, error) {
	v := reflect.ValueOf(ptr).Elem()
	f := formOf(v.Type())
	return func() (tree.Value, error) { return f.value(v) }
}

// EditedLore is editedLore for tests.
var EditedLore = editedLore

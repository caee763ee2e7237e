package act

import (
	"fmt"
	"maps"
	"slices"

	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules/effect"
)

// Table is the table of action types that hooks may use: a value, so that two
// engines in one process can have different ones. The zero value knows the built-in
// types. Compiling takes a copy; registering afterwards does not reach
// sets that exist. One writer at a time.
type Table struct {
	custom map[string]Type
}

// Type is an action type of the host.
type Type struct {
	// Handler does the work.
	Handler Handler
	// Internal says that the handler touches nothing outside and only returns
	// effects: its success is undone when the hook is rolled back.
	Internal bool
	// Macros says that the texts which the handler brings to prompts are an author's, with
	// macros to expand. Otherwise they are data, and show up as they are: a handler often
	// passes on what a player, a model or another service wrote. [effect.AsData] makes data of
	// single effects.
	Macros bool
	// Override allows the registration of a type that exists, built in or not.
	Override bool
	// Params are checked before the handler is called; others pass unchecked.
	Params []Param
}

// Param describes one parameter of a custom action.
type Param struct {
	Name string
	// Kind is the JSON kind that a value must have; tree.Absent allows all.
	Kind     tree.Kind
	Required bool // missing, null or an empty text is missing_params
}

// Register adds an action type. Type names are lower case: a letter, then up to
// 63 letters, digits, dots, dashes and underscores. Registering a type that
// exists is an error unless Override is set. Nothing changes on error.
func (a *Table) Register(typ string, t Type) error {
	switch {
	case !validTypeName(typ):
		return fmt.Errorf("hooks: action type %q: want [a-z][a-z0-9_.-]{0,63}", typ)
	case t.Handler == nil:
		return fmt.Errorf("hooks: action type %q has no handler", typ)
	case a.Has(typ) && !t.Override:
		return fmt.Errorf("hooks: action type %q exists; set Override to replace it", typ)
	}
	if a.custom == nil {
		a.custom = map[string]Type{}
	}
	t.Params = append([]Param(nil), t.Params...)
	a.custom[typ] = t
	return nil
}

// Has reports whether the table knows the type: registered, built in, or an action of rules. A
// nil table knows the latter two.
func (a *Table) Has(typ string) bool {
	if _, ok := a.Lookup(typ); ok {
		return true
	}
	return slices.Contains(builtin[:], typ) || IsEffect(typ)
}

// Types lists all types: the built-in ones, those of rules, then the host's own by name.
func (a *Table) Types() []string {
	list := append(append(builtin[:len(builtin):len(builtin)], effect.Types()...), effect.Emit{}.EffectType())
	if a != nil {
		list = append(list, slices.Sorted(maps.Keys(a.custom))...)
	}
	return list
}

// Lookup finds a type of the host, which goes before a built-in one.
func (a *Table) Lookup(typ string) (Type, bool) {
	if a == nil {
		return Type{}, false
	}
	t, ok := a.custom[typ]
	return t, ok
}

// Clone returns a copy that later registrations do not reach.
func (a *Table) Clone() *Table {
	if a == nil {
		return nil
	}
	return &Table{custom: maps.Clone(a.custom)}
}

// validTypeName checks [a-z][a-z0-9_.-]{0,63}.
func validTypeName(s string) bool {
	if len(s) == 0 || len(s) > 64 || s[0] < 'a' || s[0] > 'z' {
		return false
	}
	for _, c := range []byte(s) {
		switch {
		case c >= 'a' && c <= 'z', c >= '0' && c <= '9', c == '_', c == '.', c == '-':
		default:
			return false
		}
	}
	return true
}

package act

import (
	"fmt"
	"maps"
	"regexp"
	"slices"

	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules/effect"
)

// Table is the table of action types that hooks may use. It is a value, so two engines in one
// process can have different tables. The zero value has the built-in types. Compile copies the
// table; a later registration does not change existing sets. Only one goroutine may write at a
// time.
type Table struct {
	custom map[string]Type
}

// Type is an action type of the host.
type Type struct {
	// Handler runs the action.
	Handler Handler
	// Internal says that the handler has no external effects and only returns effects. Its success
	// is undone when the hook is rolled back.
	Internal bool
	// Macros says that the prompt texts from the handler are an author's texts, with macros to
	// expand. Otherwise they are data, and appear unchanged: a handler often passes on text from a
	// player, a model or a different service. [effect.AsData] marks single effects as data.
	Macros bool
	// Override allows the registration of a type that exists already, built in or not.
	Override bool
	// Params are checked before the handler is called. Other parameters are not checked.
	Params []Param
}

// Param describes one parameter of a custom action.
type Param struct {
	Name string
	// Kind is the JSON kind that a value must have; tree.Absent allows all.
	Kind     tree.Kind
	Required bool // missing, null or an empty text gives missing_params
}

// Register adds an action type. Type names are lower case: a letter, then up to
// 63 letters, digits, dots, dashes and underscores. Registering a type that
// exists is an error unless Override is set. Nothing changes on error.
func (a *Table) Register(typ string, t Type) error {
	switch {
	case !typeName.MatchString(typ):
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

// Has reports whether the table has the type: a registered type, a built-in type, or an action of
// rules. A nil table has the built-in types and the actions of rules.
func (a *Table) Has(typ string) bool {
	if _, ok := a.Lookup(typ); ok {
		return true
	}
	return slices.Contains(builtin[:], typ) || IsEffect(typ)
}

// Types lists all types: the built-in types, the actions of rules, then the host's own types by
// name.
func (a *Table) Types() []string {
	list := append(append(builtin[:len(builtin):len(builtin)], effect.Types()...), effect.Emit{}.EffectType())
	if a != nil {
		list = append(list, slices.Sorted(maps.Keys(a.custom))...)
	}
	return list
}

// Lookup returns a type that the host registered. Such a type takes precedence over a built-in
// type.
func (a *Table) Lookup(typ string) (Type, bool) {
	if a == nil {
		return Type{}, false
	}
	t, ok := a.custom[typ]
	return t, ok
}

// Clone returns a copy that later registrations do not change.
func (a *Table) Clone() *Table {
	if a == nil {
		return nil
	}
	return &Table{custom: maps.Clone(a.custom)}
}

// typeName matches the names of registered types.
var typeName = regexp.MustCompile(`^[a-z][a-z0-9_.-]{0,63}$`)

// Field describes a field of the character state that the host registers. The zero Field means the
// same as no registration: any value replaces the field.
type Field struct {
	// Add says that a delta is added; otherwise the value is replaced.
	Add bool `json:"add,omitempty"`
	// Type restricts the value. A field with Add is always a number.
	Type FieldType `json:"type,omitempty"`
	// Min and Max are the limits of numbers; nil means no limit.
	Min *float64 `json:"min,omitempty"`
	Max *float64 `json:"max,omitempty"`
}

// FieldType is the type of a registered field. The empty type allows every value.
type FieldType string

// The field types. Numbers may be plain decimal texts.
const (
	NumberField  FieldType = "number"
	IntegerField FieldType = "integer" // truncated toward zero
	TextField    FieldType = "text"
	BooleanField FieldType = "boolean"
)

// Capability is a service of the host that actions need.
type Capability string

// The capabilities.
const (
	Prompts    Capability = "prompt"     // prompt_inject
	Memories   Capability = "memory"     // memory_write
	Workflows  Capability = "workflow"   // workflow
	WorldBooks Capability = "world_book" // world_book_add
)

package rules

import (
	"encoding/json"

	"github.com/talewright/talewright/internal/authorjson"
	"github.com/talewright/talewright/memvars/tree"
)

// VariableType is the declared type of a [Variable].
type VariableType string

// The variable types. A number has optional bounds; json holds any value.
const (
	TypeNumber  VariableType = "number"
	TypeString  VariableType = "string"
	TypeBoolean VariableType = "boolean"
	TypeJSON    VariableType = "json"
)

// AIAccess says what a model may do with a variable.
type AIAccess string

// The access levels. Anything else means [AIWrite].
const (
	AIWrite AIAccess = "write" // read and write
	AIRead  AIAccess = "read"  // read only
	AINone  AIAccess = "none"  // neither
)

// Variable declares one variable of an author's schema. Declared variables
// always have a value of their type: writes of another type are refused, numbers
// are kept within Min and Max.
type Variable struct {
	// ID is what conditions, triggers and paths go by.
	ID string `json:"id"`
	// Name is what people and models are shown, and a second way to write to the variable.
	// An id of that text wins, then the last declared name.
	Name string       `json:"name,omitempty"`
	Type VariableType `json:"type"`
	// Path is where the variable lives in the document, as tree.ParsePath reads it, for
	// example "stat_data.hp"; empty: at the root, under its id. There it is one value with
	// what commands and other languages read and write, and a [value, "description"] pair is
	// seen through. Rules and events name the variable by its id all the same.
	Path string `json:"path,omitempty"`
	// Default is the value of a new game, and of an older one that lacks the variable.
	// Without one it is 0, "", false or null.
	Default tree.Value `json:"defaultValue,omitzero"`
	// Min and Max keep a number within bounds, whatever wrote it. Either may be absent.
	Min *float64 `json:"min,omitempty"`
	Max *float64 `json:"max,omitempty"`

	// Formula makes the variable follow others: it is recomputed after every
	// batch of effects that changed something. See package rules.
	Formula string `json:"formula,omitempty"`
	// OnceTrue booleans, once true, stay true.
	OnceTrue bool `json:"onceTrue,omitempty"`

	AIAccess AIAccess `json:"aiAccess,omitempty"`
	// Internal variables are never shown to a model and never written by one.
	Internal bool `json:"internal,omitempty"`
	// Enabled, Activation and BookID say when a model sees the variable. Rules always do:
	// what is hidden from the story goes on underneath.
	Enabled    *bool      `json:"enabled,omitempty"` // nil: true
	Activation Activation `json:"activation,omitzero"`
	BookID     string     `json:"worldbookId,omitempty"`
	// Scope "setup" marks a variable that survives the restoring of an older
	// snapshot; anything else is part of the story.
	Scope string `json:"scope,omitempty"`

	Extra map[string]json.RawMessage `json:"-"` // unknown JSON members, kept
}

// MarshalJSON writes the known fields and then the unknown ones.
func (v Variable) MarshalJSON() ([]byte, error) { return authorjson.Write(v) }

// UnmarshalJSON reads what it can; members of the wrong type and unknown ones are
// kept in Extra, and [Compile] names them. "default" is taken for "defaultValue".
func (v *Variable) UnmarshalJSON(data []byte) error {
	f, err := authorjson.Read(data)
	if err != nil {
		return err
	}
	*v = Variable{
		ID:         f.Text("id"),
		Name:       f.Text("name"),
		Type:       VariableType(f.Text("type")),
		Path:       f.Text("path"),
		Min:        f.Number("min"),
		Max:        f.Number("max"),
		Formula:    f.Text("formula"),
		OnceTrue:   f.True("onceTrue"),
		AIAccess:   AIAccess(f.Text("aiAccess")),
		Internal:   f.True("internal"),
		Enabled:    f.Flag("enabled"),
		Activation: authorjson.Part(f, "activation", readActivation),
		BookID:     f.Text("worldbookId"),
		Scope:      f.Text("scope"),
	}
	v.Default = f.Value("defaultValue")
	if !v.Default.Exists() {
		v.Default = f.Value("default")
	}
	v.Extra = f.Rest()
	return nil
}

// Fits reports whether a value is of the type. A json variable, and one of a type that
// nobody knows, takes everything that is a value.
func (t VariableType) Fits(v tree.Value) bool {
	switch t {
	case TypeNumber:
		return v.Kind() == tree.KindNumber
	case TypeString:
		return v.Kind() == tree.KindText
	case TypeBoolean:
		return v.Kind() == tree.KindBool
	}
	return v.Exists()
}

package rules

import (
	"encoding/json"

	"github.com/talewright/talewright/internal/authorjson"
	"github.com/talewright/talewright/memvars/tree"
)

// This file has the declarations of an author: variables with their types and bounds, the modules of
// the content, and when either is active.

// ModuleMode decides when a module or variable is active.
type ModuleMode string

// The modes. An empty or unknown mode means [ModeAlways].
const (
	ModeAlways     ModuleMode = "always"
	ModeManual     ModuleMode = "manual"     // on unless switched off
	ModeConditions ModuleMode = "conditions" // while the conditions hold
	ModeKeywords   ModuleMode = "keywords"   // switched by the player's words, see [Program.ActivateModules]
	ModeGreeting   ModuleMode = "greeting"   // with certain openings of the story
)

// Activation says when a module or a variable is active.
type Activation struct {
	Mode           ModuleMode  `json:"mode,omitempty"`
	Conditions     []Condition `json:"conditions,omitempty"`
	ConditionLogic Logic       `json:"conditionLogic,omitempty"`
	// Any of Keywords switches the module on. Any of LeaveKeywords switches it off, unless a
	// keyword was said too.
	Keywords      []string `json:"keywords,omitempty"`
	LeaveKeywords []string `json:"leaveKeywords,omitempty"`
	// GreetingIDs are the openings of the story that it belongs to.
	GreetingIDs []string `json:"greetingIds,omitempty"`
	// Exclusive modules close each other: a keyword of one closes the other open exclusive modules.
	Exclusive bool `json:"exclusive,omitempty"`

	Extra map[string]json.RawMessage `json:"-"` // unknown JSON members, kept
}

// MarshalJSON writes the known fields and then the unknown ones.
func (a Activation) MarshalJSON() ([]byte, error) { return authorjson.Write(a) }

// UnmarshalJSON reads all readable members and keeps the others in Extra.
func (a *Activation) UnmarshalJSON(data []byte) error {
	return authorjson.UnmarshalValue(data, a, readActivation)
}

// readActivation reads an activation as authors write it.
func readActivation(v tree.Value) Activation {
	f := authorjson.Of(v)
	a := authorjson.Filled[Activation](f)
	a.Conditions = authorjson.List(f, "conditions", ParseCondition)
	if id := f.Text("greetingId"); id != "" {
		a.GreetingIDs = append(a.GreetingIDs, id)
	}
	a.Extra = f.Rest()
	return a
}

// Module is a named part of the content, such as a world book. Its rules, reactions and variables
// are active together. Members name it by their BookID. A member of an unknown module is active, a
// member of [Unplaced] never.
type Module struct {
	ID         string     `json:"id"`
	Name       string     `json:"name,omitempty"`
	Order      float64    `json:"order,omitempty"`
	Activation Activation `json:"activation,omitzero"`

	Extra map[string]json.RawMessage `json:"-"` // unknown JSON members, kept
}

// Unplaced is the module id of members that belong to no module yet and take no part in play.
const Unplaced = "unplaced"

// MarshalJSON writes the known fields and then the unknown ones.
func (m Module) MarshalJSON() ([]byte, error) { return authorjson.Write(m) }

// UnmarshalJSON reads all readable members and keeps the others in Extra.
func (m *Module) UnmarshalJSON(data []byte) error {
	return authorjson.Unmarshal(data, m, readModule)
}

// readModule reads the members. The activation may also be marked exclusive at the module.
func readModule(f *authorjson.Fields) Module {
	m := authorjson.Filled[Module](f)
	m.Activation = authorjson.Part(f, "activation", readActivation)
	m.Activation.Exclusive = f.True("exclusive") || m.Activation.Exclusive
	m.Extra = f.Rest()
	return m
}

// VariableType is the declared type of a [Variable].
type VariableType string

// The variable types. A number has optional bounds; json holds any value.
const (
	TypeNumber  VariableType = "number"
	TypeString  VariableType = "string"
	TypeBoolean VariableType = "boolean"
	TypeJSON    VariableType = "json"
)

// AIAccess is the permission of models for a variable.
type AIAccess string

// The access levels. Any other value means [AIWrite].
const (
	AIWrite AIAccess = "write" // read and write
	AIRead  AIAccess = "read"  // read only
	AINone  AIAccess = "none"  // no access
)

// Variable declares one variable of an author's schema. A declared variable always has a value of
// its type: writes of a different type are refused, and numbers are kept within Min and Max.
type Variable struct {
	// ID is the name in conditions, triggers and paths.
	ID string `json:"id"`
	// Name is shown to people and models. The variable can also be written by its name. If an id
	// has the same text, the id counts; of equal names, the last declared one.
	Name string       `json:"name,omitempty"`
	Type VariableType `json:"type"`
	// Path is the place of the variable in the document, as tree.ParsePath reads it, for example
	// "stat_data.hp". If it is empty, the variable is at the root under its id. At Path the
	// variable shares its value with commands and other languages. A [value, "description"] pair
	// there is read as its value. Rules and events still name the variable by its id.
	Path string `json:"path,omitempty"`
	// Default is the value in a new game, and in an older game without the variable. Without a
	// Default, or with one of a different type, it is 0, "", false or null. A text that spells a
	// number or a flag counts as one, and a number as its text.
	Default tree.Value `json:"defaultValue,omitzero"`
	// Min and Max limit a number, for every writer. Either may be absent.
	Min *float64 `json:"min,omitempty"`
	Max *float64 `json:"max,omitempty"`

	// Formula computes the variable from others. It is recomputed after every batch of effects that
	// changed something. A text variable may get a text: if(hp < 5, "hurt", "fine").
	Formula string `json:"formula,omitempty"`
	// OnceTrue booleans never change back to false.
	OnceTrue bool `json:"onceTrue,omitempty"`

	AIAccess AIAccess `json:"aiAccess,omitempty"`
	// Internal variables are never shown to or written by a model.
	Internal bool `json:"internal,omitempty"`
	// Enabled, Activation and BookID decide when a model sees the variable. Rules always see it:
	// hidden variables continue to work.
	Enabled    *bool      `json:"enabled,omitempty"` // nil: true
	Activation Activation `json:"activation,omitzero"`
	BookID     string     `json:"worldbookId,omitempty"`
	// Scope "setup" marks a variable that keeps its value when an older snapshot is restored. Any
	// other value means part of the story.
	Scope string `json:"scope,omitempty"`

	Extra map[string]json.RawMessage `json:"-"` // unknown JSON members, kept
}

// MarshalJSON writes the known fields and then the unknown ones.
func (v Variable) MarshalJSON() ([]byte, error) { return authorjson.Write(v) }

// UnmarshalJSON reads all readable members. Unknown members and members of the wrong type are kept
// in Extra, and [Compile] reports them. "default" is read as "defaultValue".
func (v *Variable) UnmarshalJSON(data []byte) error {
	f, err := authorjson.Read(data)
	if err != nil {
		return err
	}
	*v = authorjson.Filled[Variable](f)
	v.Activation = authorjson.Part(f, "activation", readActivation)
	if !v.Default.Exists() {
		v.Default = f.Value("default")
	}
	v.Extra = f.Rest()
	return nil
}

// fits reports whether a value is of the type. A json variable, and a variable of an unknown type,
// accept every value.
func (t VariableType) fits(v tree.Value) bool {
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

package rules

import (
	"encoding/json"

	"github.com/talewright/talewright/internal/authorjson"
	"github.com/talewright/talewright/memvars/tree"
)

// The condition part decides what must hold for a rule, a reaction, a module or an entry of a world
// book. Comparison is strict in its types, and what is missing never holds.

// Vars is what a condition reads from: the value of a variable by its id or by a
// dot path into it, and whether there is one. A document of package memvars and
// [VarMap] satisfy it. Values may be of any type that [tree.Of] takes.
type Vars interface {
	Get(path string) (value any, ok bool)
}

// Conditions are shared: rules and reactions have them, modules and variables, entries of world
// books. So they are data, and how they are decided stands in holds.go.

// Operator compares the two sides of a [Condition]. Types are strict: 10 is not
// "10". A variable that does not exist makes every operator false.
type Operator string

// The operators.
const (
	Eq       Operator = "eq"       // same type and value, deep for lists and objects
	Neq      Operator = "neq"      // not eq; false too for a missing variable
	Gt       Operator = "gt"       // both sides numbers
	Gte      Operator = "gte"      // both sides numbers
	Lt       Operator = "lt"       // both sides numbers
	Lte      Operator = "lte"      // both sides numbers
	Contains Operator = "contains" // element of a list, or substring of a text
)

// Condition is a test of one variable. With ValueRef set the right side is the
// present value of that variable or path, and Value is not looked at.
type Condition struct {
	VariableID string     `json:"variableId"`
	Operator   Operator   `json:"operator"`
	Value      tree.Value `json:"value,omitzero"`
	ValueRef   string     `json:"valueRef,omitempty"`

	Extra map[string]json.RawMessage `json:"-"` // unknown JSON members, kept
}

// Logic joins a list of conditions. Anything that is not [Any] means [All].
type Logic string

// The two ways to join conditions.
const (
	All Logic = "all"
	Any Logic = "any"
)

// MarshalJSON writes the known fields and then the unknown ones.
func (c Condition) MarshalJSON() ([]byte, error) { return authorjson.Write(c) }

// UnmarshalJSON reads what it can and keeps the rest in Extra. What is no object becomes the
// zero Condition, which never holds.
func (c *Condition) UnmarshalJSON(data []byte) error {
	return authorjson.UnmarshalValue(data, c, ReadCondition)
}

// ReadCondition reads one condition. From what is no object it makes one that never holds:
// a rule that lost a condition must not fire more often than its author meant.
func ReadCondition(v tree.Value) Condition {
	f := authorjson.Of(v)
	c := Condition{
		VariableID: f.Text("variableId"),
		Operator:   Operator(f.Text("operator")),
		Value:      f.Value("value"),
		ValueRef:   f.Text("valueRef"),
	}
	c.Extra = f.Rest()
	return c
}

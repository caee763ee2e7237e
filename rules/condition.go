package rules

import (
	"encoding/json"

	"github.com/talewright/talewright/internal/authorjson"
	"github.com/talewright/talewright/memvars/tree"
)

// The condition files evaluate the conditions of rules, reactions, modules and entries of world
// books. Comparison is strict about types. A condition on a missing variable never holds.

// Vars is a source of variables for conditions. Get returns the value of a variable by its id or by
// a dot path into it, and whether it exists. A document of package memvars and [VarMap] implement
// it. Values may be of any type that [tree.Of] accepts.
type Vars interface {
	Get(path string) (value any, ok bool)
}

// Rules, reactions, modules, variables and entries of world books share conditions. So conditions
// are data; condition_holds.go decides them.

// Operator compares the two sides of a [Condition]. Types are strict: 10 is not "10". For a
// variable that does not exist every operator is false.
type Operator string

// The operators.
const (
	Eq       Operator = "eq"       // same type and value, deep for lists and objects
	Neq      Operator = "neq"      // not eq; also false for a missing variable
	Gt       Operator = "gt"       // both sides numbers
	Gte      Operator = "gte"      // both sides numbers
	Lt       Operator = "lt"       // both sides numbers
	Lte      Operator = "lte"      // both sides numbers
	Contains Operator = "contains" // element of a list, or substring of a text
)

// Condition is a test of one variable. If ValueRef is set, the right side is the present value of
// that variable or path, and Value is ignored.
type Condition struct {
	VariableID string     `json:"variableId"`
	Operator   Operator   `json:"operator"`
	Value      tree.Value `json:"value,omitzero"`
	ValueRef   string     `json:"valueRef,omitempty"`

	Extra map[string]json.RawMessage `json:"-"` // unknown JSON members, kept
}

// Logic joins a list of conditions. Any value except [Any] means [All].
type Logic string

// The two ways to join conditions.
const (
	All Logic = "all"
	Any Logic = "any"
)

// MarshalJSON writes the known fields and then the unknown ones.
func (c Condition) MarshalJSON() ([]byte, error) { return authorjson.Write(c) }

// UnmarshalJSON reads all readable members and keeps the others in Extra. A value that is not an
// object becomes the zero Condition, which never holds.
func (c *Condition) UnmarshalJSON(data []byte) error {
	return authorjson.UnmarshalValue(data, c, ParseCondition)
}

// ParseCondition reads one condition. A value that is not an object becomes a condition that never
// holds: a rule that lost a condition must not fire more often than its author meant.
func ParseCondition(v tree.Value) Condition {
	f := authorjson.Of(v)
	c := authorjson.Filled[Condition](f)
	c.Extra = f.Rest()
	return c
}

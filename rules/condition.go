package rules

import (
	"encoding/json"
	"math"
	"strings"

	"github.com/talewright/talewright/internal/authorjson"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules/internal/report"
)

// This file evaluates the conditions of rules, reactions, modules and entries of world books.
// Comparison is strict about types. A condition on a missing variable never holds.

// Vars is a source of variables for conditions. Get returns the value of a variable by its id or by
// a dot path into it, and whether it exists. A document of package memvars and [VarMap] implement
// it. Values may be of any type that [tree.Of] accepts.
type Vars interface {
	Get(path string) (value any, ok bool)
}

// Rules, reactions, modules, variables and entries of world books share conditions. So conditions
// are data.

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
func ParseCondition(v tree.Value) Condition { return decoded[Condition](v) }

// decoded reads a value whose members are all simple.
func decoded[T any](v tree.Value) T { return authorjson.Decoded[T](authorjson.Of(v)) }

// Orders applies the operator to a comparison result of two numbers: below, equal to or above 0.
func (op Operator) Orders(order int) bool {
	switch op {
	case Eq:
		return order == 0
	case Neq:
		return order != 0
	case Gt:
		return order > 0
	case Gte:
		return order >= 0
	case Lt:
		return order < 0
	case Lte:
		return order <= 0
	}
	return false
}

// Compares applies the operator to two values that are not both numbers.
func (op Operator) Compares(left, right tree.Value) bool {
	switch op {
	case Eq:
		return left.Equal(right)
	case Neq:
		return !left.Equal(right)
	case Contains:
		return contains(left, right)
	}
	return false
}

// contains looks for a substring, case-sensitive, or for an equal element of a list.
func contains(left, right tree.Value) bool {
	if s, ok := left.AsText(); ok {
		sub, ok := right.AsText()
		return ok && strings.Contains(s, sub)
	}
	for _, e := range left.Elements() {
		if e.Equal(right) {
			return true
		}
	}
	return false
}

// ConditionsHold decides a list of conditions without compiling. An empty list holds, and a missing
// variable makes its condition false. The result is the same as in [Program.Evaluate].
func ConditionsHold(conditions []Condition, logic Logic, vars Vars) bool {
	if len(conditions) == 0 {
		return true
	}
	// All stops at the first condition that fails, any at the first that holds.
	for _, c := range conditions {
		if c.Holds(vars) != (logic != Any) {
			return logic == Any
		}
	}
	return logic != Any
}

// Holds decides one condition.
func (c Condition) Holds(vars Vars) bool {
	left := valueOf(vars, c.VariableID)
	right := c.Value
	if c.ValueRef != "" {
		right = valueOf(vars, c.ValueRef)
		if !right.Exists() {
			return false
		}
	}
	return left.Exists() && c.comparing().holds(left, right)
}

// holds applies the operator to any two values.
func (op Operator) holds(left, right tree.Value) bool {
	n, isNumber := left.AsNumber()
	m, bothNumbers := right.AsNumber()
	if isNumber && bothNumbers {
		return op.Orders(n.Cmp(m))
	}
	return op.Compares(left, right)
}

// comparing returns the operator, or "" for a condition whose reference cannot be read. The literal
// is not a fallback, and without a right side neq would always hold.
func (c Condition) comparing() Operator {
	if _, bad := c.Extra["valueRef"]; bad {
		return ""
	}
	return c.Operator
}

// valueOf reads a value from any source. A value without a JSON form counts as missing.
func valueOf(vars Vars, path string) tree.Value {
	if vars == nil {
		return tree.Value{}
	}
	x, ok := vars.Get(path)
	if !ok {
		return tree.Value{}
	}
	v, _ := tree.Of(x)
	return v
}

// VarMap is a map as a source of variables, for tests and small uses. A key that contains dots
// takes precedence over a path into a nested value.
type VarMap map[string]any

// Get returns the value of a key, or of a dot path into a value.
func (m VarMap) Get(path string) (value any, ok bool) {
	if v, ok := m[path]; ok {
		return v, true
	}
	p, err := tree.ParsePath(path)
	if err != nil || len(p) < 2 {
		return nil, false
	}
	root, _ := tree.Of(m[p[0]]) // without a JSON form it has no nodes
	if found := root.Lookup(p[1:]); found.Exists() {
		return found, true
	}
	return nil, false
}

// Conditions have two implementations: the compiled one for play, and [Condition.Holds] for all
// other uses. They must agree, and a test compares them on random cases. Both are strict about
// types, because authors have no compiler that reports that 10 is not "10". If there is a schema,
// package vet reports it.

// The rules of comparison, for both:
//
//	left side missing      false, whatever the operator; null is not missing
//	reference missing      false; the literal next to it is ignored
//	eq, neq                same type and value, lists and objects deeply
//	gt, gte, lt, lte       two numbers, else false
//	contains               a substring of a text (case-sensitive), or an equal element of a list
//	anything else          false
//
// Numbers are compared as decimals: 10 is 10.0, and 0.1 + 0.2 written by add is 0.3.

// holds decides the condition. params is the event's parameter object, or absent.
func (t *test) holds(r *reader, params tree.Value) bool {
	left := r.slotValue(t.left)
	if !left.value.Exists() {
		return false
	}
	right := t.compared(r, params)
	switch {
	case t.right >= 0 && !right.value.Exists():
		return false // the literal next to a reference never counts
	// Doubles nearly always decide: rounding keeps their order. Equal ones may be rounded.
	case left.num < right.num:
		return t.op.Orders(-1)
	case left.num > right.num:
		return t.op.Orders(1)
	}
	return t.op.holds(left.value, right.value)
}

// compared returns the right side: a parameter of the event, a different variable, or the constant
// with its tokens filled in. Without params a reference to a parameter is the name of an ordinary
// variable.
func (t *test) compared(r *reader, params tree.Value) operand {
	switch {
	case t.param != "" && params.IsObject():
		return operandOf(report.Value(params, t.param))
	case t.right >= 0:
		return r.slotValue(t.right)
	case t.tokens && params.IsObject():
		return operandOf(report.Fill(t.constant.value, params))
	}
	return t.constant
}

// operand is a side of a comparison.
type operand struct {
	num   float64    // the value as a double; NaN if it is not a number
	value tree.Value // absent if there is no such variable
}

// operandOf returns a value as a side of a comparison.
func operandOf(v tree.Value) operand {
	if f, ok := v.AsFloat(); ok {
		return operand{f, v}
	}
	return operand{math.NaN(), v}
}

// reading is the value of a slot, cached for one version of the variables.
type reading struct {
	version uint64
	operand
}

// reader reads variables through slots, each once per version, however many conditions use it.
//
// A version is one state of the variables. Each reading has a version number, so the next hop need
// not clear thousands of readings.
type reader struct {
	set      *Program
	vars     Vars       // nil: read the document
	root     tree.Value // of the document
	views    Views      // additional to the document; may be nil
	version  uint64
	readings []reading // by slot
	used     []int32   // slots that hold values
}

// clear clears the values that were read. Its cost depends on the slots that were read, not on all
// slots. Reused memory must not keep a document of a different game alive.
func (r *reader) clear() {
	for _, i := range r.used {
		r.readings[i] = reading{}
	}
	r.used = r.used[:0]
	r.vars, r.views, r.root = nil, nil, tree.Value{}
}

// slotValue reads a slot, from the cache if it was already read in this version.
func (r *reader) slotValue(i int32) operand {
	known := &r.readings[i]
	if known.version == r.version {
		return known.operand
	}
	if known.version == 0 {
		r.used = append(r.used, i)
	}
	*known = reading{r.version, operandOf(r.find(&r.set.slots[i]))}
	return known.operand
}

// read returns the value of a variable or path that has no slot.
func (r *reader) read(text string) tree.Value {
	s := r.set.schema.slot(text)
	return r.find(&s)
}

// find reads an id, then a path, then the fallback.
func (r *reader) find(s *slot) tree.Value {
	if r.vars != nil { // a source of the caller, which follows paths itself
		if v := valueOf(r.vars, s.text); v.Exists() {
			return v
		}
		return s.fallback
	}
	if s.place != nil {
		v, _ := r.set.seen.Through(r.root, s.place)
		if v.Exists() {
			return v
		}
		if whole, _ := r.set.seen.Through(r.root, s.variablePlace); whole.Exists() {
			return v // the game has replaced the default
		}
		return s.fallback
	}
	if v := r.root.Get(s.text); v.Exists() {
		if v.IsPair() && r.set.seen.Leaf(tree.Path{s.text}, v) {
			return v.At(0)
		}
		return v
	}
	if r.views != nil {
		if v, ok := r.views.View(s.text); ok {
			return v
		}
	}
	// If the variable exists but its node does not, the default is not used for the node: the game
	// has replaced it.
	if s.path != nil && r.root.Get(s.path[0]).Exists() {
		return r.set.seen.Walk(r.root, s.path, 0)
	}
	return s.fallback
}

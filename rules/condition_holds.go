package rules

import (
	"strings"

	"github.com/talewright/talewright/memvars/tree"
)

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
	if !left.Exists() {
		return false
	}
	n, leftIsNum := left.AsNumber()
	m, rightIsNum := right.AsNumber()
	if leftIsNum && rightIsNum {
		return c.Comparing().Orders(n.Cmp(m))
	}
	return c.Comparing().Compares(left, right)
}

// Comparing returns the operator, or "" for a condition whose reference cannot be read. The literal
// is not a fallback, and without a right side neq would always hold.
func (c Condition) Comparing() Operator {
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
	if v, ok := x.(tree.Value); ok {
		return v
	}
	v, err := tree.Of(x)
	if err != nil {
		return tree.Value{}
	}
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
	root, ok := m[p[0]]
	if !ok {
		return nil, false
	}
	v, err := tree.Of(root)
	if err != nil {
		return nil, false
	}
	if found := v.Lookup(p[1:]); found.Exists() {
		return found, true
	}
	return nil, false
}

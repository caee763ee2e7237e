package rules

import (
	"strings"

	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules/internal/param"
)

// Conditions exist twice: compiled, for play, and as [Condition.Holds], for everyone else.
// They must agree, and a test compares them on random cases. Both are strict in their
// types, because authors write their content without a compiler that would tell them that
// 10 is not "10"; package vet is that compiler where there is a schema.

// The rules of comparison, for both:
//
//	left side missing      false, whatever the operator; null is not missing
//	reference missing      false; the literal beside it is not looked at
//	eq, neq                same type and value, lists and objects deeply
//	gt, gte, lt, lte       two numbers, else false
//	contains               a text in a text, case and all, or an equal element of a list
//	anything else          false
//
// Numbers are compared as decimals: 10 is 10.0, and 0.1 + 0.2 written by add is 0.3.

// test is a compiled [Condition]: slots instead of names, a typed constant
// instead of a value.
type test struct {
	op     Operator
	left   int32 // slot
	right  int32 // slot of ValueRef, -1 for the constant
	tokens bool  // the constant holds parameters of the event
	isNum  bool
	num    float64
	value  tree.Value
	param  string // ValueRef names a parameter of the event
}

// tests compiles conditions. Names become slots and constants are read once, because at
// play only comparisons should be left.
func (c *compiler) tests(conditions []Condition) []test {
	out := make([]test, len(conditions))
	for i, cond := range conditions {
		t := test{
			op:    cond.operator(),
			left:  c.slot(cond.VariableID),
			right: -1,
			value: cond.Value,
		}
		t.num, t.isNum = cond.Value.AsFloat()
		if s, ok := cond.Value.AsText(); ok {
			t.tokens = param.HasToken(s)
		}
		if cond.ValueRef != "" {
			t.right = c.slot(cond.ValueRef)
			t.param, _ = param.Key(cond.ValueRef)
		}
		out[i] = t
	}
	return out
}

// holds decides the condition. Params is the event's parameter object, or absent.
func (t *test) holds(r *reader, params tree.Value) bool {
	left := r.at(t.left)
	if !left.value.Exists() {
		return false
	}
	num, isNum, value := t.num, t.isNum, t.value
	switch {
	// A reference to a parameter, another variable, tokens in the constant: at most one of
	// them applies. Without params a reference to one is the name of a variable like others.
	case t.param != "" && params.IsObject():
		value = paramValue(params, t.param)
		num, isNum = value.AsFloat()
	case t.right >= 0:
		right := r.at(t.right)
		if !right.value.Exists() {
			return false // the literal beside a reference is never meant
		}
		num, isNum, value = right.num, right.isNum, right.value
	case t.tokens && params.IsObject():
		value = fillValue(value, params)
		num, isNum = value.AsFloat()
	}
	// Doubles decide nearly always; only where they are equal can the numbers as they are
	// written still differ.
	if left.isNum && isNum {
		return orders(t.op, compareNumbers(left.num, num, left.value, value))
	}
	return compares(t.op, left.value, value)
}

// compareNumbers is cheap where the doubles differ: rounding keeps their order.
func compareNumbers(f, g float64, v, w tree.Value) int {
	switch {
	case f < g:
		return -1
	case f > g:
		return 1
	}
	// Equal doubles may be rounded: two numbers of twenty digits can differ in the last.
	n, _ := v.AsNumber()
	m, _ := w.AsNumber()
	if n == m {
		return 0
	}
	return n.Cmp(m)
}

// orders applies an operator to the comparison of two numbers.
func orders(op Operator, order int) bool {
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

// compares applies an operator to two values that are not both numbers.
func compares(op Operator, left, right tree.Value) bool {
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

// contains looks for a part of a text, case and all, or for an equal element of a list.
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

// Holds decides a list of conditions by itself: an empty list holds, a missing
// variable makes its condition false. It is what [Program.Evaluate] decides, without
// compiling.
func Holds(conditions []Condition, logic Logic, vars Vars) bool {
	if len(conditions) == 0 {
		return true
	}
	// All stops at the first that fails, any at the first that holds.
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
	n, isNum := left.AsNumber()
	m, isNumToo := right.AsNumber()
	if isNum && isNumToo {
		return orders(c.operator(), n.Cmp(m))
	}
	return compares(c.operator(), left, right)
}

// operator is none for a condition that compares with a reference that cannot be read. The
// literal is no fallback, and without either neq would hold for everything.
func (c Condition) operator() Operator {
	if _, bad := c.Extra["valueRef"]; bad {
		return ""
	}
	return c.Operator
}

// valueOf reads from any source; what cannot be a JSON value is missing.
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

// VarMap is a map as a source of variables, for tests and small uses. A key that
// holds dots wins over the walk into a nested value.
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

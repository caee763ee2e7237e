package macro

import (
	"strconv"
	"strings"
)

// evalExpression returns the value of an expression node. The value on the right is expanded only
// if it is needed, and only once: {{.name ?? {{random::a::b}}}} draws no number if there is a name;
// otherwise the shown and the stored value are the same.
func (e *evaluator) evalExpression(n *node) string {
	x := n.expr
	store := e.run.store(x.global)
	right := func() string { return trim(e.expandNodes(n.args[0])) }
	switch x.op {
	case "":
		return store.Show(x.name)
	case "++":
		return store.Count(x.name, 1)
	case "--":
		return store.Count(x.name, -1)
	case "=":
		store.Set(x.name, right())
		return ""
	case "+=":
		store.Add(x.name, right())
		return ""
	case "-=":
		if !store.Subtract(x.name, right()) {
			e.report(n, codeBadValue, "-= needs a number")
		}
		return ""
	case "||", "||=":
		if value := store.Show(x.name); !falsy(value) {
			return value
		}
	case "??", "??=":
		if store.Has(x.name) {
			return store.Show(x.name)
		}
	case "==":
		left := store.Show(x.name)
		return strconv.FormatBool(strings.ReplaceAll(left, markData, "") == strings.ReplaceAll(right(), markData, ""))
	case "!=":
		left := store.Show(x.name)
		return strconv.FormatBool(strings.ReplaceAll(left, markData, "") != strings.ReplaceAll(right(), markData, ""))
	default:
		left, isNumber := store.Number(x.name) // before the right side can change it
		other, isOther := number(right())
		return strconv.FormatBool(isNumber && isOther && inOrder(x.op, left, other))
	}
	value := right()
	if x.op == "||=" || x.op == "??=" {
		store.Set(x.name, value)
	}
	return value
}

// inOrder compares two numbers by >, <, >= or <=. NaN is in no order.
func inOrder(op string, a, b float64) bool {
	switch op {
	case ">":
		return a > b
	case "<":
		return a < b
	case ">=":
		return a >= b
	}
	return a <= b
}

// falsy reports whether a condition value means false: empty, 0, false and off. Only white space is
// not empty.
func falsy(s string) bool {
	if s == "" {
		return true
	}
	s = trim(s)
	return s == "0" || strings.EqualFold(s, "false") || strings.EqualFold(s, "off")
}

package macro

import (
	"strings"
)

// evalExpression returns the value of an expression node. The value on the right is expanded only
// if it is needed, and only once: {{.name ?? {{random::a::b}}}} draws no number if there is a name;
// otherwise the shown and the stored value are the same.
func (e *evaluator) evalExpression(n *node) (string, bool) {
	x := n.expr
	store := e.run.store(x.global)
	right := func() string { return trim(e.expandNodes(n.args[0])) }
	switch x.op {
	case "":
		return store.Show(x.name), true
	case "++":
		return store.Count(x.name, 1), true
	case "--":
		return store.Count(x.name, -1), true
	case "=":
		store.Set(x.name, right())
	case "+=":
		store.Add(x.name, right())
	case "-=":
		if !store.Subtract(x.name, right()) {
			e.report(n, codeBadValue, "-= needs a number")
		}
	case "||", "||=":
		if value := store.Show(x.name); !falsy(value) {
			return value, true
		}
		return e.useReplacement(n, right())
	case "??", "??=":
		if store.Has(x.name) {
			return store.Show(x.name), true
		}
		return e.useReplacement(n, right())
	default:
		left := readOperand(store, x.name, x.op)
		return left.compare(x.op, right()), true
	}
	return "", true
}

// useReplacement returns the replacement of a missing value. It stores the replacement if the
// operator is an assignment.
func (e *evaluator) useReplacement(n *node, value string) (string, bool) {
	if strings.HasSuffix(n.expr.op, "=") {
		e.run.store(n.expr.global).Set(n.expr.name, value)
	}
	return value, true
}

// operand is the left side of a comparison: a text for equality, else a number.
type operand struct {
	text   string
	number float64
	ok     bool // it is a number
}

// readOperand reads a variable for a comparison, before the right side can change it. A missing or
// blank value is 0.
func readOperand(s *store, name, op string) (o operand) {
	if op == "==" || op == "!=" {
		o.text = s.Show(name)
	} else {
		o.number, o.ok = s.Number(name)
	}
	return o
}

// compare compares as texts for equality and as numbers for order. If one side is not a number,
// order comparisons are false.
func (o operand) compare(op, right string) string {
	switch op {
	case "==":
		return boolText(withoutMark(o.text, markData) == withoutMark(right, markData))
	case "!=":
		return boolText(withoutMark(o.text, markData) != withoutMark(right, markData))
	}
	a, okA := o.number, o.ok
	b, okB := number(right)
	if !okA || !okB {
		return "false"
	}
	switch op {
	case ">":
		return boolText(a > b)
	case ">=":
		return boolText(a >= b)
	case "<":
		return boolText(a < b)
	default:
		return boolText(a <= b)
	}
}

// boolText returns a condition as text.
func boolText(b bool) string {
	if b {
		return "true"
	}
	return "false"
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

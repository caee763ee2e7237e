package macro

import "strings"

// expression is a variable with an operator, {{.name op value}}.
type expression struct {
	name   string
	global bool // $ instead of .
	op     string
}

// operators in the order of trial: longer ones before their beginnings.
var operators = [...]string{
	"||=", "??=", "||", "??", "++", "--", "+=", "-=", "==", "!=", ">=", "<=", ">", "<", "=",
}

// parseExpression reads the variable and the operator at pos, a '.' or '$'.
// Without an operator, and behind ++ and --, nothing but the end may follow: what
// looks like an expression but is none, {{.hp.max}}, must stay a text. Words behind
// a blank are passed over. Without a name it is nothing at all.
func parseExpression(h *head, src string, pos int) bool {
	h.expr.global = src[pos] == '$'
	pos = skipSpace(src, pos+1)
	end := nameEnd(src, pos)
	for end > pos && src[end-1] == '-' { // the minus belongs to the operator
		end--
	}
	if end == pos {
		h.name, h.end = "noop", pos
		return strings.HasPrefix(src[pos:], "}}")
	}
	h.expr.name = src[pos:end]
	h.rawName = h.expr.name
	pos = skipSpace(src, end)
	for _, op := range operators {
		if strings.HasPrefix(src[pos:], op) {
			h.expr.op = op
			pos += len(op)
			break
		}
	}
	h.end = pos
	switch h.expr.op {
	case "":
		if pos > end && pos < len(src) && (isLetter(src[pos]) || isDigit(src[pos])) {
			h.end = pos + max(0, strings.IndexAny(src[pos:], "{}"))
		}
		return strings.HasPrefix(src[h.end:], "}}")
	case "++", "--":
		return strings.HasPrefix(src[skipSpace(src, pos):], "}}")
	}
	return true
}

// evalExpression gives the value of an expression node. The value on the right
// is expanded only where it is needed, and once: {{.name ?? {{random::a::b}}}} draws
// no number if there is a name, and the same one is shown and stored.
func (e *evaluator) evalExpression(n *node) (string, bool) {
	x := n.expr
	store := e.run.store(x.global)
	right := func() string { return trim(e.level(n.args[0])) }
	switch x.op {
	case "":
		return store.show(x.name), true
	case "++":
		return store.count(x.name, 1), true
	case "--":
		return store.count(x.name, -1), true
	case "=":
		store.set(x.name, right())
	case "+=":
		store.add(x.name, right())
	case "-=":
		if !store.subtract(x.name, right()) {
			e.report(n, BadValue, "-= needs a number")
		}
	case "||", "||=":
		if value := store.show(x.name); !falsy(value) {
			return value, true
		}
		return e.otherwise(n, right())
	case "??", "??=":
		if store.has(x.name) {
			return store.show(x.name), true
		}
		return e.otherwise(n, right())
	default:
		left := store.operand(x.name, x.op)
		return left.compare(x.op, right()), true
	}
	return "", true
}

// otherwise gives the replacement of a missing value and stores it if the
// operator says so.
func (e *evaluator) otherwise(n *node, value string) (string, bool) {
	if strings.HasSuffix(n.expr.op, "=") {
		e.run.store(n.expr.global).set(n.expr.name, value)
	}
	return value, true
}

// operand is the left side of a comparison: a text for equality, else a number.
type operand struct {
	text   string
	number float64
	ok     bool // it is a number
}

// operand reads a variable for a comparison, before the right side can change it.
func (s *store) operand(name, op string) (o operand) {
	if op == "==" || op == "!=" {
		o.text = s.show(name)
		return o
	}
	s.touch(name, false)
	o.number, o.ok = s.number(name) // what is missing or blank counts as 0
	return o
}

// compare compares as texts for equality and as numbers for order. What is no
// number is in no order: the answer is false.
func (o operand) compare(op, right string) string {
	switch op {
	case "==":
		return boolText(o.text == right)
	case "!=":
		return boolText(o.text != right)
	}
	a, okA := o.number, o.ok
	b, okB := numberValue(right)
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

// boolText is how conditions are written in texts.
func boolText(b bool) string {
	if b {
		return "true"
	}
	return "false"
}

// falsy is the meaning of no in conditions: empty, 0, false and off. White space
// alone is not empty.
func falsy(s string) bool {
	if s == "" {
		return true
	}
	s = trim(s)
	return s == "0" || strings.EqualFold(s, "false") || strings.EqualFold(s, "off")
}

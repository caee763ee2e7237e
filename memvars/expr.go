package memvars

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/talewright/talewright/memvars/tree"
)

// This file implements the arithmetic of derived fields: sums, products, a few functions, names of
// attributes and paths. A formula has at most 10,000 bytes and 100 levels, and evaluation always
// ends.

// expr is a compiled formula: a tree of operators over numbers and names.
type expr struct {
	op   string // + - * / neg, a function, "number", "name" or "path"
	args []expr
	num  tree.Number
	name string
	path tree.Path
}

// inputFunc returns the value of a name, or of a path in quotation marks. path is nil for a name.
type inputFunc func(name string, path tree.Path) (tree.Number, bool)

// Limits of a formula: its nesting, and its length in bytes.
const (
	maxFormulaDepth  = 100
	maxFormulaLength = 10_000
)

// errNoValue says that an input is missing or is not a number, or that there is no result.
var errNoValue = errors.New("no value")

// parseFormula reads + - * / ( ), the functions min max floor ceil abs, numbers,
// names, and paths in quotation marks.
//
// Names are runs of letters, digits and underscores of any script, so that attributes need no
// quotation marks. There are no assignments, conditions or loops: evaluation always ends, and its
// cost follows the length of the formula.
func parseFormula(text string) (expr, error) {
	if len(text) > maxFormulaLength {
		return expr{}, fmt.Errorf("a formula of %d bytes; at most %d are allowed; make it shorter", len(text), maxFormulaLength)
	}
	p := formulaParser{s: text}
	e, err := p.sum(0)
	if err == nil && p.peek() != "" {
		err = fmt.Errorf("unexpected %s", strconv.Quote(p.tok))
	}
	if err != nil {
		return expr{}, fmt.Errorf("formula %s at offset %d: %w", strconv.Quote(text), p.start, err)
	}
	return e, nil
}

// formulaParser reads a formula with one token of lookahead.
type formulaParser struct {
	s     string
	i     int    // offset after tok
	start int    // offset of tok
	tok   string // the token that peek returned last
	ready bool   // tok is the next token
}

// peek returns the next token: an operator, a number, a name, or a string with its opening
// quotation mark.
func (p *formulaParser) peek() string {
	if p.ready {
		return p.tok
	}
	p.i = len(p.s) - len(strings.TrimLeftFunc(p.s[p.i:], unicode.IsSpace))
	p.start, p.ready = p.i, true
	if p.i >= len(p.s) {
		p.tok = ""
		return ""
	}
	c := p.s[p.i]
	switch {
	case c == '"' || c == '\'' || c == '`':
		end := strings.IndexByte(p.s[p.i+1:], c)
		if end < 0 {
			end = len(p.s) - p.i - 1
		}
		p.tok = p.s[p.i : p.i+1+end]
		p.i = min(p.i+end+2, len(p.s))
	case c >= '0' && c <= '9' || c == '.':
		for p.i < len(p.s) && (p.s[p.i] >= '0' && p.s[p.i] <= '9' || p.s[p.i] == '.') {
			p.i++
		}
		p.tok = p.s[p.start:p.i]
	default:
		for p.i < len(p.s) {
			r, size := utf8.DecodeRuneInString(p.s[p.i:])
			if r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) {
				break
			}
			p.i += size
		}
		if p.i == p.start {
			_, size := utf8.DecodeRuneInString(p.s[p.i:])
			p.i += size
		}
		p.tok = p.s[p.start:p.i]
	}
	return p.tok
}

// next consumes the next token.
func (p *formulaParser) next() string {
	tok := p.peek()
	p.ready = false
	return tok
}

// sum reads the lowest precedence.
func (p *formulaParser) sum(depth int) (expr, error) {
	return p.chain(depth, (*formulaParser).product, "+", "-")
}

// product binds tighter than sum: 敏捷 + 沉着 / 2 halves 沉着 alone.
func (p *formulaParser) product(depth int) (expr, error) {
	return p.chain(depth, (*formulaParser).unary, "*", "/")
}

// chain reads operands joined by operators of one precedence.
func (p *formulaParser) chain(
	depth int, operand func(*formulaParser, int) (expr, error), ops ...string,
) (expr, error) {
	left, err := operand(p, depth+1)
	for err == nil && (p.peek() == ops[0] || p.peek() == ops[1]) {
		op := p.next()
		var right expr
		right, err = operand(p, depth+1)
		left = expr{op: op, args: []expr{left, right}}
	}
	return left, err
}

// unary reads signs. All nesting passes through here, so the depth is checked here.
func (p *formulaParser) unary(depth int) (expr, error) {
	if depth > maxFormulaDepth {
		return expr{}, errors.New("nested too deeply")
	}
	if p.peek() == "-" {
		p.next()
		e, err := p.unary(depth + 1)
		return expr{op: "neg", args: []expr{e}}, err
	}
	return p.operand(depth)
}

// operand reads a number, a name, a quoted path, a call or a bracketed formula.
func (p *formulaParser) operand(depth int) (expr, error) {
	tok := p.next()
	r, _ := utf8.DecodeRuneInString(tok)
	switch {
	case tok == "":
		return expr{}, errors.New("a value is missing")
	case tok == "(":
		e, err := p.sum(depth + 1)
		if err == nil && p.next() != ")" {
			err = errors.New("a closing parenthesis is missing")
		}
		return e, err
	case r == '"' || r == '\'' || r == '`':
		path, err := tree.ParsePath(tok[1:])
		return expr{op: "path", path: path}, err
	case r >= '0' && r <= '9' || r == '.':
		n, ok := tree.ParseNumber(tok)
		if !ok {
			return expr{}, fmt.Errorf("%s is not a number", strconv.Quote(tok))
		}
		return expr{op: "number", num: n}, nil
	case r != '_' && !unicode.IsLetter(r):
		return expr{}, fmt.Errorf("unexpected %s", strconv.Quote(tok))
	case p.peek() == "(":
		return p.function(tok, depth)
	}
	return expr{op: "name", name: tok}, nil
}

// function reads the arguments of a call. Its name may be in any letter case.
func (p *formulaParser) function(name string, depth int) (expr, error) {
	name = strings.ToLower(name)
	unary := false
	switch name {
	case "min", "max":
	case "floor", "ceil", "abs", "round":
		unary = true
	default:
		return expr{}, fmt.Errorf("no function %s", strconv.Quote(name))
	}
	e := expr{op: name}
	for p.next(); ; {
		arg, err := p.sum(depth + 1)
		if err != nil {
			return expr{}, err
		}
		e.args = append(e.args, arg)
		switch p.next() {
		case ",", "，":
			continue
		case ")":
			if unary && len(e.args) != 1 {
				return expr{}, fmt.Errorf("%s takes one argument", name)
			}
			return e, nil
		}
		return expr{}, errors.New("a closing parenthesis is missing")
	}
}

// Eval computes the formula. get returns the values of names and paths.
//
// Sums, differences and products are exact in decimal, so that 0.1 × 3 + 0.2 is 0.5. A quotient is
// the nearest double, because it may have no end. [tree.Number] does all arithmetic.
//
// This language is different from the formulas of package rules and from the expressions of package
// mvu, on purpose. A derived field without an input is not changed, but a formula of a rule uses
// zero. MVU computes as JavaScript does, in doubles. One engine would need a switch for each
// difference.
func (e *expr) Eval(get inputFunc) (tree.Number, error) {
	switch e.op {
	case "number":
		return e.num, nil
	case "name", "path":
		n, ok := get(e.name, e.path)
		if !ok {
			return "", fmt.Errorf("%s: %w", e.inputName(), errNoValue)
		}
		return n, nil
	}
	args := make([]tree.Number, len(e.args))
	for i := range e.args {
		var err error
		if args[i], err = e.args[i].Eval(get); err != nil {
			return "", err
		}
	}
	switch e.op {
	case "+":
		return args[0].Add(args[1]), nil
	case "-":
		return args[0].Sub(args[1]), nil
	case "*":
		return args[0].Mul(args[1]), nil
	case "/":
		q, ok := args[0].Quo(args[1])
		if !ok {
			return "", fmt.Errorf("division by zero: %w", errNoValue)
		}
		return q, nil
	case "neg":
		return tree.Number("0").Sub(args[0]), nil
	case "abs":
		if args[0].Cmp("0") < 0 {
			return tree.Number("0").Sub(args[0]), nil
		}
		return args[0], nil
	case "min", "max":
		best := args[0]
		for _, n := range args[1:] {
			if c := n.Cmp(best); c < 0 && e.op == "min" || c > 0 && e.op == "max" {
				best = n
			}
		}
		return best, nil
	}
	return rounded(args[0], e.op), nil
}

// inputName returns the name of an input for a note.
func (e *expr) inputName() string {
	if e.op == "path" {
		return e.path.String()
	}
	return e.name
}

// rounded rounds to an integer in the given way, if there is one.
func rounded(n tree.Number, how string) tree.Number {
	switch how {
	case "floor":
		return n.Floor()
	case "ceil":
		return n.Ceil()
	case "round":
		return n.Round()
	}
	return n
}

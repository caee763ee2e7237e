package mvu

import (
	"cmp"
	"math"
	"math/big"
	"regexp"
	"strconv"
	"strings"

	"github.com/talewright/talewright/memvars/tree"
)

// The literal files read the values in commands of the MVU family: JSON, JSON5, literals and
// arithmetic of JavaScript, YAML, or a bare text.

// evaluate computes an arithmetic expression: + - * / % ^ and parentheses, and the functions and
// constants of the table, also as Math.x and math.x. The result is rounded to 12 digits to remove
// the errors of binary fractions; in default mode whole numbers are exact. In compat mode constants
// need no prefix, and there are percentages, comparisons with ? : and ranges a:b, which are texts.
func evaluate(s string, compat bool) (tree.Value, bool) {
	e := arithmetic{s: s, compat: compat}
	x, ok := e.conditional(0)
	if e.blanks(); !ok {
		return tree.Value{}, false
	}
	if compat && !x.isTruth && e.consume(':') {
		y, ok := e.sum(0)
		if e.blanks(); !ok || y.isTruth || e.i < len(s) {
			return tree.Value{}, false
		}
		return rangeText(x.f, y.f)
	}
	if e.i < len(s) || x.isTruth || !e.computes {
		return tree.Value{}, false
	}
	if x.imaginary {
		return tree.Text(string(rounded(x.f)) + "i"), true
	}
	if math.IsNaN(x.f) || math.IsInf(x.f, 0) {
		return tree.Null, compat && !math.IsNaN(x.f) // an infinity, as JSON writes it
	}
	switch {
	case x.whole != nil:
		return tree.Num(tree.Number(x.whole.String())), true
	case !compat && x.f == math.Trunc(x.f) && math.Abs(x.f) < 1<<53:
		return tree.Int(int64(x.f)), true
	}
	return tree.Num(rounded(x.f)), true
}

// rounded writes a number with 12 significant digits.
func rounded(f float64) tree.Number {
	g, err := strconv.ParseFloat(strconv.FormatFloat(f, 'g', 12, 64), 64)
	if err != nil {
		return "0"
	}
	n, _ := tree.Float(g).AsNumber()
	return n
}

// rangeText returns MVU's result for a range a:b, as a text.
func rangeText(from, to float64) (tree.Value, bool) {
	if to-from > 10_000 {
		return tree.Value{}, false
	}
	var parts []string
	for x := from; x <= to; x++ {
		parts = append(parts, string(rounded(x)))
	}
	return tree.Text("[" + strings.Join(parts, ", ") + "]"), true
}

// arithmetic reads and computes an expression in one pass.
type arithmetic struct {
	s        string
	i        int // the offset of the next character
	compat   bool
	computes bool // an operator, a function or a constant occurred
}

// blanks skips white space.
func (e *arithmetic) blanks() {
	for e.i < len(e.s) && strings.IndexByte(" \t\r\n", e.s[e.i]) >= 0 {
		e.i++
	}
}

// consume reads an operator or bracket.
func (e *arithmetic) consume(c byte) bool {
	e.blanks()
	if e.i < len(e.s) && e.s[e.i] == c {
		e.i++
		return true
	}
	return false
}

// conditional reads a ? b : c, in compat mode only.
func (e *arithmetic) conditional(depth int) (operand, bool) {
	x, ok := e.comparison(depth)
	if !ok || !e.compat || !e.consume('?') {
		return x, ok
	}
	yes, ok := e.conditional(depth + 1)
	if !ok || !e.consume(':') {
		return operand{}, false
	}
	no, ok := e.conditional(depth + 1)
	if x.f != 0 {
		return yes, ok
	}
	return no, ok
}

// comparison reads one comparison, in compat mode only. For MVU a boolean result is not a value:
// outside a conditional the source text is used instead.
func (e *arithmetic) comparison(depth int) (operand, bool) {
	x, ok := e.sum(depth)
	if !ok || !e.compat {
		return x, ok
	}
	e.blanks()
	for _, op := range []string{"<=", ">=", "==", "!=", "<", ">"} {
		if !strings.HasPrefix(e.s[e.i:], op) {
			continue
		}
		e.i += len(op)
		y, ok := e.sum(depth)
		truth := map[string]bool{
			"<=": x.f <= y.f, ">=": x.f >= y.f, "==": x.f == y.f, "!=": x.f != y.f,
			"<": x.f < y.f, ">": x.f > y.f,
		}[op]
		e.computes = true
		out := operand{isTruth: true}
		if truth {
			out.f = 1
		}
		return out, ok
	}
	return x, true
}

// sum reads the lowest arithmetic precedence.
func (e *arithmetic) sum(depth int) (operand, bool) {
	x, ok := e.product(depth + 1)
	for ok {
		op := e.operator("+-")
		if op == 0 {
			return x, true
		}
		var y operand
		y, ok = e.product(depth + 1)
		x = x.operate(op, y)
		e.computes = true
	}
	return x, false
}

// operator reads one of the signs, or returns 0.
func (e *arithmetic) operator(signs string) byte {
	if e.atEnd() || strings.IndexByte(signs, e.s[e.i]) < 0 {
		return 0
	}
	e.i++
	return e.s[e.i-1]
}

// operate returns the result of an operator between two operands.
func (x operand) operate(op byte, y operand) operand {
	switch op {
	case '+':
		return x.combine(x.f+y.f, y, (*big.Int).Add)
	case '-':
		return x.combine(x.f-y.f, y, (*big.Int).Sub)
	case '*':
		return x.combine(x.f*y.f, y, (*big.Int).Mul)
	case '/':
		return x.combine(x.f/y.f, y, quotient)
	}
	return x.combine(x.f-y.f*math.Floor(x.f/y.f), y, remainder) // "%"
}

// product reads * / and %. The % is a remainder before an operand; otherwise, in compat mode, it is
// a percentage.
func (e *arithmetic) product(depth int) (operand, bool) {
	x, ok := e.unary(depth + 1)
	for ok {
		op := e.operator("*/%")
		if op == 0 {
			return x, true
		}
		if op == '%' && (e.atEnd() || strings.IndexByte(")+-*/%,?:<>=", e.s[e.i]) >= 0) {
			if !e.compat {
				return operand{}, false
			}
			x = operand{f: x.f / 100}
		} else {
			var y operand
			y, ok = e.unary(depth + 1)
			x = x.operate(op, y)
		}
		e.computes = true
	}
	return x, false
}

// unary reads signs and powers. A power binds tighter than a sign, so -2^2 is -4.
func (e *arithmetic) unary(depth int) (operand, bool) {
	if depth > maxDepth {
		return operand{}, false
	}
	switch {
	case e.consume('-'):
		x, ok := e.unary(depth + 1)
		e.computes = true
		return operand{whole: new(big.Int)}.combine(-x.f, x, (*big.Int).Sub), ok
	case e.consume('+'):
		e.computes = true
		return e.unary(depth + 1)
	}
	x, ok := e.atom(depth + 1)
	if ok && e.consume('^') {
		y, ok := e.unary(depth + 1)
		e.computes = true
		return x.combine(math.Pow(x.f, y.f), y, power), ok
	}
	return x, ok
}

// atom reads a number, a constant, a call or a bracketed expression.
func (e *arithmetic) atom(depth int) (operand, bool) {
	if e.consume('(') {
		x, ok := e.conditional(depth + 1)
		return x, ok && e.consume(')')
	}
	e.blanks()
	if digits := leadingDigits.FindString(e.s[e.i:]); digits != "" {
		e.i += len(digits)
		return e.literal(digits)
	}
	name := leadingName.FindString(e.s[e.i:])
	e.i += len(name)
	bare := strings.TrimPrefix(strings.TrimPrefix(name, "Math."), "math.")
	if e.consume('(') {
		return e.function(bare, depth)
	}
	if !e.compat && bare == name {
		return operand{}, false
	}
	e.computes = true
	switch strings.ToLower(bare) {
	case "pi":
		return operand{f: math.Pi}, true
	case "e":
		return operand{f: math.E}, true
	}
	return operand{}, false
}

// leadingDigits and leadingName find a number, and the name of a constant or a function.
var (
	leadingDigits = regexp.MustCompile(`^[0-9.]+(?:[eE][+-]?[0-9]+)?`)
	leadingName   = regexp.MustCompile(`^[._0-9a-zA-Z]+`)
)

// arguments reads the arguments of a call, up to its closing bracket.
func (e *arithmetic) arguments(depth int) (args []operand, ok bool) {
	for !e.consume(')') {
		x, ok := e.conditional(depth + 1)
		if !ok {
			return nil, false
		}
		args = append(args, x)
		if !e.consume(',') && (e.atEnd() || e.s[e.i] != ')') {
			return nil, false
		}
	}
	return args, true
}

// function reads the arguments of a call and computes it.
func (e *arithmetic) function(name string, depth int) (operand, bool) {
	e.computes = true
	args, ok := e.arguments(depth)
	if !ok || len(args) == 0 {
		return operand{}, false
	}
	a := args[0]
	switch {
	case name == "min" || name == "max":
		for _, b := range args {
			if math.IsNaN(b.f) {
				return operand{}, false
			}
			if b.compare(a) < 0 == (name == "min") {
				a = b
			}
		}
		return operand{f: a.f, whole: a.whole}, true
	case name == "pow" && len(args) == 2:
		return a.combine(math.Pow(a.f, args[1].f), args[1], power), true
	case name == "log" && len(args) == 2:
		return operand{f: math.Log(a.f) / math.Log(args[1].f)}, true
	case name == "round" && len(args) == 2:
		scale := math.Pow(10, args[1].f)
		return operand{f: math.Round(a.f*scale) / scale}, true
	case name == "sqrt" && a.f < 0 && e.compat && len(args) == 1:
		return operand{f: math.Sqrt(-a.f), imaginary: true}, true
	case len(args) == 1:
		return unaryFunction(name, a)
	}
	return operand{}, false
}

// atEnd skips blanks and reports whether the text has ended.
func (e *arithmetic) atEnd() bool {
	e.blanks()
	return e.i >= len(e.s)
}

// roundings are functions whose result is whole if their argument is, curves are functions whose result
// is not.
var (
	roundings = map[string]func(float64) float64{"floor": math.Floor, "ceil": math.Ceil, "round": math.Round}
	curves    = map[string]func(float64) float64{"sqrt": math.Sqrt, "log": math.Log, "exp": math.Exp,
		"sin": math.Sin, "cos": math.Cos, "tan": math.Tan}
)

// unaryFunction computes the functions with one argument.
func unaryFunction(name string, x operand) (operand, bool) {
	if name == "abs" {
		if x.f < 0 {
			x = operand{whole: new(big.Int)}.combine(-x.f, x, (*big.Int).Sub)
		}
		return operand{f: x.f, whole: x.whole}, true
	}
	if round := roundings[name]; round != nil {
		return operand{f: round(x.f), whole: x.whole}, true
	}
	if f := curves[name]; f != nil {
		return operand{f: f(x.f)}, true
	}
	return operand{}, false
}

// operand is a value within an expression. In default mode whole numbers are exact, with any number
// of digits.
type operand struct {
	f         float64 // 1 for true
	isTruth   bool
	whole     *big.Int // in default mode; nil if it is not whole, or not known to be
	imaginary bool
}

// maxWhole is the maximum number of bits of an exact whole number, maxLiteral the maximum number of
// its digits.
const (
	maxWhole   = 332
	maxLiteral = 100
)

// literal reads a number.
func (e *arithmetic) literal(s string) (operand, bool) {
	f, err := strconv.ParseFloat(s, 64)
	out := operand{f: f}
	if !e.compat && len(s) <= maxLiteral && strings.Trim(s, "0123456789") == "" {
		out.whole, _ = new(big.Int).SetString(s, 10)
	}
	return out, err == nil
}

// combine combines two operands: exactly if both are whole and exact gives a whole result, else with
// the result f.
func (x operand) combine(f float64, y operand, exact func(z, x, y *big.Int) *big.Int) operand {
	if x.whole != nil && y.whole != nil {
		if z := exact(new(big.Int), x.whole, y.whole); z != nil && z.BitLen() <= maxWhole {
			f, _ = z.Float64()
			return operand{f: f, whole: z}
		}
	}
	return operand{f: f}
}

// quotient divides if there is no remainder.
func quotient(z, x, y *big.Int) *big.Int {
	if y.Sign() == 0 {
		return nil
	}
	if _, rest := z.QuoRem(x, y, new(big.Int)); rest.Sign() != 0 {
		return nil
	}
	return z
}

// remainder has the sign of the divisor.
func remainder(z, x, y *big.Int) *big.Int {
	if y.Sign() == 0 {
		return nil
	}
	if z.Rem(x, y); z.Sign()*y.Sign() < 0 {
		z.Add(z, y)
	}
	return z
}

// power computes powers that are not too long.
func power(z, x, y *big.Int) *big.Int {
	if y.Sign() < 0 || y.BitLen() > 10 || x.BitLen()*int(y.Int64()) > 2*maxWhole {
		return nil
	}
	return z.Exp(x, y, nil)
}

// compare compares two operands.
func (x operand) compare(y operand) int {
	if x.whole != nil && y.whole != nil {
		return x.whole.Cmp(y.whole)
	}
	return cmp.Compare(x.f, y.f)
}

package rules

import (
	"math"
	"strconv"
	"strings"

	"github.com/talewright/talewright/memvars/tree"
)

// The formula files have the arithmetic of variables that are computed from other variables, as in
// "str * (1 + lv * 0.5)".
//
// Values are numbers. Booleans count as 1 and 0, and a text with a number counts as that number.
// The language, loosest binding first:
//
//	||   &&   == !=   < <= > >=   + -   * / %   ^   - !   (…)  name  {any name}  function(…)
//
// All operators, also ^, associate to the left. A sign binds tighter than ^, so -2 ^ 2 is 4.
// Comparisons and logic give 1 or 0. == compares texts as texts and everything else as numbers.
// Division and remainder by zero are 0. The signs × ÷ − and the full-width brackets and comma are
// accepted.
//
// Functions, in any case: min, max, floor, ceil, round (halves up), abs, sum, clamp(x, low, high),
// if(condition, then, else), which evaluates all three, and len. The function len counts the
// elements of a list, or the parts of a text between , ， and | that are not blank. The functions
// min, max and sum of a list use its elements and skip elements that are not numbers.
//
// Names may contain letters, digits, _ $ and dots. Put other names in braces. Texts are in " ", ' '
// or 「 」.
//
// Derived fields of memvars, values of MVU and calculations of macros have languages of their own,
// because each follows a different program: their operators, operands and values differ, and the
// parser of operators that they could share has some 25 lines. testkit.Sums has the differences,
// and a test of each language holds the rest equal.

// Values are numbers, texts and lists. A value is converted when it is used, as authors expect. A
// value without a number becomes NaN, which makes the whole result invalid. Then the variable keeps
// its value, so that no partly wrong number is ever stored.

// Eval computes the formula. The function lookup returns the value of a name; an absent value means
// that there is no such name. If a name is unknown or the result is not finite, ok is false and the
// number has no meaning.
//
// Names are looked up once per use, in the order of the text, also in a branch that is not taken.
// Eval is pure if lookup is, and safe for concurrent use.
func (f *Formula) Eval(lookup func(name string) tree.Value) (result float64, ok bool) {
	e := &evaluation{lookup: lookup}
	result = e.eval(f.root).number()
	return result, !e.failed && !math.IsNaN(result) && !math.IsInf(result, 0)
}

// value is a number, a text or a list. kind selects the field.
type value struct {
	num  float64
	text string
	list []value
	kind valueKind
	// unset marks a number that was null.
	unset bool
}

// valueKind is the kind of a [value].
type valueKind uint8

const (
	isNumber valueKind = iota
	isText
	isList
)

// num returns a number value.
func num(f float64) value { return value{num: f} }

// text returns a text value.
func text(s string) value { return value{text: s, kind: isText} }

// truth returns 1 or 0, because the language has no booleans.
func truth(b bool) value {
	if b {
		return num(1)
	}
	return num(0)
}

// of converts a variable's value. A value without a meaning here becomes NaN.
func of(v tree.Value) value {
	if f, ok := v.AsFloat(); ok {
		return num(f)
	}
	if s, ok := v.AsText(); ok {
		return text(s)
	}
	if b, ok := v.AsBool(); ok {
		return truth(b)
	}
	if v.IsArray() {
		list := value{kind: isList, list: make([]value, 0, v.Len())}
		for _, e := range v.Elements() {
			list.list = append(list.list, of(e))
		}
		return list
	}
	if v.IsNull() { // an unset variable counts as 0
		return value{unset: true}
	}
	return num(math.NaN())
}

// number converts to a number. A text counts as the number that it spells. Hexadecimal,
// underscores, NaN and Inf, which Go would accept, are not numbers for authors.
func (v value) number() float64 {
	switch v.kind {
	case isNumber:
		return v.num
	case isText:
		s := strings.TrimSpace(v.text)
		if s == "" { // an empty text variable counts as 0
			return 0
		}
		if f, err := strconv.ParseFloat(s, 64); err == nil && !strings.ContainsAny(s, "xXpP_nN") {
			return f
		}
	}
	return math.NaN()
}

// truth converts to a condition: 0, NaN and the empty text are false. The text "0" is true, as in
// JavaScript.
func (v value) truth() bool {
	switch v.kind {
	case isText:
		return v.text != ""
	case isList:
		return true
	}
	return v.num != 0 && !math.IsNaN(v.num)
}

// evaluation is one computation of a formula.
type evaluation struct {
	lookup func(string) tree.Value
	failed bool // a name was unknown
}

// node is one part of a parsed formula: one of the five types below.
type node interface{}

type (
	constant        struct{ value value }
	formulaVariable struct{ name string }
	unary           struct {
		op      string
		operand node
	}
	binary struct {
		op          string
		left, right node
	}
	call struct {
		apply func(args []value) float64
		args  []node
	}
)

// eval computes a node. An unknown name does not stop the computation: the whole result is
// discarded at the end.
func (e *evaluation) eval(n node) value {
	switch n := n.(type) {
	case constant:
		return n.value
	case formulaVariable:
		v := e.lookup(n.name)
		if !v.Exists() {
			e.failed = true
		}
		return of(v)
	case unary:
		v := e.eval(n.operand)
		switch n.op {
		case "!":
			return truth(!v.truth())
		case "-":
			return num(-v.number())
		}
		return num(v.number())
	case binary:
		return operate(n.op, e.eval(n.left), e.eval(n.right))
	case call:
		// All arguments are computed, also the branch that if does not take. So a formula is valid
		// or invalid as a whole, for all values.
		args := make([]value, len(n.args))
		for i, a := range n.args {
			args[i] = e.eval(a)
		}
		return num(n.apply(args))
	}
	return num(math.NaN())
}

// operate applies a binary operator. Both sides are already computed. Short-circuiting is not
// needed, because nothing has side effects.
func operate(op string, l, r value) value {
	switch op {
	case "||":
		return truth(l.truth() || r.truth())
	case "&&":
		return truth(l.truth() && r.truth())
	case "==":
		return truth(equal(l, r))
	case "!=":
		return truth(!equal(l, r))
	}
	a, b := l.number(), r.number()
	switch op {
	case "<":
		return truth(a < b)
	case "<=":
		return truth(a <= b)
	case ">":
		return truth(a > b)
	case ">=":
		return truth(a >= b)
	case "+":
		return num(a + b)
	case "-":
		return num(a - b)
	case "*":
		return num(a * b)
	case "/":
		// An average of nothing is 0 for an author and must not make the formula invalid.
		if b == 0 {
			return num(0)
		}
		return num(a / b)
	case "%":
		if b == 0 {
			return num(0)
		}
		return num(math.Mod(a, b))
	}
	return num(math.Pow(a, b)) // "^"
}

// equal compares texts as texts, and everything else as numbers.
func equal(l, r value) bool {
	if l.kind == isText && r.kind == isText {
		return l.text == r.text
	}
	return l.number() == r.number()
}

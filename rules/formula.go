package rules

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/talewright/talewright/memvars/tree"
)

// This file has the arithmetic of variables that are computed from other variables, as in
// "str * (1 + lv * 0.5)".
//
// Values are numbers. Booleans count as 1 and 0, and a text with a number counts as that number.
// The grammar, loosest binding first; the operands of each line are the line below it:
//
//	or         a || b
//	and        a && b
//	equality   a == b, a != b
//	order      a < b, a <= b, a > b, a >= b
//	sum        a + b, a - b
//	product    a * b, a / b, a % b
//	power      a ^ b
//	sign       -a, +a, !a
//	primary    number, text, name, {any name}, function(a, b), (a)
//
// Two rules are unusual and kept because authors' formulas rely on them: a power associates to the
// left as all operators do, and a sign binds tighter than a power, so -2 ^ 2 is 4. Comparisons and
// logic give 1 or 0. == compares texts as texts and everything else as numbers. Division and
// remainder by zero are 0. The signs × ÷ − and the full-width brackets and comma are accepted.
//
// Functions, in any case: min, max, floor, ceil, round (halves up), abs, sum, clamp(x, low, high),
// if(condition, then, else), which evaluates all three and may return a text, and len. The function len counts the
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
//
// The parser is recursive descent with one token of look-ahead. Nesting is limited, because
// formulas come from untrusted files and recursion uses the stack.

// Formula is a parsed formula. It is immutable and safe for concurrent use.
type Formula struct {
	text  string
	root  node
	names []string // each once, in the order of their first use
}

// FormulaError describes a mistake in a formula and its place.
type FormulaError struct {
	Offset int    // in bytes
	Text   string // what is wrong, or what was expected
}

// Error returns the message with the offset.
func (e *FormulaError) Error() string { return fmt.Sprintf("formula: offset %d: %s", e.Offset, e.Text) }

// maxNesting limits the brackets and signs of one formula, and maxLength its bytes. Typical
// formulas have a handful of brackets and a hundred bytes.
const (
	maxNesting = 100
	maxLength  = 16 << 10
)

// ParseFormula parses a formula. A malformed formula gives a [*FormulaError]. Unknown functions, a
// wrong number of arguments and text after the end are found here, so that evaluation can fail only
// because of the values of variables. It does not check whether names exist. A formula has at most
// 16 KiB and 100 nested brackets and signs.
func ParseFormula(text string) (*Formula, error) {
	if len(text) > maxLength {
		return nil, &FormulaError{Offset: maxLength, Text: "longer than a formula may be"}
	}
	p := &parser{text: text, f: &Formula{text: text}, known: make(map[string]bool)}
	p.next()
	root, err := p.binary(0)
	if err != nil {
		return nil, err
	}
	if p.tok.kind != end {
		return nil, p.errorAt("the formula should end here")
	}
	p.f.root = root
	return p.f, nil
}

// Names returns the variables that the formula reads, each once, in order of first use.
func (f *Formula) Names() []string { return append([]string(nil), f.names...) }

// String returns the text that was parsed.
func (f *Formula) String() string { return f.text }

type tokenKind uint8

const (
	end tokenKind = iota
	formulaNumber
	quoted // a text
	name
	symbol // an operator, a bracket, a comma, or a character that no formula has
	broken // a malformed number, or a text or name without its end
)

type token struct {
	kind tokenKind
	at   int
	text string // the ASCII form of a symbol, or the content of other tokens
	num  float64
}

type parser struct {
	text  string
	pos   int             // after tok
	tok   token           // the current token
	depth int             // of brackets and signs
	known map[string]bool // names that are already in the list
	f     *Formula
}

// errorAt returns an error at the current token.
func (p *parser) errorAt(expected string) error {
	return &FormulaError{Offset: p.tok.at, Text: expected}
}

// plain maps non-ASCII signs to ASCII.
var plain = strings.NewReplacer(
	"×", "*", "÷", "/", "−", "-", "（", "(", "）", ")", "，", ",")

// next reads the next token.
func (p *parser) next() {
	p.pos = len(p.text) - len(strings.TrimLeftFunc(p.text[p.pos:], unicode.IsSpace))
	start := p.pos
	p.tok = token{at: start}
	if start == len(p.text) {
		return
	}
	rest := p.text[start:]
	r, size := utf8.DecodeRuneInString(rest)
	// A dot begins a number only before a digit. In a name it is part of the name.
	switch {
	case r >= '0' && r <= '9' || r == '.' && len(rest) > 1 && rest[1] >= '0' && rest[1] <= '9':
		p.number(rest)
	case r == '"' || r == '\'' || r == '「' || r == '{':
		p.delimited(r, size, rest)
	case isNameRune(r):
		n := strings.IndexFunc(rest, func(r rune) bool { return !isNameRune(r) && r != '.' })
		if n < 0 {
			n = len(rest)
		}
		p.tok.kind, p.tok.text = name, rest[:n]
		p.pos += n
	default:
		p.symbol(rest, size)
	}
}

// isNameRune reports whether a name may contain r. Dots are allowed in addition.
func isNameRune(r rune) bool {
	return r == '_' || r == '$' || unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r)
}

// number reads digits with at most one dot. More dots make it invalid. There are no exponents: 2e3
// is more likely a typing error than a number.
func (p *parser) number(rest string) {
	n := strings.IndexFunc(rest, func(r rune) bool { return (r < '0' || r > '9') && r != '.' })
	if n < 0 {
		n = len(rest)
	}
	f, err := strconv.ParseFloat(rest[:n], 64)
	p.tok.kind, p.tok.num = formulaNumber, f
	if err != nil {
		p.tok.kind = broken
	}
	p.pos += n
}

// delimited reads a text or a name in braces. There are no escapes, because three kinds of
// quotation marks are enough.
func (p *parser) delimited(open rune, size int, rest string) {
	closing := string(open)
	p.tok.kind = quoted
	switch open {
	case '「':
		closing = "」"
	case '{':
		closing, p.tok.kind = "}", name
	}
	n := strings.Index(rest[size:], closing)
	if n < 0 { // it contains the rest of the formula, so there is no next token
		p.tok.kind = broken
		p.pos = len(p.text)
		return
	}
	p.tok.text = rest[size : size+n]
	if open == '{' {
		p.tok.text = strings.TrimSpace(p.tok.text)
	}
	p.pos += size + n + len(closing)
}

// symbol reads an operator, longer ones first. Any other character becomes its own symbol, which
// the grammar never accepts, so that the error has its place.
func (p *parser) symbol(rest string, size int) {
	p.tok.kind = symbol
	for _, two := range []string{"||", "&&", "==", "!=", "<=", ">="} {
		if strings.HasPrefix(rest, two) {
			p.tok.text = two
			p.pos += 2
			return
		}
	}
	p.tok.text = plain.Replace(rest[:size])
	p.pos += size
}

// levels are the binary operators, loosest first.
var levels = [...][]string{
	{"||"}, {"&&"}, {"==", "!="}, {"<", "<=", ">", ">="}, {"+", "-"}, {"*", "/", "%"}, {"^"},
}

// binary parses the operators of a precedence level. Each level loops, so that all operators
// associate to the left.
func (p *parser) binary(level int) (node, error) {
	if level == len(levels) {
		return p.unary()
	}
	left, err := p.binary(level + 1)
	for err == nil && p.at(levels[level]...) {
		op := p.tok.text
		p.next()
		var right node
		right, err = p.binary(level + 1)
		left = binary{op, left, right}
	}
	return left, err
}

// at reports whether the current token is one of the symbols.
func (p *parser) at(symbols ...string) bool {
	return p.tok.kind == symbol && slices.Contains(symbols, p.tok.text)
}

// unary reads signs and negations, which bind tighter than all binary operators.
func (p *parser) unary() (node, error) {
	if !p.at("-", "!", "+") {
		return p.primary()
	}
	if p.depth++; p.depth > maxNesting {
		return nil, p.errorAt("nested too deeply")
	}
	defer func() { p.depth-- }()
	op := p.tok.text
	p.next()
	operand, err := p.unary()
	return unary{op, operand}, err
}

// primary reads an operand.
func (p *parser) primary() (node, error) {
	tok := p.tok
	switch {
	case tok.kind == formulaNumber:
		p.next()
		return constant{num(tok.num)}, nil
	case tok.kind == quoted:
		p.next()
		return constant{text(tok.text)}, nil
	case tok.kind == name && tok.text != "":
		// {max}(1) is a variable with that name and then a mistake, not a function.
		braced := p.text[tok.at] == '{'
		p.next()
		if !braced && p.at("(") {
			return p.call(tok)
		}
		p.remember(tok.text)
		return formulaVariable{tok.text}, nil
	case p.at("("):
		if p.depth++; p.depth > maxNesting {
			return nil, p.errorAt("nested too deeply")
		}
		defer func() { p.depth-- }()
		p.next()
		inner, err := p.binary(0)
		if err == nil && !p.at(")") {
			err = p.errorAt("a closing bracket is missing")
		}
		p.next()
		return inner, err
	}
	return nil, p.errorAt("expected a number, a name, a text or a bracket")
}

// remember records the names that the formula reads, for ordering formulas by their dependencies.
func (p *parser) remember(n string) {
	if !p.known[n] {
		p.known[n] = true
		p.f.names = append(p.f.names, n)
	}
}

// call reads the arguments of a function. Their number is checked here, so that evaluation cannot
// fail on it.
func (p *parser) call(tok token) (node, error) {
	fn, ok := functions[strings.ToLower(tok.text)]
	if !ok {
		return nil, &FormulaError{Offset: tok.at, Text: "no function " + strconv.Quote(tok.text)}
	}
	if p.depth++; p.depth > maxNesting {
		return nil, p.errorAt("nested too deeply")
	}
	defer func() { p.depth-- }()
	p.next()
	var args []node
	// An empty list of arguments is valid grammar; the function's minimum is checked below.
	for !p.at(")") {
		if len(args) > 0 {
			if !p.at(",") {
				return nil, p.errorAt("expected a comma or a closing bracket")
			}
			p.next()
		}
		arg, err := p.binary(0)
		if err != nil {
			return nil, err
		}
		args = append(args, arg)
	}
	if len(args) < fn.least || fn.most > 0 && len(args) > fn.most {
		return nil, &FormulaError{Offset: tok.at, Text: "wrong number of arguments for " + tok.text}
	}
	p.next()
	return call{fn.apply, args}, nil
}

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
	v, ok := f.eval(lookup)
	result = v.number()
	return result, ok && !math.IsNaN(result) && !math.IsInf(result, 0)
}

// eval computes the formula. If a name is unknown, ok is false and the value has no meaning.
func (f *Formula) eval(lookup func(name string) tree.Value) (result value, ok bool) {
	e := &evaluation{lookup: lookup}
	result = e.eval(f.root)
	return result, !e.failed
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
type node any

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
		apply func(args []value) value
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
		return n.apply(args)
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
	case "/", "%":
		switch { // An average of nothing is 0 for an author and must not make the formula invalid.
		case b == 0:
			return num(0)
		case op == "%":
			return num(math.Mod(a, b))
		}
		return num(a / b)
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

// function is a function with its numbers of arguments; most 0 means no limit.
type function struct {
	least, most int
	apply       func(args []value) value // NaN if the arguments have no result
}

// functions are the functions by their lower-case names.
var functions = map[string]function{
	"min": {1, 0, func(a []value) value { return fold(a, math.Min) }},
	"max": {1, 0, func(a []value) value { return fold(a, math.Max) }},
	"sum": {1, 0, func(a []value) value {
		return fold(a, func(x, y float64) float64 { return x + y })
	}},
	"floor": one(math.Floor),
	"ceil":  one(math.Ceil),
	"abs":   one(math.Abs),
	"round": one(func(x float64) float64 { return math.Floor(x + 0.5) }), // -2.5 becomes -2
	"len":   {1, 1, func(a []value) value { return num(length(a[0])) }},
	"clamp": {3, 3, func(a []value) value { // the upper limit counts if the two are swapped
		return num(math.Min(math.Max(a[0].number(), a[1].number()), a[2].number()))
	}},
	"if": {3, 3, choose},
}

// one converts a function of one number.
func one(f func(float64) float64) function {
	return function{1, 1, func(a []value) value { return num(f(a[0].number())) }}
}

// fold combines all arguments, including the elements of lists. The result of nothing is 0. An
// argument that is not a number makes the result NaN. In a list, whose content comes from the game,
// such an element is skipped.
func fold(args []value, join func(x, y float64) float64) value {
	// Lists may contain lists, such as the rows of a table.
	result, first := 0.0, true
	var walk func(list []value, inside bool)
	walk = func(list []value, inside bool) {
		for _, v := range list {
			if v.kind == isList {
				walk(v.list, true)
				continue
			}
			n := v.number()
			if inside && (math.IsNaN(n) || v.blank()) {
				continue
			}
			if first {
				result, first = n, false
			} else {
				result = join(result, n)
			}
		}
	}
	walk(args, false)
	return num(result)
}

// blank reports whether a value is a number only because it is unset or empty.
func (v value) blank() bool { return v.unset || v.kind == isText && strings.TrimSpace(v.text) == "" }

// length counts elements, or the parts of a text that is used as a list.
func length(v value) float64 {
	switch v.kind {
	case isList:
		return float64(len(v.list))
	case isText:
		n := 0
		separates := func(r rune) bool { return r == ',' || r == '，' || r == '|' }
		for part := range strings.FieldsFuncSeq(v.text, separates) {
			if strings.TrimSpace(part) != "" {
				n++
			}
		}
		return float64(n)
	}
	return math.NaN()
}

// choose implements if.
func choose(a []value) value {
	if a[0].truth() {
		return a[1]
	}
	return a[2]
}

package rules

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// The parser is recursive descent with one token of look-ahead. Nesting is limited, because
// formulas come from untrusted files and recursion uses the stack.

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
// left, and a sign binds tighter than a power.

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

type formulaKind uint8

const (
	end formulaKind = iota
	formulaNumber
	quoted
	name
	symbol
	broken
)

type token struct {
	kind formulaKind
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
	for p.pos < len(p.text) {
		r, size := utf8.DecodeRuneInString(p.text[p.pos:])
		if !unicode.IsSpace(r) {
			break
		}
		p.pos += size
	}
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
	if p.tok.kind != symbol {
		return false
	}
	for _, s := range symbols {
		if p.tok.text == s {
			return true
		}
	}
	return false
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
	fn, ok := functions(strings.ToLower(tok.text))
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

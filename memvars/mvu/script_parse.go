package mvu

import (
	"slices"
	"strconv"

	"github.com/talewright/talewright/internal/yaml"
)

// scriptExpr is an expression of a script.
type scriptExpr struct {
	kind     exprKind
	text     string // the name, the member, the text, the pattern, the number
	flags    string // of a pattern
	of       *scriptExpr
	list     []*scriptExpr // arguments, elements
	keys     []scriptKey   // of an object
	function *scriptFunction
	source   string // the code of the expression
}

// scriptKey is a member of an object literal.
type scriptKey struct {
	name     string
	computed *scriptExpr // the expression in brackets that gives the name
	spread   bool        // a spread value
	getter   bool        // the value is a getter
	value    *scriptExpr
}

// scriptFunction is what a function of the script returns, not evaluated.
type scriptFunction struct {
	isRead           bool                   // false: it decides what it returns, or has parameters of a different form
	params, defaults []*scriptExpr          // names, lists and objects of names, and nil for no default
	locals           map[string]*scriptExpr // the constants before the return
	result           *scriptExpr
}

// exprKind is the kind of an expression of a script.
type exprKind uint8

const (
	exprOther exprKind = iota // not understood
	exprName
	exprNumber
	exprText
	exprPattern
	exprList
	exprObject
	exprMember   // of.text
	exprCall     // of(list…)
	exprSpread   // ...of
	exprFunction // an arrow function, a function, a method or a getter
)

// member returns the value of a member of an object literal, or nil without such a member.
func (e *scriptExpr) member(name string) *scriptExpr {
	for _, k := range slices.Backward(e.keys) {
		if !k.spread && k.computed == nil && k.name == name {
			return k.value
		}
	}
	return nil
}

// scriptParser reads expressions of a script.
type scriptParser struct {
	code   string
	tokens []scriptToken
	close  []int // the token that closes the bracket, by token; 0 without one
	i      int
	depth  int
}

// newScriptParser divides a script and pairs its brackets.
func newScriptParser(code string) *scriptParser {
	p := &scriptParser{code: code, tokens: scriptTokens(code)}
	p.close = make([]int, len(p.tokens))
	var open []int
	for i, t := range p.tokens {
		if t.kind != scriptSign {
			continue
		}
		switch t.text {
		case "(", "[", "{":
			open = yaml.Append(open, i)
		case ")", "]", "}":
			if n := len(open); n > 0 {
				p.close[open[n-1]] = i
				open = open[:n-1]
			}
		}
	}
	return p
}

// at returns a token by its number, or an end token.
func (p *scriptParser) at(i int) scriptToken {
	if i < 0 || i >= len(p.tokens) {
		return scriptToken{newline: true}
	}
	return p.tokens[i]
}

// peek returns the token n places on.
func (p *scriptParser) peek(n int) scriptToken { return p.at(p.i + n) }

// take skips a sign or name.
func (p *scriptParser) take(text string) bool {
	if !p.peek(0).is(text) {
		return false
	}
	p.i++
	return true
}

// maxScriptDepth limits the nesting of expressions.
const maxScriptDepth = 200

// expression reads one expression up to a comma, a closing bracket, a semicolon or the end of its
// line.
func (p *scriptParser) expression() *scriptExpr {
	start := p.i
	if p.depth++; p.depth > maxScriptDepth {
		p.depth--
		return p.other(start)
	}
	e := p.operand()
	p.depth--
	if next := p.peek(0); next.endsExpression() || next.newline && next.kind != scriptSign {
		return e
	}
	return p.other(start)
}

// other skips an expression that is not understood.
func (p *scriptParser) other(start int) *scriptExpr {
	p.i = start
	for {
		t := p.peek(0)
		if t.endsExpression() || t.newline && p.i > start && t.isOneOf("const", "let", "var", "export", "registerMvuSchema", "$") {
			return &scriptExpr{source: p.sourceFrom(start)}
		}
		p.skip()
	}
}

// sourceFrom returns the code from a token up to the next one.
func (p *scriptParser) sourceFrom(start int) string {
	if p.i <= start {
		return ""
	}
	return p.code[p.tokens[start].at:p.tokens[p.i-1].end]
}

// skip moves over one token, or over a bracket with its content.
func (p *scriptParser) skip() {
	if t := p.peek(0); t.is("(") || t.is("[") || t.is("{") {
		if end := p.close[p.i]; end > 0 {
			p.i = end
		} else {
			p.i = len(p.tokens) - 1
		}
	}
	p.i++
}

// operand reads a value with its members and calls.
func (p *scriptParser) operand() *scriptExpr {
	start := p.i
	if f := p.functionOrArrow(); f != nil {
		return &scriptExpr{kind: exprFunction, function: f, source: p.sourceFrom(start)}
	}
	p.i = start
	e := p.primary()
	for {
		e.source = p.sourceFrom(start)
		switch t := p.peek(0); {
		case (t.is(".") || t.is("?.")) && p.peek(1).kind == scriptName:
			e = &scriptExpr{kind: exprMember, of: e, text: p.peek(1).text}
			p.i += 2
		case t.is("("):
			e = &scriptExpr{kind: exprCall, of: e, list: p.list()}
		default:
			return e
		}
	}
}

// functionOrArrow reads a function. It returns nil for other expressions.
func (p *scriptParser) functionOrArrow() *scriptFunction {
	isAsync := p.take("async")
	t, end := p.peek(0), p.closing()
	switch {
	case p.take("function"):
		isGenerator := p.take("*")
		if p.peek(0).kind == scriptName {
			p.i++
		}
		f := p.function()
		if f != nil {
			f.isRead = f.isRead && !isAsync && !isGenerator
		}
		return f
	case t.kind == scriptName && p.peek(1).is("=>"), t.is("(") && end > 0 && p.at(end+1).is("=>"):
		f := p.function()
		f.isRead = f.isRead && !isAsync
		return f
	}
	return nil
}

// closing returns the token that closes the bracket at the next token, or 0.
func (p *scriptParser) closing() int {
	if p.i >= len(p.close) {
		return 0
	}
	return p.close[p.i]
}

// function reads the parameters and the body of a function. It returns nil for a function without an
// arrow and a block.
func (p *scriptParser) function() *scriptFunction {
	f := &scriptFunction{}
	f.isRead = p.parameters(f)
	isArrow := p.take("=>")
	end := p.closing()
	switch {
	case p.peek(0).is("{") && end > 0:
		p.i++
		f.isRead = p.locals(f, end) && f.isRead
		f.result = p.expression()
		p.i = end + 1
	case isArrow:
		f.result = p.expression()
	default:
		return nil
	}
	return f
}

// parameters reads the parameters of a function, with their defaults. It fails for a list of other
// parameters, and moves after it.
func (p *scriptParser) parameters(f *scriptFunction) bool {
	if p.peek(0).kind == scriptName {
		f.params, f.defaults = []*scriptExpr{p.primary()}, []*scriptExpr{nil}
		return true
	}
	end := p.closing()
	if end == 0 {
		return false
	}
	defer func() { p.i = end + 1 }()
	p.i++
	for p.i < end {
		if p.take(",") {
			continue
		}
		if t := p.peek(0); t.kind != scriptName && !t.is("[") && !t.is("{") {
			return false
		}
		param := p.primary()
		var byDefault *scriptExpr
		if p.take("=") {
			byDefault = p.expression()
		}
		f.params, f.defaults = append(f.params, param), append(f.defaults, byDefault)
	}
	return true
}

// locals reads the constants of a block up to its return. It fails for a function that decides what it
// returns.
func (p *scriptParser) locals(f *scriptFunction, end int) bool {
	f.locals = map[string]*scriptExpr{}
	for p.i < end {
		switch t := p.peek(0); {
		case p.take("return"):
			return true
		case t.isOneOf("if", "for", "while", "do", "switch", "try"):
			return false
		case t.isOneOf(declaring...) && p.peek(1).kind == scriptName && p.peek(2).is("="):
			p.i += 3
			f.locals[p.at(p.i-2).text] = p.expression()
		default:
			p.skip()
		}
	}
	return true
}

// declaring are the words that declare a name.
var declaring = []string{"const", "let", "var"}

// primary reads a name, a literal or a bracket.
func (p *scriptParser) primary() *scriptExpr {
	t := p.peek(0)
	switch {
	case t.kind == scriptName:
		p.i++
		return &scriptExpr{kind: exprName, text: t.text}
	case t.kind == scriptNumber:
		p.i++
		return &scriptExpr{kind: exprNumber, text: t.text}
	case t.is("-") && p.peek(1).kind == scriptNumber, t.is("-") && p.peek(1).is("Infinity"):
		p.i += 2
		return &scriptExpr{kind: exprNumber, text: "-" + p.tokens[p.i-1].text}
	case t.kind == scriptText:
		p.i++
		return &scriptExpr{kind: exprText, text: t.text}
	case t.kind == scriptPattern:
		p.i++
		return &scriptExpr{kind: exprPattern, text: t.text, flags: t.flags}
	case t.is("["):
		return &scriptExpr{kind: exprList, list: p.list()}
	case t.is("{"):
		e := &scriptExpr{kind: exprObject}
		p.elements(func() { e.keys = append(e.keys, p.key()) })
		return e
	case t.is("("):
		end := p.close[p.i]
		p.i++
		e := p.expression()
		if end > 0 && p.i == end {
			p.i++
			return e
		}
		if end > 0 {
			p.i = end + 1
		}
	}
	return &scriptExpr{}
}

// elements calls read for each element of a bracket. A bracket that is not closed has none.
func (p *scriptParser) elements(read func()) {
	end := p.close[p.i]
	p.i++
	for p.i < end {
		at := p.i
		read()
		p.take(",")
		if p.i == at { // nothing that an element can begin with
			p.i++
		}
	}
	if end > 0 {
		p.i = end + 1
	}
}

// list reads the expressions in a bracket.
func (p *scriptParser) list() (list []*scriptExpr) {
	p.elements(func() {
		if p.take("...") {
			list = append(list, &scriptExpr{kind: exprSpread, of: p.expression()})
		} else {
			list = append(list, p.expression())
		}
	})
	return list
}

// key reads a member of an object literal.
func (p *scriptParser) key() scriptKey {
	t := p.peek(0)
	switch next := p.peek(1); {
	case p.take("..."):
		return scriptKey{spread: true, value: p.expression()}
	case t.is("["):
		name := &scriptExpr{}
		if list := p.list(); len(list) == 1 {
			name = list[0]
		}
		p.take(":")
		return scriptKey{computed: name, value: p.expression()}
	case t.is("get") && (next.kind == scriptName || next.kind == scriptText) && p.peek(2).is("("):
		p.i += 2
		return scriptKey{name: next.text, getter: true, value: p.methodValue()}
	}
	k := scriptKey{name: t.text}
	if t.kind == scriptNumber {
		if n, err := strconv.ParseFloat(t.text, 64); err == nil {
			k.name = strconv.FormatFloat(n, 'f', -1, 64)
		}
	}
	p.i++
	switch next := p.peek(0); {
	case p.take(":"):
		k.value = p.expression()
	case next.is(",") || next.is("}"): // {name}
		k.value = &scriptExpr{kind: exprName, text: t.text, source: t.text}
	default:
		k.value = p.methodValue()
	}
	return k
}

// methodValue reads the parameters and the block of a method.
func (p *scriptParser) methodValue() *scriptExpr {
	start := p.i
	if p.peek(0).is("(") {
		if f := p.function(); f != nil {
			return &scriptExpr{kind: exprFunction, function: f, source: "function " + p.sourceFrom(start)}
		}
	}
	return p.other(start)
}

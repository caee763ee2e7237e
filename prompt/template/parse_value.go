package template

import (
	"slices"

	"github.com/talewright/talewright/internal/openjson"
	"github.com/talewright/talewright/internal/utf8text"
	"github.com/talewright/talewright/memvars/tree"
)

// expression reads an expression with commas.
func (p *parser) expression() expr { return p.sequence(true) }

// expressionNoIn reads an expression in which "in" ends the head of a loop.
func (p *parser) expressionNoIn() expr { return p.sequence(false) }

// sequence reads expressions with commas. Without in, the operator "in" is not one of them.
func (p *parser) sequence(in bool) expr {
	first := p.value(in)
	if !p.is(",") {
		return first
	}
	s := &sequence{list: []expr{first}}
	for p.skip(",") {
		s.list = append(s.list, p.value(in))
	}
	return s
}

// assignment reads an expression without commas.
func (p *parser) assignment() expr { return p.value(true) }

// assigning are the signs of assignments, with their operator.
var assigning = map[string]string{
	"=": "", "+=": "+", "-=": "-", "*=": "*", "/=": "/", "%=": "%", "**=": "**", "<<=": "<<", ">>=": ">>", ">>>=": ">>>",
	"&=": "&", "|=": "|", "^=": "^", "&&=": "&&", "||=": "||", "??=": "??",
}

// value reads an expression without commas, see sequence.
func (p *parser) value(in bool) expr {
	p.deeper()
	defer func() { p.level-- }()
	if p.isArrow() {
		return p.arrow()
	}
	if p.isWord("async") { // without effect, as await
		if p.pos++; p.isArrow() {
			return p.arrow()
		} else if !p.isWord("function") {
			p.pos--
		}
	}
	at := p.peek().at
	return p.assigned(p.choice(in), at, in)
}

// assigned reads the rest of an assignment to x. Without a sign of an assignment the result is x.
func (p *parser) assigned(x expr, at int, in bool) expr {
	t := p.peek()
	op, isAssignment := assigning[t.text]
	if t.kind != punctToken || !isAssignment {
		return x
	}
	if op == "" {
		x = p.destructured(x, at)
	} else {
		p.checkAssignable(x, at)
	}
	p.pos++
	return &assign{op: op, to: x, from: p.value(in), at: at}
}

// destructured returns the left side of an assignment: a name, a member, or the pattern that is written as
// a list or an object.
func (p *parser) destructured(x expr, at int) target {
	to := &destructuring{assigns: true}
	add := func(m destructuringMember, x expr) {
		switch x := x.(type) {
		case *spread:
			to.rest = p.destructured(x.list, at)
			return
		case *missingElement:
		case *assign:
			m.fallback, m.target = x.from, x.to
			if x.op != "" {
				p.syntax(at, notAssignable)
			}
		default:
			m.target = p.destructured(x, at)
		}
		to.members = append(to.members, m)
	}
	switch x := x.(type) {
	case *listExpr:
		to.list = true
		for _, item := range x.items {
			add(destructuringMember{}, item)
		}
	case *objectExpr:
		for _, m := range x.members {
			add(destructuringMember{key: m.key, computed: m.computed}, m.value)
		}
	default:
		p.checkAssignable(x, at)
		return x
	}
	return to
}

const notAssignable = "only names and members can be assigned: correct the left side"

// checkAssignable refuses expressions that are neither a name nor a member.
func (p *parser) checkAssignable(x expr, at int) {
	switch x := x.(type) {
	case *nameExpr:
		p.names.make(x.name)
	case *member:
	default:
		p.syntax(at, notAssignable)
	}
}

// choice reads test ? yes : no.
func (p *parser) choice(in bool) expr {
	test := p.binary(0, in)
	if !p.is("?") {
		return test
	}
	first := &conditional{test: test}
	for c := first; ; {
		p.pos++
		c.yes = p.value(true)
		p.expect(":")
		if p.isArrow() {
			c.no = p.arrow()
			return first
		}
		at := p.peek().at
		c.no = p.binary(0, in)
		if !p.is("?") {
			c.no = p.assigned(c.no, at, in)
			return first
		}
		next := &conditional{test: c.no}
		c.no = next
		c = next
	}
}

// binary reads a value and the operators with a higher rank that follow it.
func (p *parser) binary(rank int, in bool) expr {
	left := p.power()
	for {
		op, ok := p.nextOperator(in)
		if !ok || op.rank <= rank {
			return left
		}
		at := p.advance().at
		switch {
		case op.sign == "instanceof":
			left = &binary{op: op, l: left, r: p.typeName(), at: at}
		case op.apply != nil:
			left = &binary{op: op, l: left, r: p.binary(op.rank, in), at: at}
		default:
			right := p.binary(op.rank, in)
			if mixes(op.sign, left) || mixes(op.sign, right) {
				p.syntax(at, "?? is mixed with && or ||: add parentheses")
			}
			left = &logical{op: op.sign, l: left, r: right}
		}
	}
}

// nextOperator returns the operator that is next, see sequence for in.
func (p *parser) nextOperator(in bool) (op operator, ok bool) {
	t := p.peek()
	if t.kind == punctToken || t.isWord("in") && in || t.isWord("instanceof") {
		return operatorOf(t.text)
	}
	return op, false
}

// typeName reads the right side of instanceof: a text with the name of the type. Types are not values.
func (p *parser) typeName() expr {
	t := p.peek()
	if t.kind != nameToken {
		p.unexpected("expected the name of a type")
	}
	p.pos++
	return &constant{text(t.text)}
}

// mixes reports whether ?? is next to && or || without parentheses.
func mixes(op string, x expr) bool {
	l, ok := x.(*logical)
	return ok && (op == "??") != (l.op == "??")
}

// power reads a value with **, whose left side has no sign.
func (p *parser) power() expr {
	t := p.peek()
	x := p.unary()
	if !p.is("**") {
		return x
	}
	if _, signed := x.(*unary); signed {
		p.syntax(t.at, "a value with a sign before ** needs parentheses: add them")
	}
	at := p.advance().at
	op, _ := operatorOf("**")
	p.deeper()
	right := p.power()
	p.level--
	return &binary{op: op, l: x, r: right, at: at}
}

// unary reads a value with the operators before it, and ++ or -- after it.
func (p *parser) unary() expr {
	t := *p.peek()
	switch {
	case p.skip("!"), p.skip("-"), p.skip("+"), p.skip("~"), p.skip("void"):
		return &unary{op: t.text, x: p.operand(), at: t.at}
	case p.skip("++"), p.skip("--"):
		x := p.operand()
		p.checkAssignable(x, t.at)
		return &update{by: stepOf(t.text), prefix: true, to: x, at: t.at}
	case p.skip("typeof"):
		return p.typeOf(t.at)
	case p.skip("delete"):
		return p.deletion(t.at)
	case p.skip("await"): // without effect
		return p.operand()
	}
	x := p.postfix()
	if t := p.peek(); (t.is("++") || t.is("--")) && !t.newline {
		p.pos++
		p.checkAssignable(x, t.at)
		return &update{by: stepOf(t.text), to: x, at: t.at}
	}
	return x
}

// typeOf reads the operand of typeof. A refused name is allowed if it is alone: typeof document is
// "undefined".
func (p *parser) typeOf(at int) expr {
	n := p.peek()
	beginsValue := slices.ContainsFunc([]string{"new", "class", "function"}, n.isWord)
	if n.kind != nameToken || refusal(n.text) == "" || beginsValue {
		x := p.operand()
		if n, ok := x.(*nameExpr); ok {
			p.names.make(n.name)
		}
		return &unary{op: "typeof", x: x, at: at}
	}
	p.pos++
	if slices.ContainsFunc([]string{".", "[", "(", "?."}, p.is) {
		p.fail(n.at, Refused, n.text, refusal(n.text))
	}
	return &constant{text("undefined")}
}

// deletion reads the operand of delete, which must be a member.
func (p *parser) deletion(at int) expr {
	x := p.operand()
	if chain, ok := x.(*chainEnd); ok {
		x = chain.x
	}
	if _, ok := x.(*member); !ok {
		p.syntax(at, "only a member can be deleted: correct the code")
	}
	return &unary{op: "delete", x: x, at: at}
}

// operand reads the operand of a sign.
func (p *parser) operand() expr {
	p.deeper()
	x := p.unary()
	p.level--
	return x
}

// stepOf returns what ++ or -- adds.
func stepOf(sign string) float64 {
	if sign == "--" {
		return -1
	}
	return 1
}

// postfix reads a value with its members and calls.
func (p *parser) postfix() expr {
	if p.isWord("console") {
		return p.console()
	}
	x := p.primary()
	isOptional := false // ?. is in the chain
	for {
		t := p.peek()
		switch {
		case t.kind == templateToken:
			p.fail(t.at, Refused, "tagged template", "a tagged template needs a JavaScript engine: write a call")
		case p.skip("."):
			x = p.namedMember(x, t.at)
		case p.skip("["):
			x = &member{of: x, key: p.index(), at: t.at}
		case p.is("("):
			x = p.callOf(x, t.at)
		case p.skip("?."):
			isOptional = true
			x = p.optionalPart(x, t.at)
		case isOptional:
			return &chainEnd{x}
		default:
			return x
		}
	}
}

// namedMember reads the name of a member after a dot.
func (p *parser) namedMember(of expr, at int) expr {
	m := &member{of: of, name: p.memberName(), at: at}
	p.checkLodash(m)
	if (m.name == "then" || m.name == "finally") && p.is("(") {
		p.fail(at, Refused, "Promise", refusal("Promise"))
	}
	return m
}

// callOf reads the arguments of a call.
func (p *parser) callOf(fn expr, at int) expr {
	c := &call{fn: fn, args: p.arguments(), at: at}
	if n, ok := fn.(*nameExpr); ok {
		p.names.call(n.name, c.args)
		if loreFunction(n.name) {
			p.lookups = append(p.lookups, c)
		} else {
			dividePath(c.args)
		}
	}
	return c
}

// optionalPart reads a call or a member after ?.
func (p *parser) optionalPart(of expr, at int) expr {
	switch {
	case p.is("("):
		return &call{fn: of, args: p.arguments(), optional: true, at: at}
	case p.skip("["):
		return &member{of: of, key: p.index(), optional: true, at: at}
	}
	return &member{of: of, name: p.memberName(), optional: true, at: at}
}

// checkLodash refuses the functions of lodash that are not played.
func (p *parser) checkLodash(m *member) {
	n, ok := m.of.(*nameExpr)
	if !ok || n.name != "_" || p.isDeclared("_") {
		return
	}
	if _, plays := theLibrary().names["_"].ref.(*function).members[m.name]; plays {
		return
	}
	p.fail(m.at, Refused, "_."+m.name, "_."+m.name+" needs a JavaScript engine: write the text without it")
}

// isDeclared reports whether the text declares a name that is visible here.
func (p *parser) isDeclared(name string) bool {
	return slices.ContainsFunc(p.scopes, func(s *declarations) bool {
		return slices.ContainsFunc(s.names, func(d declared) bool { return d.name == name })
	})
}

// console reads a call of the console, which does nothing.
func (p *parser) console() expr {
	p.pos++
	for p.skip(".") || p.skip("?.") {
		if p.is("(") {
			break
		}
		p.memberName()
	}
	if p.is("(") {
		p.arguments()
	}
	return &consoleExpr{}
}

// memberName reads the name of a member after a dot or in an object.
func (p *parser) memberName() string {
	t := p.peek()
	if t.kind != nameToken {
		p.unexpected("expected the name of a member")
	}
	p.checkInner(t.text, t.at)
	p.pos++
	return t.text
}

// index reads the key of a member in brackets.
func (p *parser) index() expr {
	at := p.peek().at
	x := p.expression()
	p.expect("]")
	if c, ok := x.(*constant); ok && c.v.kind == textKind {
		p.checkInner(c.v.text, at)
	}
	return x
}

// arguments reads the arguments of a call.
func (p *parser) arguments() (list []expr) {
	p.expect("(")
	p.elements(")", func() { list = append(list, p.argument()) })
	return list
}

// argument reads an argument or an element, which may be a spread.
func (p *parser) argument() expr {
	if p.skip("...") {
		return &spread{p.assignment()}
	}
	return p.assignment()
}

// primary reads a value.
func (p *parser) primary() expr {
	t := p.peek()
	switch t.kind {
	case numberToken:
		p.pos++
		return &constant{number(t.num)}
	case stringToken, templateToken:
		return p.textExpr(p.advance())
	case macroToken:
		p.pos++
		return &macroValue{p.addMacro(t.text)}
	case patternToken:
		p.pos++
		v, err := newPattern(t.text, t.flags)
		if err != nil {
			p.syntax(t.at, "the pattern /"+t.text+"/"+t.flags+" is not valid: "+err.Error())
		}
		return &constant{v}
	case nameToken:
		switch t.text {
		case "function":
			return p.functionValue()
		case "new":
			return p.newValue()
		case "Promise":
			return p.pure("all", "resolve")
		case "Date":
			return p.pure("parse", "UTC")
		}
		if v, ok := words[t.text]; ok {
			p.pos++
			return &constant{v}
		}
		return p.readName()
	case punctToken:
		switch t.text {
		case "(":
			p.pos++
			x := p.expression()
			p.expect(")")
			switch x.(type) {
			case *logical, *unary: // parentheses allow ?? beside ||, and -x before **
				return &sequence{list: []expr{x}}
			}
			return x
		case "[":
			return p.listLiteral()
		case "{":
			return p.objectLiteral()
		}
	}
	p.unexpected("expected a value")
	return nil
}

// words are the words of the language that are values.
var words = map[string]value{"true": boolean(true), "false": boolean(false), "null": null}

// textExpr returns a text with its macros and values.
func (p *parser) textExpr(t token) expr {
	if len(t.parts) == 0 {
		return &constant{text("")}
	}
	if len(t.parts) == 1 && !t.parts[0].macro && t.parts[0].code == nil {
		return &constant{text(t.parts[0].text)}
	}
	j := &textExpr{}
	for _, part := range t.parts {
		switch {
		case part.macro:
			j.parts = append(j.parts, textExprPart{macro: p.addMacro(part.text)})
		case part.code != nil:
			outer, pos := p.tokens, p.pos
			p.tokens, p.pos = part.code, 0
			x := p.expression()
			if p.peek().kind != endToken {
				p.unexpected("expected }")
			}
			p.tokens, p.pos = outer, pos
			j.parts = append(j.parts, textExprPart{value: x})
		default:
			j.parts = append(j.parts, textExprPart{text: part.text})
		}
	}
	return j
}

func (p *parser) listLiteral() expr {
	p.expect("[")
	l := &listExpr{}
	p.elements("]", func() {
		if p.is(",") {
			l.items = append(l.items, &missingElement{})
		} else {
			l.items = append(l.items, p.argument())
		}
	})
	return l
}

func (p *parser) objectLiteral() expr {
	p.expect("{")
	o := &objectExpr{}
	p.elements("}", func() { o.members = append(o.members, p.objectMember()) })
	return o
}

// objectMember reads a member of an object: a value, a method, a spread, or a name alone.
func (p *parser) objectMember() (m memberExpr) {
	if p.skip("...") {
		return memberExpr{value: &spread{p.assignment()}}
	}
	t := p.peek()
	m.key, m.computed = p.memberKey()
	switch {
	case p.skip(":"):
		m.value = p.assignment()
	case p.is("("):
		m.value = p.function()
	case t.isWord("async") && !p.is(",") && !p.is("}"):
		m.key, m.computed = p.memberKey()
		m.value = p.function()
	case (t.isWord("get") || t.isWord("set")) && !p.is(",") && !p.is("}"):
		p.fail(t.at, Refused, "class", refusal("class"))
	case t.kind == nameToken:
		p.pos--
		m.value = p.readName()
	default:
		p.unexpected("expected :")
	}
	return m
}

// isArrow reports whether an arrow function is next: a name or a list in parentheses before =>.
func (p *parser) isArrow() bool {
	t := p.peek()
	end := p.pos + 1
	switch {
	case t.is("("):
		end = p.closingParenthesis()
	case t.kind != nameToken || t.text == "async":
		return false
	}
	if end >= len(p.tokens) {
		return false
	}
	arrow := &p.tokens[end]
	return arrow.is("=>") && !arrow.newline
}

// maxParameterTokens limits the search for the end of the parameters of an arrow function.
const maxParameterTokens = 200

// closingParenthesis returns the place after the parenthesis that closes the next one, or the end of the
// tokens if it is not near.
func (p *parser) closingParenthesis() int {
	open := 0
	for i := p.pos; i < len(p.tokens) && i-p.pos <= maxParameterTokens; i++ {
		switch t := &p.tokens[i]; {
		case t.is("("):
			open++
		case t.is(")"):
			if open--; open == 0 {
				return i + 1
			}
		}
	}
	return len(p.tokens)
}

// arrow reads an arrow function.
func (p *parser) arrow() expr {
	return p.functionOf(func(a *arrow) {
		if p.is("(") {
			p.parameters(a)
		} else {
			a.params = []param{{target: p.target("")}}
		}
		p.expect("=>")
	})
}

// function reads the parameters and the block of a function.
func (p *parser) function() *arrow {
	return p.functionOf(func(a *arrow) {
		p.parameters(a)
		if !p.is("{") {
			p.unexpected("expected {")
		}
	})
}

// functionOf reads a function: its head, and then a block or a value. Loops around it do not reach into
// it.
func (p *parser) functionOf(head func(*arrow)) *arrow {
	p.deeper()
	a := &arrow{}
	p.open(true)
	head(a)
	loops, breaks, labels := p.loops, p.breaks, p.labels
	p.loops, p.breaks, p.labels = 0, 0, nil
	if p.is("{") {
		a.body = p.block()
	} else {
		a.value = p.assignment()
	}
	p.loops, p.breaks, p.labels = loops, breaks, labels
	a.names = p.close()
	p.level--
	return a
}

// functionValue reads a function as a value. Its name is known within it.
func (p *parser) functionValue() expr {
	p.functionWord()
	if p.is("(") {
		return p.function()
	}
	self := p.name()
	p.open(true)
	p.declare(self, "function")
	a := p.function()
	p.close()
	a.self, a.name = self, self.name
	if !slices.ContainsFunc(a.names, func(d declared) bool { return d.name == self.name }) {
		a.names = append(a.names, declared{name: self.name, variable: true})
	}
	return a
}

// parameters reads a list of parameters in parentheses.
func (p *parser) parameters(a *arrow) {
	p.expect("(")
	p.elements(")", func() {
		if p.skip("...") {
			a.rest = p.target("")
			p.mustEnd(")")
			return
		}
		one := param{target: p.target("")}
		if p.skip("=") {
			one.fallback = p.assignment()
		}
		a.params = append(a.params, one)
	})
}

// newValue reads new with one of the types that are played.
func (p *parser) newValue() expr {
	at := p.advance().at
	t := p.peek()
	if t.kind != nameToken || !newNames[t.text] || p.isDeclared(t.text) {
		p.fail(at, Refused, "new", refusal("new"))
	}
	p.pos++
	c := &call{fn: &nameExpr{t.text, t.at}, at: t.at}
	if p.is("(") {
		c.args = p.arguments()
	}
	if t.text == "Date" && len(c.args) == 0 { // the clock
		p.fail(at, Refused, "new", refusal("new"))
	}
	return c
}

// pure reads the functions of a type that need neither a clock nor a promise: the results of
// Promise.all and Promise.resolve are there at once.
func (p *parser) pure(functions ...string) expr {
	t := p.advance()
	if p.skip(".") && slices.ContainsFunc(functions, p.isWord) {
		return &member{of: &nameExpr{t.text, t.at}, name: p.memberName(), at: t.at}
	}
	p.fail(t.at, Refused, t.text, refusal(t.text))
	return nil
}

// newNames are the types that new makes.
var newNames = utf8text.WordSet("Set Map Date Array RegExp Error TypeError RangeError SyntaxError")

// dividePath divides the first argument of a call, if it is a text in the code. It may be the path of a
// variable, which is then divided once.
func dividePath(args []expr) {
	if len(args) == 0 {
		return
	}
	if c, ok := args[0].(*constant); ok && c.v.kind == textKind {
		if path := tree.Path(openjson.SplitPath(c.v.text)); len(path) <= maxLevels {
			c.v.ref = &path
		}
	}
}

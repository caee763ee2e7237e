package template

import (
	"slices"

	"github.com/talewright/talewright/internal/jsregex"
)

// expression reads an expression with commas.
func (p *parser) expression() expr { return p.sequence(true) }

// expressionNoIn reads an expression in which "in" ends the head of a loop.
func (p *parser) expressionNoIn() expr { return p.sequence(false) }

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
	x := p.choice(in)
	t := p.peek()
	if t.kind != punctToken {
		return x
	}
	op, ok := assigning[t.text]
	if !ok {
		return x
	}
	switch x.(type) {
	case *listExpr, *objectExpr:
		if t.text != "=" {
			p.syntax(at, "only names and members can be assigned: correct the left side")
		}
		x = p.pattern(x, at)
	case *nameOf, *member:
	default:
		p.syntax(at, "only names and members can be assigned: correct the left side")
	}
	p.pos++
	return &assign{op: op, to: x, from: p.value(in), at: at}
}

// pattern makes the left side of an assignment of a list or an object.
func (p *parser) pattern(x expr, at int) target {
	to := &shape{assigns: true}
	add := func(m shapeMember, x expr) {
		switch x := x.(type) {
		case *spread:
			to.rest = p.pattern(x.list, at)
			return
		case *hole:
		case *assign:
			m.fallback, m.target = x.from, x.to
			if x.op != "" {
				p.syntax(at, "only names and members can be assigned: correct the left side")
			}
		default:
			m.target = p.pattern(x, at)
		}
		to.members = append(to.members, m)
	}
	switch x := x.(type) {
	case *nameOf, *member:
		return x
	case *listExpr:
		to.list = true
		for _, item := range x.items {
			add(shapeMember{}, item)
		}
	case *objectExpr:
		for _, m := range x.members {
			add(shapeMember{key: m.key, computed: m.computed}, m.value)
		}
	default:
		p.syntax(at, "only names and members can be assigned: correct the left side")
	}
	return to
}

// choice reads test ? yes : no.
func (p *parser) choice(in bool) expr {
	test := p.binary(0, in)
	if !p.is("?") {
		return test
	}
	first := &choice{test: test}
	for c := first; ; {
		p.pos++
		c.yes = p.value(true)
		p.expect(":")
		if p.isArrow() {
			c.no = p.arrow()
			return first
		}
		c.no = p.binary(0, in)
		if !p.is("?") {
			if t := p.peek(); t.kind == punctToken {
				if _, ok := assigning[t.text]; ok { // the last part is an assignment
					to := c.no
					switch to.(type) {
					case *nameOf, *member:
						p.pos++
						c.no = &assign{op: assigning[t.text], to: to, from: p.value(in), at: t.at}
					}
				}
			}
			return first
		}
		next := &choice{test: c.no}
		c.no = next
		c = next
	}
}

// binary reads operators of at least a rank.
func (p *parser) binary(rank int, in bool) expr {
	left := p.power()
	for {
		t := p.peek()
		var op operator
		ok := false
		if t.kind == punctToken || t.kind == nameToken && (t.text == "in" && in || t.text == "instanceof") {
			op, ok = operatorOf(t.text)
		}
		if !ok || op.rank <= rank {
			return left
		}
		p.pos++
		if op.sign == "instanceof" { // the type is a name; of types of the text no value is made
			n := p.peek()
			if n.kind != nameToken {
				p.unexpected("expected the name of a type")
			}
			p.pos++
			left = &binary{op: op, l: left, r: &constant{text(n.text)}, at: t.at}
			continue
		}
		right := p.binary(op.rank, in)
		if op.rank > 3 {
			left = &binary{op: op, l: left, r: right, at: t.at}
			continue
		}
		if mixes(op.sign, left) || mixes(op.sign, right) {
			p.syntax(t.at, "?? is mixed with && or ||: add parentheses")
		}
		left = &logical{op: op.sign, l: left, r: right}
	}
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

func (p *parser) unary() expr {
	t := p.peek()
	switch {
	case t.kind == punctToken && (t.text == "!" || t.text == "-" || t.text == "+" || t.text == "~"):
		p.pos++
		return &unary{op: t.text, x: p.operand(), at: t.at}
	case t.kind == punctToken && (t.text == "++" || t.text == "--"):
		p.pos++
		return &update{by: stepOf(t.text), prefix: true, to: p.place(p.operand(), t.at), at: t.at}
	case t.kind == nameToken && t.text == "typeof":
		p.pos++
		if n := p.peek(); n.kind == nameToken && refusal(n.text) != "" && n.text != "new" && n.text != "class" && n.text != "function" {
			// A name that does not exist here may be asked for.
			p.pos++
			if p.is(".") || p.is("[") || p.is("(") || p.is("?.") {
				p.pos--
				p.fail(n.at, Refused, n.text, refusal(n.text))
			}
			return &constant{text("undefined")}
		}
		return &unary{op: "typeof", x: p.operand(), at: t.at}
	case t.kind == nameToken && t.text == "delete":
		p.pos++
		x := p.operand()
		if w, ok := x.(*whole); ok {
			x = w.x
		}
		if _, ok := x.(*member); !ok {
			p.syntax(t.at, "only a member can be deleted: correct the code")
		}
		return &unary{op: "delete", x: x, at: t.at}
	case t.kind == nameToken && t.text == "void":
		p.pos++
		return &unary{op: "void", x: p.operand(), at: t.at}
	case t.kind == nameToken && t.text == "await":
		p.pos++
		return p.operand()
	}
	x := p.postfix()
	if t := p.peek(); t.kind == punctToken && (t.text == "++" || t.text == "--") && !t.newline {
		p.pos++
		return &update{by: stepOf(t.text), to: p.place(x, t.at), at: t.at}
	}
	return x
}

// operand reads the operand of a sign.
func (p *parser) operand() expr {
	p.deeper()
	x := p.unary()
	p.level--
	return x
}

func stepOf(sign string) float64 {
	if sign == "--" {
		return -1
	}
	return 1
}

// place checks that an expression can be assigned.
func (p *parser) place(x expr, at int) expr {
	switch x.(type) {
	case *nameOf, *member:
		return x
	}
	p.syntax(at, "only names and members can be changed: correct the code")
	return nil
}

// postfix reads a value with its members and calls.
func (p *parser) postfix() expr {
	if p.isWord("console") {
		return p.console()
	}
	x := p.primary()
	chain := false
	for {
		t := p.peek()
		switch {
		case t.kind == templateToken:
			p.fail(t.at, Refused, "tagged template", "a tagged template needs a JavaScript engine: write a call")
		case t.kind != punctToken:
			return p.ended(x, chain)
		case t.text == ".":
			p.pos++
			m := &member{of: x, name: p.memberName(), at: t.at}
			p.checkLodash(m)
			if (m.name == "then" || m.name == "finally") && p.is("(") {
				p.fail(t.at, Refused, "Promise", refusal("Promise"))
			}
			x = m
		case t.text == "[":
			p.pos++
			x = &member{of: x, key: p.index(), at: t.at}
		case t.text == "(":
			c := &call{fn: x, args: p.arguments(), at: t.at}
			if n, ok := x.(*nameOf); ok {
				if loreFunction(n.name) {
					p.lookups = append(p.lookups, c)
				} else if first, ok := firstConstant(c.args); ok && first.v.kind == textKind {
					if path := splitPath(first.v.text); len(path) <= maxLevels {
						first.v.ref = &path
					}
				}
			}
			x = c
		case t.text == "?.":
			p.pos++
			chain = true
			switch {
			case p.is("("):
				x = &call{fn: x, args: p.arguments(), optional: true, at: t.at}
			case p.skip("["):
				x = &member{of: x, key: p.index(), optional: true, at: t.at}
			default:
				x = &member{of: x, name: p.memberName(), optional: true, at: t.at}
			}
		default:
			return p.ended(x, chain)
		}
	}
}

// checkLodash refuses the functions of lodash that are not played.
func (p *parser) checkLodash(m *member) {
	n, ok := m.of.(*nameOf)
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

// ended marks the end of an optional chain.
func (p *parser) ended(x expr, chain bool) expr {
	if chain {
		return &whole{x}
	}
	return x
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
	return &silent{}
}

func (p *parser) memberName() string {
	t := p.advance()
	if t.kind != nameToken {
		p.pos -= min(p.pos, map[bool]int{true: 0, false: 1}[t.kind == endToken])
		p.unexpected("expected the name of a member")
	}
	p.checkMember(t)
	return t.text
}

// index reads the key of a member in brackets.
func (p *parser) index() expr {
	at := p.peek().at
	x := p.expression()
	p.expect("]")
	if c, ok := x.(*constant); ok && c.v.kind == textKind && isInner(c.v.text) {
		p.fail(at, Refused, c.v.text, refusal(c.v.text))
	}
	return x
}

// arguments reads the arguments of a call.
func (p *parser) arguments() (list []expr) {
	p.expect("(")
	for !p.is(")") {
		list = append(list, p.argument())
		if !p.is(")") {
			p.expect(",")
		}
	}
	p.pos++
	return list
}

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
		return p.joined(p.advance())
	case macroToken:
		p.pos++
		return &macroValue{p.addMacro(t.text)}
	case patternToken:
		p.pos++
		flags, err := jsregex.ParseFlags(t.flags)
		if err == nil {
			var re *jsregex.Regexp
			if re, err = jsregex.Compile(t.text, flags); err == nil {
				return &constant{value{kind: patternKind, text: "/" + t.text + "/" + t.flags, ref: &pattern{re: re}}}
			}
		}
		p.syntax(t.at, "the pattern /"+t.text+"/"+t.flags+" is not valid: "+err.Error())
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
		if x := p.word(t); x != nil {
			return x
		}
		return p.name()
	case punctToken:
		switch t.text {
		case "(":
			p.pos++
			x := p.expression()
			p.expect(")")
			if l, ok := x.(*logical); ok { // parentheses allow the mix
				return &sequence{list: []expr{l}}
			}
			if u, ok := x.(*unary); ok {
				return &sequence{list: []expr{u}}
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

// word reads a word of the language that is a value, nil for any other name.
func (p *parser) word(t *token) expr {
	var v value
	switch t.text {
	case "true":
		v = boolean(true)
	case "false":
		v = boolean(false)
	case "null":
		v = null
	default:
		return nil
	}
	p.pos++
	return &constant{v}
}

// joined returns a text with its macros and values.
func (p *parser) joined(t token) expr {
	if len(t.parts) == 0 {
		return &constant{text("")}
	}
	if len(t.parts) == 1 && !t.parts[0].macro && t.parts[0].code == nil {
		return &constant{text(t.parts[0].text)}
	}
	j := &joined{}
	for _, part := range t.parts {
		switch {
		case part.macro:
			j.parts = append(j.parts, joinedPart{macro: p.addMacro(part.text)})
		case part.code != nil:
			outer, pos := p.tokens, p.pos
			p.tokens, p.pos = part.code, 0
			x := p.expression()
			if p.peek().kind != endToken {
				p.unexpected("expected }")
			}
			p.tokens, p.pos = outer, pos
			j.parts = append(j.parts, joinedPart{value: x})
		default:
			j.parts = append(j.parts, joinedPart{text: part.text})
		}
	}
	return j
}

func (p *parser) listLiteral() expr {
	p.expect("[")
	l := &listExpr{}
	for !p.is("]") {
		if p.is(",") {
			p.pos++
			l.items = append(l.items, &hole{})
			continue
		}
		l.items = append(l.items, p.argument())
		if !p.is("]") {
			p.expect(",")
		}
	}
	p.pos++
	return l
}

func (p *parser) objectLiteral() expr {
	p.expect("{")
	o := &objectExpr{}
	for !p.is("}") {
		o.members = append(o.members, p.objectMember())
		if !p.is("}") {
			p.expect(",")
		}
	}
	p.pos++
	return o
}

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
	case t.kind == nameToken && t.text == "async" && !p.is(",") && !p.is("}"):
		m.key, m.computed = p.memberKey()
		m.value = p.function()
	case t.kind == nameToken && (t.text == "get" || t.text == "set") && !p.is(",") && !p.is("}"):
		p.fail(t.at, Refused, "class", refusal("class"))
	case t.kind == nameToken:
		p.pos--
		m.value = p.name()
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
	case t.kind == nameToken && t.text != "async":
	case t.kind == punctToken && t.text == "(":
		for open := 1; open > 0; end++ {
			if end >= len(p.tokens) || end-p.pos > 200 {
				return false
			}
			if n := &p.tokens[end]; n.kind == punctToken {
				switch n.text {
				case "(":
					open++
				case ")":
					open--
				}
			}
		}
	default:
		return false
	}
	if end >= len(p.tokens) {
		return false
	}
	n := &p.tokens[end]
	return n.kind == punctToken && n.text == "=>" && !n.newline
}

func (p *parser) arrow() expr {
	p.deeper()
	a := &arrow{}
	p.open(true)
	if p.is("(") {
		p.parameters(a)
	} else {
		a.params = []param{{target: p.target("")}}
	}
	p.expect("=>")
	p.functionBody(a)
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

// function reads the parameters and the body of a function.
func (p *parser) function() *arrow {
	p.deeper()
	a := &arrow{}
	p.open(true)
	p.parameters(a)
	if !p.is("{") {
		p.expect("{")
	}
	p.functionBody(a)
	a.names = p.close()
	p.level--
	return a
}

// parameters reads a list of parameters in parentheses.
func (p *parser) parameters(a *arrow) {
	p.expect("(")
	for !p.is(")") {
		if p.skip("...") {
			a.rest = p.target("")
			break
		}
		one := param{target: p.target("")}
		if p.skip("=") {
			one.fallback = p.assignment()
		}
		a.params = append(a.params, one)
		if !p.is(")") {
			p.expect(",")
		}
	}
	p.expect(")")
}

// functionBody reads the block or the value of a function. Loops around it do not reach into it.
func (p *parser) functionBody(a *arrow) {
	loops, breaks, labels := p.loops, p.breaks, p.labels
	p.loops, p.breaks, p.labels = 0, 0, nil
	if p.is("{") {
		a.body = p.block()
	} else {
		a.value = p.assignment()
	}
	p.loops, p.breaks, p.labels = loops, breaks, labels
}

// newValue reads new with one of the types that are played.
func (p *parser) newValue() expr {
	at := p.advance().at
	t := p.peek()
	if t.kind != nameToken || !newNames[t.text] || p.isDeclared(t.text) {
		p.fail(at, Refused, "new", refusal("new"))
	}
	p.pos++
	c := &call{fn: &nameOf{t.text, t.at}, at: t.at}
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
		return &member{of: &nameOf{t.text, t.at}, name: p.memberName(), at: t.at}
	}
	p.fail(t.at, Refused, t.text, refusal(t.text))
	return nil
}

// newNames are the types that new makes.
var newNames = map[string]bool{"Set": true, "Map": true, "Date": true, "Array": true, "RegExp": true, "Error": true, "TypeError": true, "RangeError": true, "SyntaxError": true}

// firstConstant returns the first argument of a call, if it is a constant. It may be the path of a
// variable, which is then divided once.
func firstConstant(args []expr) (*constant, bool) {
	if len(args) == 0 {
		return nil, false
	}
	c, ok := args[0].(*constant)
	return c, ok
}

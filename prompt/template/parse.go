package template

import (
	"slices"
	"strconv"
	"strings"

	"github.com/talewright/talewright"
	"github.com/talewright/talewright/internal/utf8text"
)

// parser makes statements of tokens. Its errors are panics with an *Error.
type parser struct {
	src     *source
	tokens  []token
	pos     int
	level   int      // of nesting
	macros  []string // of the text, in their order
	lookups []*call  // calls that name entries
	names   nameUse
	scopes  []*declarations
	loops   int      // around the place, within the function
	breaks  int      // loops and switches around the place, which break may leave
	labels  []string // around the place
}

// nameUse lists the names that a text reads, in their order, and the names that it makes: by a
// declaration, an assignment, define or data for a different text. Names that the text can do without
// count as made: in typeof and in a try block.
type nameUse struct {
	reads    []string
	makes    map[string]bool
	computed bool // it makes names that its code does not spell
}

func (u *nameUse) make(name string) { put(&u.makes, name, true) }

// makeKeys makes the names of the members of an object.
func (u *nameUse) makeKeys(x expr) {
	object, ok := x.(*objectExpr)
	if !ok {
		u.computed = true
		return
	}
	for _, m := range object.members {
		u.computed = u.computed || m.computed != nil || m.key == ""
		u.make(m.key)
	}
}

// call makes the names that define and data of a call give to other texts.
func (u *nameUse) call(function string, args []expr) {
	switch function {
	case "define":
		if len(args) == 0 {
			return
		}
		if c, ok := args[0].(*constant); ok && c.v.kind == textKind {
			u.make(c.v.text)
		} else {
			u.computed = true
		}
	case "getwi", "getWorldInfo":
		for i, x := range args[min(1, len(args)):] {
			if _, isObject := x.(*objectExpr); isObject || i == 1 {
				u.makeKeys(x)
			}
		}
	case "evalTemplate":
		if len(args) > 1 {
			u.makeKeys(args[1])
		}
	}
}

// declarations are the names of a block that is being read.
type declarations struct {
	names    []declared
	function bool // of a function: a var within it is declared here
}

func (p *parser) fail(at int, c talewright.Code, name, text string) {
	panic(p.src.fail(at, c, name, text))
}

func (p *parser) syntax(at int, text string) { p.fail(at, codeSyntax, "", text) }

// deeper counts the nesting. The caller lowers level again.
func (p *parser) deeper() {
	if p.level++; p.level > maxNesting {
		p.fail(p.peek().at, Limit, "nesting", "the code is nested more than 64 levels deep: simplify it")
	}
}

func (p *parser) peek() *token { return &p.tokens[p.pos] }

// advance returns the next token and moves after it, but never beyond the end.
func (p *parser) advance() token {
	t := p.tokens[p.pos]
	if t.kind != endToken {
		p.pos++
	}
	return t
}

// is reports whether a sign is next.
func (p *parser) is(sign string) bool { return p.peek().is(sign) }

// isWord reports whether a word is next.
func (p *parser) isWord(word string) bool { return p.peek().isWord(word) }

// second returns the token after the next one.
func (p *parser) second() *token { return &p.tokens[min(p.pos+1, len(p.tokens)-1)] }

// skip advances over a sign or a word, if it is next.
func (p *parser) skip(text string) bool {
	if p.is(text) || p.isWord(text) {
		p.pos++
		return true
	}
	return false
}

// expect reads a sign, which must be next.
func (p *parser) expect(sign string) {
	if !p.skip(sign) {
		p.unexpected("expected " + sign)
	}
}

// elements reads elements with commas between them, up to a closing sign.
func (p *parser) elements(end string, element func()) {
	for !p.is(end) {
		element()
		if !p.is(end) {
			p.expect(",")
		}
	}
	p.pos++
}

// mustEnd refuses any sign but the given one.
func (p *parser) mustEnd(end string) {
	if !p.is(end) {
		p.unexpected("expected " + end)
	}
}

// unexpected refuses the next token.
func (p *parser) unexpected(want string) {
	t := p.peek()
	switch t.kind {
	case endToken:
		p.syntax(t.at, want+", but the text ends: close the block or the bracket")
	case literalToken:
		p.syntax(t.at, want+", but a text outside of the tags begins: end the statement in its tag")
	case printToken, printEndToken:
		p.syntax(t.at, want+" in a printing tag: write one value there")
	case nameToken:
		if why := refusal(t.text); why != "" {
			p.fail(t.at, Refused, t.text, why)
		}
		p.syntax(t.at, want+", found "+strconv.Quote(t.text)+": correct the code")
	case punctToken:
		p.syntax(t.at, want+", found "+strconv.Quote(t.text)+": correct the code")
	}
	p.syntax(t.at, want+", found a value: correct the code")
}

// semicolon ends a statement: a semicolon, or a place where the language adds one.
func (p *parser) semicolon() {
	t := p.peek()
	if p.skip(";") || t.kind == endToken || t.newline || t.is("}") {
		return
	}
	p.unexpected("expected the end of the statement")
}

// reserved are the words that no name may have.
var reserved = utf8text.WordSet(`
	break case catch class const continue debugger default delete do else enum export extends
	false finally for function if import in instanceof new null return super switch this
	throw true try typeof var void while with`)

// name reads a name that is declared or used. Some names are refused.
func (p *parser) name() *nameExpr {
	t := p.peek()
	if t.kind != nameToken {
		p.unexpected("expected a name")
	}
	if why := refusal(t.text); why != "" {
		p.fail(t.at, Refused, t.text, why)
	}
	if reserved[t.text] {
		p.unexpected("expected a name")
	}
	p.pos++
	return &nameExpr{t.text, t.at}
}

// readName reads a name that is used.
func (p *parser) readName() *nameExpr {
	n := p.name()
	p.names.reads = append(p.names.reads, n.name)
	return n
}

// open begins a block of names, close ends it and returns them.
func (p *parser) open(function bool) { p.scopes = append(p.scopes, &declarations{function: function}) }

func (p *parser) close() []declared {
	last := len(p.scopes) - 1
	names := p.scopes[last].names
	p.scopes = p.scopes[:last]
	return names
}

// declare adds a name to the present block. A var belongs to the function around the block, and no block
// between them may declare its name with let or const.
func (p *parser) declare(n *nameExpr, kind string) {
	p.names.make(n.name)
	d := declared{n.name, kind == "const", kind == "var" || kind == "function"}
	for i := len(p.scopes) - 1; ; i-- {
		s := p.scopes[i]
		known := slices.IndexFunc(s.names, func(o declared) bool { return o.name == n.name })
		if known >= 0 && !(d.variable && s.names[known].variable) {
			p.syntax(n.at, "the name "+n.name+" is declared twice: use it once, also in the other texts of the message")
		}
		if kind != "var" || s.function {
			if known < 0 {
				s.names = append(s.names, d)
			}
			return
		}
	}
}

// program reads the statements of a text.
func (p *parser) program() *blockStmt {
	p.open(true)
	b := &blockStmt{}
	for p.peek().kind != endToken {
		if s := p.statement(); s != nil {
			b.list = append(b.list, s)
		}
	}
	b.list, b.names = functionsFirst(b.list), p.close()
	return b
}

// addMacro notes a text with macros and returns its place, from 1.
func (p *parser) addMacro(text string) int {
	p.macros = append(p.macros, text)
	return len(p.macros)
}

// hasMacro reports whether a text may have macros. <user> and <char> are macros too.
func hasMacro(text string) bool { return strings.Contains(text, "{{") || strings.Contains(text, "<") }

// out returns the statement that prints a text. It is divided where the pieces of a unit begin.
func (p *parser) out(text string, at int) *literalStmt {
	st := &literalStmt{}
	for text != "" {
		size := len(text)
		if i := p.src.piece(at); i < len(p.src.starts) {
			size = min(size, p.src.starts[i]-at)
		}
		part := literalPart{text: text[:size], at: at}
		if hasMacro(part.text) {
			part.macro = p.addMacro(part.text)
		}
		st.parts = append(st.parts, part)
		text, at = text[size:], at+size
	}
	return st
}

// statement reads a statement; nil is an empty one.
func (p *parser) statement() stmt {
	t := p.peek()
	switch t.kind {
	case literalToken:
		p.pos++
		return p.out(t.text, t.at)
	case printToken:
		return p.print()
	case punctToken:
		switch t.text {
		case ";":
			p.pos++
			return nil
		case "{":
			return p.block()
		}
	case nameToken:
		if s, ok := p.keyword(t.text); ok {
			return s
		}
	}
	x := p.expression()
	p.semicolon()
	return &exprStmt{x}
}

// print reads the arguments of a printing tag.
func (p *parser) print() stmt {
	t := p.advance()
	s := &printStmt{all: t.all, at: t.at}
	for p.peek().kind != printEndToken {
		s.args = append(s.args, p.argument())
		if p.peek().kind != printEndToken {
			p.expect(",")
		}
	}
	p.pos++
	return s
}

// body reads a statement within a statement.
func (p *parser) body() stmt {
	p.deeper()
	defer func() { p.level-- }()
	if p.isWord("let") || p.isWord("const") {
		p.unexpected("expected a statement or a block")
	}
	return p.statement()
}

// block reads statements in braces.
func (p *parser) block() *blockStmt {
	p.deeper()
	p.expect("{")
	p.open(false)
	b := &blockStmt{list: functionsFirst(p.statements())}
	p.expect("}")
	b.names = p.close()
	p.level--
	return b
}

// statements reads up to a closing brace.
func (p *parser) statements() (list []stmt) {
	for !p.is("}") && p.peek().kind != endToken {
		if s := p.statement(); s != nil {
			list = append(list, s)
		}
	}
	return list
}

// keyword reads a statement that begins with a word of the language.
func (p *parser) keyword(word string) (s stmt, ok bool) {
	if p.isLabel() {
		return p.label(), true
	}
	switch next := p.second(); word {
	case "function":
		return p.functionStatement(), true
	case "async":
		if next.isWord("function") {
			p.pos++
			return p.functionStatement(), true
		}
	case "try":
		return p.tryStatement(), true
	case "throw":
		at := p.advance().at
		s = &throwStmt{p.expression(), at}
		p.semicolon()
		return s, true
	case "const", "var":
		return p.declarationStatement(), true
	case "let": // it may be the name of a variable
		if next.kind == nameToken || next.is("[") || next.is("{") {
			return p.declarationStatement(), true
		}
	case "if":
		return p.ifStatement(), true
	case "for":
		return p.forStatement(), true
	case "while":
		p.pos++
		test := p.parenthesized()
		return &whileStmt{test: test, body: p.loopBody()}, true
	case "do":
		return p.doStatement(), true
	case "switch":
		return p.switchStatement(), true
	case "break", "continue":
		at := p.advance().at
		return p.jump(word, at), true
	case "return":
		return p.returnStatement(), true
	}
	return nil, false
}

// parenthesized reads an expression in parentheses.
func (p *parser) parenthesized() expr {
	p.expect("(")
	x := p.expression()
	p.expect(")")
	return x
}

// declarationStatement reads const, let or var up to the end of the statement.
func (p *parser) declarationStatement() stmt {
	d := p.declaration()
	p.semicolon()
	return d
}

// doStatement reads do … while. No semicolon is needed after it.
func (p *parser) doStatement() stmt {
	p.pos++
	w := &whileStmt{late: true, body: p.loopBody()}
	if !p.skip("while") {
		p.unexpected("expected while")
	}
	w.test = p.parenthesized()
	p.skip(";")
	return w
}

// returnStatement reads return and its value. The value must begin on the same line.
func (p *parser) returnStatement() stmt {
	p.pos++
	r := &returnStmt{}
	if t := p.peek(); !t.newline && t.kind != endToken && !t.is(";") && !t.is("}") {
		r.x = p.expression()
	}
	p.semicolon()
	return r
}

// isLabel reports whether a label is next.
func (p *parser) isLabel() bool {
	t := p.peek()
	return t.kind == nameToken && !reserved[t.text] && p.second().is(":")
}

// label reads the labels before a statement, and the statement.
func (p *parser) label() stmt {
	outer := len(p.labels)
	l := &labeledStmt{}
	for p.isLabel() {
		n := p.name()
		if slices.Contains(p.labels, n.name) {
			p.syntax(n.at, "the label "+n.name+" is used twice: choose a different name")
		}
		l.labels = append(l.labels, n.name)
		p.labels = append(p.labels, n.name)
		p.pos++
	}
	l.body = p.body()
	p.labels = p.labels[:outer]
	return l
}

// jump reads the rest of break or continue.
func (p *parser) jump(word string, at int) stmt {
	j := &jumpStmt{signal: breaking}
	if word == "continue" {
		j.signal = continuing
	}
	if t := p.peek(); t.kind == nameToken && !t.newline && !reserved[t.text] {
		if j.label = p.name().name; !slices.Contains(p.labels, j.label) {
			p.syntax(t.at, "there is no label "+j.label+": name the loop")
		}
	} else if j.signal == continuing && p.loops == 0 || j.signal == breaking && p.breaks == 0 {
		p.syntax(at, word+" is not in a loop: take it out")
	}
	p.semicolon()
	return j
}

// ifStatement reads if with all its else if: a long chain does not nest.
func (p *parser) ifStatement() stmt {
	first := &ifStmt{}
	for s := first; ; {
		p.pos++
		s.test = p.parenthesized()
		s.yes = p.body()
		if !p.skip("else") {
			return first
		}
		if !p.isWord("if") {
			s.no = p.body()
			return first
		}
		next := &ifStmt{}
		s.no = next
		s = next
	}
}

// loopBody reads the body of a loop.
func (p *parser) loopBody() stmt {
	p.loops++
	p.breaks++
	s := p.body()
	p.loops--
	p.breaks--
	return s
}

// declaration reads const, let or var with its names.
func (p *parser) declaration() *declareStmt {
	d := &declareStmt{kind: p.advance().text}
	for {
		one := declaration{to: p.target(d.kind)}
		if p.skip("=") {
			one.from = named(p.assignment(), one.to)
		} else if _, named := one.to.(*nameExpr); !named || d.kind == "const" {
			p.unexpected("expected = and a value")
		}
		d.list = append(d.list, one)
		if !p.skip(",") {
			return d
		}
	}
}

// named gives a function without a name the name of the variable that it is stored in.
func named(x expr, to target) expr {
	a, isFunction := x.(*arrow)
	if n, ok := to.(*nameExpr); ok && isFunction && a.name == "" {
		a.name = n.name
	}
	return x
}

// target reads a name or a pattern; kind is the word of the declaration, "" for parameters.
func (p *parser) target(kind string) target {
	t := p.peek()
	if !p.is("[") && !p.is("{") {
		n := p.name()
		p.declare(n, kind)
		return n
	}
	p.deeper()
	defer func() { p.level-- }()
	p.pos++
	s := &destructuring{list: t.text == "["}
	end := "}"
	if s.list {
		end = "]"
	}
	p.elements(end, func() {
		if p.skip("...") {
			s.rest = p.target(kind)
			p.mustEnd(end)
		} else {
			s.members = append(s.members, p.destructuringMember(s.list, kind))
		}
	})
	return s
}

// destructuringMember reads an element or a member of a pattern in a declaration.
func (p *parser) destructuringMember(list bool, kind string) (m destructuringMember) {
	if list {
		if p.is(",") {
			return m
		}
		m.target = p.target(kind)
	} else {
		t := p.peek()
		m.key, m.computed = p.memberKey()
		if p.skip(":") {
			m.target = p.target(kind)
		} else {
			if t.kind != nameToken {
				p.unexpected("expected :")
			}
			p.pos--
			m.target = p.target(kind)
		}
	}
	if p.skip("=") {
		m.fallback = p.assignment()
	}
	return m
}

// memberKey reads the key of a member of an object.
func (p *parser) memberKey() (key string, computed expr) {
	t := p.peek()
	switch {
	case t.kind == nameToken:
		return p.memberName(), nil
	case t.kind == numberToken:
		p.pos++
		return numberText(t.num), nil
	case t.kind == stringToken:
		p.pos++
		x := p.textExpr(*t)
		c, isConstant := x.(*constant)
		if !isConstant {
			return "", x
		}
		p.checkInner(c.v.text, t.at)
		return c.v.text, nil
	case p.skip("["):
		computed = p.assignment()
		p.expect("]")
		return "", computed
	}
	p.unexpected("expected the name of a member")
	return "", nil
}

// checkInner refuses the names of members that reach the inside of values.
func (p *parser) checkInner(name string, at int) {
	if isInner(name) {
		p.fail(at, Refused, name, refusal(name))
	}
}

// forStatement reads a loop with for. The names of its head are in a scope around the body.
func (p *parser) forStatement() stmt {
	at := p.advance().at
	p.skip("await")
	p.expect("(")
	p.open(false)
	s := p.forHead(at)
	p.expect(")")
	body := p.loopBody()
	names := p.close()
	switch s := s.(type) {
	case *forStmt:
		s.body, s.names = body, names
	case *forEachStmt:
		s.body, s.names = body, names
	}
	return s
}

// forHead reads what is in the parentheses of for.
func (p *parser) forHead(at int) stmt {
	s := &forStmt{}
	switch {
	case p.is(";"):
	case p.isWord("const") || p.isWord("let") || p.isWord("var"):
		start := p.pos
		kind := p.advance().text
		names := len(p.scopes[len(p.scopes)-1].names)
		to := p.target(kind)
		if p.isWord("of") || p.isWord("in") {
			return p.forOver(&forEachStmt{kind: kind, to: to, at: at})
		}
		p.scopes[len(p.scopes)-1].names = p.scopes[len(p.scopes)-1].names[:names]
		p.pos = start // no loop over elements
		s.init = p.declaration()
	default:
		x := p.expressionNoIn()
		if n, ok := x.(*nameExpr); ok && (p.isWord("of") || p.isWord("in")) {
			return p.forOver(&forEachStmt{to: n, at: at})
		}
		s.init = &exprStmt{x}
	}
	p.expect(";")
	if !p.is(";") {
		s.test = p.expression()
	}
	p.expect(";")
	if !p.is(")") {
		s.step = p.expression()
	}
	return s
}

// forOver reads the rest of the head after the name of the elements.
func (p *parser) forOver(s *forEachStmt) stmt {
	s.of = p.advance().text == "of"
	if s.of {
		s.over = p.assignment()
	} else {
		s.over = p.expression()
	}
	return s
}

// switchStatement reads switch with its cases.
func (p *parser) switchStatement() stmt {
	p.deeper()
	p.pos++
	s := &switchStmt{on: p.parenthesized()}
	p.expect("{")
	p.open(false)
	p.breaks++
	other := false
	for !p.is("}") {
		c := switchCase{}
		switch {
		case p.skip("case"):
			c.test = p.expression()
		case p.isWord("default") && !other:
			p.pos++
			other = true
		default:
			p.unexpected("expected case or default")
		}
		p.expect(":")
		for !p.is("}") && !p.isWord("case") && !p.isWord("default") && p.peek().kind != endToken {
			if st := p.statement(); st != nil {
				c.list = append(c.list, st)
			}
		}
		s.cases = append(s.cases, c)
	}
	p.breaks--
	p.pos++
	s.names = p.close()
	p.level--
	return s
}

// functionsFirst puts the declarations of functions before the other statements: a block may call a
// function above its declaration.
func functionsFirst(list []stmt) []stmt {
	isFunction := func(s stmt) bool {
		d, ok := s.(*declareStmt)
		return ok && d.kind == "function"
	}
	if !slices.ContainsFunc(list, isFunction) {
		return list
	}
	var first, rest []stmt
	for _, s := range list {
		if isFunction(s) {
			first = append(first, s)
		} else {
			rest = append(rest, s)
		}
	}
	return append(first, rest...)
}

// functionStatement reads the declaration of a function.
func (p *parser) functionStatement() stmt {
	p.functionWord()
	n := p.name()
	kind := "var" // the function around a block knows its functions too
	for i := len(p.scopes) - 1; i >= 0; i-- {
		if slices.ContainsFunc(p.scopes[i].names, func(d declared) bool { return d.name == n.name && !d.variable }) {
			kind = "function"
		}
		if p.scopes[i].function {
			break
		}
	}
	p.declare(n, kind)
	return &declareStmt{kind: "function", list: []declaration{{to: n, from: named(p.function(), n)}}}
}

// functionWord reads the word function. Generators need an engine.
func (p *parser) functionWord() {
	if at := p.advance().at; p.is("*") {
		p.fail(at, Refused, "function*", refusal("function*"))
	}
}

// tryStatement reads try with catch or finally.
func (p *parser) tryStatement() stmt {
	p.pos++
	before := len(p.names.reads)
	t := &tryStmt{body: p.block()}
	p.names.reads = p.names.reads[:before] // the block may fail
	if p.skip("catch") {
		p.open(false)
		if p.skip("(") {
			t.caught = p.target("let")
			p.expect(")")
		}
		t.catch = p.block()
		t.names = p.close()
	}
	if p.skip("finally") {
		t.finally = p.block()
	} else if t.catch == nil {
		p.unexpected("expected catch or finally")
	}
	return t
}

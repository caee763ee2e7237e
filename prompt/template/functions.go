package template

import (
	"slices"
)

// This file has functions of the texts, and the errors that texts throw and catch.

// functionsFirst puts the declarations of functions before the other statements: a block may call a
// function above its declaration.
func functionsFirst(list []stmt) []stmt {
	isFunction := func(s stmt) bool {
		d, ok := s.(*declare)
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
	p.declare(n, "function")
	return &declare{kind: "function", list: []declaration{{to: n, from: p.function()}}}
}

// functionWord reads the word function. Generators need an engine.
func (p *parser) functionWord() {
	if at := p.advance().at; p.is("*") {
		p.fail(at, Refused, "function*", refusal("function*"))
	}
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
	a.self = self
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

// newNames are the types that new makes.
var newNames = map[string]bool{"Set": true, "Map": true, "RegExp": true, "Error": true, "TypeError": true, "RangeError": true, "SyntaxError": true}

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
	return c
}

// promise reads Promise.all and Promise.resolve, whose results are there at once.
func (p *parser) promise() expr {
	t := p.advance()
	if p.skip(".") && (p.isWord("all") || p.isWord("resolve")) {
		return &member{of: &nameOf{t.text, t.at}, name: p.memberName(), at: t.at}
	}
	p.fail(t.at, Refused, t.text, refusal(t.text))
	return nil
}

// tryStatement reads try with catch or finally.
func (p *parser) tryStatement() stmt {
	p.pos++
	t := &tryStmt{body: p.block()}
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

// execTry runs a statement try.
func (f *frame) execTry(st *tryStmt, outer *scope) (e ending, v value) {
	e, v, failed := f.attempt(st.body, outer)
	if failed != nil && st.catch != nil {
		s := f.newScope(outer, st.names)
		if st.caught != nil {
			f.initialize(st.caught, f.caughtValue(failed), s)
		}
		if st.finally == nil {
			return f.runBlock(st.catch, s)
		}
		e, v, failed = f.attempt(st.catch, s)
	}
	if st.finally != nil {
		if last, result := f.runBlock(st.finally, outer); last.signal != normal {
			return last, result
		}
	}
	if failed != nil {
		panic(failed)
	}
	return e, v
}

// attempt runs a block and returns its error. Limits and refusals end the text.
func (f *frame) attempt(b *block, s *scope) (e ending, v value, failed *Error) {
	build := f.build
	depth, calls, level := build.depth, build.calls, build.level
	defer func() {
		r := recover()
		if r == nil {
			return
		}
		err, ours := r.(*Error)
		if !ours || err.Code == Limit && err.Name != "depth" || err.Code == Refused {
			panic(r)
		}
		build.depth, build.calls, build.level = depth, calls, level
		failed = err
	}()
	f.step()
	f.enter()
	e, v = f.runBlock(b, s)
	build.level--
	return e, v, nil
}

// errorNames are the names of errors of the language.
var errorNames = map[string]string{string(codeReference): "ReferenceError", string(codeWrongType): "TypeError",
	string(codeOutOfRange): "RangeError", string(codeSyntax): "SyntaxError"}

// caughtValue returns the value of an error for catch.
func (f *frame) caughtValue(err *Error) value {
	if err.thrown != nil {
		return *err.thrown
	}
	name := errorNames[string(err.Code)]
	if name == "" {
		name = "Error"
	}
	return f.newError(name, text(clean(err.Text)))
}

// newError makes an error. Its text is its name and its message.
func (f *frame) newError(name string, message value) value {
	f.keepItems(2)
	o := &object{isError: true}
	o.put("name", text(name))
	o.put("message", message)
	return objectOf(o)
}

// objectText is the text of an object.
func (f *frame) objectText(o *object) string {
	if !o.isError {
		return "[object Object]"
	}
	name, _ := o.get(f, "name")
	message, _ := o.get(f, "message")
	if name.kind != textKind || message.kind != textKind {
		return "Error"
	}
	f.work(len(name.text) + len(message.text))
	if message.text == "" {
		return name.text
	}
	return name.text + ": " + message.text
}

// throw ends the text, or the next try around the statement.
func (f *frame) throw(v value, at int) {
	f.at = at
	err := f.src.fail(at, codeThrown, "", "the text throws "+quote(f.text(v))+": correct it, or catch the error")
	if _, e := f.source(); e != nil {
		err.Entry = e.Comment
	}
	err.thrown = &v
	panic(err)
}

// deleteMember removes a member of an object, or empties an element of a list.
func (f *frame) deleteMember(x *unary, s *scope) value {
	m := x.x.(*member)
	of, nothing := f.chain(m.of, s)
	if nothing || m.optional && of.isNullish() {
		return boolean(true)
	}
	key := text(m.name)
	if m.key != nil {
		key = f.eval(m.key, s)
	}
	f.at = x.at
	switch of.kind {
	case undefinedKind, nullKind:
		f.memberOf(of, key)
	case listKind:
		if n, ok := indexOf(key, f); ok && n < len(of.ref.(*list).elements(f)) {
			of.ref.(*list).items[n] = value{}
		}
	case objectKind:
		o := of.ref.(*object)
		o.load(f)
		f.work(len(o.keys) * 8)
		if i := o.find(f.text(key)); i >= 0 {
			o.keys, o.vals, o.index = slices.Delete(o.keys, i, i+1), slices.Delete(o.vals, i, i+1), nil
			if len(o.keys) > 8 {
				o.index = make(map[string]int, len(o.keys))
				for i, k := range o.keys {
					o.index[k] = i
				}
			}
		}
	}
	return boolean(true)
}

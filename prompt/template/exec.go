package template

import (
	"slices"
)

// ending is the signal of a statement, with the label of a jump.
type ending struct {
	signal signal
	label  string
}

// exec runs a statement. v is the value of a return.
func (f *frame) exec(st stmt, s *scope) (e ending, v value) {
	f.step()
	switch st := st.(type) {
	case *outStmt:
		for i := range st.parts {
			part := &st.parts[i]
			if f.at = part.at; part.macro > 0 {
				f.write(f.macros[part.macro-1])
			} else {
				f.write(part.text)
			}
		}
	case *exprStmt:
		f.eval(st.x, s)
	case *printStmt:
		f.print(st, s)
	case *declare:
		for _, d := range st.list {
			var v value
			if d.from != nil {
				v = f.eval(d.from, s)
			} else if st.kind == "var" {
				continue
			}
			f.initialize(d.to, v, s)
		}
	case *ifStmt:
		for {
			if f.eval(st.test, s).truth() {
				return f.run(st.yes, s)
			}
			next, ok := st.no.(*ifStmt)
			if !ok {
				return f.run(st.no, s)
			}
			st = next
		}
	case *block:
		return f.runBlock(st, s)
	case *forStmt:
		return f.execFor(st, s, nil)
	case *forEach:
		return f.execEach(st, s, nil)
	case *whileStmt:
		return f.execWhile(st, s, nil)
	case *switchStmt:
		return f.execSwitch(st, s)
	case *jump:
		return ending{st.signal, st.label}, v
	case *returnStmt:
		if st.x != nil {
			v = f.eval(st.x, s)
		}
		return ending{signal: returning}, v
	case *labeled:
		return f.execLabeled(st, s)
	case *tryStmt:
		return f.execTry(st, s)
	case *throwStmt:
		f.throw(f.eval(st.x, s), st.at)
	}
	return e, v
}

// run runs a statement that may be empty.
func (f *frame) run(st stmt, s *scope) (ending, value) {
	if st == nil {
		return ending{}, value{}
	}
	return f.exec(st, s)
}

func (f *frame) runBlock(b *block, outer *scope) (e ending, v value) {
	s := f.newScope(outer, b.names)
	return f.runList(b.list, s)
}

func (f *frame) runList(list []stmt, s *scope) (e ending, v value) {
	for _, st := range list {
		if e, v = f.exec(st, s); e.signal != normal {
			return e, v
		}
	}
	return e, v
}

// print prints the first argument of a tag, or all.
func (f *frame) print(st *printStmt, s *scope) {
	if len(st.args) == 1 {
		if _, spreads := st.args[0].(*spread); !spreads {
			v := f.eval(st.args[0], s)
			f.keepItems(1)
			f.at = st.at
			f.printValue(v)
			return
		}
	}
	args := f.evalList(st.args, s)
	f.at = st.at
	for i, v := range args {
		if i == 0 || st.all {
			f.printValue(v)
		}
	}
}

// printValue prints a value; undefined and null print nothing.
func (f *frame) printValue(v value) {
	if !v.isNullish() {
		f.write(f.text(v))
	}
}

// after decides what a loop does when its body has ended: leave reports whether the loop ends, e is
// then its ending.
func after(e ending, labels []string) (leave bool, out ending) {
	own := e.label == "" || slices.Contains(labels, e.label)
	switch {
	case e.signal == normal || e.signal == continuing && own:
		return false, ending{}
	case e.signal == breaking && own:
		return true, ending{}
	}
	return true, e
}

func (f *frame) execFor(st *forStmt, outer *scope, labels []string) (e ending, v value) {
	s := f.newScope(outer, st.names)
	if st.init != nil {
		f.exec(st.init, s)
	}
	for {
		f.step()
		if st.test != nil && !f.eval(st.test, s).truth() {
			return ending{}, value{}
		}
		e, v = f.run(st.body, s)
		if leave, out := after(e, labels); leave {
			return out, v
		}
		if s != outer { // each round has its own names
			f.keepNames(len(s.names))
			s = &scope{outer: outer, names: slices.Clone(s.names)}
		}
		if st.step != nil {
			f.eval(st.step, s)
		}
	}
}

func (f *frame) execEach(st *forEach, outer *scope, labels []string) (e ending, v value) {
	over := f.eval(st.over, outer)
	f.at = st.at
	if !st.of {
		over = listOf(f.keysOf(over)...)
	}
	f.iterate(over, func(item value) bool {
		s := f.newScope(outer, st.names)
		if n, ok := st.to.(*nameOf); ok && st.kind == "" {
			f.assignName(n, item, s)
		} else {
			f.initialize(st.to, item, s)
		}
		var leave bool
		e, v = f.run(st.body, s)
		leave, e = after(e, labels)
		return !leave
	})
	return e, v
}

func (f *frame) execWhile(st *whileStmt, s *scope, labels []string) (e ending, v value) {
	for first := st.late; ; first = false {
		f.step()
		if !first && !f.eval(st.test, s).truth() {
			return ending{}, value{}
		}
		e, v = f.run(st.body, s)
		if leave, out := after(e, labels); leave {
			return out, v
		}
	}
}

func (f *frame) execSwitch(st *switchStmt, outer *scope) (e ending, v value) {
	on := f.eval(st.on, outer)
	s := f.newScope(outer, st.names)
	start := -1
	for i, c := range st.cases {
		if c.test != nil && f.same(on, f.eval(c.test, s)) {
			start = i
			break
		}
	}
	if start < 0 {
		start = slices.IndexFunc(st.cases, func(c caseOf) bool { return c.test == nil })
	}
	if start < 0 {
		return e, v
	}
	for _, c := range st.cases[start:] {
		if e, v = f.runList(c.list, s); e.signal != normal {
			break
		}
	}
	if e.signal == breaking && e.label == "" {
		e = ending{}
	}
	return e, v
}

func (f *frame) execLabeled(st *labeled, s *scope) (e ending, v value) {
	switch body := st.body.(type) {
	case *forStmt:
		e, v = f.execFor(body, s, st.labels)
	case *forEach:
		e, v = f.execEach(body, s, st.labels)
	case *whileStmt:
		e, v = f.execWhile(body, s, st.labels)
	default:
		e, v = f.run(st.body, s)
	}
	if e.signal == breaking && slices.Contains(st.labels, e.label) {
		e = ending{}
	}
	return e, v
}

// keysOf returns the keys of an object, a list or a text.
func (f *frame) keysOf(v value) (keys []value) {
	n := 0
	switch v.kind {
	case objectKind:
		o := v.ref.(*object)
		for _, i := range o.order(f) {
			keys = append(keys, text(o.keys[i]))
		}
	case listKind:
		n = len(v.ref.(*list).elements(f))
	case textKind:
		n = length(v.text)
	}
	for i := range n {
		f.step()
		keys = append(keys, text(numberText(float64(i))))
	}
	f.keepItems(len(keys))
	return keys
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
	depth, calls, level, args := build.depth, build.calls, build.level, len(build.args)
	defer func() {
		r := recover()
		if r == nil {
			return
		}
		err, ours := r.(*Error)
		if !ours || err.Code == Limit && err.Name != "depth" || err.Code == Refused {
			panic(r)
		}
		build.depth, build.calls, build.level, build.args = depth, calls, level, build.args[:args]
		failed = err
	}()
	f.step()
	f.enter()
	e, v = f.runBlock(b, s)
	build.level--
	return e, v, nil
}

// throw ends the text, or the next try around the statement.
func (f *frame) throw(v value, at int) {
	f.at = at
	err := f.src.fail(at, codeThrown, "", "the text throws "+quote(f.text(v))+": correct it, or catch the error")
	if _, e := f.source(); e != nil {
		err.Entry = e.Comment
	}
	err.thrown = v
	panic(err)
}

// caughtValue returns the value of an error for catch.
func (f *frame) caughtValue(err *Error) value {
	if v, ok := err.thrown.(value); ok {
		return v
	}
	name := errorNames[string(err.Code)]
	if name == "" {
		name = "Error"
	}
	return f.newError(name, text(clean(err.Text)))
}

// errorNames are the names of errors of the language.
var errorNames = map[string]string{string(codeReference): "ReferenceError", string(codeWrongType): "TypeError",
	string(codeOutOfRange): "RangeError", string(codeSyntax): "SyntaxError"}

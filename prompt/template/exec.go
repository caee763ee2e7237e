package template

import (
	"cmp"
	"slices"

	"github.com/talewright/talewright"
)

// ending says how a statement ended.
type ending struct {
	signal signal
	label  string // of a jump
	value  value  // of a return
}

// exec runs a statement.
func (f *frame) exec(st stmt, s *scope) ending {
	if st == nil {
		return ending{}
	}
	f.step()
	switch st := st.(type) {
	case *literalStmt:
		for i := range st.parts {
			part := &st.parts[i]
			if f.at = part.at; part.macro > 0 {
				f.write(f.macroResults[part.macro-1])
			} else {
				f.write(part.text)
			}
		}
	case *exprStmt:
		f.eval(st.x, s)
	case *printStmt:
		f.execPrint(st, s)
	case *declareStmt:
		for _, d := range st.list {
			var v value
			if d.from != nil {
				v = f.eval(d.from, s)
			} else if st.kind == "var" { // the name may have a value already
				continue
			}
			f.initialize(d.to, v, s)
		}
	case *ifStmt:
		for { // a long chain of else if does not nest
			if f.eval(st.test, s).isTrue() {
				return f.exec(st.yes, s)
			}
			next, ok := st.no.(*ifStmt)
			if !ok {
				return f.exec(st.no, s)
			}
			st = next
		}
	case *blockStmt:
		return f.execBlock(st, s)
	case *forStmt:
		return f.execFor(st, s, nil)
	case *forEachStmt:
		return f.execForEach(st, s, nil)
	case *whileStmt:
		return f.execWhile(st, s, nil)
	case *switchStmt:
		return f.execSwitch(st, s)
	case *jumpStmt:
		return ending{signal: st.signal, label: st.label}
	case *returnStmt:
		e := ending{signal: returning}
		if st.x != nil {
			e.value = f.eval(st.x, s)
		}
		return e
	case *labeledStmt:
		return f.execLabeled(st, s)
	case *tryStmt:
		return f.execTry(st, s)
	case *throwStmt:
		f.throw(f.eval(st.x, s), st.at)
	}
	return ending{}
}

func (f *frame) execBlock(b *blockStmt, outer *scope) ending {
	return f.execList(b.list, f.newScope(outer, b.names))
}

func (f *frame) execList(list []stmt, s *scope) ending {
	for _, st := range list {
		if e := f.exec(st, s); e.signal != normal {
			return e
		}
	}
	return ending{}
}

// execPrint prints the first value of a tag, or all.
func (f *frame) execPrint(st *printStmt, s *scope) {
	if len(st.args) == 1 { // without a list of values
		if _, spreads := st.args[0].(*spread); !spreads {
			v := f.eval(st.args[0], s)
			f.chargeItems(1)
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
		f.write(f.toText(v))
	}
}

// leavesLoop reports whether a loop ends after its body has ended so. The result out is then the ending of
// the loop.
func leavesLoop(body ending, labels []string) (leaves bool, out ending) {
	isOwn := body.label == "" || slices.Contains(labels, body.label)
	switch {
	case body.signal == normal || body.signal == continuing && isOwn:
		return false, ending{}
	case body.signal == breaking && isOwn:
		return true, ending{}
	}
	return true, body
}

// execFor runs a loop. labels are the labels before it.
func (f *frame) execFor(st *forStmt, outer *scope, labels []string) ending {
	s := f.newScope(outer, st.names)
	f.exec(st.init, s)
	for {
		f.step()
		if st.test != nil && !f.eval(st.test, s).isTrue() {
			return ending{}
		}
		if leaves, out := leavesLoop(f.exec(st.body, s), labels); leaves {
			return out
		}
		if s != outer { // each round has its own names
			f.chargeNames(len(s.names))
			s = &scope{outer: outer, names: slices.Clone(s.names)}
		}
		if st.step != nil {
			f.eval(st.step, s)
		}
	}
}

func (f *frame) execForEach(st *forEachStmt, outer *scope, labels []string) (out ending) {
	over := f.eval(st.over, outer)
	f.at = st.at
	if !st.of {
		over = listOf(f.keysOf(over)...)
	}
	f.iterate(over, func(item value) bool {
		s := f.newScope(outer, st.names)
		if n, ok := st.to.(*nameExpr); ok && st.kind == "" {
			f.assignName(n, item, s)
		} else {
			f.initialize(st.to, item, s)
		}
		var leaves bool
		leaves, out = leavesLoop(f.exec(st.body, s), labels)
		return !leaves
	})
	return out
}

func (f *frame) execWhile(st *whileStmt, s *scope, labels []string) ending {
	for skipsTest := st.late; ; skipsTest = false {
		f.step()
		if !skipsTest && !f.eval(st.test, s).isTrue() {
			return ending{}
		}
		if leaves, out := leavesLoop(f.exec(st.body, s), labels); leaves {
			return out
		}
	}
}

func (f *frame) execSwitch(st *switchStmt, outer *scope) ending {
	on := f.eval(st.on, outer)
	s := f.newScope(outer, st.names)
	start := slices.IndexFunc(st.cases, func(c switchCase) bool {
		return c.test != nil && f.strictlyEqual(on, f.eval(c.test, s))
	})
	if start < 0 {
		start = slices.IndexFunc(st.cases, func(c switchCase) bool { return c.test == nil })
	}
	if start < 0 {
		return ending{}
	}
	for _, c := range st.cases[start:] {
		switch e := f.execList(c.list, s); {
		case e.signal == breaking && e.label == "":
			return ending{}
		case e.signal != normal:
			return e
		}
	}
	return ending{}
}

func (f *frame) execLabeled(st *labeledStmt, s *scope) (e ending) {
	switch body := st.body.(type) {
	case *forStmt:
		e = f.execFor(body, s, st.labels)
	case *forEachStmt:
		e = f.execForEach(body, s, st.labels)
	case *whileStmt:
		e = f.execWhile(body, s, st.labels)
	default:
		e = f.exec(st.body, s)
	}
	if e.signal == breaking && slices.Contains(st.labels, e.label) {
		return ending{}
	}
	return e
}

// execTry runs a statement try.
func (f *frame) execTry(st *tryStmt, outer *scope) ending {
	e, failed := f.execProtected(st.body, outer)
	if failed != nil && st.catch != nil {
		s := f.newScope(outer, st.names)
		if st.caught != nil {
			f.initialize(st.caught, f.caughtValue(failed), s)
		}
		if st.finally == nil {
			return f.execBlock(st.catch, s)
		}
		e, failed = f.execProtected(st.catch, s)
	}
	if st.finally != nil {
		if last := f.execBlock(st.finally, outer); last.signal != normal {
			return last
		}
	}
	if failed != nil {
		panic(failed)
	}
	return e
}

// execProtected runs a block and returns its error. Limits and refusals are not caught: they end the text.
// Only the limit of nested calls is like an error of the language.
func (f *frame) execProtected(block *blockStmt, s *scope) (e ending, failed *Error) {
	b := f.build
	depth, calls, level, args := b.depth, b.calls, b.level, len(b.args)
	defer func() {
		err := errorOf(recover())
		if err == nil {
			return
		}
		if err.Code == Limit && err.Name != "depth" || err.Code == Refused {
			panic(err)
		}
		b.depth, b.calls, b.level, b.args = depth, calls, level, b.args[:args]
		failed = err
	}()
	f.step()
	f.enterLevel()
	e = f.execBlock(block, s)
	b.level--
	return e, nil
}

// throw ends the text, or the next try around the statement.
func (f *frame) throw(v value, at int) {
	f.at = at
	err := f.src.fail(at, codeThrown, "", "the text throws "+quote(f.toText(v))+": correct it, or catch the error")
	if _, e := f.currentEntry(); e != nil {
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
	return f.newError(cmp.Or(errorNames[err.Code], "Error"), text(clean(err.Text)))
}

// errorNames are the names of errors of the language.
var errorNames = map[talewright.Code]string{
	codeReference: "ReferenceError", codeWrongType: "TypeError", codeOutOfRange: "RangeError", codeSyntax: "SyntaxError",
}

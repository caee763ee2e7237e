package template

import (
	"slices"
	"strconv"
	"strings"

	"github.com/talewright/talewright/memvars/tree"
)

// eval returns the value of an expression.
func (f *frame) eval(x expr, s *scope) value {
	f.step()
	f.enterLevel()
	v := f.evaluate(x, s)
	f.build.level--
	return v
}

// evaluate is eval without its limits.
func (f *frame) evaluate(x expr, s *scope) value {
	switch x := x.(type) {
	case *constant:
		if x.v.kind == patternKind && hasFlag(x.v, "gy") { // each time a new pattern, whose search begins at 0
			return value{kind: patternKind, text: x.v.text, ref: &pattern{re: x.v.ref.(*pattern).re}}
		}
		return x.v
	case *nameExpr:
		return f.evalName(x, s)
	case *textExpr:
		return f.evalTextExpr(x, s)
	case *macroValue:
		return f.macroValue(f.macroResults[x.macro-1])
	case *listExpr:
		return listOf(f.evalList(x.items, s)...)
	case *objectExpr:
		return f.evalObject(x, s)
	case *arrow:
		return value{kind: functionKind, ref: &function{arrow: x, scope: s, owner: f}}
	case *unary:
		return f.evalUnary(x, s)
	case *update:
		old := f.toNumber(f.eval(x.to, s))
		f.assign(x.to, number(old+x.by), s, x.at)
		if x.prefix {
			return number(old + x.by)
		}
		return number(old)
	case *binary:
		l := f.eval(x.l, s)
		r := f.eval(x.r, s)
		f.at = x.at
		return x.op.apply(f, l, r)
	case *logical:
		l := f.eval(x.l, s)
		if decides(x.op, l) {
			return l
		}
		return f.eval(x.r, s)
	case *conditional:
		if f.eval(x.test, s).isTrue() {
			return f.eval(x.yes, s)
		}
		return f.eval(x.no, s)
	case *assign:
		return f.evalAssign(x, s)
	case *sequence:
		var v value
		for _, e := range x.list {
			v = f.eval(e, s)
		}
		return v
	case *member, *call:
		v, _ := f.evalChain(x, s)
		return v
	case *chainEnd:
		v, _ := f.evalChain(x.x, s)
		return v
	}
	return value{} // consoleExpr, missingElement
}

// decides reports whether the left side is the result.
func decides(op string, l value) bool {
	switch op {
	case "&&":
		return !l.isTrue()
	case "||":
		return l.isTrue()
	}
	return !l.isNullish()
}

// evalName returns the value of a name.
func (f *frame) evalName(n *nameExpr, s *scope) value {
	if found := f.slot(s, n.name); found != nil {
		if !found.ready {
			f.at = n.at
			f.fail(codeReference, "", n.name+" is used before its declaration: move the declaration up")
		}
		return found.v
	}
	f.at = n.at
	v, ok := f.globalName(n.name)
	if !ok {
		f.fail(codeReference, "", "there is no name "+strconv.Quote(n.name)+": declare it, or correct it")
	}
	return v
}

// evalTextExpr returns a text with its macros and values.
func (f *frame) evalTextExpr(x *textExpr, s *scope) value {
	var b strings.Builder
	for _, part := range x.parts {
		switch {
		case part.macro > 0:
			b.WriteString(f.macroResults[part.macro-1])
		case part.value != nil:
			b.WriteString(f.toText(f.eval(part.value, s)))
		default:
			b.WriteString(part.text)
		}
		f.checkSize(b.Len())
	}
	return f.newText(b.String())
}

// macroValue returns the result of a macro in code: a number, true, false, null, or a text.
func (f *frame) macroValue(result string) value {
	f.chargeBytes(len(result))
	switch trimmed := strings.TrimSpace(result); trimmed {
	case "true", "false":
		return boolean(trimmed == "true")
	case "null":
		return null
	case "":
	default:
		if v, err := tree.ParseValue([]byte(trimmed)); err == nil && v.Kind() == tree.KindNumber {
			return fromTree(v)
		}
	}
	return text(result)
}

// evalList returns the values of elements or arguments.
func (f *frame) evalList(items []expr, s *scope) []value {
	stacked := f.pushValues(items, s)
	out := slices.Clone(stacked)
	f.releaseArguments(stacked)
	return out
}

// iterate calls visit for each element of a list or each character of a text.
func (f *frame) iterate(v value, visit func(value) bool) {
	switch v.kind {
	case listKind:
		l := v.ref.(*list)
		for i := 0; i < len(l.elements(f)); i++ {
			f.step()
			if !visit(l.items[i]) {
				return
			}
		}
	case textKind:
		for rest := v.text; rest != ""; {
			f.step()
			_, size := char(rest)
			if !visit(text(rest[:size])) {
				return
			}
			rest = rest[size:]
		}
	case collectionKind:
		v.ref.(*collection).each(f, func(key, v value) bool { return visit(v) })
	case wrappedKind:
		f.iterate(v.ref.(*wrapped).v, visit)
	default:
		f.fail(codeWrongType, "", "a value of the type "+v.typeName()+" has no elements: use a list or a text")
	}
}

// evalObject makes an object. Members that reach the inside of values are refused.
func (f *frame) evalObject(x *objectExpr, s *scope) value {
	o := &object{}
	f.chargeItems(len(x.members))
	for _, m := range x.members {
		key := m.key
		if m.computed != nil {
			key = f.toText(f.eval(m.computed, s))
		}
		if sp, ok := m.value.(*spread); ok {
			f.spreadInto(o, f.eval(sp.list, s))
			continue
		}
		if m.computed != nil && isInner(key) {
			f.refuse(key)
		}
		o.put(key, f.eval(m.value, s))
	}
	return objectOf(o)
}

// spreadInto copies the members of a value.
func (f *frame) spreadInto(o *object, v value) {
	switch v.kind {
	case objectKind:
		from := v.ref.(*object)
		for _, i := range from.order(f) {
			f.chargeItems(1)
			o.put(from.keys[i], from.vals[i])
		}
	case listKind, textKind:
		i := 0
		f.iterate(v, func(e value) bool {
			f.chargeItems(1)
			o.put(strconv.Itoa(i), e)
			i++
			return true
		})
	}
}

// evalUnary applies an operator before a value. typeof of an unknown name is "undefined".
func (f *frame) evalUnary(x *unary, s *scope) value {
	if n, ok := x.x.(*nameExpr); ok && x.op == "typeof" {
		if found := f.slot(s, n.name); found == nil {
			v, _ := f.globalName(n.name)
			return text(v.typeName())
		}
	}
	if x.op == "delete" {
		return f.deleteMember(x, s)
	}
	v := f.eval(x.x, s)
	f.at = x.at
	switch x.op {
	case "!":
		return boolean(!v.isTrue())
	case "-":
		return number(-f.toNumber(v))
	case "+":
		return number(f.toNumber(v))
	case "~":
		return number(float64(^toInt32(f.toNumber(v))))
	case "typeof":
		return text(v.typeName())
	}
	return value{} // void
}

// evalAssign returns the assigned value. A part of an assignment such as ??= may decide that it is not
// made.
func (f *frame) evalAssign(x *assign, s *scope) value {
	var v value
	if x.op == "" {
		v = f.eval(x.from, s)
	} else {
		old := f.eval(x.to, s)
		op, _ := operatorOf(x.op)
		if op.apply == nil && decides(x.op, old) {
			return old
		}
		v = f.eval(x.from, s)
		if op.apply != nil {
			f.at = x.at
			v = op.apply(f, old, v)
		}
	}
	f.assign(x.to, v, s, x.at)
	return v
}

// assign stores a value in a name or a member.
func (f *frame) assign(to expr, v value, s *scope, at int) {
	switch to := to.(type) {
	case *nameExpr:
		f.assignName(to, v, s)
	case *member:
		of := f.eval(to.of, s)
		key := f.keyOfMember(to, s)
		f.at = at
		f.setMember(of, key, v)
	case *destructuring:
		f.destructure(to, v, s)
	}
}

// assignName stores a value in a name. A name without a declaration becomes one for the rest of the build.
func (f *frame) assignName(to *nameExpr, v value, s *scope) {
	found := f.slot(s, to.name)
	if found == nil {
		if _, ok := f.names[to.name]; ok {
			f.names[to.name] = v
			return
		}
		f.build.define(to.name, v)
		f.chargeItems(1)
		return
	}
	f.at = to.at
	if !found.ready {
		f.fail(codeReference, "", to.name+" is used before its declaration: move the declaration up")
	}
	if found.constant {
		f.fail(codeWrongType, "", to.name+" is a constant: declare it with let")
	}
	found.v = v
}

// initialize stores the value of a declaration.
func (f *frame) initialize(to target, v value, s *scope) {
	switch to := to.(type) {
	case *nameExpr:
		if found := f.slot(s, to.name); found != nil {
			found.v, found.ready = v, true
		}
	case *destructuring:
		f.destructure(to, v, s)
	}
}

// destructure takes a value apart.
func (f *frame) destructure(to *destructuring, v value, s *scope) {
	switch {
	case to.list:
		f.destructureList(to, v, s)
	case v.isNullish():
		f.fail(codeWrongType, "", "a pattern cannot take "+v.typeName()+" apart: give it an object")
	default:
		f.destructureObject(to, v, s)
	}
}

// destructureList assigns the elements of a value. Without a rest only as many elements are read as are
// assigned.
func (f *frame) destructureList(to *destructuring, v value, s *scope) {
	var items []value
	f.iterate(v, func(e value) bool {
		items = append(items, e)
		return to.rest != nil || len(items) < len(to.members)
	})
	for i, m := range to.members {
		f.destructureMember(to, m, arg(items, i), s)
	}
	if to.rest != nil {
		rest := items[min(len(to.members), len(items)):]
		f.chargeItems(len(rest))
		f.assignPart(to, to.rest, listOf(rest...), s)
	}
}

// destructureObject assigns the members of a value. The rest has the members that are not named.
func (f *frame) destructureObject(to *destructuring, v value, s *scope) {
	isNamed := map[string]bool{}
	for _, m := range to.members {
		key := m.key
		if m.computed != nil {
			key = f.toText(f.eval(m.computed, s))
		}
		isNamed[key] = true
		f.destructureMember(to, m, f.memberOf(v, text(key)), s)
	}
	if to.rest == nil {
		return
	}
	all, rest := &object{}, &object{}
	f.spreadInto(all, v)
	for i, key := range all.keys {
		if !isNamed[key] {
			rest.put(key, all.vals[i])
		}
	}
	f.assignPart(to, to.rest, objectOf(rest), s)
}

// assignPart gives a part of a pattern its value.
func (f *frame) assignPart(of *destructuring, to target, v value, s *scope) {
	if of.assigns {
		f.assign(to, v, s, f.at)
		return
	}
	f.initialize(to, v, s)
}

// destructureMember assigns the part of a value that belongs to a member of a pattern.
func (f *frame) destructureMember(of *destructuring, m destructuringMember, v value, s *scope) {
	if v.kind == undefinedKind && m.fallback != nil {
		v = f.eval(m.fallback, s)
	}
	if m.target != nil {
		f.assignPart(of, m.target, v, s)
	}
}

// evalChain evaluates members and calls. It reports whether an optional part found nothing; then the
// whole chain is undefined.
func (f *frame) evalChain(x expr, s *scope) (v value, nothing bool) {
	switch x := x.(type) {
	case *member:
		f.step()
		f.enterLevel()
		of, nothing := f.evalChain(x.of, s)
		f.build.level--
		if nothing || x.optional && of.isNullish() {
			return value{}, true
		}
		key := f.keyOfMember(x, s)
		f.at = x.at
		return f.memberOf(of, key), false
	case *call:
		f.step()
		f.enterLevel()
		v, nothing = f.evalCall(x, s)
		f.build.level--
		return v, nothing
	}
	return f.eval(x, s), false
}

// keyOfMember returns the key of a member in the code: its name, or the value in brackets.
func (f *frame) keyOfMember(m *member, s *scope) value {
	if m.key != nil {
		return f.eval(m.key, s)
	}
	return text(m.name)
}

// evalCall calls a function or a method.
func (f *frame) evalCall(x *call, s *scope) (v value, nothing bool) {
	if m, isMember := x.fn.(*member); isMember {
		return f.evalMethodCall(x, m, s)
	}
	fn, nothing := f.evalChain(x.fn, s)
	if nothing || x.optional && fn.isNullish() {
		return value{}, true
	}
	if fn.kind != functionKind {
		f.at = x.at
		f.fail(codeWrongType, "", describe(x.fn)+" is not a function: correct the name")
	}
	return f.callWithArguments(fn, x, s), false
}

// evalMethodCall calls a member: a function that is stored in the value, or else a method of its type.
func (f *frame) evalMethodCall(x *call, m *member, s *scope) (v value, nothing bool) {
	of, nothing := f.evalChain(m.of, s)
	if nothing || m.optional && of.isNullish() {
		return value{}, true
	}
	key := f.keyOfMember(m, s)
	f.at = m.at
	hasMembers := of.kind == objectKind || of.kind == functionKind || of.kind == listKind && m.key != nil
	if hasMembers || of.isNullish() { // memberOf refuses undefined and null
		if fn := f.memberOf(of, key); fn.kind == functionKind {
			return f.callWithArguments(fn, x, s), false
		}
	}
	name := f.toText(key)
	method := f.methodOf(of, name)
	if method == nil {
		if x.optional {
			return value{}, true
		}
		f.fail(codeWrongType, "",
			"a value of the type "+of.typeName()+" has no method "+strconv.Quote(name)+": correct the name")
	}
	args := f.evalArguments(x, s)
	f.chargeBytes(len(of.text))
	v = method(f, of, args)
	f.releaseArguments(args)
	return v, false
}

// callWithArguments calls a function with the arguments of a call.
func (f *frame) callWithArguments(fn value, x *call, s *scope) value {
	args := f.evalArguments(x, s)
	v := f.callFunction(fn, args)
	f.releaseArguments(args)
	return v
}

// evalArguments puts the arguments of a call on the stack and counts the reading of long texts.
func (f *frame) evalArguments(x *call, s *scope) []value {
	args := f.pushValues(x.args, s)
	f.at = x.at
	for i := range args {
		f.chargeBytes(len(args[i].text))
	}
	return args
}

// pushValues puts the values of elements or arguments on the stack. The caller takes them off with
// releaseArguments. No function keeps the list.
func (f *frame) pushValues(items []expr, s *scope) []value {
	b := f.build
	first := len(b.args)
	for _, item := range items {
		if sp, ok := item.(*spread); ok {
			f.iterate(f.eval(sp.list, s), func(v value) bool {
				f.chargeItems(1)
				b.args = append(b.args, v)
				return true
			})
			continue
		}
		v := f.eval(item, s) // the values of its own calls have left the stack
		b.args = append(b.args, v)
	}
	f.chargeItems(len(items))
	return b.args[first:len(b.args):len(b.args)]
}

// releaseArguments takes the last values off the stack.
func (f *frame) releaseArguments(args []value) {
	b := f.build
	from := len(b.args) - len(args)
	clear(b.args[from:])
	b.args = b.args[:from]
}

// describe names the function of a call.
func describe(x expr) string {
	if n, ok := x.(*nameExpr); ok {
		return strconv.Quote(n.name)
	}
	return "the value"
}

// callFunction calls a function.
func (f *frame) callFunction(fn value, args []value) value {
	function := fn.ref.(*function)
	switch {
	case function.call != nil:
		return function.call(f, args)
	case function.arrow == nil:
		f.fail(codeWrongType, "", "the value is not a function: correct the name")
	case function.owner.build != f.build:
		return value{}
	case function.owner.caller != nil: // of the library: the depth of such calls is no mistake of an author
		return f.runArrow(fn, args)
	}
	if f.build.calls++; f.build.calls > maxCalls {
		f.limit("depth", "functions call each other more than 16 deep: use a loop")
	}
	v := f.runArrow(fn, args)
	f.build.calls--
	return v
}

// runArrow runs a function of a text. It runs in its own text, and prints where it is called.
func (f *frame) runArrow(fn value, args []value) value {
	function := fn.ref.(*function)
	a, g, at := function.arrow, function.owner, f.at
	if g != f {
		copied := *g
		copied.out, copied.at = f.out, 0
		g = &copied
	}
	s := f.newScope(function.scope, a.names)
	if a.self != nil {
		g.initialize(a.self, fn, s)
	}
	for i, p := range a.params {
		v := arg(args, i)
		if v.kind == undefinedKind && p.fallback != nil {
			v = g.eval(p.fallback, s)
		}
		g.initialize(p.target, v, s)
	}
	if a.rest != nil {
		rest := args[min(len(a.params), len(args)):]
		g.initialize(a.rest, listOf(slices.Clone(rest)...), s)
	}
	var v value
	if a.body == nil {
		v = g.eval(a.value, s)
	} else {
		v = g.execBlock(a.body, s).value
	}
	f.at = at
	return v
}

// deleteMember removes a member of an object, or empties an element of a list.
func (f *frame) deleteMember(x *unary, s *scope) value {
	m := x.x.(*member)
	of, nothing := f.evalChain(m.of, s)
	if nothing || m.optional && of.isNullish() {
		return boolean(true)
	}
	key := f.keyOfMember(m, s)
	f.at = x.at
	switch of.kind {
	case undefinedKind, nullKind:
		f.memberOf(of, key)
	case listKind:
		if n, ok := indexOf(key); ok && n < len(of.ref.(*list).elements(f)) {
			of.ref.(*list).items[n] = value{}
		}
	case objectKind:
		o := of.ref.(*object)
		o.load(f)
		f.chargeBytes(len(o.keys) * 8)
		if i := o.find(f.toText(key)); i >= 0 {
			o.remove(i)
		}
	}
	return boolean(true)
}

// globalName returns a name from outside the text: data of the call, definitions, built-in names.
func (f *frame) globalName(name string) (value, bool) {
	if v, ok := f.names[name]; ok {
		return v, true
	}
	if v, ok := f.build.defined[name]; ok {
		return v, true
	}
	if v, ok := f.build.library.names[name]; ok {
		return v, true
	}
	if get := contextNames[name]; get != nil {
		v := get(f)
		return v, v.kind != undefinedKind
	}
	return value{}, false
}

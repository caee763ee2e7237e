package template

import (
	"slices"
	"strconv"
	"strings"

	"github.com/talewright/talewright/memvars/tree"
)

// newScope makes the names of a block.
func (f *frame) newScope(outer *scope, names []declared) *scope {
	if len(names) == 0 {
		return outer
	}
	f.keepNames(len(names))
	s := &scope{outer: outer}
	if len(names) <= len(s.few) {
		s.names = s.few[:len(names)]
	} else {
		s.names = make([]slot, len(names))
	}
	for i, d := range names {
		s.names[i] = slot{name: d.name, ready: d.variable, constant: d.constant}
	}
	return s
}

// keepNames counts the copy of the names of a block. Few names cost nothing.
func (f *frame) keepNames(n int) { f.steps(n / 16) }

// slot returns a name of a block or of an outer block, nil if it is not declared.
func (f *frame) slot(s *scope, name string) *slot {
	for ; s != nil; s = s.outer {
		f.keepNames(len(s.names))
		for i := range s.names {
			if s.names[i].name == name {
				return &s.names[i]
			}
		}
	}
	return nil
}

// eval returns the value of an expression.
func (f *frame) eval(x expr, s *scope) value {
	f.step()
	f.enter()
	v := f.evaluate(x, s)
	f.build.level--
	return v
}

func (f *frame) evaluate(x expr, s *scope) value {
	switch x := x.(type) {
	case *constant:
		if hasFlag(x.v, "gy") { // each time a pattern of its own, whose search begins at 0
			x.v.ref = &pattern{re: x.v.ref.(*pattern).re}
			return x.v
		}
		return x.v
	case *nameOf:
		return f.lookup(x, s)
	case *joined:
		return f.evalJoined(x, s)
	case *macroValue:
		return f.macroValue(f.macros[x.macro-1])
	case *listExpr:
		return listOf(f.evalList(x.items, s)...)
	case *objectExpr:
		return f.evalObject(x, s)
	case *arrow:
		return value{kind: functionKind, ref: &function{arrow: x, scope: s, owner: f}}
	case *unary:
		return f.evalUnary(x, s)
	case *update:
		old := f.number(f.eval(x.to, s))
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
	case *choice:
		if f.eval(x.test, s).truth() {
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
		v, _ := f.chain(x, s)
		return v
	case *whole:
		v, _ := f.chain(x.x, s)
		return v
	}
	return value{} // silent, hole
}

// decides reports whether the left side is the result.
func decides(op string, l value) bool {
	switch op {
	case "&&":
		return !l.truth()
	case "||":
		return l.truth()
	}
	return !l.isNullish()
}

// lookup returns the value of a name.
func (f *frame) lookup(n *nameOf, s *scope) value {
	if found := f.slot(s, n.name); found != nil {
		if !found.ready {
			f.at = n.at
			f.fail(codeReference, "", n.name+" is used before its declaration: move the declaration up")
		}
		return found.v
	}
	f.at = n.at
	v, ok := f.global(n.name)
	if !ok {
		f.fail(codeReference, "", "there is no name "+strconv.Quote(n.name)+": declare it, or correct it")
	}
	return v
}

// global returns a name from outside the text: data of the call, definitions, built-in names.
func (f *frame) global(name string) (value, bool) {
	if v, ok := f.data[name]; ok {
		return v, true
	}
	if v, ok := f.build.defined[name]; ok {
		return v, true
	}
	if v, ok := f.build.library.names[name]; ok {
		return v, true
	}
	return f.contextName(name)
}

func (f *frame) evalJoined(x *joined, s *scope) value {
	var b strings.Builder
	for _, part := range x.parts {
		switch {
		case part.macro > 0:
			b.WriteString(f.macros[part.macro-1])
		case part.value != nil:
			b.WriteString(f.text(f.eval(part.value, s)))
		default:
			b.WriteString(part.text)
		}
		f.limitText(b.Len())
	}
	return f.made(b.String())
}

// macroValue returns the result of a macro in code: a number, true, false, null, or a text.
func (f *frame) macroValue(result string) value {
	f.work(len(result))
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
	out := make([]value, 0, len(items))
	for _, item := range items {
		if sp, ok := item.(*spread); ok {
			f.iterate(f.eval(sp.list, s), func(v value) bool {
				f.keepItems(1)
				out = append(out, v)
				return true
			})
			continue
		}
		out = append(out, f.eval(item, s))
	}
	f.keepItems(len(items))
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

func (f *frame) evalObject(x *objectExpr, s *scope) value {
	o := &object{}
	f.keepItems(len(x.members))
	for _, m := range x.members {
		key := m.key
		if m.computed != nil {
			key = f.text(f.eval(m.computed, s))
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
			f.keepItems(1)
			o.put(from.keys[i], from.vals[i])
		}
	case listKind, textKind:
		i := 0
		f.iterate(v, func(e value) bool {
			f.keepItems(1)
			o.put(strconv.Itoa(i), e)
			i++
			return true
		})
	}
}

func (f *frame) evalUnary(x *unary, s *scope) value {
	if n, ok := x.x.(*nameOf); ok && x.op == "typeof" {
		if found := f.slot(s, n.name); found == nil {
			v, _ := f.global(n.name)
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
		return boolean(!v.truth())
	case "-":
		return number(-f.number(v))
	case "+":
		return number(f.number(v))
	case "~":
		return number(float64(^toInt32(f.number(v))))
	case "typeof":
		return text(v.typeName())
	}
	return value{} // void
}

func (f *frame) evalAssign(x *assign, s *scope) value {
	if x.op == "" {
		v := f.eval(x.from, s)
		f.assign(x.to, v, s, x.at)
		return v
	}
	old := f.eval(x.to, s)
	op, _ := operatorOf(x.op)
	if op.apply == nil {
		if decides(x.op, old) {
			return old
		}
		v := f.eval(x.from, s)
		f.assign(x.to, v, s, x.at)
		return v
	}
	from := f.eval(x.from, s)
	f.at = x.at
	v := op.apply(f, old, from)
	f.assign(x.to, v, s, x.at)
	return v
}

// assign stores a value in a name or a member.
func (f *frame) assign(to expr, v value, s *scope, at int) {
	switch to := to.(type) {
	case *nameOf:
		f.assignName(to, v, s)
	case *member:
		of := f.eval(to.of, s)
		key := text(to.name)
		if to.key != nil {
			key = f.eval(to.key, s)
		}
		f.at = at
		f.setMember(of, key, v)
	case *shape:
		f.match(to, v, s)
	}
}

func (f *frame) assignName(to *nameOf, v value, s *scope) {
	found := f.slot(s, to.name)
	if found == nil {
		if _, ok := f.data[to.name]; ok {
			f.data[to.name] = v
			return
		}
		f.build.define(to.name, v)
		f.keepItems(1)
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
	case *nameOf:
		if found := f.slot(s, to.name); found != nil {
			found.v, found.ready = v, true
		}
	case *shape:
		f.match(to, v, s)
	}
}

// match takes a value apart.
func (f *frame) match(to *shape, v value, s *scope) {
	if to.list {
		var items []value
		f.iterate(v, func(e value) bool {
			items = append(items, e)
			return to.rest != nil || len(items) < len(to.members)
		})
		for i, m := range to.members {
			var e value
			if i < len(items) {
				e = items[i]
			}
			f.matchMember(to, m, e, s)
		}
		if to.rest != nil {
			rest := items[min(len(to.members), len(items)):]
			f.keepItems(len(rest))
			f.receive(to, to.rest, listOf(rest...), s)
		}
		return
	}
	if v.isNullish() {
		f.fail(codeWrongType, "", "a pattern cannot take "+v.typeName()+" apart: give it an object")
	}
	taken := map[string]bool{}
	for _, m := range to.members {
		key := m.key
		if m.computed != nil {
			key = f.text(f.eval(m.computed, s))
		}
		taken[key] = true
		f.matchMember(to, m, f.memberOf(v, text(key)), s)
	}
	if to.rest != nil {
		all, rest := &object{}, &object{}
		f.spreadInto(all, v)
		for i, key := range all.keys {
			if !taken[key] {
				rest.put(key, all.vals[i])
			}
		}
		f.receive(to, to.rest, objectOf(rest), s)
	}
}

// receive gives a part of a pattern its value.
func (f *frame) receive(of *shape, to target, v value, s *scope) {
	if of.assigns {
		f.assign(to, v, s, f.at)
		return
	}
	f.initialize(to, v, s)
}

func (f *frame) matchMember(of *shape, m shapeMember, v value, s *scope) {
	if v.kind == undefinedKind && m.fallback != nil {
		v = f.eval(m.fallback, s)
	}
	if m.target != nil {
		f.receive(of, m.target, v, s)
	}
}

// chain evaluates members and calls. It reports whether an optional part found nothing; then the
// whole chain is undefined.
func (f *frame) chain(x expr, s *scope) (v value, nothing bool) {
	switch x := x.(type) {
	case *member:
		f.step()
		f.enter()
		of, nothing := f.chain(x.of, s)
		f.build.level--
		if nothing || x.optional && of.isNullish() {
			return value{}, true
		}
		key := text(x.name)
		if x.key != nil {
			key = f.eval(x.key, s)
		}
		f.at = x.at
		return f.memberOf(of, key), false
	case *call:
		f.step()
		f.enter()
		v, nothing = f.call(x, s)
		f.build.level--
		return v, nothing
	}
	return f.eval(x, s), false
}

// call calls a function or a method.
func (f *frame) call(x *call, s *scope) (v value, nothing bool) {
	m, isMember := x.fn.(*member)
	if !isMember {
		fn, nothing := f.chain(x.fn, s)
		if nothing || x.optional && fn.isNullish() {
			return value{}, true
		}
		if fn.kind != functionKind {
			f.at = x.at
			f.fail(codeWrongType, "", describe(x.fn)+" is not a function: correct the name")
		}
		args := f.arguments(x, s)
		v = f.apply(fn, args)
		f.done(args)
		return v, false
	}
	of, nothing := f.chain(m.of, s)
	if nothing || m.optional && of.isNullish() {
		return value{}, true
	}
	key := text(m.name)
	if m.key != nil {
		key = f.eval(m.key, s)
	}
	f.at = m.at
	if of.kind == objectKind || of.kind == functionKind || of.kind == listKind && m.key != nil || of.isNullish() {
		if fn := f.memberOf(of, key); fn.kind == functionKind {
			args := f.arguments(x, s)
			v = f.apply(fn, args)
			f.done(args)
			return v, false
		}
	}
	name := f.text(key)
	method := f.methodOf(of, name)
	if method == nil {
		if x.optional {
			return value{}, true
		}
		f.fail(codeWrongType, "", "a value of the type "+of.typeName()+" has no method "+strconv.Quote(name)+": correct the name")
	}
	args := f.arguments(x, s)
	f.work(len(of.text))
	v = method(f, of, args)
	f.done(args)
	return v, false
}

// arguments puts the arguments of a call on the stack and counts the reading of long texts. The caller
// ends their use with done. No function keeps the list.
func (f *frame) arguments(x *call, s *scope) []value {
	b := f.build
	first := len(b.args)
	for _, item := range x.args {
		if sp, ok := item.(*spread); ok {
			f.iterate(f.eval(sp.list, s), func(v value) bool {
				f.keepItems(1)
				b.args = append(b.args, v)
				return true
			})
			continue
		}
		v := f.eval(item, s) // its own calls have left the stack
		b.args = append(b.args, v)
	}
	f.keepItems(len(x.args))
	f.at = x.at
	args := b.args[first:len(b.args):len(b.args)]
	for i := range args {
		f.work(len(args[i].text))
	}
	return args
}

// done takes arguments off the stack.
func (f *frame) done(args []value) {
	b := f.build
	from := len(b.args) - len(args)
	clear(b.args[from:])
	b.args = b.args[:from]
}

// describe names the function of a call.
func describe(x expr) string {
	if n, ok := x.(*nameOf); ok {
		return strconv.Quote(n.name)
	}
	return "the value"
}

// apply calls a function.
func (f *frame) apply(fn value, args []value) value {
	function := fn.ref.(*function)
	if function.call != nil {
		return function.call(f, args)
	}
	a := function.arrow
	if a == nil {
		f.fail(codeWrongType, "", "the value is not a function: correct the name")
	}
	owner := function.owner
	if owner.build != f.build {
		return value{}
	}
	inLibrary := owner.caller != nil // the depth of such calls is no mistake of an author
	if !inLibrary {
		if f.build.calls++; f.build.calls > maxCalls {
			f.limit("depth", "functions call each other more than 16 deep: use a loop")
		}
	}
	defer func(at int) {
		if f.at = at; !inLibrary {
			f.build.calls--
		}
	}(f.at)
	// The function runs in its own text, and prints where it is called.
	g := owner
	if g != f {
		lent := *owner
		lent.out, lent.at = f.out, 0
		g = &lent
	}
	s := f.newScope(function.scope, a.names)
	if a.self != nil {
		g.initialize(a.self, fn, s)
	}
	for i, p := range a.params {
		var v value
		if i < len(args) {
			v = args[i]
		}
		if v.kind == undefinedKind && p.fallback != nil {
			v = g.eval(p.fallback, s)
		}
		g.initialize(p.target, v, s)
	}
	if a.rest != nil {
		rest := args[min(len(a.params), len(args)):]
		g.initialize(a.rest, listOf(append([]value(nil), rest...)...), s)
	}
	if a.body == nil {
		return g.eval(a.value, s)
	}
	_, v := g.runBlock(a.body, s)
	return v
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

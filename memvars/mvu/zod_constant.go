package mvu

import (
	"cmp"
	"maps"

	"github.com/talewright/talewright/memvars/tree"
)

// resolve follows the names of constants, and of the members of constant objects.
func (r *zodReader) resolve(e *scriptExpr) *scriptExpr {
	for range 20 {
		var next *scriptExpr
		switch e.kind {
		case exprName:
			next = r.constant(e.text)
		case exprMember:
			if r.depth++; r.depth <= maxZodDepth {
				next = r.resolve(e.of).member(e.text)
			}
			r.depth--
		}
		if next == nil {
			break
		}
		e = next
	}
	return e
}

// constant returns the value of a parameter or a constant, or nil if not found.
func (r *zodReader) constant(name string) *scriptExpr {
	if e := cmp.Or(r.params[name], r.constants[name]); e != nil {
		return e
	}
	at, ok := r.constantAt[name]
	if !ok {
		return nil
	}
	r.script.i = at
	var e *scriptExpr
	if r.script.at(at).is("function") { // a declaration ends without a mark
		e = r.script.operand()
	} else {
		e = r.script.expression()
	}
	if !r.mayReread(r.script.i - at) {
		return nil
	}
	r.constants[name] = e
	return e
}

// mayReread counts tokens that are read again, since constants may contain each other. It reports
// whether more may be read.
func (r *zodReader) mayReread(tokens int) bool {
	r.reread += tokens
	return r.reread <= 20*len(r.script.tokens)+10_000
}

// constantSchema reads the schema of a constant. Within a getter or z.lazy a constant may contain
// itself.
func (r *zodReader) constantSchema(e *scriptExpr, at tree.Path) zod {
	if lazy := r.open[e]; lazy != nil && r.deferred > 0 {
		return lazy
	} else if lazy != nil {
		return r.schema(e, at)
	}
	lazy := &zodLazy{}
	r.open[e] = lazy
	defer delete(r.open, e)
	lazy.inner = r.schema(e, at)
	return lazy.inner
}

// functionResult reads the schema that a function of the script returns for some arguments.
func (r *zodReader) functionResult(f *scriptFunction, args []*scriptExpr, at tree.Path) (z zod) {
	if !r.within(f, args, func(result *scriptExpr) { z = r.schema(result, at) }) {
		return r.unread(at, "this schema")
	}
	return z
}

// deferredResult reads the schema that a getter or the function of z.lazy returns.
func (r *zodReader) deferredResult(f *scriptFunction, at tree.Path) zod {
	r.deferred++
	defer func() { r.deferred-- }()
	return r.functionResult(f, nil, at)
}

// within calls use with the expression that a function of the script returns. Meanwhile the parameters
// and constants of the function have their values. It reports whether the function can be read.
func (r *zodReader) within(f *scriptFunction, args []*scriptExpr, use func(result *scriptExpr)) bool {
	if !f.isRead {
		return false
	}
	inner := map[string]*scriptExpr{}
	maps.Copy(inner, r.params)
	for i, param := range f.params {
		value := f.defaults[i]
		if i < len(args) {
			value = r.resolve(args[i])
		}
		if !r.bind(inner, param, value) {
			return false
		}
	}
	maps.Copy(inner, f.locals)
	outer := r.params
	r.params = inner
	use(f.result)
	r.params = outer
	return true
}

// bind gives the names of a parameter their values: of a name, or of the parts of a list or an object.
func (r *zodReader) bind(bound map[string]*scriptExpr, pattern, value *scriptExpr) bool {
	switch {
	case pattern.kind == exprName:
		bound[pattern.text] = value
		return true
	case value == nil:
		return false
	case pattern.kind == exprList && value.kind == exprList:
		for i, part := range pattern.list {
			if part.kind != exprName || i >= len(value.list) {
				return false
			}
			bound[part.text] = r.resolve(value.list[i])
		}
		return true
	case pattern.kind == exprObject && value.kind == exprObject:
		for _, part := range pattern.keys {
			found := value.member(part.name)
			if found == nil || part.value.kind != exprName {
				return false
			}
			bound[part.value.text] = r.resolve(found)
		}
		return true
	}
	return false
}

// eachItem calls use with the elements of a list: of a literal, of a list that a literal function
// computes, or of what map makes of one. It reports whether all of them can be read.
func (r *zodReader) eachItem(list *scriptExpr, use func(item *scriptExpr)) bool {
	list = r.resolve(list)
	switch {
	case list.kind == exprList:
		for _, item := range list.list {
			if r.nodes++; r.nodes > maxZodNodes { // lists may contain each other many times
				return false
			}
			if item.kind != exprSpread {
				use(item)
			} else if !r.eachItem(item.of, use) {
				return false
			}
		}
		return true
	case list.kind == exprCall && list.of.kind == exprMember && list.of.text == "map" && r.resolve(argument(list.list, 0)).kind == exprFunction:
		f, ok, n := r.resolve(list.list[0]), true, 0
		return r.eachItem(list.of.of, func(item *scriptExpr) {
			index := &scriptExpr{kind: exprNumber, text: itoa(n), source: itoa(n)}
			ok, n = r.within(f.function, []*scriptExpr{item, index}, use) && ok, n+1
		}) && ok
	}
	v, ok := r.literal(list)
	if !ok || !v.IsArray() {
		return false
	}
	for _, item := range v.Elements() {
		use(newScriptParser(item.String()).expression())
	}
	return true
}

package mvu

import (
	"strconv"

	"github.com/talewright/talewright/memvars/tree"
)

// shape adds the members of an object literal to an object.
func (r *zodReader) shape(z *zodObject, e *scriptExpr, at tree.Path) {
	r.nodes++
	r.depth++
	defer func() { r.depth-- }()
	e = r.resolve(e)
	isSmall := r.depth <= maxZodDepth && r.nodes <= maxZodNodes
	if isSmall && r.computedShape(z, e, at) {
		return
	} else if !isSmall || e.kind != exprObject {
		r.unread(at.Child("[shape]"), "the shape of the object")
		z.unknown = keepKeys
		return
	}
	for _, k := range e.keys {
		switch {
		case k.spread && (r.resolve(k.value).kind == exprObject || r.computedShape(z, r.resolve(k.value), at)):
			if r.resolve(k.value).kind == exprObject {
				r.shape(z, k.value, at)
			}
		case k.spread && k.value.kind == exprMember && k.value.text == "shape" && r.resolve(k.value.of).kind == exprCall:
			if base, ok := r.schema(k.value.of, at).(*zodObject); ok {
				z.addFields(base)
				continue
			}
			fallthrough
		case k.spread:
			r.unreadMember(z, at, "[spread]", "a spread shape")
		case k.computed != nil:
			if name := r.resolve(k.computed); name.kind == exprText { // of a constant or a parameter
				r.member(z, name.text, k.value, at)
			} else {
				r.unreadMember(z, at, "[computed]", "a computed name")
			}
		case k.getter && k.value.kind == exprFunction:
			z.setField(k.name, r.deferredResult(k.value.function, at.Child(k.name)))
		default:
			r.member(z, k.name, k.value, at)
		}
	}
}

// member reads a member of an object.
func (r *zodReader) member(z *zodObject, name string, value *scriptExpr, at tree.Path) {
	z.setField(name, r.schema(value, at.Child(name)))
}

// computedShape adds the members of a shape that the script makes of a list or an object, such as
// Object.fromEntries(list.map(name => [name, schema])). It reports whether the shape can be read.
func (r *zodReader) computedShape(z *zodObject, e *scriptExpr, at tree.Path) bool {
	if e.kind != exprCall {
		return false
	}
	if f := r.resolve(e.of); f.kind == exprFunction {
		return r.within(f.function, e.list, func(result *scriptExpr) { r.shape(z, result, at) })
	}
	first, second := argument(e.list, 0), argument(e.list, 1)
	if f := r.resolve(first); e.of.kind == exprMember && e.of.text == "reduce" && f.kind == exprFunction && r.resolve(second).kind == exprObject {
		ok := true
		r.shape(z, second, at)
		return r.eachItem(e.of.of, func(item *scriptExpr) { // the result so far is in z already
			ok = r.within(f.function, []*scriptExpr{{kind: exprObject}, item}, func(result *scriptExpr) { r.shape(z, result, at) }) && ok
		}) && ok
	}
	switch e.of.source {
	case "Object.fromEntries", "_.fromPairs":
		ok := true
		return r.eachItem(first, func(pair *scriptExpr) {
			if pair = r.resolve(pair); pair.kind != exprList || len(pair.list) != 2 {
				ok = false
			} else if name, known := r.text(pair.list[0]); known {
				r.member(z, name, pair.list[1], at)
			} else {
				ok = false
			}
		}) && ok
	case "_.mapValues":
		object, f := r.resolve(first), r.resolve(second)
		if object.kind != exprObject || f.kind != exprFunction {
			return false
		}
		for _, k := range object.keys {
			name := &scriptExpr{kind: exprText, text: k.name, source: strconv.Quote(k.name)}
			if k.spread || k.computed != nil || k.getter ||
				!r.within(f.function, []*scriptExpr{k.value, name}, func(result *scriptExpr) { r.member(z, k.name, result, at) }) {
				return false
			}
		}
		return true
	}
	return false
}

// text reads a literal text or number as a name.
func (r *zodReader) text(e *scriptExpr) (string, bool) {
	v, ok := r.literal(e)
	if text, isText := v.AsText(); ok && isText {
		return text, true
	}
	return v.String(), ok && v.Kind() == tree.KindNumber
}

// unreadMember reports a member without a known name. The object then keeps unknown members, since
// one of them may be it.
func (r *zodReader) unreadMember(z *zodObject, at tree.Path, name, what string) {
	path := name
	if len(at) > 0 {
		path = at.String() + "." + name
	}
	r.unread(nil, what)
	r.problems[len(r.problems)-1].Path = path
	z.unknown = keepKeys
}

// setField adds or replaces a member of an object.
func (z *zodObject) setField(name string, field zod) {
	if z.fields[name] == nil {
		z.names = append(z.names, name)
	}
	z.fields[name] = field
}

// addFields adds the members of a different object.
func (z *zodObject) addFields(other *zodObject) {
	for _, key := range other.names {
		z.setField(key, other.fields[key])
	}
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

package mvu

import (
	"github.com/talewright/talewright/memvars/tree"
)

// literal reads a literal, a constant of literals, or what the script computes from them with the
// language and lodash alone.
func (r *zodReader) literal(e *scriptExpr) (tree.Value, bool) {
	if v, ok := r.literalIn(e, 0); ok {
		return v, true
	}
	return r.computed(r.resolve(e))
}

// computed evaluates an expression that is not a literal.
func (r *zodReader) computed(e *scriptExpr) (v tree.Value, ok bool) {
	if r.functions == nil || e.source == "" || e.kind == exprFunction || e.kind == exprName || e.kind == exprPattern {
		return v, false
	}
	constants, ok := r.declarationsFor(e.source, map[string]bool{})
	if !ok {
		return v, false
	}
	f, err := r.functions(constants, "() => ("+e.source+")")
	if err != nil {
		return v, false
	}
	v, err = f(tree.Value{})
	return v, err == nil && v.Exists()
}

// literalIn is literal at a nesting depth.
func (r *zodReader) literalIn(e *scriptExpr, depth int) (v tree.Value, ok bool) {
	if r.nodes++; depth > maxZodDepth || r.nodes > maxZodNodes {
		return v, false
	}
	e = r.resolve(e)
	switch e.kind {
	case exprText:
		return tree.Text(e.text), true
	case exprNumber:
		return number(e.text)
	case exprList:
		return r.literalList(e.list, depth+1)
	case exprObject:
		return r.literalObject(e.keys, depth+1)
	case exprName:
		switch e.text {
		case "true", "false":
			return tree.Bool(e.text == "true"), true
		case "null":
			return tree.Null, true
		case "undefined":
			return v, true
		}
	}
	return v, false
}

// literalList reads the elements of a list of literals.
func (r *zodReader) literalList(items []*scriptExpr, depth int) (list tree.Value, ok bool) {
	var out []tree.Value
	for _, item := range items {
		if item.kind == exprSpread {
			v, ok := r.literalIn(item.of, depth)
			if !ok || !v.IsArray() {
				return list, false
			}
			out = append(out, v.List()...)
			continue
		}
		v, ok := r.literalIn(item, depth)
		if !ok {
			return list, false
		}
		out = append(out, nullIfUndefined(v))
	}
	return tree.Array(out...), true
}

// literalObject reads the members of an object of literals.
func (r *zodReader) literalObject(keys []scriptKey, depth int) (object tree.Value, ok bool) {
	var out []tree.Member
	for _, k := range keys {
		if k.spread || k.computed != nil || k.getter {
			return object, false
		}
		v, ok := r.literalIn(k.value, depth)
		if !ok {
			return object, false
		}
		out = append(out, member(k.name, v))
	}
	return tree.Object(out...), true
}

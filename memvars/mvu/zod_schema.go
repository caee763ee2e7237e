package mvu

import (
	"github.com/talewright/talewright/memvars/tree"
)

// schema reads a schema expression. at is its path in the variables.
func (r *zodReader) schema(e *scriptExpr, at tree.Path) zod {
	r.nodes++
	if r.depth++; r.depth > maxZodDepth || r.nodes > maxZodNodes {
		r.depth--
		return r.unread(at, "so large a schema")
	}
	defer func() { r.depth-- }()
	if known := r.resolve(e); known != e {
		return r.constantSchema(known, at)
	}
	switch {
	case e.kind == exprMember && e.of.kind == exprMember && e.of.text == "shape": // A.shape.name
		if object, ok := r.schema(e.of.of, at).(*zodObject); ok && object.fields[e.text] != nil {
			return object.fields[e.text]
		}
		return r.unread(at, "this schema")
	case e.kind == exprCall && r.resolve(e.of).kind == exprFunction:
		return r.functionResult(r.resolve(e.of).function, e.list, at)
	case e.kind != exprCall || e.of.kind != exprMember:
		return r.unread(at, "this schema")
	}
	if of := e.of.of; of.kind == exprName && of.text == "z" {
		return r.base(e.of.text, e.list, at)
	} else if of.kind == exprMember && of.of.kind == exprName && of.of.text == "z" {
		return r.grouped(of.text, e.of.text, at)
	}
	before := len(r.problems)
	z := r.schema(e.of.of, at)
	if len(r.problems) > before && r.problems[len(r.problems)-1].Path == at.String() && !absenceMethods[e.of.text] {
		return z // the rest of a chain that was not read
	}
	return r.method(z, e.of.text, e.list, at)
}

// absenceMethods are the methods that are read also after a method that is not.
var absenceMethods = map[string]bool{
	"optional": true, "nullable": true, "nullish": true, "default": true, "prefault": true, "catch": true,
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

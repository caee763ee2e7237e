package mvu

import (
	"cmp"
	"maps"

	"github.com/talewright/talewright"
	"github.com/talewright/talewright/memvars/tree"
)

// The codes of the problems of [ReadZod].
const (
	codeSchemaPart   talewright.Code = "schema_part"   // a part of a schema that cannot be read and is not enforced
	codeSchemaUnread talewright.Code = "schema_unread" // a schema that cannot be read at all
)

// makeFunction makes a function of a schema, see [ReadZod].
type makeFunction = func(constants, source string) (func(tree.Value) (tree.Value, error), error)

// zodReader reads the schema expressions of one script.
type zodReader struct {
	script     *scriptParser
	functions  makeFunction
	constantAt map[string]int           // of the values of constants, by name
	constants  map[string]*scriptExpr   // that were read, by name
	params     map[string]*scriptExpr   // of the functions around the expression, by name
	open       map[*scriptExpr]*zodLazy // the constants that are being read
	deferred   int                      // the getters and functions of z.lazy around the expression
	problems   talewright.Problems
	nodes      int
	depth      int
	reread     int // tokens of constants and functions that were read more than once
}

// The limits of one schema: nodes, where a constant counts each time it is used, and nesting.
const (
	maxZodNodes = 20_000
	maxZodDepth = 100
)

// unread reports a part and returns the schema of a part that was not read.
func (r *zodReader) unread(at tree.Path, what string) zod {
	if len(r.problems) < 1000 {
		r.problems = append(r.problems, talewright.Problem{Path: at.String(), Code: codeSchemaPart, Severity: talewright.Warning,
			Text: what + " cannot be read without running the script, so this part of the schema is not enforced: check it in a rule"})
	}
	return anything
}

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

// argument returns an argument of a call. A missing one is not understood.
func argument(args []*scriptExpr, i int) *scriptExpr {
	if i < len(args) {
		return args[i]
	}
	return &scriptExpr{}
}

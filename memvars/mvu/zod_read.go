package mvu

import (
	"strings"

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

// ReadZod reads the schema that a script registers for the variables, without running the script:
// the call registerMvuSchema with its zod schema. A script without such a call has no schema and no
// problems.
//
// function makes a function of the schema from its source, such as an arrow function, and the
// declarations of constants that precede it. The function has one argument, which may be absent. An
// error says that the source cannot be read. ReadZod also uses function
// for a bound, a default or a list that the script computes. Without function it reads none of them.
//
// The path of a problem is the path of the variable, with [computed] and [spread] for members whose
// names are not known. Such a part is not enforced; the rest of the schema is. If not even the outer
// object can be read, the schema is nil. The cost is linear in the script.
func ReadZod(script string, function makeFunction) (*Schema, talewright.Problems) {
	if !strings.Contains(script, "registerMvuSchema") {
		return nil, nil
	}
	p := newScriptParser(withoutTypes(script))
	r := zodReader{script: p, functions: function, constantAt: map[string]int{}, constants: map[string]*scriptExpr{},
		open: map[*scriptExpr]*zodLazy{}}
	call := r.findDeclarations()
	if call < 0 {
		return nil, nil
	}
	p.i = call
	args := p.list()
	if len(args) == 0 {
		return nil, nil
	}
	var root zod
	if args[0].kind == exprFunction { // () => schema
		root = r.functionResult(args[0].function, nil, nil)
	} else {
		root = r.schema(args[0], nil)
	}
	object := rootObject(root)
	if object == nil {
		return nil, talewright.Problems{{Code: codeSchemaUnread, Severity: talewright.Warning,
			Text: "the schema of the variables cannot be read, since it is made by code: write it as z.object({…})"}}
	}
	if root == zod(object) { // the schema may contain itself, where unknown members are dropped
		object = new(*object)
		root = object
	}
	if object.catchall = nil; isObject(root) {
		object.unknown = keepKeys
	} else {
		object.unknown = dropKeys
	}
	return &Schema{root, object.fields}, r.problems
}

// findDeclarations finds the constants, functions and enums of the script. It returns the bracket after
// the last call of registerMvuSchema with an argument, or -1.
func (r *zodReader) findDeclarations() (call int) {
	p := r.script
	call = -1
	for i, t := range p.tokens {
		name := p.at(i + 1)
		switch {
		case t.isOneOf("const", "let", "var") && name.kind == scriptName:
			p.i = i + 2
			if p.take("=") {
				r.constantAt[name.text] = p.i
			}
		case t.is("function") && name.kind == scriptName:
			r.constantAt[name.text] = i
		case t.is("enum") && !p.at(i-1).is(".") && name.kind == scriptName && p.at(i+2).is("{"):
			if object := p.enum(i + 2); object != nil {
				r.constants[name.text] = object
			}
		case t.is("registerMvuSchema") && !p.at(i-1).is("function") && p.at(i+1).is("(") && !p.at(i+2).is(")"):
			call = i + 1
		}
	}
	return call
}

// rootObject returns the object of a root and everything around it.
func rootObject(z zod) *zodObject {
	switch z := z.(type) {
	case *zodObject:
		return z
	case *zodThen:
		return rootObject(z.first)
	case *zodAbsence:
		return rootObject(z.inner)
	case *zodCatch:
		return rootObject(z.inner)
	}
	return nil
}

// isObject reports whether a schema is an object with tests.
func isObject(z zod) bool {
	then, ok := z.(*zodThen)
	if ok && then.testOnly {
		return isObject(then.first)
	}
	_, ok = z.(*zodObject)
	return ok
}

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

// argument returns an argument of a call. A missing one is not understood.
func argument(args []*scriptExpr, i int) *scriptExpr {
	if i < len(args) {
		return args[i]
	}
	return &scriptExpr{}
}

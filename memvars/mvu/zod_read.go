package mvu

import (
	"strings"

	"github.com/talewright/talewright"
)

// ReadZod reads the schema that a script registers for the variables, without running the script:
// the call registerMvuSchema with its zod schema. A script without such a call has no schema and no
// problems.
//
// function makes a function of the schema from its source, such as an arrow function, and the
// declarations of constants that precede it. The function has one argument, which may be absent. An
// error says that the source cannot be read. ReadZod also uses function
// for a bound, a default or a list that the script computes. If function is nil, ReadZod does not read
// such parts.
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

package mvu

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/talewright/talewright"
	"github.com/talewright/talewright/internal/jsregex"
	"github.com/talewright/talewright/internal/keyindex"
	"github.com/talewright/talewright/internal/utf8text"
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
	p := newScriptParser(withoutTypes(withoutEnums(script)))
	r := zodReader{script: p, functions: function, constantAt: map[string]int{}, constants: map[string]*scriptExpr{}, open: map[*scriptExpr]*zodLazy{}}
	call := r.findDeclarations()
	if call < 0 {
		return nil, nil
	}
	p.i = call
	args := p.list(")")
	if len(args) == 0 {
		return nil, nil
	}
	var root zod
	if args[0].kind == exprFunction { // () => schema
		root = r.functionResult(args[0].text, nil, nil)
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

// findDeclarations finds the constants and functions of the script. It returns the bracket after the last
// call of registerMvuSchema with an argument, or -1.
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
	constants  map[string]*scriptExpr   // the parts that were read
	open       map[*scriptExpr]*zodLazy // the constants that are being read
	deferred   int                      // the getters and functions of z.lazy around the expression
	problems   talewright.Problems
	nodes      int
	depth      int
	reread     int // tokens of constants and functions that were read again
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
		return r.functionResult(r.resolve(e.of).text, e.list, at)
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
func (r *zodReader) functionResult(source string, args []*scriptExpr, at tree.Path) (z zod) {
	if !r.within(source, args, func(body *scriptExpr) { z = r.schema(body, at) }) {
		return r.unread(at, "this schema")
	}
	return z
}

// within calls use with the expression that a function of the script returns. Meanwhile the parameters
// of the function are constants. It reports whether the function can be read.
func (r *zodReader) within(source string, args []*scriptExpr, use func(body *scriptExpr)) bool {
	body, bound := r.returnedExpr(source, args)
	if body == nil {
		return false
	}
	outer := map[string]*scriptExpr{}
	for name, value := range bound {
		outer[name] = r.constants[name]
		r.constants[name] = value
	}
	use(body)
	maps.Copy(r.constants, outer)
	return true
}

// returnedExpr returns what a function returns, not evaluated, and the values of its parameters. The
// result is nil for a function with parameters that cannot be read.
func (r *zodReader) returnedExpr(source string, args []*scriptExpr) (body *scriptExpr, bound map[string]*scriptExpr) {
	p := newScriptParser(source)
	if !r.mayReread(len(p.tokens)) {
		return nil, nil
	}
	if p.take("function") && p.peek(0).kind == scriptName {
		p.i++
	}
	patterns, defaults, ok := p.parameters()
	bound = map[string]*scriptExpr{}
	for i, pattern := range patterns {
		value := defaults[i]
		if i < len(args) {
			value = r.resolve(args[i])
		}
		ok = ok && r.bind(bound, pattern, value)
	}
	if !ok {
		return nil, nil
	}
	p.take("=>")
	if p.take("{") && !r.bindLocals(p, bound) {
		return nil, nil
	}
	return p.expression(), bound
}

// bindLocals reads the constants of a function up to its return. It fails for a function that decides
// what it returns.
func (r *zodReader) bindLocals(p *scriptParser, bound map[string]*scriptExpr) bool {
	for p.i < len(p.tokens) {
		switch t := p.peek(0); {
		case p.take("return"):
			return true
		case t.isOneOf("if", "for", "while", "do", "switch", "try"):
			return false
		case t.isOneOf(declaring...) && p.peek(1).kind == scriptName && p.peek(2).is("="):
			p.i += 3
			bound[p.at(p.i-2).text] = p.expression()
		default:
			p.skip()
		}
	}
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

// member returns the value of a member of an object literal, or nil without such a member.
func (e *scriptExpr) member(name string) *scriptExpr {
	for _, k := range slices.Backward(e.keys) {
		if !k.spread && k.computed == nil && k.name == name {
			return k.value
		}
	}
	return nil
}

// parameters reads the parameters of a function, with their defaults. It fails for a list of other
// parameters.
func (p *scriptParser) parameters() (patterns, defaults []*scriptExpr, ok bool) {
	if name := p.peek(0); name.kind == scriptName && p.peek(1).is("=>") {
		return []*scriptExpr{p.primary()}, []*scriptExpr{nil}, true
	}
	end := p.close[min(p.i, len(p.close)-1)]
	if !p.take("(") {
		return nil, nil, true
	}
	for p.i < end {
		if p.take(",") {
			continue
		}
		if t := p.peek(0); t.kind != scriptName && !t.is("[") && !t.is("{") {
			return nil, nil, false
		}
		pattern := p.primary()
		var byDefault *scriptExpr
		if p.take("=") {
			byDefault = p.expression()
		}
		patterns, defaults = append(patterns, pattern), append(defaults, byDefault)
	}
	p.i = end + 1
	return patterns, defaults, true
}

// constant returns the value of a constant, or nil if not found.
func (r *zodReader) constant(name string) *scriptExpr {
	if e := r.constants[name]; e != nil {
		return e
	}
	at, ok := r.constantAt[name]
	if !ok {
		return nil
	}
	r.script.i = at
	e := r.script.function() // a declaration of a function ends without a mark
	if e == nil || !r.script.tokens[at].is("function") {
		r.script.i = at
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

// base reads z.name(…).
func (r *zodReader) base(name string, args []*scriptExpr, at tree.Path) zod {
	first, second := argument(args, 0), argument(args, 1)
	switch name {
	case "string", "number", "boolean", "null", "undefined", "any", "nan":
		return &zodType{name: name}
	case "unknown":
		return &zodType{name: "any"}
	case "int":
		return &zodThen{first: &zodType{name: "number"}, then: requireInteger, testOnly: true}
	case "object", "strictObject", "looseObject":
		z := &zodObject{fields: map[string]zod{}}
		z.unknown = map[string]unknownKeys{"strictObject": refuseKeys, "looseObject": keepKeys}[name]
		if len(args) > 0 {
			r.shape(z, first, at)
		}
		return z
	case "enum", "nativeEnum", "literal":
		v, ok := r.literal(first)
		if !ok {
			return r.unread(at, "z."+name+" of computed values")
		}
		z := oneOf(v)
		if name != "literal" {
			z.names = enumNames(v)
		}
		return z
	case "array":
		return &zodList{element: r.schema(first, at.Child("*"))}
	case "tuple":
		return r.tuple(args, at)
	case "record", "partialRecord":
		return r.record(name, args, at)
	case "union":
		return r.union(name, first, at)
	case "discriminatedUnion":
		return r.union(name, second, at)
	case "intersection":
		return &zodIntersection{r.schema(first, at), r.schema(second, at)}
	case "optional", "nullable", "nullish":
		return r.method(r.schema(first, at), name, nil, at)
	case "lazy":
		f := r.resolve(first)
		if f.kind != exprFunction {
			return r.unread(at, "z.lazy")
		}
		return r.deferredResult(f.text, at)
	case "preprocess":
		f, ok := r.function(first)
		if !ok {
			return r.unread(at, "the function of z.preprocess")
		}
		inner := r.schema(second, at)
		return &zodThen{first: &zodThen{first: &zodType{name: "any"}, then: changeWith(f)}, then: inner.parse, takesUndefined: true}
	}
	return r.unread(at, "z."+name)
}

// deferredResult reads the schema that a getter or the function of z.lazy returns.
func (r *zodReader) deferredResult(source string, at tree.Path) zod {
	r.deferred++
	defer func() { r.deferred-- }()
	return r.functionResult(source, nil, at)
}

// tuple reads z.tuple(list, rest).
func (r *zodReader) tuple(args []*scriptExpr, at tree.Path) zod {
	list := r.resolve(argument(args, 0))
	if list.kind != exprList {
		return r.unread(at, "z.tuple")
	}
	z := &zodList{tuple: true}
	for i, item := range list.list {
		z.items = append(z.items, r.schema(item, at.Child(itoa(i))))
	}
	if len(args) > 1 && args[1].kind != exprObject {
		z.element = r.schema(args[1], at.Child("*"))
	}
	return z
}

// union reads the list of the schemas of a union.
func (r *zodReader) union(name string, list *scriptExpr, at tree.Path) zod {
	z := &zodUnion{}
	ok := r.eachItem(list, func(option *scriptExpr) { z.options = append(z.options, r.schema(option, at)) })
	if !ok || len(z.options) == 0 {
		return r.unread(at, "z."+name)
	}
	return z
}

// oneOf is the schema of a literal, of a list of literals, or of the values of an object.
func oneOf(v tree.Value) *zodOneOf {
	if !v.IsArray() && !v.IsObject() {
		return &zodOneOf{values: []tree.Value{v}}
	}
	z := &zodOneOf{}
	for i := range v.Len() {
		z.values = append(z.values, v.At(i))
	}
	return z
}

// enumNames returns the names of the values of an enum: the members of an object, or the texts of a
// list.
func enumNames(v tree.Value) (names []string) {
	for name := range v.Members() {
		names = append(names, name)
	}
	for _, e := range v.Elements() {
		name, _ := e.AsText()
		names = append(names, name)
	}
	return names
}

// enumMethod reads a method that chooses among the values of an enum. It returns nil for any other
// method.
func (r *zodReader) enumMethod(z *zodOneOf, name string, arg *scriptExpr) zod {
	list, ok := r.literal(arg)
	if name != "exclude" && name != "extract" || z.names == nil || !ok || !list.IsArray() {
		return nil
	}
	listed := map[string]bool{}
	for _, name := range enumNames(list) {
		listed[name] = true
	}
	out := &zodOneOf{names: []string{}}
	for i, n := range z.names {
		if listed[n] == (name == "extract") {
			out.names, out.values = append(out.names, n), append(out.values, z.values[i])
		}
	}
	return out
}

// grouped reads z.coerce.name() and the like.
func (r *zodReader) grouped(group, name string, at tree.Path) zod {
	if group == "coerce" && (name == "string" || name == "number" || name == "boolean") {
		return &zodType{name: name, coerce: true}
	}
	return r.unread(at, "z."+group+"."+name)
}

// record reads z.record(key, value) and z.record(value).
func (r *zodReader) record(name string, args []*scriptExpr, at tree.Path) zod {
	z := &zodRecord{key: &zodType{name: "string"}}
	switch len(args) {
	case 0:
		return r.unread(at, "z."+name)
	case 1:
		z.value = r.schema(args[0], at.Child("*"))
		return z
	}
	before := len(r.problems)
	z.key, z.value = r.schema(args[0], at), r.schema(args[1], at.Child("*"))
	if len(r.problems) > before && r.problems[before].Path == at.String() {
		z.key = &zodType{name: "string"}
	}
	if keys, ok := z.key.(*zodOneOf); ok && name == "record" {
		z.all = keys.values
	}
	return z
}

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
		case k.getter:
			z.setField(k.name, r.deferredResult(k.value.source, at.Child(k.name)))
		default:
			r.member(z, k.name, k.value, at)
		}
	}
}

// member reads a member of an object.
func (r *zodReader) member(z *zodObject, name string, value *scriptExpr, at tree.Path) {
	z.setField(name, r.schema(value, at.Child(name)))
}

// setField adds or replaces a member of an object.
func (z *zodObject) setField(name string, field zod) {
	if z.fields[name] == nil {
		z.names = append(z.names, name)
	}
	z.fields[name] = field
}

// computedShape adds the members of a shape that the script makes of a list or an object, such as
// Object.fromEntries(list.map(name => [name, schema])). It reports whether the shape can be read.
func (r *zodReader) computedShape(z *zodObject, e *scriptExpr, at tree.Path) bool {
	if e.kind != exprCall {
		return false
	}
	if f := r.resolve(e.of); f.kind == exprFunction {
		return r.within(f.text, e.list, func(body *scriptExpr) { r.shape(z, body, at) })
	}
	first, second := argument(e.list, 0), argument(e.list, 1)
	if f := r.resolve(first); e.of.kind == exprMember && e.of.text == "reduce" && f.kind == exprFunction && r.resolve(second).kind == exprObject {
		ok := true
		r.shape(z, second, at)
		return r.eachItem(e.of.of, func(item *scriptExpr) { // the result so far is in z already
			ok = r.within(f.text, []*scriptExpr{{kind: exprObject}, item}, func(body *scriptExpr) { r.shape(z, body, at) }) && ok
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
				!r.within(f.text, []*scriptExpr{k.value, name}, func(body *scriptExpr) { r.member(z, k.name, body, at) }) {
				return false
			}
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
			ok, n = r.within(f.text, []*scriptExpr{item, index}, use) && ok, n+1
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

// text reads a literal text or number as a name.
func (r *zodReader) text(e *scriptExpr) (string, bool) {
	v, ok := r.literal(e)
	if text, isText := v.AsText(); ok && isText {
		return text, true
	}
	return v.String(), ok && v.Kind() == tree.KindNumber
}

// addFields adds the members of a different object.
func (z *zodObject) addFields(other *zodObject) {
	for _, key := range other.names {
		z.setField(key, other.fields[key])
	}
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

// function reads a function of a schema.
func (r *zodReader) function(e *scriptExpr) (func(tree.Value) (tree.Value, error), bool) {
	if e = r.resolve(e); r.functions == nil {
		return nil, false
	}
	source := e.text
	switch {
	case e.kind == exprFunction && !strings.HasPrefix(source, "async"):
	case e.kind == exprName && languageNames[e.text], e.kind == exprMember, // Number, Math.round
		e.kind == exprCall && e.source != "": // a call that returns the function
		source = "v => (" + e.source + ")(v)"
	default:
		return nil, false
	}
	constants, ok := r.declarationsFor(source, map[string]bool{})
	if !ok {
		return nil, false
	}
	f, err := r.functions(constants, source)
	if err != nil {
		return nil, false
	}
	return cached(f), true
}

// declarationsFor returns declarations of the literals and functions of the script that a function
// names. It fails if the function uses anything else outside of itself than the language and
// lodash, or chance. The names in done are declared.
func (r *zodReader) declarationsFor(source string, done map[string]bool) (declarations string, ok bool) {
	p := newScriptParser(source)
	if !r.mayReread(len(p.tokens)) {
		return "", false
	}
	names, ok := p.outerNames()
	if !ok {
		return "", false
	}
	var b strings.Builder
	for _, name := range names {
		if done[name] {
			continue
		}
		done[name] = true
		one, ok := r.declaration(name, done)
		if !ok {
			return "", false
		}
		b.WriteString(one)
	}
	return b.String(), true
}

// declaration returns the declaration of a constant of the script. The declarations that a value needs
// are before it.
func (r *zodReader) declaration(name string, done map[string]bool) (declaration string, ok bool) {
	e := r.resolve(&scriptExpr{kind: exprName, text: name})
	before, value := "", e.source
	if v, isLiteral := r.literalIn(e, 0); isLiteral && v.Exists() {
		value = v.String()
	} else if value == "" || e.kind == exprName && !languageNames[e.text] {
		return "", false
	} else if before, ok = r.declarationsFor(value, done); !ok {
		return "", false
	}
	if !r.mayReread(len(value)) {
		return "", false
	}
	return before + "const " + name + " = " + value + ";\n", true
}

// outerNames returns the names that a function uses and neither declares nor has from the language or
// lodash. It fails if the function draws a number, or uses such a name in a template string.
func (p *scriptParser) outerNames() (names []string, ok bool) {
	own := p.declared()
	isOuter := func(name string) bool { return !own[name] && !languageNames[name] }
	for i, t := range p.tokens {
		before, after := p.at(i-1), p.at(i+1)
		isMember := before.isOneOf(".", "?.")
		isKey := after.is(":") && before.isOneOf("{", ",")
		switch {
		case t.kind == scriptTemplate:
			if slices.ContainsFunc(templateNames(p.code[t.at:t.end]), isOuter) {
				return nil, false
			}
		case t.kind != scriptName:
		case isMember:
			if randomFunctions[t.text] && (after.is("(") || after.is(")")) {
				return nil, false
			}
		case !isKey && isOuter(t.text):
			names = append(names, t.text)
		}
	}
	return names, true
}

// templateNames returns the first name of each value of a template string.
func templateNames(source string) []string {
	var out []string
	for _, part := range strings.Split(source, "${")[1:] {
		value, _, _ := strings.Cut(part, "}")
		tokens := scriptTokens(value)
		for i, t := range tokens {
			if t.kind == scriptName && (i == 0 || !tokens[i-1].is(".")) {
				out = append(out, t.text)
			}
		}
	}
	return out
}

// declared returns the names that a function declares: parameters, constants and variables.
func (p *scriptParser) declared() map[string]bool {
	own := map[string]bool{}
	add := func(from, to int) {
		for i := from; i < to; i++ {
			if t := p.at(i); t.kind == scriptName {
				own[t.text] = true
			}
		}
	}
	for i, t := range p.tokens {
		switch {
		case t.is("=>"):
			add(i-1, i)
		case t.is("function"):
			bracket := i + 1
			for bracket < i+3 && !p.at(bracket).is("(") { // a star, a name
				bracket++
			}
			if p.at(bracket).is("(") {
				add(i+1, p.close[bracket])
			}
		case t.is("(") && p.close[i] > 0 && p.at(p.close[i]+1).is("=>"):
			add(i+1, p.close[i])
		case t.isOneOf("const", "let", "var"):
			end := i + 1
			for end < len(p.tokens) && !p.at(end).isOneOf("=", "of", "in", ";") {
				end++
			}
			add(i+1, end)
		}
	}
	return own
}

// languageNames are the words and the built-in names that a function may use.
var languageNames = utf8text.WordSet("const let var if else for of in while do break continue return switch case default typeof void await " +
	"function try catch finally throw new Set Map Error async await true false null undefined NaN Infinity Math Number String Boolean Array Object JSON parseInt parseFloat isNaN _")

// randomFunctions are the functions that draw a number.
var randomFunctions = utf8text.WordSet("random sample sampleSize shuffle")

// changeWith is a function that gives a new value.
func changeWith(f func(tree.Value) (tree.Value, error)) zodCheck {
	return func(p *zodRun, v tree.Value) (tree.Value, *refusal) {
		if no := p.spend(functionSteps); no != nil {
			return v, no
		}
		out, err := f(v)
		if err != nil {
			return v, refuse("the function of the schema failed: %v", err)
		}
		return out, nil
	}
}

// testWith is a function that decides about a value.
func testWith(f func(tree.Value) (tree.Value, error), message string) zodCheck {
	message = cmp.Or(message, "the schema refuses the value")
	result := changeWith(f)
	return func(p *zodRun, v tree.Value) (tree.Value, *refusal) {
		out, no := result(p, v)
		if no == nil && !truth(out) {
			no = refuse("%s, found %s", message, describeValue(v))
		}
		return v, no
	}
}

// method reads z.name(…) of a schema.
func (r *zodReader) method(z zod, name string, args []*scriptExpr, at tree.Path) zod {
	arg := argument(args, 0)
	switch name {
	case "describe", "meta", "brand", "readonly", "register":
		return z
	case "optional", "nullable", "nullish":
		return &zodAbsence{inner: z, optional: name != "nullable", nullable: name != "optional"}
	case "nonoptional":
		return &zodAbsence{inner: z, required: true}
	case "default", "prefault", "catch":
		v, ok := r.fallback(arg)
		switch {
		case !ok:
			r.unread(at, "the value of "+name)
			return &zodAbsence{inner: z, optional: true}
		case name == "catch":
			return &zodCatch{z, v}
		}
		return &zodAbsence{inner: z, fallback: v, fallbackFirst: name == "prefault"}
	case "array":
		return &zodList{element: z}
	case "or":
		return &zodUnion{[]zod{z, r.schema(arg, at)}}
	case "and":
		return &zodIntersection{z, r.schema(arg, at)}
	case "pipe":
		return &zodThen{first: z, then: r.schema(arg, at).parse}
	case "transform", "overwrite", "refine":
		return r.withFunction(z, name, args, at)
	}
	switch z := z.(type) {
	case *zodObject:
		if out := r.objectMethod(*z, name, arg, at); out != nil {
			return out
		}
	case *zodOneOf:
		if out := r.enumMethod(z, name, arg); out != nil {
			return out
		}
	case *zodList:
		if z.tuple && name == "rest" {
			return &zodList{tuple: true, items: z.items, element: r.schema(arg, at.Child("*"))}
		}
	}
	if check := r.check(name, arg); check != nil && checkable(z) {
		return &zodThen{first: z, then: check, testOnly: true}
	}
	r.unread(at, "."+name)
	return z
}

// withFunction reads a method that changes or tests the value of a schema by a function.
func (r *zodReader) withFunction(z zod, name string, args []*scriptExpr, at tree.Path) zod {
	f, ok := r.function(argument(args, 0))
	if !ok {
		r.unread(at, "the function of "+name)
		return z
	}
	if name != "refine" {
		return &zodThen{first: z, then: changeWith(f)}
	}
	message := ""
	if second := argument(args, 1); second.kind == exprText {
		message = second.text
	}
	return &zodThen{first: z, then: testWith(f, message), testOnly: true}
}

// checkable reports whether bounds apply to a schema: to a value of one type, and to what follows
// it.
func checkable(z zod) bool {
	switch z := z.(type) {
	case *zodType, *zodList, *zodOneOf:
		return true
	case *zodThen:
		return checkable(z.first)
	}
	return false
}

// fallback reads the value of default, prefault and catch, which may be a function without
// parameters.
func (r *zodReader) fallback(e *scriptExpr) (tree.Value, bool) {
	if e = r.resolve(e); e.kind != exprFunction {
		return r.literal(e)
	}
	v, ok := tree.Value{}, false
	r.within(e.text, nil, func(body *scriptExpr) { v, ok = r.literal(body) })
	return v, ok
}

// objectMethod reads a method of an object. It returns nil for a method of every schema.
func (r *zodReader) objectMethod(z zodObject, name string, arg *scriptExpr, at tree.Path) zod {
	z.fields, z.names = maps.Clone(z.fields), slices.Clone(z.names)
	chosen := func(key string) bool { return true }
	if mask, ok := r.literal(arg); ok && mask.IsObject() {
		chosen = func(key string) bool { return mask.Get(key).Exists() }
	} else if name == "pick" || name == "omit" {
		return nil
	}
	wrap := func(missing zodAbsence) zod {
		for _, key := range z.names {
			if chosen(key) {
				m := missing
				m.inner = z.fields[key]
				z.fields[key] = &m
			}
		}
		return &z
	}
	remove := func(isRemoved func(key string) bool) zod {
		z.names = slices.DeleteFunc(z.names, isRemoved)
		maps.DeleteFunc(z.fields, func(key string, _ zod) bool { return isRemoved(key) })
		return &z
	}
	switch name {
	case "strict":
		z.unknown = refuseKeys
	case "loose", "passthrough":
		z.unknown = keepKeys
	case "strip":
		z.unknown = dropKeys
	case "catchall":
		z.catchall = r.schema(arg, at.Child("*"))
	case "extend", "safeExtend":
		r.shape(&z, arg, at)
	case "merge":
		other, ok := r.schema(arg, at).(*zodObject)
		if !ok {
			return nil
		}
		z.addFields(other)
		z.unknown = other.unknown
	case "partial":
		return wrap(zodAbsence{optional: true})
	case "required":
		return wrap(zodAbsence{required: true})
	case "pick":
		return remove(func(key string) bool { return !chosen(key) })
	case "omit":
		return remove(chosen)
	default:
		return nil
	}
	return &z
}

// check reads a bound or a change of texts. It returns nil for any other method.
func (r *zodReader) check(name string, arg *scriptExpr) zodCheck {
	switch name {
	case "int", "safe":
		return requireInteger
	case "finite":
		return func(p *zodRun, v tree.Value) (tree.Value, *refusal) { return v, nil }
	case "trim":
		return changeText(keyindex.TrimSpace)
	case "toLowerCase":
		return changeText(strings.ToLower)
	case "toUpperCase":
		return changeText(strings.ToUpper)
	case "regex":
		return pattern(r.resolve(arg))
	}
	bound := boundChecks[name]
	if bound.limit != "" {
		return limitBy(bound.limit, bound.order)
	}
	v, _ := r.literal(arg)
	text, isText := v.AsText()
	number, isNumber := v.AsNumber()
	switch has := textChecks[name]; {
	case isText && has != nil:
		return contains(name, text, has)
	case isNumber && bound.order != "":
		return limitBy(number, bound.order)
	case isNumber && (name == "multipleOf" || name == "step"):
		return requireMultiple(number)
	}
	return nil
}

// boundChecks are the methods that compare a number or a length with a bound. Without a limit the bound is
// their argument.
var boundChecks = map[string]struct {
	order order
	limit tree.Number
}{
	"positive": {moreThan, "0"}, "negative": {lessThan, "0"},
	"nonnegative": {atLeast, "0"}, "nonpositive": {atMost, "0"}, "nonempty": {atLeast, "1"},
	"min": {order: atLeast}, "gte": {order: atLeast}, "max": {order: atMost}, "lte": {order: atMost},
	"gt": {order: moreThan}, "lt": {order: lessThan}, "length": {order: exactly},
}

// textChecks are the methods that seek their argument in a text.
var textChecks = map[string]func(s, part string) bool{
	"includes": strings.Contains, "startsWith": strings.HasPrefix, "endsWith": strings.HasSuffix,
}

// contains tests a text for a part; what is the name of the method.
func contains(what, part string, has func(s, part string) bool) zodCheck {
	return func(p *zodRun, v tree.Value) (tree.Value, *refusal) {
		if text, _ := v.AsText(); !has(text, part) {
			return v, refuse("%s(%s): found %s", what, strconv.Quote(part), describeValue(v))
		}
		return v, nil
	}
}

// pattern tests a text with a regular expression. It returns nil for a pattern that cannot be read.
func pattern(e *scriptExpr) zodCheck {
	if e.kind != exprPattern || strings.ContainsAny(e.flags, "gy") {
		return nil
	}
	re, err := jsregex.Compile(e.text, jsregex.Flags{IgnoreCase: strings.Contains(e.flags, "i"), Multiline: strings.Contains(e.flags, "m"),
		DotAll: strings.Contains(e.flags, "s"), Unicode: strings.Contains(e.flags, "u")})
	if err != nil {
		return nil
	}
	return func(p *zodRun, v tree.Value) (tree.Value, *refusal) {
		text, _ := v.AsText()
		if ok, err := re.Match(text); err != nil || !ok {
			return v, refuse("the text does not match /%s/, found %s", e.text, describeValue(v))
		}
		return v, nil
	}
}

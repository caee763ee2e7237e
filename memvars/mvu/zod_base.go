package mvu

import (
	"github.com/talewright/talewright/memvars/tree"
)

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
		return &zodAbsence{inner: r.schema(first, at), optional: name != "nullable", nullable: name != "optional"}
	case "lazy":
		f := r.resolve(first)
		if f.kind != exprFunction {
			return r.unread(at, "z.lazy")
		}
		return r.deferredResult(f.function, at)
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

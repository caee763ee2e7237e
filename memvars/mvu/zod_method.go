package mvu

import (
	"maps"
	"slices"

	"github.com/talewright/talewright/memvars/tree"
)

// method reads z.name(…) of a schema.
func (r *zodReader) method(z zod, name string, args []*scriptExpr, at tree.Path) zod {
	arg := argument(args, 0)
	switch name {
	case "describe", "meta", "brand", "readonly", "register", "finite": // all numbers are finite
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
	r.within(e.function, nil, func(result *scriptExpr) { v, ok = r.literal(result) })
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

package template

import (
	"math"
	"slices"
	"strings"

	"github.com/talewright/talewright/memvars/tree"
)

// options are the options of a function of variables.
type options struct {
	read, write int    // stores
	flags       string // n, nx, xx, nxs or xxs: whether the variable must exist
	index       value  // of an element, if the variable is a list as text
	merge       bool   // into the old value
	defaults    value  // instead of undefined
	min, max    value
	results     string // old, new or fullcache: what the function returns
	dryRun      bool   // writes also in a dry build
}

// readOptions reads the options: an object, a text that names one value, or true for dryRun. scope is the
// store of a function such as setGlobalVar; -1 leaves it to the options.
func (f *frame) readOptions(v value, scope int) options {
	o := options{read: cacheScope, write: messageScope}
	if scope >= 0 {
		o.read, o.write = scope, scope
	}
	switch v.kind {
	case boolKind:
		o.dryRun = v.isTrue()
	case textKind:
		f.readOption(&o, v.text)
	case objectKind:
		f.readOptionObject(&o, v.ref.(*object))
	}
	if o.read == messageScope { // the extension reads all stores there
		o.read = cacheScope
	}
	return o
}

// readOptionObject reads the members of an object with options.
func (f *frame) readOptionObject(o *options, from *object) {
	get := func(name string) value {
		m, _ := from.get(f, name)
		return m
	}
	for _, name := range [...]string{"scope", "flags", "results"} {
		if m := get(name); m.kind == textKind {
			f.readOption(o, m.text)
		}
	}
	if at := slices.Index(scopeNames[:], get("inscope").text); at >= 0 {
		o.read = at
	}
	if at := slices.Index(scopeNames[:], get("outscope").text); at >= 0 {
		o.write = at
	}
	o.index, o.defaults, o.min, o.max = get("index"), get("defaults"), get("min"), get("max")
	o.merge, o.dryRun = get("merge").isTrue(), get("dryRun").isTrue()
	if w := get("withMsg"); !w.isNullish() {
		f.fail(Refused, "withMsg",
			"the option withMsg is refused, because other turns cannot be reached: use the present variables")
	}
}

// readOption reads a text that names a store, a flag or a result.
func (f *frame) readOption(o *options, name string) {
	switch name {
	case "n", "nx", "xx", "nxs", "xxs":
		o.flags = name
	case "old", "new", "fullcache":
		o.results = name
	default:
		if at := slices.Index(scopeNames[:], name); at >= 0 {
			o.read, o.write = at, at
		}
	}
}

// readVariable returns a variable.
func (f *frame) readVariable(key value, o options) value {
	store := f.build.stores[o.read]
	v, _ := f.findStored(store, f.storePath(store, key))
	if o.index.kind != undefinedKind {
		v = f.readIndexed(v, o.index)
	}
	if v.kind == undefinedKind {
		return o.defaults
	}
	return v
}

// readIndexed reads an element of a variable that holds JSON as text.
func (f *frame) readIndexed(v, index value) value {
	if n := f.toNumber(index); v.kind == textKind && !math.IsNaN(n) {
		f.chargeBytes(len(v.text))
		list, err := tree.ParseValue([]byte(v.text))
		if err == nil {
			return fromTree(list.At(int(max(min(n, 1<<30), -1))))
		}
	}
	return value{}
}

// writeIndexed returns the text of a variable that holds JSON, with a changed part.
func (f *frame) writeIndexed(old, index, v value) value {
	var root tree.Value
	if old.kind == textKind {
		f.chargeBytes(len(old.text))
		root, _ = tree.ParseValue([]byte(old.text)) // not JSON: begins again
	}
	key := f.toText(index)
	if !root.IsArray() && !root.IsObject() {
		root = tree.Object()
		if _, ok := tree.Index(key); ok {
			root = tree.Array()
		}
	}
	root = f.withPart(root, tree.Path{key}, f.toTree(v))
	f.checkedSize(root, 0)
	return f.newText(root.String())
}

// storeVariable stores a variable and returns the value that the options ask for.
func (f *frame) storeVariable(key, v value, o options) value {
	b := f.build
	if b.dry && !o.dryRun {
		return value{}
	}
	path := f.storePath(b.stores[o.write], key)
	for _, seg := range path {
		if isInner(seg) {
			f.refuse(seg)
		}
	}
	merged, present := f.findStored(b.stores[cacheScope], f.storePath(b.stores[cacheScope], key))
	_, inScope := f.findStored(b.stores[o.write], path)
	switch {
	case o.flags == "nx" && present, o.flags == "xx" && !present,
		o.flags == "nxs" && inScope, o.flags == "xxs" && !inScope:
		return value{}
	}
	old := merged
	if o.write != messageScope && o.write != cacheScope {
		old, _ = f.findStored(b.stores[o.write], path)
	}
	if o.index.kind != undefinedKind {
		v = f.writeIndexed(old, o.index, v)
	}
	to := f.toTree(v)
	if o.merge {
		to = f.mergeTrees(f.toTree(old), to)
		v = fromTree(to)
	}
	f.writeStore(path, to, o.write)
	switch o.results {
	case "old":
		return old
	case "fullcache":
		return fromTree(b.stores[cacheScope])
	}
	return v
}

// variableFunctions are getvar, setvar and the like, with one set for each scope.
func variableFunctions() map[string]native {
	all := map[string]native{}
	for name, scope := range map[string]int{"": -1, "Local": chatScope, "Global": globalScope, "Message": messageScope} {
		add := func(verb string, call func(f *frame, args []value, scope int) value) {
			full := verb + name + "Var"
			if name == "" {
				full = strings.Replace(verb, "insert", "ins", 1) + "var"
			}
			all[full] = func(f *frame, args []value) value { return call(f, args, scope) }
		}
		add("get", func(f *frame, args []value, scope int) value {
			return f.readVariable(arg(args, 0), f.readOptions(arg(args, 1), scope))
		})
		add("set", func(f *frame, args []value, scope int) value {
			return f.storeVariable(arg(args, 0), arg(args, 1), f.readOptions(arg(args, 2), scope))
		})
		add("inc", func(f *frame, args []value, scope int) value { return f.increaseVariable(args, scope, 1) })
		add("dec", func(f *frame, args []value, scope int) value { return f.increaseVariable(args, scope, -1) })
		add("del", (*frame).deleteVariable)
		add("insert", (*frame).insertVariable)
	}
	return all
}

// increaseVariable adds to a variable, within bounds.
func (f *frame) increaseVariable(args []value, scope int, sign float64) value {
	by, opt := arg(args, 1), arg(args, 2)
	o := f.readOptions(opt, scope)
	if by.kind == undefinedKind {
		by = number(1)
	}
	if sign < 0 {
		by = number(-f.toNumber(by))
	}
	old := f.readVariable(arg(args, 0), o)
	if old.kind == undefinedKind {
		old = number(0)
	}
	v := f.plus(old, by)
	if !o.min.isNullish() {
		v = number(math.Max(f.toNumber(v), f.toNumber(o.min)))
	}
	if !o.max.isNullish() {
		v = number(math.Min(f.toNumber(v), f.toNumber(o.max)))
	}
	return f.storeVariable(arg(args, 0), v, o)
}

// deleteVariable deletes a variable, an element of a list, or a member of an object.
func (f *frame) deleteVariable(args []value, scope int) value {
	key, what := arg(args, 0), arg(args, 1)
	o := f.readOptions(arg(args, 2), scope)
	if what.kind == undefinedKind {
		return f.storeVariable(key, value{}, o)
	}
	old := f.toTree(f.readVariable(key, o))
	switch {
	case old.IsArray():
		sought := f.toTree(what)
		f.checkedSize(old, 0) // before its elements are compared
		for i, e := range old.Elements() {
			f.step()
			if e.Equal(sought) {
				return f.storeVariable(key, fromTree(old.Map(func(at int, e tree.Value) tree.Value {
					if at == i {
						return tree.Value{}
					}
					return e
				})), o)
			}
		}
	case old.IsObject():
		return f.storeVariable(key, fromTree(old.Without(f.toText(what))), o)
	}
	return fromTree(old)
}

// insertVariable adds an element to a list, or a member to an object.
func (f *frame) insertVariable(args []value, scope int) value {
	key, at := arg(args, 0), arg(args, 2)
	o := f.readOptions(arg(args, 3), scope)
	if at.kind == objectKind {
		o, at = f.readOptions(at, scope), value{}
	}
	old := f.toTree(f.readVariable(key, o))
	if old.IsObject() || !old.IsArray() && at.kind == textKind {
		if !old.IsObject() {
			old = tree.Object()
		}
		name := f.toText(at)
		if isInner(name) {
			f.refuse(name)
		}
		return f.storeVariable(key, fromTree(old.With(name, f.toTree(arg(args, 1)))), o)
	}
	items := old.List()
	to := len(items)
	if !at.isNullish() {
		to = f.positionArg([]value{at}, 0, to, to)
	}
	f.chargeItems(len(items) + 1)
	return f.storeVariable(key, fromTree(tree.Array(slices.Insert(items, to, f.toTree(arg(args, 1)))...)), o)
}

package template

import (
	"math"
	"slices"
	"strings"

	"github.com/talewright/talewright/internal/openjson"
	"github.com/talewright/talewright/memvars/tree"
)

// scopeNames are the names that templates and a [Write] use.
var (
	scopeNames = [scopes]string{"message", "local", "global", "initial", "cache"}
	writeNames = [scopes]string{"message", "chat", "global", "initial", "cache"}
)

// Variables returns the variables with the writes of the texts so far.
func (b *Build) Variables() Variables {
	return Variables{Message: b.stores[messageScope], Chat: b.stores[chatScope],
		Global: b.stores[globalScope], Initial: b.stores[initialScope]}
}

// SetVariables replaces the stores that a host may change between two texts of the build: Message,
// Chat and Global. Values in the scope cache stay, unless the host has changed them.
func (b *Build) SetVariables(v Variables) {
	b.take(messageScope, v.Message)
	b.take(chatScope, v.Chat)
	b.take(globalScope, v.Global)
}

// mergeStores makes the merged store.
func (b *Build) mergeStores() {
	var all []tree.Member
	for _, s := range [...]int{globalScope, initialScope, chatScope, messageScope} {
		for key, v := range b.stores[s].Members() {
			all = append(all, tree.Member{Key: key, Value: v})
		}
	}
	b.stores[cacheScope] = tree.Object(all...)
}

// take replaces a store. The merged store follows where the values differ.
func (b *Build) take(scope int, now tree.Value) {
	old := b.stores[scope]
	if !now.IsObject() {
		now = tree.Object()
	}
	if now.Same(old) {
		return
	}
	b.stores[scope] = now
	var changed []tree.Member
	for key, v := range now.Members() {
		if !v.Equal(old.Get(key)) {
			changed = append(changed, tree.Member{Key: key, Value: v})
		}
	}
	removed := map[string]bool{}
	for key := range old.Members() {
		if now.Get(key).Exists() {
			continue
		}
		removed[key] = true
		for _, s := range [...]int{globalScope, initialScope, chatScope, messageScope} {
			if v := b.stores[s].Get(key); v.Exists() {
				changed = append(changed, tree.Member{Key: key, Value: v})
			}
		}
	}
	var all []tree.Member
	for key, v := range b.stores[cacheScope].Members() {
		if !removed[key] {
			all = append(all, tree.Member{Key: key, Value: v})
		}
	}
	b.stores[cacheScope] = tree.Object(append(all, changed...)...)
}

// options are the options of a function of variables.
type options struct {
	read, write int
	flags       string
	index       value
	merge       bool
	defaults    value
	min, max    value
	results     string
	dryRun      bool
}

// readOptions reads the options: an object, a text that names one value, or true for dryRun. Without
// a scope the function uses the given one.
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
		from := v.ref.(*object)
		from.load(f)
		if len(from.keys) == 1 && from.keys[0] == "defaults" { // most calls
			o.defaults = from.vals[0]
			break
		}
		get := func(name string) value {
			m, _ := from.get(f, name)
			return m
		}
		for _, name := range [...]string{"scope", "flags", "results"} {
			if m := get(name); m.kind == textKind {
				f.readOption(&o, m.text)
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
	if o.read == messageScope {
		o.read = cacheScope // reads of the message see all stores
	}
	return o
}

// readOption reads a text that names a scope, a flag or a result.
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

// pathOf returns the segments of a path in the notation of lodash. A member of the whole name has
// precedence. ok is false for the whole value.
func (f *frame) pathOf(root, key value) tree.Path {
	if root.kind == objectKind && key.kind == textKind {
		if _, ok := root.ref.(*object).get(f, key.text); ok {
			return tree.Path{key.text}
		}
	}
	return f.pathSegments(key)
}

func (f *frame) pathSegments(key value) tree.Path {
	if key.kind == listKind {
		var path tree.Path
		f.iterate(key, func(v value) bool {
			path = append(path, f.toText(v))
			if len(path) > maxLevels {
				f.fail(codeWrongType, "", "the path has more than 1000 parts: shorten it")
			}
			return true
		})
		return path
	}
	s := f.toText(key)
	f.chargeBytes(len(s) * 8)
	if known, ok := key.ref.(*tree.Path); ok && key.kind == textKind {
		return *known
	}
	path := openjson.SplitPath(s)
	if len(path) > maxLevels {
		f.fail(codeWrongType, "", "the path has more than 1000 parts: shorten it")
	}
	return path
}

// storePath returns the path of a variable, nil for the whole store.
func (f *frame) storePath(store tree.Value, key value) tree.Path {
	if key.isNullish() {
		return nil
	}
	if key.kind == textKind && store.Get(key.text).Exists() {
		if known, ok := key.ref.(*tree.Path); ok && len(*known) == 1 {
			return *known
		}
		return tree.Path{key.text}
	}
	return f.pathSegments(key)
}

// lookupPath returns the member of a value at a path.
func (f *frame) lookupPath(v value, path tree.Path) (value, bool) {
	for _, seg := range path {
		f.step()
		switch {
		case isInner(seg) || v.isNullish():
			return value{}, false
		case v.kind == objectKind:
			m, ok := v.ref.(*object).get(f, seg)
			if !ok {
				return value{}, false
			}
			v = m
		case v.kind == listKind || v.kind == textKind:
			if _, index := tree.Index(seg); !index && seg != "length" {
				return value{}, false
			}
			if v = f.memberOf(v, text(seg)); v.kind == undefinedKind {
				return v, false
			}
		default:
			return value{}, false
		}
	}
	return v, true
}

// findStored returns a part of a store.
func (f *frame) findStored(store tree.Value, path tree.Path) (v value, ok bool) {
	for i, seg := range path {
		f.step()
		if isInner(seg) {
			return value{}, false
		}
		next := store.Lookup(path[i : i+1])
		if !next.Exists() {
			// The length of a list or a text is no part of the document.
			if seg == "length" && (store.IsArray() || store.Kind() == tree.KindText) {
				return f.lookupPath(fromTree(store), path[i:])
			}
			if store.Kind() == tree.KindText {
				return f.lookupPath(fromTree(store), path[i:])
			}
			return value{}, false
		}
		store = next
	}
	return fromTree(store), true
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

// writeStore changes a store and the merged one, and notes the write.
func (f *frame) writeStore(path tree.Path, to tree.Value, scope int) {
	b := f.build
	if b.stored += f.checkedSize(to, len(path)); b.stored > maxStored {
		f.limit("memory", "the texts of this prompt store more than 16 MiB in variables: store less")
	}
	path = slices.Clone(path)
	changed := existing(b.stores[scope], path)
	w := Write{Scope: writeNames[scope], Path: changed, Old: b.stores[scope].Lookup(changed)}
	if _, e := f.currentEntry(); e != nil {
		w.Entry = e.Comment
	}
	b.stores[scope] = f.withPart(b.stores[scope], path, to)
	w.New = b.stores[scope].Lookup(changed)
	f.checkedSize(w.New, len(changed)) // before it is compared
	if scope != cacheScope {
		b.stores[cacheScope] = f.withPart(b.stores[cacheScope], path, to)
	}
	if !w.Old.Equal(w.New) {
		f.chargeItems(4)
		b.writes = append(b.writes, w)
	}
}

// existing returns the part of a path that a write changes. It is the whole path, or the part up to
// the first parent that it makes or a list that it fills up.
func existing(store tree.Value, path tree.Path) tree.Path {
	for i := 1; i < len(path); i++ {
		parent := store.Lookup(path[:i])
		switch {
		case !parent.IsArray() && !parent.IsObject():
			return path[:i]
		case parent.IsArray():
			if at, ok := tree.Index(path[i]); !ok || at > parent.Len() {
				return path[:i]
			}
		}
	}
	return path
}

// withPart returns a value with a changed part. Missing parents are made: a list where a number is the
// key, else an object. An absent part is removed.
func (f *frame) withPart(v tree.Value, path tree.Path, to tree.Value) tree.Value {
	if len(path) == 0 {
		if !to.Exists() {
			return tree.Object()
		}
		return to
	}
	f.step()
	key, last := path[0], len(path) == 1
	index, isIndex := tree.Index(key)
	if !v.IsObject() && !v.IsArray() {
		if !to.Exists() {
			return v
		}
		if v = tree.Object(); isIndex {
			v = tree.Array()
		}
	}
	f.chargeBytes(v.Len() * 8)
	if v.IsObject() {
		switch {
		case last && !to.Exists():
			return v.Without(key)
		case last:
			return v.With(key, to)
		case !to.Exists() && !v.Get(key).Exists():
			return v
		}
		return v.With(key, f.withPart(v.Get(key), path[1:], to))
	}
	if !isIndex || !to.Exists() && index >= v.Len() {
		return v
	}
	f.chargeItems(max(index+1-v.Len(), 0))
	items := make([]tree.Value, max(v.Len(), index+1))
	for i, e := range v.Elements() {
		items[i] = e
	}
	if last {
		items[index] = to
	} else {
		items[index] = f.withPart(items[index], path[1:], to)
	}
	return tree.Array(items...)
}

// mergeTrees joins two values: objects member by member, lists one after the other. Lists within
// objects are replaced.
func (f *frame) mergeTrees(old, to tree.Value) tree.Value {
	f.checkedSize(old, 0)
	f.checkedSize(to, 0)
	if !old.IsArray() || !to.IsArray() {
		return old.Merge(to)
	}
	items := make([]tree.Value, 0, old.Len()+to.Len())
	for _, list := range [...]tree.Value{old, to} {
		for _, e := range list.Elements() {
			items = append(items, e)
		}
	}
	f.chargeItems(len(items))
	return tree.Array(items...)
}

// checkedSize counts the work of reading a whole value at a level of a document, and returns its size in
// bytes. A value may share its parts many times. It fails for values that are too large or too deep
// to be stored.
func (f *frame) checkedSize(v tree.Value, level int) (size int) {
	f.step()
	if level > maxLevels {
		f.fail(codeWrongType, "", "the value is nested too deeply or contains itself: store a part of it")
	}
	size = itemSize
	switch v.Kind() {
	case tree.KindText:
		s, _ := v.AsText()
		size += len(s)
		f.chargeBytes(len(s))
	case tree.KindObject:
		for key, member := range v.Members() {
			size += len(key) + f.checkedSize(member, level+1)
			f.chargeBytes(len(key))
		}
	case tree.KindArray:
		for _, e := range v.Elements() {
			size += f.checkedSize(e, level+1)
		}
	}
	f.checkSize(size)
	return size
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
	var items []tree.Value
	for _, e := range old.Elements() {
		items = append(items, e)
	}
	to := len(items)
	if !at.isNullish() {
		to = f.positionArg([]value{at}, 0, to, to)
	}
	f.chargeItems(len(items) + 1)
	return f.storeVariable(key, fromTree(tree.Array(slices.Insert(items, to, f.toTree(arg(args, 1)))...)), o)
}

// expand expands the macros of a text.
func (b *Build) expand(text, char string) string {
	if b.env.Expand == nil || !hasMacro(text) {
		return text
	}
	out, v := b.env.Expand(text, char, b.Variables())
	if !b.dry {
		b.take(chatScope, v.Chat)
		b.take(globalScope, v.Global)
	}
	return strings.ToValidUTF8(out, "\uFFFD")
}

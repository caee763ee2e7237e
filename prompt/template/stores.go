package template

import (
	"slices"

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
	b.replaceStore(messageScope, v.Message)
	b.replaceStore(chatScope, v.Chat)
	b.replaceStore(globalScope, v.Global)
}

// mergedScopes are the stores in the merged one. Later ones have precedence.
var mergedScopes = [...]int{globalScope, initialScope, chatScope, messageScope}

// mergeStores makes the merged store.
func (b *Build) mergeStores() {
	var all []tree.Member
	for _, s := range mergedScopes {
		for key, v := range b.stores[s].Members() {
			all = append(all, tree.Member{Key: key, Value: v})
		}
	}
	b.stores[cacheScope] = tree.Object(all...)
}

// replaceStore replaces a store by the one that a host returned. Root members that the host changed or
// removed change in the merged store too.
func (b *Build) replaceStore(scope int, now tree.Value) {
	old := b.stores[scope]
	if !now.IsObject() {
		now = tree.Object()
	}
	if now.Same(old) {
		return
	}
	b.stores[scope] = now
	isRemoved := func(key string) bool { return old.Get(key).Exists() && !now.Get(key).Exists() }
	var merged []tree.Member
	for key, v := range b.stores[cacheScope].Members() {
		if !isRemoved(key) {
			merged = append(merged, tree.Member{Key: key, Value: v})
		}
	}
	for key, v := range now.Members() {
		if !v.Equal(old.Get(key)) {
			merged = append(merged, tree.Member{Key: key, Value: v})
		}
	}
	for key := range old.Members() {
		if isRemoved(key) {
			for _, s := range mergedScopes {
				merged = append(merged, tree.Member{Key: key, Value: b.stores[s].Get(key)})
			}
		}
	}
	b.stores[cacheScope] = tree.Object(merged...)
}

// expand expands the macros of a text.
func (b *Build) expand(text, char string) string {
	if b.env.Expand == nil || !hasMacro(text) {
		return text
	}
	out, v := b.env.Expand(text, char, b.Variables())
	if !b.dry {
		b.replaceStore(chatScope, v.Chat)
		b.replaceStore(globalScope, v.Global)
	}
	return clean(out)
}

// writeStore changes a store and the merged one, and lists the write. An absent value deletes the part.
func (f *frame) writeStore(path tree.Path, to tree.Value, scope int) {
	b := f.build
	if b.stored += f.checkedSize(to, len(path)); b.stored > maxStored {
		f.limit("memory", "the texts of this prompt store more than 16 MiB in variables: store less")
	}
	path = slices.Clone(path)
	changed := changedPath(b.stores[scope], path)
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

// changedPath returns the part of a path that a write changes. It is the whole path, or the part up to
// the first parent that it makes or a list that it fills up.
func changedPath(store tree.Value, path tree.Path) tree.Path {
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
	if !v.IsObject() && !v.IsArray() {
		if !to.Exists() {
			return v
		}
		if v = tree.Object(); isIndex(path[0]) {
			v = tree.Array()
		}
	}
	f.chargeBytes(v.Len() * 8)
	if v.IsArray() {
		return f.withElement(v, path, to)
	}
	key, rest := path[0], path[1:]
	switch {
	case !to.Exists() && !v.Get(key).Exists():
		return v
	case !to.Exists() && len(rest) == 0:
		return v.Without(key)
	case len(rest) == 0:
		return v.With(key, to)
	}
	return v.With(key, f.withPart(v.Get(key), rest, to))
}

// withElement is withPart for a list. A gap before a new element is filled with null, and a removed element
// becomes null.
func (f *frame) withElement(list tree.Value, path tree.Path, to tree.Value) tree.Value {
	index, ok := tree.Index(path[0])
	if !ok || !to.Exists() && index >= list.Len() {
		return list
	}
	f.chargeItems(max(index+1-list.Len(), 0))
	items := make([]tree.Value, max(list.Len(), index+1))
	for i, e := range list.Elements() {
		items[i] = e
	}
	if items[index] = to; len(path) > 1 {
		items[index] = f.withPart(list.At(index), path[1:], to)
	}
	return tree.Array(items...)
}

// isIndex reports whether a key is a position in a list.
func isIndex(key string) bool {
	_, ok := tree.Index(key)
	return ok
}

// mergeTrees joins two values: objects member by member, lists one after the other. Lists within
// objects are replaced.
func (f *frame) mergeTrees(old, to tree.Value) tree.Value {
	f.checkedSize(old, 0)
	f.checkedSize(to, 0)
	if !old.IsArray() || !to.IsArray() {
		return old.Merge(to)
	}
	f.chargeItems(old.Len() + to.Len())
	return tree.Array(append(old.List(), to.List()...)...)
}

// checkedSize returns the size of a value at a level of a document, in bytes. It fails for values that are
// too large or too deep to be stored. It charges for reading the value: a value may share its parts many
// times.
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

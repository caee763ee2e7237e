package template

import (
	"github.com/talewright/talewright/internal/openjson"
	"github.com/talewright/talewright/memvars/tree"
)

// pathOf returns the names in a path of lodash that is used on root. If root has a member with the whole
// text as its name, that is the path.
func (f *frame) pathOf(root, key value) tree.Path {
	if root.kind == objectKind && key.kind == textKind {
		if _, ok := root.ref.(*object).get(f, key.text); ok {
			return tree.Path{key.text}
		}
	}
	return f.pathSegments(key)
}

// pathSegments returns the names in a path of lodash: a text, or a list of names.
func (f *frame) pathSegments(key value) tree.Path {
	if key.kind == listKind {
		var path tree.Path
		f.iterate(key, func(v value) bool {
			path = append(path, f.toText(v))
			f.checkPath(path)
			return true
		})
		return path
	}
	s := f.toText(key)
	f.chargeBytes(len(s) * 8)
	if known, ok := key.ref.(*tree.Path); ok && key.kind == textKind {
		return *known
	}
	path := tree.Path(openjson.SplitPath(s))
	f.checkPath(path)
	return path
}

// checkPath refuses paths that are too long.
func (f *frame) checkPath(path tree.Path) {
	if len(path) > maxLevels {
		f.fail(codeWrongType, "", "the path has more than 1000 parts: shorten it")
	}
}

// storePath returns the path of a variable, nil for the whole store. A variable with the whole text as its
// name has precedence.
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

// lookupPath returns the member of a value at a path, and whether it exists.
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

// findStored returns the part of a store at a path, and whether it exists.
func (f *frame) findStored(store tree.Value, path tree.Path) (v value, ok bool) {
	for i, seg := range path {
		f.step()
		if isInner(seg) {
			return value{}, false
		}
		next := store.Lookup(path[i : i+1])
		if !next.Exists() {
			// A document has neither lengths nor the characters of a text.
			if seg == "length" && store.IsArray() || store.Kind() == tree.KindText {
				return f.lookupPath(fromTree(store), path[i:])
			}
			return value{}, false
		}
		store = next
	}
	return fromTree(store), true
}

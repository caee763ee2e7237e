package mvu

import (
	"slices"
	"strings"

	"github.com/talewright/talewright/memvars/tree"
)

// readonly reports whether a path has a segment that no command may write.
func (r *runner) readonly(path tree.Path) bool {
	if r.readonlyPrefix() == "" {
		return false
	}
	return slices.ContainsFunc(path, r.readonlyKey)
}

// readonlyKey reports whether the prefix of the options makes a key read-only.
func (r *runner) readonlyKey(key string) bool { return strings.HasPrefix(key, r.readonlyPrefix()) }

// readonlyPrefix returns the prefix of the option. Without one, cards with a schema have a default.
func (r *runner) readonlyPrefix() string {
	if r.options.ReadonlyPrefix == "" && r.options.Schema != nil {
		return "_"
	}
	return r.options.ReadonlyPrefix
}

// withReadonly returns the new value with the read-only members of the old one.
func (r *runner) withReadonly(old, now tree.Value) tree.Value {
	if !now.IsObject() {
		return now
	}
	var members []tree.Member
	for key, child := range now.Members() {
		was := old.Get(key)
		switch {
		case !r.readonlyKey(key):
			members = append(members, tree.Member{Key: key, Value: r.withReadonly(was, child)})
		case was.Exists():
			members = append(members, tree.Member{Key: key, Value: was})
		}
	}
	for key, child := range old.Members() {
		if r.readonlyKey(key) && !now.Get(key).Exists() {
			members = append(members, tree.Member{Key: key, Value: child})
		}
	}
	return tree.Object(members...)
}

// changesReadonly reports whether a read-only node differs between the old and the new value, or
// exists in only one of them. Either value may be absent.
func (r *runner) changesReadonly(old, now tree.Value) bool {
	if r.readonlyPrefix() == "" || old.Same(now) {
		return false
	}
	for key, was := range old.Members() {
		if is := now.Get(key); r.readonlyKey(key) && !was.Equal(is) || r.changesReadonly(was, is) {
			return true
		}
	}
	for i, was := range old.Elements() {
		if r.changesReadonly(was, now.At(i)) {
			return true
		}
	}
	for key, is := range now.Members() {
		if isNew := !old.Get(key).Exists(); isNew && (r.readonlyKey(key) || r.changesReadonly(tree.Value{}, is)) {
			return true
		}
	}
	return false
}

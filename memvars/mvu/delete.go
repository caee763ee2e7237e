package mvu

import (
	"strings"

	"github.com/talewright/talewright/memvars/tree"
)

// delete removes the node at a path.
//
// A member that the schema requires stays; in a closed object all members are required. In compat
// mode the elements of closed lists can be removed by an index in the path, because MVU does not
// check this.
func (r *runner) delete(t target) Code {
	old := r.lookup(t.path)
	switch {
	case len(t.path) == 0 || !old.Exists():
		return r.pathMissing(t.path)
	case r.changesReadonly(old, tree.Value{}):
		return codeReadonly
	}
	n := len(t.path) - 1
	rights := r.rights(t.path[:n])
	if r.kind(t.path[:n]) == tree.KindArray {
		parent := r.lookup(t.path[:n])
		switch {
		case r.isFixedPair(t.path[:n], parent):
			return codePairShape
		case !rights.open && !r.options.compat():
			return codeNotExtensible
		}
		text := t.text
		if i := strings.LastIndexAny(text, ".["); i >= 0 {
			text = text[:i]
		}
		return r.cut(target{text, t.path[:n]}, parent, t.path, r.options.compat())
	}
	if rights.requires(t.path[n]) {
		return codeRequired
	}
	if err := r.edit.Delete(r.abs(t.path)); err != nil {
		return codePathMissing
	}
	r.modified = true
	r.dropSchema(t.path)
	r.addEvent(Event{Type: "delete", Path: t.text, At: t.path, Old: old})
	return ""
}

// dropSchema removes the schema of a removed node.
func (r *runner) dropSchema(path tree.Path) {
	if r.meta != nil {
		r.replaceSchema(path, nil)
	}
}

// cut removes an element of a list. MVU has no display text for a removal by an index in the path.
func (r *runner) cut(t target, list tree.Value, element tree.Path, silent bool) Code {
	whole, ok := r.startContainerEvent(t, list)
	if !ok {
		return codeTooMany
	}
	was := r.lookup(element)
	if err := r.edit.Delete(r.abs(element)); err != nil {
		return codeNotFound
	}
	r.modified = true
	whole.add(Event{Type: "delete", Path: t.text, At: element, Old: was})
	if silent && !r.quiet {
		r.notes = r.notes[:len(r.notes)-1]
	}
	return ""
}

// deleteFrom removes an element of a list by its index or value, or a member of an object by its
// key or position.
func (r *runner) deleteFrom(t target, what tree.Value) Code {
	switch r.kind(t.path) {
	case tree.Absent:
		return r.pathMissing(t.path)
	case tree.KindArray:
		return r.deleteElement(t, r.lookup(t.path), what)
	case tree.KindObject:
		return r.deleteMember(t, what)
	}
	return codeNotAContainer
}

// deleteElement removes by index if the argument is a number, else the first equal element.
func (r *runner) deleteElement(t target, list, what tree.Value) Code {
	switch {
	case r.isFixedPair(t.path, list):
		return codePairShape
	case !r.rights(t.path).open:
		return codeNotExtensible
	}
	at, ok := index(what)
	if !ok {
		at = -1
		for i, e := range list.Elements() {
			if e.Equal(what) {
				at = i
				break
			}
		}
	}
	switch {
	case at < 0 || at >= list.Len():
		return codeNotFound
	case r.changesReadonly(list.At(at), tree.Value{}):
		return codeReadonly
	}
	return r.cut(t, list, t.path.Child(itoa(at)), false)
}

// deleteMember removes by position if the argument is a valid position, else by key.
func (r *runner) deleteMember(t target, what tree.Value) Code {
	key := keyText(what)
	if i, ok := index(what); ok && i >= 0 {
		if object := r.lookup(t.path); i < object.Len() {
			key = object.KeyAt(i)
		}
	}
	path := t.path.Child(key)
	old := r.lookup(path)
	switch {
	case !old.Exists():
		return codeNotFound
	case r.readonly(path), r.changesReadonly(old, tree.Value{}):
		return codeReadonly
	case r.rights(t.path).requires(key):
		return codeRequired
	}
	if err := r.edit.Delete(r.abs(path)); err != nil {
		return codeNotFound
	}
	r.modified = true
	r.dropSchema(path)
	if r.options.compat() {
		return "" // MVU reports this form nowhere
	}
	r.addEvent(Event{Type: "delete", Path: path.String(), At: path, Old: old})
	return ""
}

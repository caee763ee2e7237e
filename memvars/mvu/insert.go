package mvu

import (
	"github.com/talewright/talewright/memvars/tree"
)

// insert adds to a list or an object. key is absent in the form with two
// arguments.
//
// What the target is decides:
//
//   - a list takes one more element, if the schema leaves it open;
//   - an object takes a member under a key, or merges with an object, if the schema
//     leaves it open; members that it has may be overwritten by key in any case;
//   - null becomes a list or an object;
//   - a pair is a list for MVU; in default mode it keeps its shape;
//   - anything else is an error. In default mode a member that is missing below an
//     open object is made.
func (r *runner) insert(t target, key, v tree.Value) Code {
	old := r.lookup(t.path)
	if !old.Exists() && !r.o.compat() {
		return r.insertMissing(t, key, v)
	}
	rights := r.rights(t.path)
	switch {
	case old.IsNull():
		return r.insertNull(t, key, v)
	case old.IsArray():
		if pair(old) && !r.o.compat() {
			return PairShape
		}
		if !rights.open {
			return NotExtensible
		}
		return r.insertList(t, old, key, v, rights)
	case old.IsObject() && key.Exists():
		return r.insertKey(t, old, key, v, rights)
	case old.IsObject():
		return r.merge(t, old, v, rights)
	}
	return NotAContainer
}

// rights returns what the schema allows at a path. What this very message made
// has no schema yet and is open in compat mode.
func (r *runner) rights(path tree.Path) rights {
	out := r.meta.at(r.kind, path, r.o.compat())
	if r.o.compat() && out.node == nil {
		for _, p := range r.fresh {
			if path.HasPrefix(p) {
				out.open = true
			}
		}
	}
	return out
}

// insertMissing makes a member of an open object.
func (r *runner) insertMissing(t target, key, v tree.Value) Code {
	n := len(t.path) - 1
	parent := r.lookup(t.path[:n])
	switch {
	case !parent.IsObject():
		return NotAContainer
	case !r.rights(t.path[:n]).open:
		return NotExtensible
	}
	if key.Exists() {
		v = tree.Object(tree.Member{Key: keyText(key), Value: v})
	}
	clean, meta := extract(v)
	if code := r.write(t.path, clean); code != "" {
		return code
	}
	r.attach(t.path, meta)
	r.tell(Event{Type: "insert", Path: t.text, At: t.path, New: v})
	return ""
}

// insertNull makes a container of a null: an object for a key or an object, else
// a list.
func (r *runner) insertNull(t target, key, v tree.Value) Code {
	var now tree.Value
	switch {
	case key.Exists():
		now = tree.Object(tree.Member{Key: keyText(key), Value: v})
	case v.IsObject():
		now = v
	default:
		now = tree.Array(v)
	}
	clean, meta := extract(now)
	if code := r.write(t.path, clean); code != "" {
		return code
	}
	r.attach(t.path, meta)
	r.tell(Event{Type: "insert", Path: t.text, At: t.path, Old: tree.Null, New: now})
	return ""
}

// insertList inserts one element, a list too. Without an index and with a dash it
// goes to the end, as it does with an index beyond; a negative index counts from
// the end.
func (r *runner) insertList(t target, old, key, v tree.Value, rights rights) Code {
	at := old.Len()
	if key.Exists() {
		i, ok := index(key)
		text, isText := key.AsText()
		switch {
		case ok && i < 0:
			at = max(old.Len()+i, 0)
		case ok:
			at = min(i, old.Len())
		case isText && text != "-" && text != "":
			j, ok := indexSegment(text)
			if !ok {
				return BadArguments
			}
			at = min(j, old.Len())
		case !isText:
			return BadArguments
		}
	}
	if !r.holds(old.Len()) {
		return TooMany
	}
	v = r.template(v, rights.node)
	clean, meta := extract(v)
	if err := r.edit.Insert(r.abs(t.path), at, clean); err != nil {
		return outcome(err)
	}
	r.modified = true
	if meta != nil {
		r.attach(t.path.Child("0"), meta)
	}
	r.tell(Event{Type: "insert", Path: t.text, At: t.path, Old: old, New: r.lookup(t.path)})
	return ""
}

// keyText is the literal key that an argument names: dots in it do not split.
func keyText(key tree.Value) string {
	if text, ok := key.AsText(); ok {
		return text
	}
	return key.String()
}

// insertKey writes a member of an object. A closed object takes no new ones, but
// those that it has may be written.
func (r *runner) insertKey(t target, old, key, v tree.Value, rights rights) Code {
	name := keyText(key)
	path := t.path.Child(name)
	if r.readonly(path) {
		return Readonly
	}
	if !old.Get(name).Exists() && !rights.open {
		return NotExtensible
	}
	if !r.holds(old.Len()) {
		return TooMany
	}
	v = r.template(v, rights.node)
	clean, meta := extract(v)
	if code := r.write(path, clean); code != "" {
		return code
	}
	r.attach(path, meta)
	now := r.lookup(t.path)
	if meta != nil {
		now = place(now, tree.Path{name}, v) // the event shows the markers
	}
	r.tell(Event{Type: "insert", Path: t.text, At: t.path, Old: old, New: now})
	return ""
}

// attach puts what the markers of an inserted value said into the schema.
func (r *runner) attach(path tree.Path, meta *node) {
	r.fresh = append(r.fresh, path)
	if meta != nil {
		r.describe(path, meta)
	}
}

// describe replaces what the schema says about the node at path.
func (r *runner) describe(path tree.Path, meta *node) {
	kind := func(depth int) tree.Kind { return r.kind(path[:depth]) }
	r.meta = r.meta.with(r.by, kind, path, 0, meta)
}

// merge merges an object into an open object, recursively.
//
// Templates play no part here: they complete new members, and a merge may well be
// about old ones.
func (r *runner) merge(t target, old, v tree.Value, rights rights) Code {
	switch {
	case !v.IsObject():
		return BadMerge
	case !rights.open:
		return NotExtensible
	case r.readonlyInside(v):
		return Readonly
	case !r.holds(old.Len()):
		return TooMany
	}
	clean, meta := extract(v)
	if code := r.write(t.path, r.merged(old, clean)); code != "" {
		return code
	}
	if meta != nil {
		for key, sub := range meta.members {
			r.describe(t.path.Child(key), sub)
		}
	}
	r.tell(Event{Type: "insert", Path: t.text, At: t.path, Old: old, New: r.lookup(t.path)})
	return ""
}

// readonlyInside looks for members that no command may write in a value to be
// merged.
func (r *runner) readonlyInside(v tree.Value) bool {
	for key, child := range v.Members() {
		if r.readonly(tree.Path{key}) || r.readonlyInside(child) {
			return true
		}
	}
	return false
}

// merged returns a with the members of b: objects merge, and in compat mode
// lists do so index by index; everything else replaces.
func (r *runner) merged(a, b tree.Value) tree.Value {
	return mergeValues(a, b, r.o.compat())
}

// mergeValues returns a with what b says, a's order first.
func mergeValues(a, b tree.Value, byIndex bool) tree.Value {
	switch {
	case a.IsObject() && b.IsObject():
		members := make([]tree.Member, 0, a.Len()+b.Len())
		for key, child := range a.Members() {
			if other := b.Get(key); other.Exists() {
				child = mergeValues(child, other, byIndex)
			}
			members = append(members, tree.Member{Key: key, Value: child})
		}
		for key, child := range b.Members() {
			if !a.Get(key).Exists() {
				members = append(members, tree.Member{Key: key, Value: child})
			}
		}
		return tree.Object(members...)
	case a.IsArray() && b.IsArray() && byIndex:
		elems := make([]tree.Value, 0, max(a.Len(), b.Len()))
		for i := range max(a.Len(), b.Len()) {
			switch x, y := a.At(i), b.At(i); {
			case !y.Exists():
				elems = append(elems, x)
			case !x.Exists():
				elems = append(elems, y)
			default:
				elems = append(elems, mergeValues(x, y, byIndex))
			}
		}
		return tree.Array(elems...)
	}
	return b
}

// template completes a value by the template of the container that it goes into.
//
// Objects merge, the value over the template. Lists are joined, the value first, or
// merge index by index if the schema turns joining off. A single value goes in
// front of a list unless the templates are strict. For anything else there is no
// rule: the value is kept, and that is told.
func (r *runner) template(v tree.Value, n *node) tree.Value {
	if n == nil || !n.template.Exists() {
		return v
	}
	strict, byIndex := false, false
	if r.meta != nil {
		strict, byIndex = r.meta.strictTemplate, r.meta.mergeTemplates
	}
	t := n.template
	switch {
	case v.IsObject() && t.IsObject():
		return mergeValues(t, v, true)
	case v.IsArray() && t.IsArray():
		if byIndex {
			return mergeValues(t, v, true)
		}
		return joined(v, t)
	case t.IsArray() && !v.IsObject():
		if strict {
			return v
		}
		return joined(tree.Array(v), t)
	}
	r.fail(TemplateMismatch, "the value is kept as it is")
	return v
}

// joined is one list after the other.
func joined(a, b tree.Value) tree.Value {
	elems := make([]tree.Value, 0, a.Len()+b.Len())
	for _, e := range a.Elements() {
		elems = append(elems, e)
	}
	for _, e := range b.Elements() {
		elems = append(elems, e)
	}
	return tree.Array(elems...)
}

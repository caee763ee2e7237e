package mvu

import (
	"slices"

	"github.com/talewright/talewright/memvars/tree"
)

// insert adds to a list or an object. key is absent if the command has two arguments.
//
// The kind of the target decides:
//
//   - A list gets one more element if the schema leaves it open.
//   - An object gets a member under a key, or merges with an object, if the schema leaves it open.
//     Existing members may always be overwritten by key.
//   - A null becomes a list or an object.
//   - A pair is a list for MVU; in default mode it keeps its shape. Two texts in an open list are not
//     a pair.
//   - Any other target is an error. In default mode a missing member of an open object is created.
func (r *runner) insert(t target, key, v tree.Value) Code {
	old := r.lookup(t.path)
	if !old.Exists() && !r.options.compat() {
		return r.insertMissing(t, key, v)
	}
	rights := r.rights(t.path)
	switch {
	case old.IsNull():
		return r.insertNull(t, key, v)
	case old.IsArray():
		if r.isFixedPair(t.path, old) {
			return codePairShape
		}
		if !rights.open {
			return codeNotExtensible
		}
		return r.insertList(t, old, key, v, rights)
	case old.IsObject() && key.Exists():
		return r.insertKey(t, old, key, v, rights)
	case old.IsObject():
		return r.merge(t, old, v, rights)
	}
	return codeNotAContainer
}

// rights returns the rights of the schema at a path. Nodes that this message created have no schema
// yet and are open in compat mode.
func (r *runner) rights(path tree.Path) rights {
	out := r.meta.at(r.kind, path, r.options.compat())
	if r.options.compat() && out.node == nil && r.created.covers(path) {
		out.open = true
	}
	return out
}

// insertMissing creates a member of an open object.
func (r *runner) insertMissing(t target, key, v tree.Value) Code {
	n := len(t.path) - 1
	if r.options.Schema != nil {
		return r.insertNew(t, key, v)
	}
	parent := r.lookup(t.path[:n])
	switch {
	case !parent.IsObject():
		return codeNotAContainer
	case !r.rights(t.path[:n]).open:
		return codeNotExtensible
	}
	if key.Exists() {
		v = tree.Object(tree.Member{Key: keyText(key), Value: v})
	}
	return r.putNew(t, tree.Value{}, v)
}

// putNew writes an inserted value with its schema, in the place of old.
func (r *runner) putNew(t target, old, v tree.Value) Code {
	clean, meta := extract(v)
	if code := r.write(t.path, clean); code != "" {
		return code
	}
	r.addSchema(t.path, meta)
	r.addEvent(Event{Type: "insert", Path: t.text, At: t.path, Old: old, New: v})
	return ""
}

// insertNew creates a container with a value where the schema decides what fits: an object, else a
// list.
func (r *runner) insertNew(t target, key, v tree.Value) Code {
	object := v
	name, _ := key.AsText()
	if key.Exists() {
		object = tree.Object(tree.Member{Key: keyText(key), Value: v})
	}
	now := object
	if !object.IsObject() || name == "-" {
		now = tree.Array(v)
	} else if data, err := r.options.Schema.Parse(setAt(r.lookup(nil), t.path, object)); err != nil || !data.Exists() {
		if _, err := r.options.Schema.Parse(setAt(r.lookup(nil), t.path, tree.Array(v))); err == nil {
			now = tree.Array(v)
		}
	}
	if code := r.write(t.path, now); code != "" {
		return code
	}
	r.addEvent(Event{Type: "insert", Path: t.text, At: t.path, New: now})
	return ""
}

// insertNull replaces a null by a container: an object for a key or an object, else a list.
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
	return r.putNew(t, tree.Null, now)
}

// insertList inserts one element, which may be a list. Without an index, with a dash, or with an
// index beyond the end it is appended. A negative index counts from the end.
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
			j, ok := tree.Index(text)
			if !ok {
				return codeBadArguments
			}
			at = min(j, old.Len())
		case !isText:
			return codeBadArguments
		}
	}
	whole, ok := r.startContainerEvent(t, old)
	if !ok {
		return codeTooMany
	}
	v = r.template(v, rights.node)
	clean, meta := extract(v)
	if r.changesReadonly(tree.Value{}, clean) {
		return codeReadonly
	}
	if err := r.edit.Insert(r.abs(t.path), at, clean); err != nil {
		return outcome(err)
	}
	r.modified = true
	if meta != nil {
		r.addSchema(t.path.Child("0"), meta)
	}
	whole.add(Event{Type: "insert", Path: t.text, At: t.path.Child(itoa(at)), New: clean})
	return ""
}

// keyText returns the literal key in an argument: dots do not split it.
func keyText(key tree.Value) string {
	if text, ok := key.AsText(); ok {
		return text
	}
	return key.String()
}

// insertKey writes a member of an object. A closed object takes no new members, but existing
// members may be written.
func (r *runner) insertKey(t target, old, key, v tree.Value, rights rights) Code {
	name := keyText(key)
	path := t.path.Child(name)
	if r.readonly(path) {
		return codeReadonly
	}
	if !old.Get(name).Exists() && !rights.open {
		return codeNotExtensible
	}
	whole, ok := r.startContainerEvent(t, old)
	if !ok {
		return codeTooMany
	}
	was := old.Get(name)
	v = r.template(v, rights.node)
	clean, meta := extract(v)
	if code := r.write(path, clean); code != "" {
		return code
	}
	r.addSchema(path, meta)
	if meta != nil {
		whole.marked = tree.Object(tree.Member{Key: name, Value: v})
	}
	whole.add(Event{Type: "insert", Path: t.text, At: path, Old: was, New: v})
	return ""
}

// addSchema adds the markers of an inserted value to the schema.
func (r *runner) addSchema(path tree.Path, meta *node) {
	r.created.add(path)
	if meta != nil {
		r.replaceSchema(path, meta)
	}
}

// replaceSchema replaces the schema of the node at path.
func (r *runner) replaceSchema(path tree.Path, meta *node) {
	r.meta = r.meta.with(r.owner, r.kind, path, 0, meta)
	if meta != nil {
		r.marked = append(r.marked, slices.Clone(path))
	}
}

// merge merges an object into an open object, recursively.
//
// Templates are not used here: they complete new members, but a merge may change old members.
func (r *runner) merge(t target, old, v tree.Value, rights rights) Code {
	switch {
	case !v.IsObject():
		return codeBadMerge
	case !rights.open:
		return codeNotExtensible
	}
	whole, ok := r.startContainerEvent(t, old)
	if !ok {
		return codeTooMany
	}
	clean, meta := extract(v)
	was := overwritten(old, clean)
	if code := r.mergeInto(t.path, old, clean); code != "" {
		return code
	}
	if meta != nil {
		for key, sub := range meta.members {
			r.replaceSchema(t.path.Child(key), sub)
		}
	}
	whole.add(Event{Type: "insert", Path: t.text, At: t.path, Old: was, New: clean})
	return ""
}

// mergeInto writes the members of an object into an existing object. In compat mode lists merge
// index by index.
func (r *runner) mergeInto(path tree.Path, old, v tree.Value) Code {
	if r.options.compat() {
		return r.write(path, mergeValues(old, v))
	}
	mark := r.edit.Mark()
	if code := r.mergeMembers(path, v); code != "" {
		r.edit.Undo(mark)
		return code
	}
	return ""
}

// mergeMembers writes the members of v one by one, in default mode.
func (r *runner) mergeMembers(path tree.Path, v tree.Value) Code {
	for key, child := range v.Members() {
		at, write := path.Child(key), r.write
		if child.IsObject() && r.kind(at) == tree.KindObject {
			write = r.mergeMembers
		}
		if code := write(at, child); code != "" {
			return code
		}
	}
	return ""
}

// overwritten returns the part of an object that a merge overwrites: the old values.
func overwritten(old, over tree.Value) tree.Value {
	if !old.IsObject() || !over.IsObject() {
		return old
	}
	var members []tree.Member
	for key, child := range over.Members() {
		members = append(members, tree.Member{Key: key, Value: overwritten(old.Get(key), child)})
	}
	return tree.Object(members...)
}

// containerEvent is a list or an object with one event for all inserted or removed elements. The
// display data show the number of entries before and after. In compat mode the event has the whole
// container, before and after, as MVU's events do.
type containerEvent struct {
	runner *runner
	target target
	old    tree.Value // in compat mode only
	length int
	marked tree.Value // the members as they were written, with their markers
}

// startContainerEvent prepares the event of a container that is about to change. ok is false if the
// events of the message are already too large.
func (r *runner) startContainerEvent(t target, now tree.Value) (c containerEvent, ok bool) {
	c = containerEvent{runner: r, target: t, length: now.Len()}
	if r.options.compat() && !r.quiet {
		if r.eventSize += 2 * c.length; r.eventSize > maxHeld {
			return c, false
		}
		c.old = r.edit.Freeze(now)
	}
	return c, true
}

// add records the event, after the container has changed.
func (c containerEvent) add(e Event) {
	if c.runner.quiet {
		return
	}
	now := c.runner.lookup(c.target.path)
	if c.runner.options.compat() {
		e.At, e.Old, e.New = c.target.path, c.old, now
		for key, v := range c.marked.Members() {
			e.New = setAt(now, tree.Path{key}, v)
		}
	}
	c.runner.storeEvent(e, e, c.target.path, itoa(c.length)+"->"+itoa(now.Len()))
}

// mergeValues returns a with b merged over it, in the order of a first. Lists merge index by index.
func mergeValues(a, b tree.Value) tree.Value {
	switch {
	case a.IsObject() && b.IsObject():
		members := make([]tree.Member, 0, a.Len()+b.Len())
		for key, child := range a.Members() {
			if other := b.Get(key); other.Exists() {
				child = mergeValues(child, other)
			}
			members = append(members, tree.Member{Key: key, Value: child})
		}
		return tree.Object(append(members, missingMembers(b, a)...)...)
	case a.IsArray() && b.IsArray():
		elems := make([]tree.Value, 0, max(a.Len(), b.Len()))
		for i := range max(a.Len(), b.Len()) {
			switch x, y := a.At(i), b.At(i); {
			case !y.Exists():
				elems = append(elems, x)
			case !x.Exists():
				elems = append(elems, y)
			default:
				elems = append(elems, mergeValues(x, y))
			}
		}
		return tree.Array(elems...)
	}
	return b
}

// template completes a value with the template of its container.
//
// Objects merge, the value over the template. Lists are joined, the value first; if the schema
// turns joining off, they merge index by index. A single value is put before a list unless the
// templates are strict. In all other cases the value is kept, and a remark is recorded.
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
	case v.IsObject() && t.IsObject(), v.IsArray() && t.IsArray() && byIndex:
		return mergeValues(t, v)
	case v.IsArray() && t.IsArray():
		return concatenated(v, t)
	case t.IsArray() && !v.IsObject():
		if strict {
			return v
		}
		return concatenated(tree.Array(v), t)
	}
	r.fail(codeTemplateMismatch, "")
	return v
}

// concatenated concatenates two lists.
func concatenated(a, b tree.Value) tree.Value {
	return tree.Array(slices.Concat(a.List(), b.List())...)
}

package memvars

import (
	"slices"

	"github.com/talewright/talewright/memvars/tree"
)

// remembering plans memory: writes to the assets.
type remembering struct{ *plan }

// memory plans the three forms memory(parent, key, value), memory(path, value)
// and memory(from, to).
//
// If there are two arguments, the second one decides between the last two forms: see
// destinationPath. In the form with three arguments the key is literal and the value is never a
// path, so that every value can be stored.
func (p remembering) memory(op *Op) {
	if len(op.Args) < 2 || len(op.Args) > 3 {
		p.reject(BadArity)
		return
	}
	assets := p.run.sys.profile.Assets
	if place, named := p.declared(assets, op.Args[0].Text); named {
		p.keep(op, place)
		return
	}
	path, ok := p.argPath(assets, op.Args[0].Text)
	if !ok {
		return
	}
	last := &op.Args[len(op.Args)-1]
	if len(op.Args) == 2 {
		if to, isMove := moving(p).destinationPath(last); isMove {
			if p.aims(op, withinModule(assets, to)) && p.aims(op, withinModule(assets, path)) {
				moving(p).move(path, to)
			}
			return
		}
		if len(path) < 2 {
			p.hint = p.run.sys.words.BranchAndKey
			p.reject(BadPath)
			return
		}
	} else {
		key := &op.Args[1]
		if !p.argKey(path, key) {
			return
		}
		path = path.Child(key.Text)
	}
	full := withinModule(assets, path)
	if !p.aims(op, full) {
		return
	}
	if v, ok := p.argValue(last); ok && p.mayWriteConfig(full) {
		p.remember(full, v)
	}
}

// keep plans memory on a declared variable in any module: memory(name, value), or memory(name, key,
// value) for a part of it.
func (p remembering) keep(op *Op, place tree.Path) {
	last := &op.Args[len(op.Args)-1]
	if len(op.Args) == 3 {
		key, ok := op.Args[1].Key()
		if !ok {
			p.reject(BadKey)
			return
		}
		place = place.Child(key)
	}
	if !p.aims(op, place) {
		return
	}
	if v, ok := p.argValue(last); ok && p.mayWriteConfig(place) {
		if code := p.run.readonly(place); code != "" {
			p.reject(code)
			return
		}
		if at, code := p.run.sys.find(p.run.Root(), place); code == "" && at.Leaf {
			setting(p).fill(at, v)
			return
		}
		p.remember(place, v)
	}
}

// remember plans to write v at full, a path from the root.
//
// An object written over an object is merged: only the given members change, as authors expect when
// they update one field of a character. All other values replace the old one; a scalar is first
// converted to the type of the old value. Missing parents become objects. A text on the path is
// refused, or, with an option, wrapped in an object.
func (p remembering) remember(full tree.Path, v tree.Value) bool {
	s := p.run.sys
	full, known := p.freeKey(full, v)
	if known {
		return true
	}
	d := p.run.Destination(full)
	if text, isText := d.Old.AsText(); d.Code == NotAContainer && isText && s.wrapScalar {
		built := tree.Object(tree.Member{Key: "info", Value: tree.Text(text)}, tree.Member{Key: d.Rest[0], Value: nest(d.Rest[1:], v)})
		return p.put(d.At, built, tree.Change{Path: d.At, Old: d.Old, New: built})
	}
	switch {
	case d.Code != "":
		return p.reject(d.Code)
	case !d.Exist:
		built := nest(d.Rest, v)
		return p.put(d.At, built, tree.Change{Path: d.At, Old: d.Old, New: built})
	case p.liftsFlag(d.At, v):
		return p.reject(ProtectedNode)
	case d.Old.IsObject() && v.IsObject() && s.merge != "replace":
		return p.mergeInto(d.At, d.Old, v)
	}
	return p.replace(d.At, d.Old, v)
}

// freeKey prevents overwriting in summary.small: a used key gets a number. known is true if the
// same entry already exists.
//
// Models number the entries of the short memory and make mistakes. An entry that overwrites an
// older one would lose a part of the story permanently.
func (p remembering) freeKey(full tree.Path, v tree.Value) (free tree.Path, known bool) {
	prof := &p.run.sys.profile
	n := len(full) - 1
	if n < 1 || !slices.Equal(full[1:n], prof.Small) {
		return full, false
	}
	small := p.run.Root().Lookup(full[:n])
	if !small.IsObject() {
		return full, false
	}
	s := p.run.numbered[full[n]]
	if s == nil {
		s = &series{key: full[n], texts: map[string]bool{}}
		for old := small.Get(s.name()); old.Exists(); old = small.Get(s.name()) {
			s.take(old)
		}
		if p.run.numbered == nil {
			p.run.numbered = map[string]*series{}
		}
		p.run.numbered[s.key] = s
	}
	if s.holds(v) {
		return full, true
	}
	p.next = s
	return full[:n].Child(s.name()), false
}

// replace plans to replace old by v, after conversion to old's type.
//
// A value with protected nodes is never replaced: remove the flag first.
func (p remembering) replace(at tree.Path, old, v tree.Value) bool {
	v = p.run.sys.coerced(old, v)
	switch {
	case old.Equal(v):
		return true
	case p.run.sys.guards(old):
		return p.reject(ProtectedNode)
	}
	return p.put(at, v, tree.Change{Path: at, Old: old, New: v})
}

// mergeInto plans to write the members of v into old: only the given members change.
//
// Lists and scalars replace the old value, and null is stored as null. With the merge shallow,
// nested objects replace too. There is one event for each changed member, in the order of the
// value.
func (p remembering) mergeInto(at tree.Path, old, v tree.Value) bool {
	for key, child := range v.Members() {
		path := at.Child(key)
		current := old.Get(key)
		switch {
		case !current.Exists():
			if !p.put(path, child, tree.Change{Path: path, New: child}) {
				return false
			}
		case p.liftsFlag(path, child):
			p.warn(WarnProtectedFlag)
		case current.IsObject() && child.IsObject() && p.run.sys.merge == "deep":
			if !p.mergeInto(path, current, child) {
				return false
			}
		default:
			if !p.replace(path, current, child) {
				return false
			}
		}
	}
	return true
}

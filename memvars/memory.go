package memvars

import (
	"slices"

	"github.com/talewright/talewright/memvars/tree"
)

// memory plans the three forms memory(parent, key, value), memory(path, value)
// and memory(from, to).
//
// If there are two arguments, the second one decides between the last two forms: see
// destinationPath. In the form with three arguments the key is literal and the value is never a
// path, so that every value can be stored.
func (p *plan) memory(op *Op) {
	if len(op.Args) < 2 || len(op.Args) > 3 {
		p.reject(BadArity)
		return
	}
	assets := p.run.sys.profile.Assets
	if place, named := p.declaredPath(assets, op.Args[0].Text); named {
		p.planVariable(op, place)
		return
	}
	path, ok := p.argPath(assets, op.Args[0].Text)
	if !ok {
		return
	}
	last := &op.Args[len(op.Args)-1]
	if len(op.Args) == 2 {
		if to, isMove := p.destinationPath(last); isMove {
			if p.setTarget(op, withinModule(assets, to)) && p.setTarget(op, withinModule(assets, path)) {
				p.move(path, to)
			}
			return
		}
		if len(path) < 2 {
			p.setHint("name the branch and the key")
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
	if !p.setTarget(op, full) {
		return
	}
	if v, ok := p.argValue(last); ok && p.mayWriteConfig(full) {
		p.planStore(full, v)
	}
}

// planVariable plans memory on a declared variable in any module: memory(name, value), or
// memory(name, key, value) for a part of it.
func (p *plan) planVariable(op *Op, place tree.Path) {
	last := &op.Args[len(op.Args)-1]
	if len(op.Args) == 3 {
		key, ok := op.Args[1].Key()
		if !ok {
			p.reject(BadKey)
			return
		}
		place = place.Child(key)
	}
	if !p.setTarget(op, place) {
		return
	}
	if v, ok := p.argValue(last); ok && p.mayWriteConfig(place) {
		if code := p.run.readonly(place); code != "" {
			p.reject(code)
			return
		}
		if at, code := p.run.sys.find(p.run.root(), place); code == "" && at.Leaf {
			p.fill(at, v)
			return
		}
		p.planStore(place, v)
	}
}

// planStore plans to write v at full, a path from the root.
//
// An object written over an object is merged: only the given members change, as authors expect when
// they update one field of a character. All other values replace the old one; a scalar is first
// converted to the type of the old value. Missing parents become objects. A text on the path is
// refused, or, with an option, wrapped in an object.
func (p *plan) planStore(full tree.Path, v tree.Value) bool {
	s := p.run.sys
	full, exists := p.freeKey(full, v)
	if exists {
		return true
	}
	dest := p.run.destination(full)
	if text, isText := dest.Old.AsText(); dest.Code == NotAContainer && isText && s.options.ScalarParent == "wrap" {
		built := tree.Object(
			tree.Member{Key: "info", Value: tree.Text(text)},
			tree.Member{Key: dest.Rest[0], Value: nest(dest.Rest[1:], v)},
		)
		return p.put(dest.At, dest.Old, built)
	}
	switch {
	case dest.Code != "":
		return p.reject(dest.Code)
	case !dest.Exist:
		return p.build(dest, v)
	case p.liftsFlag(dest.At, v):
		return p.reject(ProtectedNode)
	case dest.Old.IsObject() && v.IsObject() && s.options.Merge != "replace":
		return p.planMerge(dest.At, dest.Old, v)
	}
	return p.planReplace(dest.At, dest.Old, v)
}

// freeKey prevents overwriting in summary.small: a used key gets a number. exists is true if the
// same entry is already there.
//
// Models number the entries of the short memory and make mistakes. An entry that overwrites an
// older one would lose a part of the story permanently.
func (p *plan) freeKey(full tree.Path, v tree.Value) (free tree.Path, exists bool) {
	prof := &p.run.sys.profile
	last := len(full) - 1
	if last < 1 || !slices.Equal(full[1:last], prof.Small) {
		return full, false
	}
	small := p.run.root().Lookup(full[:last])
	if !small.IsObject() {
		return full, false
	}
	s := p.run.series[full[last]]
	if s == nil {
		s = &series{key: full[last], texts: map[string]bool{}}
		for old := small.Get(s.freeKey()); old.Exists(); old = small.Get(s.freeKey()) {
			s.add(old)
		}
		if p.run.series == nil {
			p.run.series = map[string]*series{}
		}
		p.run.series[s.key] = s
	}
	if s.contains(v) {
		return full, true
	}
	p.series = s
	return full[:last].Child(s.freeKey()), false
}

// planReplace plans to replace old by v, after conversion to old's type.
//
// A value with protected nodes is never replaced: remove the flag first.
func (p *plan) planReplace(at tree.Path, old, v tree.Value) bool {
	v = p.run.sys.coerced(old, v)
	switch {
	case old.Equal(v):
		return true
	case p.run.sys.guards(old):
		return p.reject(ProtectedNode)
	}
	return p.put(at, old, v)
}

// planMerge plans to write the members of v into old: only the given members change.
//
// Lists and scalars replace the old value, and null is stored as null. With the merge shallow,
// nested objects replace too. There is one event for each changed member, in the order of the
// value.
func (p *plan) planMerge(at tree.Path, old, v tree.Value) bool {
	for key, child := range v.Members() {
		path := at.Child(key)
		current := old.Get(key)
		switch {
		case !current.Exists():
			if !p.put(path, current, child) {
				return false
			}
		case p.liftsFlag(path, child):
			p.warn(WarnProtectedFlag)
		case current.IsObject() && child.IsObject() && p.run.sys.options.Merge == "deep":
			if !p.planMerge(path, current, child) {
				return false
			}
		default:
			if !p.planReplace(path, current, child) {
				return false
			}
		}
	}
	return true
}

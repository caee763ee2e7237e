package memvars

import (
	"slices"

	"github.com/talewright/talewright/memvars/tree"
)

// delete plans delete(path), delete(parent, key) and delete(parent, 'all').
//
// A missing node is not an error; the result is unchanged, with not_found. To delete a child that
// is really named all, use the form with one argument.
func (p *plan) delete(op *Op) {
	if len(op.Args) < 1 || len(op.Args) > 2 {
		p.reject(BadArity)
		return
	}
	assets := p.run.sys.profile.Assets
	if place, named := p.declaredPath(assets, op.Args[0].Text); named {
		p.deleteVariable(op, place)
		return
	}
	path, ok := p.argPath(assets, op.Args[0].Text)
	if !ok {
		return
	}
	byPath, all := len(op.Args) == 1, false
	if !byPath {
		key := &op.Args[1]
		if all = key.Text == "all"; !all {
			if !p.argKey(path, key) {
				return
			}
			path = path.Child(key.Text)
		}
	}
	switch {
	case !p.setTarget(op, withinModule(assets, path)):
	case all:
		p.deleteAll(path)
	default:
		p.deleteOne(path, byPath)
	}
}

// deleteVariable plans delete on a declared variable in any module: on a part of it, or with 'all'
// on its whole content. The variable itself stays.
func (p *plan) deleteVariable(op *Op, place tree.Path) {
	all := len(op.Args) == 2 && op.Args[1].Text == "all"
	if len(op.Args) == 2 && !all {
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
	at, code := p.run.sys.find(p.run.root(), place)
	v := at.Content()
	switch {
	case code != "":
		p.reject(NotFound)
	case p.run.readonly(place) != "":
		p.reject(p.run.readonly(place))
	case protected(v) || p.underProtected(place) || p.liftsFlag(place, tree.Value{}):
		p.reject(ProtectedNode)
	case all && !v.IsObject() && !v.IsArray():
		p.reject(NotAContainer)
	case all || p.run.sys.guards(v):
		if p.prune(at.Slot(), v); v.Len() > 0 && len(p.changes) == 0 {
			p.reject(ProtectedNode)
		}
	default:
		p.remove(at.Path, at.Content())
	}
}

// deleteOne plans to remove one node. The checks, in this order: the frame of the document and its
// permissions, whether the node exists, whether it is protected, whether it contains protected
// nodes. Those stay, with the keys that lead to them. byPath says that one argument names the node.
func (p *plan) deleteOne(path tree.Path, byPath bool) {
	full := withinModule(p.run.sys.profile.Assets, path)
	v := p.run.edit.Peek(full)
	switch {
	case !p.mayRemove(path, byPath):
	case !v.Exists():
		p.reject(NotFound)
	case protected(v) || p.underProtected(full) || p.liftsFlag(full, tree.Value{}):
		p.reject(ProtectedNode)
	case p.run.sys.guards(v):
		p.warn(WarnProtectedKept)
		if p.prune(full, v); len(p.changes) == 0 {
			p.reject(ProtectedNode)
		}
	default:
		p.remove(full, v)
	}
}

// deleteAll plans to empty a container. Emptying a branch in Profile.Exits means that a world was
// left: the old content becomes an effect.
func (p *plan) deleteAll(path tree.Path) {
	prof := &p.run.sys.profile
	full := withinModule(prof.Assets, path)
	v := p.run.edit.Peek(full)
	if !p.mayRemoveAll(path) {
		return
	}
	switch {
	case !v.Exists():
		p.reject(NotFound)
		return
	case !v.IsObject() && !v.IsArray():
		p.reject(NotAContainer)
		return
	case v.Len() == 0:
		return
	case p.underProtected(full.Child("")):
		p.reject(ProtectedNode)
		return
	}
	if p.prune(full, v); len(p.changes) == 0 {
		p.reject(ProtectedNode)
		return
	}
	if slices.ContainsFunc(prof.Exits, func(e tree.Path) bool { return slices.Equal(e, path) }) {
		world, _ := p.run.sys.find(p.run.root(), withinModule(prof.Status, prof.WorldName))
		name, _ := world.Content().AsText()
		p.effects = append(p.effects, Effect{Kind: "backup", Path: full, World: name, Data: v})
	}
}

// mayRemoveAll checks the emptying of a branch. All actors may empty the branches of a world: that
// is how a world is left.
func (p *plan) mayRemoveAll(path tree.Path) bool {
	config := p.run.sys.profile.Config
	switch {
	case p.run.actor != Host && path.HasPrefix(config):
		return p.reject(PermissionDenied)
	case p.run.actor == AI && len(path) == 1:
		return p.reject(StructuralBranch)
	}
	return true
}

// underProtected reports whether a protected ancestor protects the node, if the options extend the
// protection.
func (p *plan) underProtected(full tree.Path) bool {
	if !p.run.sys.options.ProtectChildren {
		return false
	}
	for n := range full {
		if protected(p.run.edit.Peek(full[:n])) {
			return true
		}
	}
	return false
}

// prune plans to remove everything below a container except protected nodes and the keys that lead
// to them. If a list keeps some elements, the change is about the whole list.
//
// The keys that lead to a protected node stay with it. Each removed node is a separate event, at
// the topmost place that is removed completely.
func (p *plan) prune(full tree.Path, v tree.Value) {
	if v.IsArray() {
		if rest, changed := p.prunedCopy(v); changed {
			p.put(full, v, rest)
		}
		return
	}
	for key, child := range v.Members() {
		path := full.Child(key)
		switch {
		case p.isKept(v, key, child):
			p.warn(WarnProtectedKept)
		case p.run.sys.options.ProtectDepth == "deep" && p.run.sys.guards(child):
			p.warn(WarnProtectedKept)
			p.prune(path, child)
		default:
			p.remove(path, child)
		}
	}
}

// isKept reports whether a member of an object stays when its siblings are removed.
func (p *plan) isKept(holder tree.Value, key string, child tree.Value) bool {
	return protected(child) || key == "_is_protected" && protected(holder) && p.run.actor == AI
}

// prunedCopy is prune for a container within a list: it returns what remains, instead of planning
// the removals. changed is false if everything remains.
func (p *plan) prunedCopy(v tree.Value) (rest tree.Value, changed bool) {
	var members []tree.Member
	for i := range v.Len() {
		key, child := v.KeyAt(i), v.At(i)
		stays := child
		switch {
		case p.isKept(v, key, child):
		case p.run.sys.options.ProtectDepth == "deep" && p.run.sys.guards(child):
			var inner bool
			stays, inner = p.prunedCopy(child)
			changed = changed || inner
		default:
			changed = true
			continue
		}
		members = append(members, tree.Member{Key: key, Value: stays})
	}
	if v.IsObject() {
		return tree.Object(members...), changed
	}
	elems := make([]tree.Value, len(members))
	for i, m := range members {
		elems[i] = m.Value
	}
	return tree.Array(elems...), changed
}

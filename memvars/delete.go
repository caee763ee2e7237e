package memvars

import (
	"slices"
	"strconv"
	"strings"

	"github.com/talewright/talewright/memvars/command"
	"github.com/talewright/talewright/memvars/profile"
	"github.com/talewright/talewright/memvars/tree"
)

// delete plans delete(path), delete(parent, key) and delete(parent, 'all').
//
// What is missing is not an error but an answer: unchanged, not_found. A child that
// is really called all is reachable by the form with one argument.
func (p *plan) delete(op *command.Op) {
	if len(op.Args) < 1 || len(op.Args) > 2 {
		p.reject(command.BadArity)
		return
	}
	assets := p.run.sys.profile.Assets
	if place, named := p.declared(assets, op.Args[0].Text); named {
		p.forget(op, place)
		return
	}
	path, ok := p.path(assets, op.Args[0].Text)
	if !ok {
		return
	}
	whole, all := len(op.Args) == 1, false
	if !whole {
		key := &op.Args[1]
		if all = key.Text == "all"; !all {
			if !p.key(path, key) {
				return
			}
			path = path.Child(key.Text)
		}
	}
	switch {
	case !p.aims(op, profile.Within(assets, path)):
	case all:
		p.deleteAll(path)
	default:
		p.deleteOne(path, whole)
	}
}

// forget plans delete on a declared variable, wherever it lives: a part of it, or with
// 'all' everything in it. The variable itself stays.
func (p *plan) forget(op *command.Op, place tree.Path) {
	all := len(op.Args) == 2 && op.Args[1].Text == "all"
	if len(op.Args) == 2 && !all {
		key, ok := op.Args[1].Key()
		if !ok {
			p.reject(command.BadKey)
			return
		}
		place = place.Child(key)
	}
	if !p.aims(op, place) {
		return
	}
	at, code := p.run.sys.find(p.run.root(), place)
	v := at.Content()
	switch {
	case code != "":
		p.reject(command.NotFound)
	case p.run.readonly(place) != "":
		p.reject(p.run.readonly(place))
	case protected(v) || p.shielded(place) || p.liftsFlag(place, tree.Value{}):
		p.reject(command.ProtectedNode)
	case all && !v.IsObject() && !v.IsArray():
		p.reject(command.NotAContainer)
	case all || p.run.sys.guards(v):
		if p.prune(at.Slot(), v); v.Len() > 0 && len(p.changes) == 0 {
			p.reject(command.ProtectedNode)
		}
	default:
		p.remove(at.Path, at.Content())
	}
}

// deleteOne plans to remove one node. In this order: the frame of the document
// and its permissions, whether there is anything to delete, what protects the
// node itself, and what it holds that is protected, which stays with the keys
// that lead to it. whole says that the command named the node by one argument.
func (p *plan) deleteOne(path tree.Path, whole bool) {
	full := profile.Within(p.run.sys.profile.Assets, path)
	v := p.run.edit.Peek(full)
	switch {
	case !p.mayRemove(path, whole):
	case !v.Exists():
		p.reject(command.NotFound)
	case protected(v) || p.shielded(full) || p.liftsFlag(full, tree.Value{}):
		p.reject(command.ProtectedNode)
	case p.run.sys.guards(v):
		p.warn(command.WarnProtectedKept)
		if p.prune(full, v); len(p.changes) == 0 {
			p.reject(command.ProtectedNode)
		}
	default:
		p.remove(full, v)
	}
}

// deleteAll plans to empty a container. Leaving a world empties its branches;
// what they held becomes an effect.
func (p *plan) deleteAll(path tree.Path) {
	prof := &p.run.sys.profile
	full := profile.Within(prof.Assets, path)
	v := p.run.edit.Peek(full)
	if !p.mayRemoveAll(path) {
		return
	}
	switch {
	case !v.Exists():
		p.reject(command.NotFound)
		return
	case !v.IsObject() && !v.IsArray():
		p.reject(command.NotAContainer)
		return
	case v.Len() == 0:
		return
	case p.shielded(full.Child("")):
		p.reject(command.ProtectedNode)
		return
	}
	if p.prune(full, v); len(p.changes) == 0 {
		p.reject(command.ProtectedNode)
		return
	}
	if slices.ContainsFunc(prof.Exits, func(e tree.Path) bool { return slices.Equal(e, path) }) {
		world, _ := p.run.sys.find(p.run.root(), profile.Within(prof.Status, prof.WorldName))
		name, _ := world.Content().AsText()
		p.effects = append(p.effects, Effect{Kind: "backup", Path: full, World: name, Data: v})
	}
}

// mayRemoveAll guards the emptying of a branch. The branches of a world may be
// emptied by anybody: that is how a world is left.
func (p *plan) mayRemoveAll(path tree.Path) bool {
	config := p.run.sys.profile.Config
	switch {
	case p.run.actor != Host && path.HasPrefix(config):
		return p.reject(command.PermissionDenied)
	case p.run.actor == AI && len(path) == 1:
		return p.reject(command.StructuralBranch)
	}
	return true
}

// shielded reports whether a protected ancestor guards the node, if the options
// extend the shield.
func (p *plan) shielded(full tree.Path) bool {
	if !p.run.sys.protectChildren {
		return false
	}
	for n := range full {
		if protected(p.run.edit.Peek(full[:n])) {
			return true
		}
	}
	return false
}

// prune plans to remove everything below a container but protected nodes and the
// keys that lead to them. A list that keeps some of its elements is told of as a
// whole.
//
// The skeleton of keys that leads to a protected node stays with it. Each removed
// node is an event of its own, at the topmost place that goes completely.
func (p *plan) prune(full tree.Path, v tree.Value) {
	if v.IsArray() {
		if kept, changed := p.pruned(v); changed {
			p.put(full, kept, tree.Change{Path: full, Old: v, New: kept})
		}
		return
	}
	for key, child := range v.Members() {
		path := full.Child(key)
		switch {
		case p.keeps(v, key, child):
			p.warn(command.WarnProtectedKept)
		case p.run.sys.protectDeep && p.run.sys.guards(child):
			p.warn(command.WarnProtectedKept)
			p.prune(path, child)
		default:
			p.remove(path, child)
		}
	}
}

// keeps reports whether a member of an object stays where its siblings go.
func (p *plan) keeps(holder tree.Value, key string, child tree.Value) bool {
	return protected(child) || key == "_is_protected" && protected(holder) && p.run.actor == AI
}

// pruned returns what stays of a container within a list.
func (p *plan) pruned(v tree.Value) (kept tree.Value, changed bool) {
	var members []tree.Member
	for i := range v.Len() {
		key, child := v.KeyAt(i), v.At(i)
		stays := child
		switch {
		case p.keeps(v, key, child):
		case p.run.sys.protectDeep && p.run.sys.guards(child):
			var inner bool
			stays, inner = p.pruned(child)
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

// runInventory removes used-up items from the inventory.
//
// It runs after every command and not once per message, so that a later command
// finds the bag as a player would: an item that was used up is gone, and a new one
// of the same name begins afresh. Objects without a num are categories and stay,
// even when they are empty.
func runInventory(r *run) {
	path := r.inventory()
	bag := r.edit.Peek(path)
	if !bag.Exists() || r.swept && bag.Same(r.bag) {
		return
	}
	r.unclean = false
	r.sweep(path, r.edit.Freeze(bag))
	r.bag, r.swept = r.edit.Peek(path), true
}

func (r *run) inventory() tree.Path {
	return profile.Within(r.sys.profile.Assets, r.sys.profile.Inventory)
}

// tidy is runInventory after a command. Once the inventory is clean it looks only at
// what the command wrote: a bag may be large, and a message have many commands.
func (r *run) tidy(op *command.Op, p *plan) {
	path := r.inventory()
	if !r.swept || op.Dialect != "" {
		runInventory(r)
		return
	}
	var places []tree.Path
	for _, w := range p.writes {
		to := w.path
		if w.kind == rename {
			to = w.path[:len(w.path)-1].Child(w.key)
		}
		switch {
		case path.HasPrefix(w.path) || path.HasPrefix(to):
			r.swept = false
		case w.path.HasPrefix(path):
			places = append(places, w.path[len(path):])
		}
	}
	bag := r.edit.Peek(path)
	switch {
	case !r.swept || len(places) > 0 && (r.unclean || !bag.IsObject()):
		r.swept = false
		runInventory(r)
	case len(places) > 0:
		r.sweepPlaces(path, bag, places)
		r.bag = r.edit.Peek(path)
	}
}

// sweepPlaces is sweep for an object in which only the given places, relative to it,
// are not known to be clean: it looks at them and at what they are part of.
func (r *run) sweepPlaces(path tree.Path, holder tree.Value, places []tree.Path) {
	below := map[string][]tree.Path{}
	var keys []string
	for _, p := range places {
		if below[p[0]] == nil {
			keys = append(keys, p[0])
		}
		below[p[0]] = append(below[p[0]], p[1:])
	}
	if holder.IsObject() && len(keys) > 1 {
		at := map[string]int{}
		for _, k := range keys {
			at[k] = holder.IndexOf(k)
		}
		slices.SortFunc(keys, func(a, b string) int { return at[a] - at[b] })
	}
	for _, key := range keys {
		at := path.Child(key)
		item := r.edit.Peek(at)
		whole := !item.IsObject() || slices.ContainsFunc(below[key], func(p tree.Path) bool { return len(p) == 0 })
		switch {
		case r.sweepItem(at, item) || !r.sys.inventoryRecursive:
		case whole:
			r.sweep(at, r.edit.Freeze(item))
		default:
			r.sweepPlaces(at, item, below[key])
		}
	}
}

// sweepItem removes an item if it is used up, and says whether it did.
func (r *run) sweepItem(at tree.Path, item tree.Value) bool {
	if !r.sys.usedUp(item) || r.sys.guards(item) || r.holdsDeclared(at) {
		return false
	}
	r.edit.Freeze(item)
	r.change(tree.Change{Path: at, Old: item, By: "inventory"})
	r.write(write{kind: remove, path: at})
	return true
}

// sweep removes the used-up items below a node, in the order of the document.
func (r *run) sweep(path tree.Path, holder tree.Value) {
	removed := 0
	for i := range holder.Len() {
		item := holder.At(i)
		key := holder.KeyAt(i)
		if holder.IsArray() {
			key = strconv.Itoa(i - removed)
		}
		at := path.Child(key)
		switch {
		case r.sweepItem(at, item):
			removed++
			r.unclean = r.unclean || holder.IsArray()
		case r.sys.inventoryRecursive:
			r.sweep(at, item)
		}
	}
}

// usedUp reports whether an item's count is zero, or below if that counts.
func (s *System) usedUp(item tree.Value) bool {
	num := item.Get("num")
	if num.IsPair() {
		num = num.At(0)
	}
	n, ok := numeric(num)
	if !ok || strings.TrimSpace(string(n)) == "" {
		return false
	}
	c := n.Cmp("0")
	return c == 0 || c < 0 && s.inventoryNegative
}

// runClamp limits the difficulty of a check by the level of the world.
//
// It runs once per message, so that level and difficulty may come in either order,
// and so that a lower level pulls a difficulty down that was set long ago. An
// unknown level limits nothing; there is no lower limit.
func runClamp(r *run) {
	if !r.sys.clamp {
		return
	}
	prof := &r.sys.profile
	level, _ := r.sys.find(r.root(), profile.Within(prof.Status, prof.WorldLevel))
	name, ok := level.Content().AsText()
	if !ok {
		return
	}
	difficulty := profile.Within(prof.Status, prof.Difficulty)
	n, ok := r.number(difficulty)
	if !ok {
		return
	}
	for _, l := range prof.Levels {
		if limit := tree.Number(strconv.Itoa(l.Max)); l.Name == strings.TrimSpace(name) && n.Cmp(limit) > 0 {
			r.update(difficulty, tree.Num(limit), "clamp")
		}
	}
}

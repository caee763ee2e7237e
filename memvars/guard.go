package memvars

import (
	"slices"
	"strconv"

	"github.com/talewright/talewright/memvars/tree"
)

// guard decides about the effects of a command. It checks nodes and never arguments, so that no
// form of a command avoids it. Examples are a whole branch instead of a member, a key with a dot in
// it, the first element of a leaf, a move onto the node, and a different command language.
//
// In this order:
//
//  1. the rules of the host, and the rules for config (permission_denied);
//  2. branches that belong to the frame of the document (structural);
//  3. fields that the engine computes, also as part of something larger (readonly_derived,
//     readonly_auto).
//
// The host itself is not restricted: it wrote the rules.
type guard struct {
	run  *run
	root tree.Value // the document before the command
	// ops returns the commands whose rules apply to a touch.
	ops func(t *touch) []string
}

// check returns why the touches are refused, "" if they are allowed.
func (g *guard) check(touched []touch) Code {
	if g.run.actor == Host {
		return ""
	}
	for i := range touched {
		t := &touched[i]
		switch {
		case !g.permits(t) || !g.leavesConfig(t):
			return PermissionDenied
		case !g.keepsFrame(t):
			return StructuralBranch
		}
		if code := g.keepsComputed(t); code != "" {
			return code
		}
	}
	return ""
}

// allowed is check for a planned command. It checks the writes, and also the objects from the named
// node down to them, which are written too.
func (p *plan) allowed(op *Op) bool {
	if p.run.actor == Host || len(p.writes) == 0 {
		return true
	}
	g := guard{run: p.run, root: p.run.root(), ops: func(*touch) []string { return []string{op.Name} }}
	for _, w := range p.writes {
		if p.target == nil || !w.path.HasPrefix(p.target) {
			continue
		}
		for n := len(p.target) + 1; n < len(w.path); n++ {
			if !g.allows(g.ops(nil), w.path[:n]) {
				return p.reject(PermissionDenied)
			}
		}
	}
	if code := g.check(p.touches()); code != "" {
		return p.reject(code)
	}
	return true
}

// touches lists the effects of the planned writes. A removal from a list moves the later elements;
// if a rule may be about those, the list itself is listed as changed.
func (p *plan) touches() []touch {
	out := p.run.touched[:0]
	for _, w := range p.writes {
		old := p.run.edit.Peek(w.path)
		n := len(w.path) - 1
		switch w.kind {
		case put:
			out = append(out, touch{path: w.path, old: old, new: w.value})
		case rename:
			out = append(out, touch{path: w.path, old: old, removed: true},
				touch{path: w.path[:n].Child(w.key), new: old})
		case remove:
			out = append(out, touch{path: w.path, old: old, removed: true})
			if list := p.run.edit.Peek(w.path[:n]); list.IsArray() && len(p.run.sys.rules) > 0 {
				out = append(out, touch{path: w.path[:n], old: list, new: list.Without(w.path[n])})
			}
		}
	}
	p.run.touched = out
	return out
}

// touches lists the effects of a command of a dialect, which are still in the batch. An element
// added to a list or removed from it moves the later elements; if a rule may be about those, the
// list itself is listed as changed.
func (r *run) touches(changes []tree.Change) []touch {
	out := make([]touch, 0, len(changes))
	for _, c := range changes {
		out = append(out, touch{path: c.Path, old: c.Old, new: c.New, removed: !c.New.Exists()})
		if len(c.Path) == 0 || c.Old.Exists() == c.New.Exists() || len(r.sys.rules) == 0 {
			continue
		}
		n := len(c.Path) - 1
		list := r.edit.Peek(c.Path[:n])
		if i, _ := tree.Index(c.Path[n]); list.IsArray() && (c.Old.Exists() || i < list.Len()-1) {
			out = append(out, touch{path: c.Path[:n], new: r.edit.Freeze(list), list: true})
		}
	}
	return out
}

// opsWithEffect returns the commands of this package that have the effect of a touch. Rules about
// these commands apply to the dialect's command.
func (s *System) opsWithEffect(t *touch) []string {
	var ops []string
	if t.removed || t.new.Len() < t.old.Len() {
		ops = append(ops, "delete")
	}
	if t.removed || len(t.path) == 0 {
		return ops
	}
	switch t.path[0] {
	case s.profile.Character:
		ops = append(ops, "set_attribute")
	case s.profile.Status:
		ops = append(ops, "set_status")
	default:
		ops = append(ops, "memory")
	}
	return ops
}

// checkDialectTouches is check for the effects of a command of a dialect. It also checks what this
// package's own commands check while they plan: protected nodes, the placeholder text, and numbers
// with too many digits. The batch is in the state before the command.
func (r *run) checkDialectTouches(touched []touch) Code {
	if r.actor == Host {
		return ""
	}
	g := guard{run: r, root: r.root(), ops: r.sys.opsWithEffect}
	for i := range touched {
		t := &touched[i]
		if t.list {
			t.old = r.edit.Peek(t.path)
		}
		flag := len(t.path) > 0 && t.path[len(t.path)-1] == "_is_protected"
		switch {
		case r.actor == AI && flag && truthy(t.old) && !truthy(t.new), r.sys.loses(t.old, t.new):
			return ProtectedNode
		case r.breaksLeaf(t):
			return DescriptionReadonly
		case holdsPlaceholder(t.new) && !holdsPlaceholder(t.old):
			return PlaceholderWrite
		case t.new.ContainsFunc(longNumber):
			return TooLong
		}
	}
	return g.check(touched)
}

// breaksLeaf reports whether a touch removes the description of a leaf. Without it the node is not
// a leaf, and rules and paths that see through the leaf would lead nowhere.
func (r *run) breaksLeaf(t *touch) bool {
	n := len(t.path) - 1
	return n > 0 && t.path[n] == "1" && t.new.Kind() != tree.KindText &&
		r.sys.profile.IsLeaf(t.path[:n], r.edit.Peek(t.path[:n])) &&
		!slices.ContainsFunc(r.sys.options.Dialects, func(d Dialect) bool { c, ok := d.(conformer); return ok && c.Types(t.path) })
}

// loses reports whether protected content of old is missing in new. Elements of lists may change
// their positions.
func (s *System) loses(old, new tree.Value) bool {
	if !s.guards(old) {
		return false
	}
	if !old.IsArray() || !new.IsArray() {
		return true
	}
	for _, e := range old.Elements() {
		kept := false
		for _, f := range new.Elements() {
			kept = kept || e.Equal(f)
		}
		if !kept && s.guards(e) {
			return true
		}
	}
	return false
}

// permits checks the rules for a node that is written or removed, and for all changed nodes within
// it. So a write to an ancestor does not avoid a rule.
func (g *guard) permits(t *touch) bool {
	rules := g.run.sys.rules
	if len(rules) == 0 {
		return true
	}
	ops := g.ops(t)
	if !g.allows(ops, t.path) {
		return false
	}
	for i := range rules {
		if rules[i].Allow || !rules[i].appliesTo(g.run.actor, ops) {
			continue
		}
		for _, rest := range g.placesWithin(&rules[i], t.path) {
			if g.changes(t, rest) && !g.allows(ops, append(slices.Clip(t.path), rest...)) {
				return false
			}
		}
	}
	return true
}

// allows checks a node against the rules. They are tried in order. The first rule that applies and
// covers the node decides. Without such a rule the node may be written.
func (g *guard) allows(ops []string, path tree.Path) bool {
	rules := g.run.sys.rules
	for i := range rules {
		if rules[i].appliesTo(g.run.actor, ops) && g.covers(&rules[i], path) {
			return rules[i].Allow
		}
	}
	return true
}

// appliesTo reports whether the rule applies to the actor and one of the commands.
func (r *rule) appliesTo(by Actor, ops []string) bool {
	return (r.Actor == "" || r.Actor == by) && (r.Op == "" || slices.Contains(ops, r.Op))
}

// covers reports whether the rule covers the node or one of its ancestors. A rule names places from
// the root, or within any of the modules.
func (g *guard) covers(r *rule, path tree.Path) bool {
	return slices.ContainsFunc(r.prefixes(path), func(prefix tree.Path) bool {
		rest, ok := g.match(prefix, path)
		return ok && len(rest) == 0
	})
}

// placesWithin returns the places of the rule within the node at path, as paths relative to the
// node.
func (g *guard) placesWithin(r *rule, path tree.Path) []tree.Path {
	var out []tree.Path
	for _, prefix := range r.prefixes(path) {
		if rest, ok := g.match(prefix, path); ok && len(rest) > 0 {
			out = append(out, rest)
		}
	}
	return out
}

// prefixes returns the places that a rule may mean: as written, and within the module of the path.
func (r *rule) prefixes(path tree.Path) []tree.Path {
	if len(path) == 0 || len(r.prefix) == 0 {
		return []tree.Path{r.prefix}
	}
	return []tree.Path{r.prefix, withinModule(path[0], r.prefix)}
}

// leavesConfig reports whether a touch leaves the closed parts of config as they are. The model may
// write nothing in config, the player everything except the fields that the summaries use. Only the
// host removes config, something in it, or a node that holds it.
func (g *guard) leavesConfig(t *touch) bool {
	if t.removed {
		rest, ok := g.match(g.run.sys.closedAI[0], t.path)
		return !ok || len(rest) > 0 && !g.value(t.path, t.old, rest).Exists()
	}
	guarded := g.run.sys.closedAI
	if g.run.actor == User {
		guarded = g.run.sys.closedUser
	}
	return !slices.ContainsFunc(guarded, func(place tree.Path) bool { return g.changesPlace(t, place) })
}

// keepsFrame reports whether the branches that belong to the frame of the document stay containers
// of their kind. They may be filled but never replaced; the player may delete and move them.
func (g *guard) keepsFrame(t *touch) bool {
	s := g.run.sys
	if t.removed && g.run.actor != AI {
		return true
	}
	switch assets := s.profile.Assets; {
	case len(t.path) > 0 && t.path[0] != assets:
		return true
	case len(t.path) < 2: // the whole module, or the whole document
		rest := tree.Path{assets}[len(t.path):]
		for key := range g.value(t.path, t.old, rest).Members() {
			if !g.keepsBranch(t, append(slices.Clip(rest), key)) {
				return false
			}
		}
	case len(t.path) == 2 && !g.keepsBranch(t, nil):
		return false
	}
	for _, full := range s.frame {
		if full.HasPrefix(t.path) && !g.keepsBranch(t, full[len(t.path):]) {
			return false
		}
	}
	return true
}

// keepsBranch compares one branch of the frame before and after the touch.
func (g *guard) keepsBranch(t *touch, rest tree.Path) bool {
	old, now := g.value(t.path, t.old, rest), g.value(t.path, t.new, rest)
	switch {
	case old.Same(now):
		return true
	case old.IsObject() || old.IsArray():
		return old.Kind() == now.Kind()
	}
	return !now.Exists() && !old.Exists() || now.IsObject() || now.IsArray()
}

// keepsComputed returns why a touch would change computed fields: fields of the clock and of
// formulas, alone or as part of a replaced node.
func (g *guard) keepsComputed(t *touch) Code {
	r := g.run
	p := &r.sys.profile
	if len(t.path) > 0 && t.path[0] != p.Status && t.path[0] != p.Character {
		return ""
	}
	if slices.ContainsFunc(r.sys.automatic, func(field tree.Path) bool { return g.changesPlace(t, field) }) {
		return ReadonlyAuto
	}
	if g.replacesDerived(t.path, t.old, t.new) {
		return ReadonlyDerived
	}
	return ""
}

// replacesDerived reports whether a touch replaces computed fields.
func (g *guard) replacesDerived(path tree.Path, old, new tree.Value) bool {
	if len(path) > 0 && path[0] != g.run.sys.profile.Character || old.Same(new) {
		return false
	}
	field := path
	if n := len(path) - 1; n > 0 && path[n] == "0" && g.run.sys.profile.IsLeaf(path[:n], g.root.Lookup(path[:n])) {
		field = path[:n]
	}
	if len(field) > 0 && old.Exists() && g.run.isDerived(field) {
		return true
	}
	for i := range old.Len() {
		key, now := strconv.Itoa(i), new.At(i)
		if old.IsObject() {
			key = old.KeyAt(i)
			now = new.Get(key)
		} else if !new.IsArray() {
			now = tree.Value{}
		}
		if child := old.At(i); !child.Equal(now) && g.replacesDerived(path.Child(key), child, now) {
			return true
		}
	}
	return false
}

// changes reports whether the node at rest within a touched node changes.
func (g *guard) changes(t *touch, rest tree.Path) bool {
	old, now := g.value(t.path, t.old, rest), g.value(t.path, t.new, rest)
	return old.Exists() != now.Exists() || !old.Equal(now)
}

// changesPlace reports whether the touched node is at the place, or changes what is there.
func (g *guard) changesPlace(t *touch, place tree.Path) bool {
	rest, ok := g.match(place, t.path)
	return ok && (len(rest) == 0 || g.changes(t, rest))
}

// value returns the node at rest within v, which is stored at path.
func (g *guard) value(path tree.Path, v tree.Value, rest tree.Path) tree.Value {
	return g.run.sys.profile.Part(path, v, rest)
}

// match compares a place with the path of a node in the document before the command.
func (g *guard) match(place, path tree.Path) (rest tree.Path, ok bool) {
	return g.run.sys.profile.Match(g.root, place, path)
}

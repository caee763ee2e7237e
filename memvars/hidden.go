package memvars

import (
	"iter"

	"github.com/talewright/talewright/memvars/tree"
)

// hide removes the declared variables that the actor may not see from the document, until restore
// is called. In the meantime commands of every language behave as if these did not exist. So no
// answer can reveal that a hidden variable exists. The method restore discards writes of commands
// at their places.
func (r *run) hide(d tree.Document) (restore func()) {
	bound := r.sys
	if bound.gate == nil || r.actor == Host {
		return func() {}
	}
	places := bound.gate.Hidden(r.actor)
	if len(places) == 0 {
		return func() {}
	}
	h := &hidden{run: r, doc: d, places: places, withHidden: r.edit.Mark()}
	undeclared := make(map[string]bool, len(places))
	for _, place := range places {
		undeclared[place.String()] = true
		if at, code := bound.find(r.root(), place); code == "" {
			h.found = append(h.found, at.Path)
			takeOut(r.edit, at.Path)
		}
	}
	h.withoutHidden = r.edit.Mark()
	r.sys = bound.With(openGate{bound.gate, undeclared})
	return func() {
		r.sys = bound
		h.restore()
	}
}

// openGate is a gate for a document without its hidden variables: nothing is declared at their
// places.
type openGate struct {
	Gate
	undeclared map[string]bool // by place
}

func (g openGate) Near(path tree.Path) iter.Seq[tree.Path] {
	return func(yield func(tree.Path) bool) {
		for place := range g.Gate.Near(path) {
			if !g.undeclared[place.String()] && !yield(place) {
				return
			}
		}
	}
}

// hidden are the variables that were removed from a document for one message.
type hidden struct {
	run    *run
	doc    tree.Document // the document with them
	places []tree.Path   // as they are declared
	found  []tree.Path   // the paths in the document
	// The states of the batch before the removal and after it.
	withHidden, withoutHidden tree.Mark
}

// restore puts the variables back in their places, between the same members as before. If a branch
// that contained one was removed, it is restored: neither a hidden variable nor its parents can be
// removed.
func (h *hidden) restore() {
	r := h.run
	if len(r.edit.Since(h.withoutHidden)) == 0 {
		r.edit.Undo(h.withHidden)
		return
	}
	restored := pathSet{}
	for _, place := range h.places { // what was written at their places
		if at, code := r.sys.find(r.root(), place); code == "" {
			restored.add(at.Path)
			takeOut(r.edit, at.Path)
		}
	}
	var parents []tree.Path
	members := map[string][]string{}
	for _, path := range h.found {
		node := h.changedNode(path)
		restored.add(node)
		n := len(node) - 1
		key := node[:n].String()
		if members[key] == nil {
			parents = append(parents, node[:n])
		}
		members[key] = append(members[key], node[n])
	}
	for _, parent := range parents {
		h.putBack(parent, members[parent.String()])
	}
	if h.dropReverted(restored); len(r.result.Changes) == 0 {
		r.edit.Undo(h.withHidden)
	}
}

// changedNode returns the topmost node on the path to a variable that a message replaced or removed,
// or a list whose elements it moved. If there is no such node, it returns the variable itself.
func (h *hidden) changedNode(path tree.Path) tree.Path {
	for n := 1; n < len(path); n++ {
		old, now := h.doc.Lookup(path[:n]), h.run.edit.Peek(path[:n])
		if old.Kind() != now.Kind() || old.IsArray() && old.Len() != now.Len() {
			return path[:n]
		}
	}
	return path
}

// putBack restores members of a container as they were before the message.
func (h *hidden) putBack(parent tree.Path, keys []string) {
	e, old := h.run.edit, h.doc.Lookup(parent)
	if old.IsArray() {
		for _, key := range keys {
			_ = e.Set(parent.Child(key), old.Lookup(tree.Path{key}))
		}
		return
	}
	hidden := map[string]bool{}
	for _, key := range keys {
		hidden[key] = true
	}
	now := e.Lookup(parent)
	var out []tree.Member
	after := map[string][]tree.Member{} // by the member before them
	first, last := true, ""
	for key, child := range old.Members() {
		m := tree.Member{Key: key, Value: child}
		switch {
		case hidden[key] && first:
			out = append(out, m)
		case hidden[key]:
			after[last] = append(after[last], m)
		case now.Get(key).Exists():
			first, last = false, key
		}
	}
	for key, child := range now.Members() {
		if !hidden[key] {
			out = append(append(out, tree.Member{Key: key, Value: child}), after[key]...)
		}
	}
	_ = e.Set(parent, tree.Object(out...))
}

// dropReverted removes the changes that restore reverted. Calls without any remaining change become
// unchanged. Their code gives the host the reason, and [System.Feedback] does not mention them.
func (h *hidden) dropReverted(restored pathSet) {
	r := h.run
	var shown tree.Value
	withoutChange := map[string]bool{}
	changes := r.result.Changes[:0]
	for _, c := range r.result.Changes {
		if restored.leadsTo(c.Path) && c.New.Exists() {
			if !shown.Exists() {
				shown = r.sys.shownTo(r.edit.Document(), r.actor).Root()
			}
			c.New = r.sys.profile.Content(shown, c.Path)
		}
		if restored.covers(c.Path) || c.Old.Exists() == c.New.Exists() && c.Old.Equal(c.New) {
			withoutChange[c.By] = true
			continue
		}
		changes = append(changes, c)
	}
	r.result.Changes = changes
	for _, c := range changes {
		delete(withoutChange, c.By)
	}
	for i := range r.result.Calls {
		if c := &r.result.Calls[i]; c.Status == Applied && withoutChange[cause(i)] {
			c.Status, c.Code = Unchanged, PermissionDenied
		}
	}
}

// pathSet is a set of paths. Its map has true for the text of each path, and false for the text of
// each path that leads to one.
type pathSet map[string]bool

func (s pathSet) add(path tree.Path) {
	for n := range path {
		if key := path[:n].String(); !s[key] {
			s[key] = false
		}
	}
	s[path.String()] = true
}

// covers reports whether a path is in the set or leads into a member of the set.
func (s pathSet) covers(path tree.Path) bool {
	for n := range path {
		if s[path[:n+1].String()] {
			return true
		}
	}
	return false
}

// leadsTo reports whether a path leads to a member of the set.
func (s pathSet) leadsTo(path tree.Path) bool {
	_, known := s[path.String()]
	return known
}

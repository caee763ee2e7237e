package memvars

import (
	"cmp"
	"slices"

	"github.com/talewright/talewright/memvars/tree"
)

// declared resolves a text that names a variable, or a path into one. A node of the command's own
// module has precedence over a name.
func (p *plan) declared(module, text string) (full tree.Path, ok bool) {
	s, by := p.run.sys, p.run.actor
	if s.gate == nil {
		return nil, false
	}
	path, err := tree.ParsePath(text)
	if err == nil {
		if _, code := s.find(p.run.Root(), withinModule(module, path)); code == "" {
			return nil, false
		}
	}
	if place, ok := s.gate.Resolve(text, by); ok {
		return place, true
	}
	if err != nil || len(path) < 2 {
		return nil, false
	}
	place, ok := s.gate.Resolve(path[0], by)
	if !ok {
		return nil, false
	}
	return append(append(make(tree.Path, 0, len(place)+len(path)), place...), path[1:]...), true
}

// judging checks with the gate what a plan does to declared variables.
type judging struct{ *plan }

// judge checks with the gate each declared variable that a plan writes, and puts the gate's value
// into the plan. It returns the places that can only be checked after the plan was applied. These
// are moves within a list or under a different key, and changes within something larger. The result
// ok is false if a write was refused.
//
// Checking in advance saves cost: a check afterwards needs the old document, and every later
// command of the message would copy the parts that it shares.
func (p judging) judge() (later []tree.Path, ok bool) {
	gate := p.run.sys.gate
	var n nearby
	for i := 0; i < len(p.writes); i++ {
		w := &p.writes[i]
		parent := w.path[:max(len(w.path)-1, 0)]
		if w.kind != put && p.run.Edit.Kind(parent) == tree.KindArray {
			n.add(gate, parent) // elements after it in the list move up
			continue
		}
		if w.kind == rename {
			n.add(gate, parent.Child(w.key))
		}
		same := false
		for _, place := range placesNear(gate, w.path) {
			known, ok := p.judgeWrite(w, place)
			if !ok {
				return nil, false
			}
			if !known {
				n.addPlace(place)
			}
			same = same || known && w.kind == put && w.value.Equal(p.run.Edit.Peek(w.path))
		}
		if same { // the value is already there
			p.unplan(i)
			i--
		}
	}
	return n.places, true
}

// judgeWrite is judge for one write and one place. known is false if the place has to be checked
// afterwards.
func (p judging) judgeWrite(w *write, place tree.Path) (known, ok bool) {
	r := p.run
	rest, concerned := r.match(place, w.path)
	if !concerned {
		return true, true
	}
	at, code := r.sys.find(r.Root(), place)
	old := at.Content()
	now, whole := tree.Value{}, false
	switch {
	case code == "" && len(rest) == 0 && len(w.path) > len(at.Slot()):
		now = old // a part of the variable: only the actor is checked
	case w.kind == put:
		now = r.Profile.Part(w.path, w.value, rest)
		if whole = len(rest) == 0 && (code != "" || slices.Equal(w.path, at.Slot())); !whole && r.sys.profile.IsLeaf(place, now) {
			now = now.At(0)
		}
		if old.Exists() == now.Exists() && old.Equal(now) {
			return true, true
		}
	case !old.Exists():
		return true, true
	}
	v, refusal := r.sys.gate.Judge(Write{Actor: r.actor, Path: place, Old: old, New: now})
	switch {
	case refusal != nil:
		p.hint = refusal.Text
		return true, p.reject(refusal.Code)
	case v.Equal(now):
		return true, true
	case !whole:
		return false, true
	}
	p.warn(WarnAdjusted)
	p.retell(w, v)
	return true, p.fits(w.path, v)
}

// retell sets a new value for a planned write and for its change.
func (p judging) retell(w *write, v tree.Value) {
	for i := range p.changes {
		if c := &p.changes[i]; w.made(c) {
			c.New = v
		}
	}
	w.value = v
}

// unplan removes a write and its change from the plan.
func (p judging) unplan(i int) {
	w := &p.writes[i]
	p.changes = slices.DeleteFunc(p.changes, func(c tree.Change) bool { return w.made(&c) })
	p.writes = slices.Delete(p.writes, i, i+1)
}

// made reports whether a change comes from the write. Its path is then the path of the node, or of
// the leaf that has the value.
func (w *write) made(c *tree.Change) bool {
	n := len(c.Path)
	return w.path.HasPrefix(c.Path) && (len(w.path) == n || len(w.path) == n+1 && w.path[n] == "0")
}

// nearby collects places without duplicates.
type nearby struct {
	places []tree.Path
	seen   map[string]bool
}

func (n *nearby) add(g Gate, path tree.Path) {
	for _, place := range placesNear(g, path) {
		n.addPlace(place)
	}
}

func (n *nearby) addPlace(place tree.Path) {
	key := place.String()
	if n.seen[key] {
		return
	}
	if n.seen == nil {
		n.seen = map[string]bool{}
	}
	n.seen[key] = true
	n.places = append(n.places, place)
}

// variables are declared variables that a command wrote, with their old values.
type variables struct {
	places []tree.Path
	olds   []tree.Value
}

// held returns the current values at the places.
func (r *run) held(places []tree.Path) variables {
	vs := variables{places, make([]tree.Value, len(places))}
	for i, place := range places {
		vs.olds[i] = r.Edit.Freeze(r.sys.profile.Content(r.Root(), place))
	}
	return vs
}

// admit checks with the gate each variable that a command wrote, and stores the gate's value. It
// returns false if one was refused: then the command must be undone.
func (p judging) admit(written variables) (adjusted, ok bool) {
	r := p.run
	for i, place := range written.places {
		old, now := written.olds[i], r.sys.profile.Content(r.Root(), place)
		if old.Same(now) || old.Exists() == now.Exists() && old.Equal(now) {
			continue
		}
		r.Edit.Freeze(now)
		v, refusal := r.sys.gate.Judge(Write{Actor: r.actor, Path: place, Old: old, New: now})
		if refusal != nil {
			p.hint = refusal.Text
			return false, p.reject(refusal.Code)
		}
		if v.Equal(now) {
			continue
		}
		at, code := r.sys.find(r.Root(), place)
		if code != "" || !p.fits(at.Slot(), v) {
			return false, p.reject(cmp.Or(p.code, TypeMismatch))
		}
		r.write(write{kind: put, path: at.Slot(), value: v})
		adjusted = true
	}
	if adjusted {
		p.warn(WarnAdjusted)
	}
	return adjusted, true
}

// retold returns the changes of a command after the gate replaced values: with the current values
// of the nodes, and without changes that have no effect any more.
func (r *run) retold(changes []tree.Change) []tree.Change {
	kept := changes[:0]
	for _, c := range changes {
		if c.New.Exists() {
			c.New = r.Edit.Freeze(r.sys.profile.Content(r.Root(), c.Path))
		}
		if c.Old.Exists() != c.New.Exists() || !c.Old.Equal(c.New) {
			kept = append(kept, c)
		}
	}
	return kept
}

// admitted applies a plan that writes declared variables, or undoes it.
func (r *run) admitted(p *plan, places []tree.Path) bool {
	mark, written := r.Edit.Mark(), r.held(places)
	changes, effects := len(r.Changes), len(r.result.Effects)
	r.commit(p)
	adjusted, ok := judging{p}.admit(written)
	if !ok {
		r.Edit.Undo(mark)
		r.Changes, r.result.Effects = r.Changes[:changes], r.result.Effects[:effects]
		r.numbered = nil
		r.bag.Forget()
		return false
	}
	if adjusted {
		r.Changes = append(r.Changes[:changes], r.retold(r.Changes[changes:])...)
	}
	return true
}

// declaredIn finds the declared variables that a command of a dialect wrote, in the batch before
// the command. For a part of a variable only the actor is checked; a refusal rejects the command.
func (p judging) declaredIn(changes []tree.Change) variables {
	r := p.run
	var n nearby
	for _, c := range changes {
		if at := max(len(c.Path)-1, 0); c.Old.Exists() != c.New.Exists() && r.Edit.Kind(c.Path[:at]) == tree.KindArray {
			n.add(r.sys.gate, c.Path[:at]) // elements after it in the list move
			continue
		}
		for _, place := range placesNear(r.sys.gate, c.Path) {
			at, code := r.sys.find(r.Root(), place)
			if code != "" || len(c.Path) <= len(at.Slot()) || !c.Path.HasPrefix(at.Slot()) {
				n.addPlace(place)
				continue
			}
			old := at.Content()
			if _, refusal := r.sys.gate.Judge(Write{r.actor, place, old, old}); refusal != nil {
				p.hint = refusal.Text
				p.reject(refusal.Code)
				return variables{}
			}
		}
	}
	return r.held(n.places)
}

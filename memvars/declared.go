package memvars

import (
	"cmp"
	"slices"

	"github.com/talewright/talewright/memvars/tree"
)

// declaredPath resolves a text that names a declared variable, or a path into one. A node of the
// command's own module has precedence over a name.
func (p *plan) declaredPath(module, text string) (full tree.Path, ok bool) {
	s, by := p.run.sys, p.run.actor
	if s.gate == nil {
		return nil, false
	}
	path, err := tree.ParsePath(text)
	if err == nil {
		if _, code := s.find(p.run.root(), withinModule(module, path)); code == "" {
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

// checkPlan checks with the gate each declared variable that a plan writes, and puts the gate's
// value into the plan. It returns the places that can only be checked after the plan was applied.
// These are moves within a list or under a different key, and changes within something larger. After
// a refused write it returns no places.
//
// Checking in advance saves cost: a check afterwards needs the old document, and every later
// command of the message would copy the parts that it shares.
func (p *plan) checkPlan() (unchecked []tree.Path) {
	gate := p.run.sys.gate
	var later placeSet
	for i := 0; i < len(p.writes); i++ {
		w := &p.writes[i]
		parent := w.path[:max(len(w.path)-1, 0)]
		if w.kind != put && p.run.edit.Kind(parent) == tree.KindArray {
			later.add(gate, parent) // elements after it in the list move up
			continue
		}
		if w.kind == rename {
			later.add(gate, parent.Child(w.key))
		}
		present := false
		for _, place := range placesNear(gate, w.path) {
			decided, ok := p.checkWrite(w, place)
			if !ok {
				return nil
			}
			if !decided {
				later.addPlace(place)
			}
			present = present || decided && w.kind == put && w.value.Equal(p.run.edit.Peek(w.path))
		}
		if present { // the value is already there
			p.dropWrite(i)
			i--
		}
	}
	return later.places
}

// checkWrite is checkPlan for one write and one place. decided is false if the place can only be
// checked after the plan was applied. The gate judges the value that the variable would have after
// the write: the old one if the write changes a part of it, none if the write removes it.
func (p *plan) checkWrite(w *write, place tree.Path) (decided, ok bool) {
	r := p.run
	rest, touches := r.match(place, w.path)
	if !touches {
		return true, true
	}
	at, code := r.sys.find(r.root(), place)
	old := at.Content()
	now := tree.Value{}
	exact := false // the write puts the variable itself and nothing around it, so v can replace its value
	switch {
	case code == "" && len(rest) == 0 && len(w.path) > len(at.Slot()):
		now = old // a part of the variable: here the gate only checks the actor
	case w.kind == put:
		now = r.sys.profile.Part(w.path, w.value, rest)
		exact = len(rest) == 0 && (code != "" || slices.Equal(w.path, at.Slot()))
		if !exact && r.sys.profile.IsLeaf(place, now) {
			now = now.At(0)
		}
		if old.Exists() == now.Exists() && old.Equal(now) {
			return true, true
		}
	case !old.Exists():
		return true, true // there is nothing to remove
	}
	v, refusal := r.sys.gate.Judge(Write{Actor: r.actor, Path: place, Old: old, New: now})
	switch {
	case refusal != nil:
		p.hint = refusal.Text
		return true, p.reject(refusal.Code)
	case v.Equal(now):
		return true, true
	case !exact:
		return false, true
	}
	p.warn(WarnAdjusted)
	p.replaceValue(w, v)
	return true, p.checkDepth(w.path, v)
}

// replaceValue sets a new value for a planned write and for its change.
func (p *plan) replaceValue(w *write, v tree.Value) {
	for i := range p.changes {
		if c := &p.changes[i]; w.causes(c) {
			c.New = v
		}
	}
	w.value = v
}

// dropWrite removes a write and its change from the plan.
func (p *plan) dropWrite(i int) {
	w := &p.writes[i]
	p.changes = slices.DeleteFunc(p.changes, func(c tree.Change) bool { return w.causes(&c) })
	p.writes = slices.Delete(p.writes, i, i+1)
}

// causes reports whether a change belongs to the write. Its path is then the path of the node, or of
// the leaf that has the value.
func (w *write) causes(c *tree.Change) bool {
	n := len(c.Path)
	return w.path.HasPrefix(c.Path) && (len(w.path) == n || len(w.path) == n+1 && w.path[n] == "0")
}

// placeSet collects places without duplicates, in the order of their addition.
type placeSet struct {
	places []tree.Path
	seen   map[string]bool
}

func (n *placeSet) add(g Gate, path tree.Path) {
	for _, place := range placesNear(g, path) {
		n.addPlace(place)
	}
}

func (n *placeSet) addPlace(place tree.Path) {
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

// writtenVariables are declared variables that a command wrote, with their old values.
type writtenVariables struct {
	places []tree.Path
	olds   []tree.Value
}

// oldValues returns the places with their current values, before a command writes them.
func (r *run) oldValues(places []tree.Path) writtenVariables {
	vs := writtenVariables{places, make([]tree.Value, len(places))}
	for i, place := range places {
		vs.olds[i] = r.edit.Freeze(r.sys.profile.Content(r.root(), place))
	}
	return vs
}

// checkWritten checks with the gate each variable that a command wrote, and stores the gate's
// value. It returns false if one was refused: then the command must be undone.
func (p *plan) checkWritten(written writtenVariables) (adjusted, ok bool) {
	r := p.run
	for i, place := range written.places {
		old, now := written.olds[i], r.sys.profile.Content(r.root(), place)
		if old.Same(now) || old.Exists() == now.Exists() && old.Equal(now) {
			continue
		}
		r.edit.Freeze(now)
		v, refusal := r.sys.gate.Judge(Write{Actor: r.actor, Path: place, Old: old, New: now})
		if refusal != nil {
			p.hint = refusal.Text
			return false, p.reject(refusal.Code)
		}
		if v.Equal(now) {
			continue
		}
		at, code := r.sys.find(r.root(), place)
		if code != "" || !p.checkDepth(at.Slot(), v) {
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

// currentChanges returns the changes of a command after the gate replaced values: with the current
// values of the nodes, and without changes that have no effect any more.
func (r *run) currentChanges(changes []tree.Change) []tree.Change {
	kept := changes[:0]
	for _, c := range changes {
		if c.New.Exists() {
			c.New = r.edit.Freeze(r.sys.profile.Content(r.root(), c.Path))
		}
		if c.Old.Exists() != c.New.Exists() || !c.Old.Equal(c.New) {
			kept = append(kept, c)
		}
	}
	return kept
}

// commitAndCheck applies a plan that writes declared variables, or undoes it.
func (r *run) commitAndCheck(p *plan, places []tree.Path) bool {
	mark, written := r.edit.Mark(), r.oldValues(places)
	changes, effects := len(r.result.Changes), len(r.result.Effects)
	r.commit(p)
	adjusted, ok := p.checkWritten(written)
	if !ok {
		r.edit.Undo(mark)
		r.result.Changes, r.result.Effects = r.result.Changes[:changes], r.result.Effects[:effects]
		r.series = nil
		r.bag.swept = false
		return false
	}
	if adjusted {
		r.result.Changes = append(r.result.Changes[:changes], r.currentChanges(r.result.Changes[changes:])...)
	}
	return true
}

// oldVariables finds the declared variables that a command of a dialect wrote, in the batch before
// the command. For a part of a variable only the actor is checked; a refusal rejects the command.
func (p *plan) oldVariables(changes []tree.Change) writtenVariables {
	r := p.run
	var written placeSet
	for _, c := range changes {
		if at := max(len(c.Path)-1, 0); c.Old.Exists() != c.New.Exists() && r.edit.Kind(c.Path[:at]) == tree.KindArray {
			written.add(r.sys.gate, c.Path[:at]) // elements after it in the list move
			continue
		}
		for _, place := range placesNear(r.sys.gate, c.Path) {
			at, code := r.sys.find(r.root(), place)
			if code != "" || len(c.Path) <= len(at.Slot()) || !c.Path.HasPrefix(at.Slot()) {
				written.addPlace(place)
				continue
			}
			old := at.Content()
			if _, refusal := r.sys.gate.Judge(Write{r.actor, place, old, old}); refusal != nil {
				p.hint = refusal.Text
				p.reject(refusal.Code)
				return writtenVariables{}
			}
		}
	}
	return r.oldValues(written.places)
}

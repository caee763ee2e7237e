package memvars

import (
	"cmp"
	"iter"
	"slices"

	"github.com/talewright/talewright/memvars/command"
	"github.com/talewright/talewright/memvars/profile"
	"github.com/talewright/talewright/memvars/tree"
)

// Gate is what an author has declared about variables, as one state of the game has it:
// what they are called, where they live in the document, what may become of them and
// who may see them. [System.With] binds it to a system, and every way to write or to
// show a document asks it: the commands of this package and of dialects, the passes,
// [System.Render] and the hints for a model.
//
// Package rules makes one of its schema. Places are paths from the root without the
// steps into leaves. A Gate is used by one goroutine at a time and answers by its
// arguments alone.
type Gate interface {
	// Resolve returns the place of the variable that goes by a name: its id, or else
	// its display name. What a writer may not see has no name for it.
	Resolve(name string, by Actor) (tree.Path, bool)
	// Near yields the places of the variables that are at a path, around it, or within
	// it. The path may have steps into leaves; too many variables do no harm.
	Near(path tree.Path) iter.Seq[tree.Path]
	// Judge returns what a write makes of a variable: the value as it is stored,
	// converted and within its bounds, or why nothing is written.
	Judge(w Write) (tree.Value, *Refusal)
	// Hidden returns the places that an actor may not see. The [Host] sees everything.
	Hidden(from Actor) []tree.Path
}

// Write is what somebody asks of a declared variable, whichever language it was asked
// in: always of the variable as a whole, also where a part of it or something around
// it was written.
type Write struct {
	Actor Actor
	Path  tree.Path  // the place of the variable
	Old   tree.Value // absent: the document has none yet
	New   tree.Value // absent: it would be removed
}

// Refusal says why a write to a declared variable was not carried out. Text is for the
// hint; empty it tells no more than the code.
type Refusal struct {
	Code command.Code
	Text string
}

// With returns the system with declarations, or without for nil. It copies nothing but
// the system itself, so that it can be called for each message.
func (s *System) With(g Gate) *System {
	bound := *s
	bound.gate = g
	return &bound
}

// declared reads the text that names a variable, or a path into one. A node of the
// command's own module wins over a name.
func (p *plan) declared(module, text string) (full tree.Path, ok bool) {
	s, by := p.run.sys, p.run.actor
	if s.gate == nil {
		return nil, false
	}
	path, err := tree.ParsePath(text)
	if err == nil {
		if _, code := s.find(p.run.root(), profile.Within(module, path)); code == "" {
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

// judge asks the gate about each declared variable that a plan writes, and puts the value
// in the plan that the gate makes of it. It returns the places of those that can only be
// looked at when the plan was carried out: what moves within a list or under another key,
// and what is to become another value within something larger. ok is false if one was
// refused.
//
// Looking ahead is for the cost: a look back needs the document as it was, and every
// later command of the message would copy what that shares.
func (p *plan) judge() (later []tree.Path, ok bool) {
	gate := p.run.sys.gate
	var n nearby
	for i := 0; i < len(p.writes); i++ {
		w := &p.writes[i]
		parent := w.path[:max(len(w.path)-1, 0)]
		if w.kind != put && p.run.edit.Kind(parent) == tree.KindArray {
			n.add(gate, parent) // what comes after it in the list moves up
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
			same = same || known && w.kind == put && w.value.Equal(p.run.edit.Peek(w.path))
		}
		if same { // it came to what is there already
			p.unplan(i)
			i--
		}
	}
	return n.places, true
}

// judgeWrite is judge for one write and one place. known is false if it has to be looked
// at afterwards.
func (p *plan) judgeWrite(w *write, place tree.Path) (known, ok bool) {
	r := p.run
	g := gate{run: r, root: r.root()}
	rest, concerned := g.match(place, w.path)
	if !concerned {
		return true, true
	}
	at, code := r.sys.find(r.root(), place)
	old := at.Content()
	now, whole := tree.Value{}, false
	switch {
	case code == "" && len(rest) == 0 && len(w.path) > len(at.Slot()):
		now = old // a part of the variable: who writes is all there is to judge
	case w.kind == put:
		now = g.value(w.path, w.value, rest)
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
	p.warn(command.WarnAdjusted)
	p.retell(w, v)
	return true, p.fits(w.path, v)
}

// retell gives a planned write, and the change that tells of it, another value.
func (p *plan) retell(w *write, v tree.Value) {
	for i := range p.changes {
		if c := &p.changes[i]; w.told(c) {
			c.New = v
		}
	}
	w.value = v
}

// unplan takes a write back, with the change that tells of it.
func (p *plan) unplan(i int) {
	w := &p.writes[i]
	p.changes = slices.DeleteFunc(p.changes, func(c tree.Change) bool { return w.told(&c) })
	p.writes = slices.Delete(p.writes, i, i+1)
}

// told reports whether a change is about the write: its path is that of the node, or of
// the leaf that has its value there.
func (w *write) told(c *tree.Change) bool {
	n := len(c.Path)
	return w.path.HasPrefix(c.Path) && (len(w.path) == n || len(w.path) == n+1 && w.path[n] == "0")
}

// placesNear lists what [Gate.Near] yields. A loop over the iterator itself would put
// whatever its body uses on the heap, the plan of each command above all.
func placesNear(g Gate, path tree.Path) []tree.Path { return slices.Collect(g.Near(path)) }

// nearby collects places, each once.
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

// variables are declared variables that a command has written, and what they held before.
type variables struct {
	places []tree.Path
	olds   []tree.Value
}

// held looks up what is at the places.
func (r *run) held(places []tree.Path) variables {
	vs := variables{places, make([]tree.Value, len(places))}
	for i, place := range places {
		vs.olds[i] = r.edit.Freeze(r.sys.profile.Content(r.root(), place))
	}
	return vs
}

// admit asks the gate about each variable that a command has written, and puts the
// value in its place that the gate makes of it. It returns false if one was refused:
// then the command is to be taken back.
func (p *plan) admit(written variables) (adjusted, ok bool) {
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
		if code != "" || !p.fits(at.Slot(), v) {
			return false, p.reject(cmp.Or(p.code, command.TypeMismatch))
		}
		r.write(write{kind: put, path: at.Slot(), value: v})
		adjusted = true
	}
	if adjusted {
		p.warn(command.WarnAdjusted)
	}
	return adjusted, true
}

// retold are the changes of a command after the gate has put other values in place:
// with what the nodes hold now, and without those that came to nothing.
func (r *run) retold(changes []tree.Change) []tree.Change {
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

// admitted carries out a plan that writes declared variables, or takes it back.
func (r *run) admitted(p *plan, places []tree.Path) bool {
	mark, written := r.edit.Mark(), r.held(places)
	changes, effects := len(r.result.Changes), len(r.result.Effects)
	r.commit(p)
	adjusted, ok := p.admit(written)
	if !ok {
		r.edit.Undo(mark)
		r.result.Changes, r.result.Effects = r.result.Changes[:changes], r.result.Effects[:effects]
		r.numbered, r.swept = nil, false
		return false
	}
	if adjusted {
		r.result.Changes = append(r.result.Changes[:changes], r.retold(r.result.Changes[changes:])...)
	}
	return true
}

// declaredIn finds the declared variables that a command of a dialect has written, in the
// batch as it was before. Of a part of one who writes is all there is to judge: a refusal
// rejects the command.
func (p *plan) declaredIn(changes []tree.Change) variables {
	r := p.run
	var n nearby
	for _, c := range changes {
		if at := max(len(c.Path)-1, 0); c.Old.Exists() != c.New.Exists() && r.edit.Kind(c.Path[:at]) == tree.KindArray {
			n.add(r.sys.gate, c.Path[:at]) // what comes after it in the list moves
			continue
		}
		for _, place := range placesNear(r.sys.gate, c.Path) {
			at, code := r.sys.find(r.root(), place)
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

// judged is what the gate makes of a value that a pass writes into a place.
func (r *run) judged(at tree.Place, v tree.Value) (tree.Value, bool) {
	if r.sys.gate == nil {
		return v, true
	}
	return r.judgedPass(at, v)
}

func (r *run) judgedPass(at tree.Place, v tree.Value) (tree.Value, bool) {
	g := gate{run: r, root: r.root()}
	for _, place := range placesNear(r.sys.gate, at.Path) {
		if rest, ok := g.match(place, at.Path); !ok || len(rest) > 0 || len(place) != len(logical(place, at.Path)) {
			continue
		}
		stored, refusal := r.sys.gate.Judge(Write{Actor: Host, Path: place, Old: at.Content(), New: v})
		return stored, refusal == nil
	}
	return v, true
}

// logical is the path of a node without the steps into leaves, as far as a place of
// that many segments can tell.
func logical(place, path tree.Path) tree.Path {
	out := make(tree.Path, 0, len(path))
	for _, seg := range path {
		if seg == "0" && (len(out) >= len(place) || place[len(out)] != "0") {
			continue
		}
		out = append(out, seg)
	}
	return out
}

// holdsDeclared reports whether a node is, or holds, a declared variable: a pass does
// not take it away.
func (r *run) holdsDeclared(at tree.Path) bool {
	if r.sys.gate == nil {
		return false
	}
	g := gate{run: r, root: r.root()}
	for _, place := range placesNear(r.sys.gate, at) {
		if rest, ok := g.match(place, at); ok && (len(rest) > 0 || len(logical(place, at)) == len(place)) {
			return true
		}
	}
	return false
}

// secret reports whether a node is, or is part of, a variable that is hidden from the
// actor.
func (r *run) secret(holder tree.Path, key string) bool {
	if r.sys.gate == nil || r.actor == Host {
		return false
	}
	path := holder.Child(key)
	if !r.asked {
		r.asked, r.hidden = true, r.sys.gate.Hidden(r.actor)
	}
	g := gate{run: r, root: r.root()}
	for _, place := range r.hidden {
		if rest, ok := g.match(place, path); ok && len(rest) == 0 {
			return true
		}
	}
	return false
}

// shownTo returns the document without the variables that are hidden from an actor.
func (s *System) shownTo(d tree.Document, who Actor) tree.Document {
	if s.gate == nil {
		return d
	}
	var edit *tree.Edit
	for _, place := range s.gate.Hidden(who) {
		root := d.Root()
		if edit != nil {
			root = edit.Peek(nil)
		}
		at, code := s.find(root, place)
		if code != "" {
			continue
		}
		if edit == nil {
			edit = d.Edit()
		}
		// An element of a list leaves a gap: the others keep their numbers.
		if n := len(at.Path) - 1; edit.Kind(at.Path[:n]) == tree.KindArray {
			_ = edit.Set(at.Path, tree.Text(Placeholder))
			continue
		}
		_ = edit.Delete(at.Path) // it was just found
	}
	if edit == nil {
		return d
	}
	return edit.Document()
}

// Check judges what somebody else made of a document on behalf of an actor, for writers in
// languages that are no dialect of this package: it holds the difference to everything that
// commands are held to, and returns the document with declared variables as they are
// stored. On a refusal nothing of it counts. Judge each write alone: one that is refused
// costs the others.
func (s *System) Check(before, after tree.Document, by Actor) (tree.Document, *Refusal) {
	r := newRun(s, before, by)
	mark := r.edit.Mark()
	if err := r.edit.Set(nil, after.Root()); err != nil {
		return before, &Refusal{Code: command.BadPath, Text: s.words.codes[command.BadPath]} // not reached: it is an object
	}
	p := plan{run: r}
	if r.judgeForeign(mark, &p); p.code != "" {
		return before, &Refusal{Code: p.code, Text: cmp.Or(p.hint, s.words.codes[p.code])}
	}
	out, _ := r.finish(before)
	return out, nil
}

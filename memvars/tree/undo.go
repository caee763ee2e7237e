package tree

import "slices"

// Mark is a state of an [Edit] that it can go back to.
type Mark struct {
	steps int
	root  *object // if nothing of it belongs to the batch: then it is the state
}

// step is one change that an edit has made: what was at a place and what is there now,
// absent for nothing. In a list, and at a place among the members of an object, what comes
// behind moved up or down.
type step struct {
	path     Path
	at       int // the place in its container
	old, new Value
	key      string // the new key of a member that was renamed
}

// Mark remembers the present state, at no cost. From then on the edit keeps what it replaces,
// so that [Edit.Undo] can put it back: this costs what is changed, where a [Document] of the
// state would make every container be copied that is changed afterwards.
func (e *Edit) Mark() Mark {
	e.recording = true
	m := Mark{steps: len(e.steps)}
	if e.root.owner != e.owner {
		m.root = e.root
	}
	return m
}

// Undo puts everything back that was changed since the mark.
func (e *Edit) Undo(m Mark) {
	if m.root != nil {
		e.root = m.root
	} else {
		e.undo(m)
	}
	clear(e.steps[m.steps:])
	e.steps = e.steps[:m.steps]
}

// AsOf calls look while the edit is in the state of the mark, and returns to the present one.
// look must not change anything.
func (e *Edit) AsOf(m Mark, look func()) {
	if m.root != nil {
		present := e.root
		e.root = m.root
		look()
		e.root = present
		return
	}
	e.undo(m)
	look()
	for i := m.steps; i < len(e.steps); i++ {
		s := &e.steps[i]
		s.old = e.swap(s, s.old, s.new, false)
	}
}

// Since returns what was changed since the mark, in the order in which it happened. In a list
// an absent old value was put in, and those behind it moved down; an absent new one was taken
// out, and those behind it moved up.
//
// Like [Edit.Peek] it is for a look that ends before the next edit: what is kept must be given
// to [Edit.Freeze].
func (e *Edit) Since(m Mark) []Change {
	out := make([]Change, 0, len(e.steps)-m.steps)
	for _, s := range e.steps[m.steps:] {
		if s.key == "" {
			out = append(out, Change{Path: s.path, Old: s.old, New: s.new})
			continue
		}
		to := slices.Clone(s.path)
		to[len(to)-1] = s.key
		out = append(out, Change{Path: s.path, Old: s.old}, Change{Path: to, New: s.old})
	}
	return out
}

// undo goes back to a mark without forgetting the way.
func (e *Edit) undo(m Mark) {
	for i := len(e.steps) - 1; i >= m.steps; i-- {
		s := &e.steps[i]
		s.new = e.swap(s, s.new, s.old, true)
	}
}

// record keeps a change.
func (e *Edit) record(p Path, at int, old, now Value) {
	if e.recording {
		e.steps = append(e.steps, step{path: slices.Clone(p), at: at, old: old, new: now})
	}
}

// swap puts one value of a step in the place of the other and returns what stood there: the
// same value, in the nodes that the batch may go on changing. A node is either in the document
// or in one step, so that what happens to the one does not happen to the other.
func (e *Edit) swap(s *step, from, to Value, back bool) (stood Value) {
	if len(s.path) == 0 {
		stood = Value{e.root}
		e.root, _ = to.v.(*object)
		return stood
	}
	parent, key := s.path[:len(s.path)-1], s.path[len(s.path)-1]
	switch c := e.own(parent).v.(type) {
	case *object:
		switch {
		case s.key != "" && back:
			c.rename(s.at, key)
			stood = c.vals[s.at]
		case s.key != "":
			c.rename(s.at, s.key)
			stood = c.vals[s.at]
		case !from.Exists():
			c.insert(s.at, key, to)
		default:
			stood = c.vals[s.at]
			if c.vals[s.at] = to; !to.Exists() {
				c.remove(s.at)
			}
		}
	case *array:
		if !from.Exists() {
			c.vals = slices.Insert(c.vals, s.at, to)
			break
		}
		stood = c.vals[s.at]
		if c.vals[s.at] = to; !to.Exists() {
			c.vals = cut(c.vals, s.at)
		}
	}
	return stood
}

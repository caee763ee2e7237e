package tree

import "slices"

// Mark is a state of an [Edit]. The edit can return to it.
type Mark struct {
	steps int // number of steps before the mark
	// root is the state itself if the edit does not own it, and so cannot change it in place. If it
	// is nil, the state is found by reverting the later steps.
	root *object
}

// step is one change of an edit: the old and the new value at a place. An absent value means an
// insertion or a removal: the later elements or members then moved by one position.
type step struct {
	path     Path
	at       int // the position in its container
	old, new Value
	key      string // the new key of a member that was renamed
}

// Mark records the current state, at no cost. From then on the edit keeps replaced values, so that
// [Edit.Undo] can restore them. The cost follows the changes. Taking a [Document] of the state
// instead would force a copy of every container that is changed later.
func (e *Edit) Mark() Mark {
	e.recording = true
	m := Mark{steps: len(e.steps)}
	if e.root.owner != e.owner {
		m.root = e.root
	}
	return m
}

// Undo reverts all changes since the mark.
func (e *Edit) Undo(m Mark) {
	if m.root != nil {
		e.root = m.root
	} else {
		e.undo(m)
	}
	clear(e.steps[m.steps:])
	e.steps = e.steps[:m.steps]
}

// AsOf calls look while the edit is in the state of the mark, and then returns to the current
// state. look must not change anything.
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

// Since returns the changes since the mark, in order. In a list an absent old value means that the
// element was inserted and later elements moved down. An absent new value means that the element
// was removed and later elements moved up.
//
// Use the result before the next edit, as with [Edit.Peek]: pass a value to [Edit.Freeze] to keep
// it.
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

// undo returns to a mark but keeps the steps.
func (e *Edit) undo(m Mark) {
	for i := len(e.steps) - 1; i >= m.steps; i-- {
		s := &e.steps[i]
		s.new = e.swap(s, s.new, s.old, true)
	}
}

// record stores a change.
func (e *Edit) record(p Path, at int, old, now Value) {
	if e.recording {
		e.steps = append(e.steps, step{path: slices.Clone(p), at: at, old: old, new: now})
	}
}

// swap replaces the value from of a step by the value to, and returns the replaced value. That is
// from itself, or an equal value in nodes that the batch may still change. A node is either in the
// document or in one step, so that changes to one do not affect the other. back is true to undo the
// step.
func (e *Edit) swap(s *step, from, to Value, back bool) (replaced Value) {
	if len(s.path) == 0 {
		replaced = Value{e.root}
		e.root, _ = to.v.(*object)
		return replaced
	}
	parent, key := s.path[:len(s.path)-1], s.path[len(s.path)-1]
	switch c := e.own(parent).v.(type) {
	case *object:
		switch {
		case s.key != "" && back:
			c.rename(s.at, key)
			replaced = c.vals[s.at]
		case s.key != "":
			c.rename(s.at, s.key)
			replaced = c.vals[s.at]
		case !from.Exists():
			c.insert(s.at, key, to)
		default:
			replaced = c.vals[s.at]
			if c.vals[s.at] = to; !to.Exists() {
				c.remove(s.at)
			}
		}
	case *array:
		if !from.Exists() {
			c.vals = slices.Insert(c.vals, s.at, to)
			break
		}
		replaced = c.vals[s.at]
		if c.vals[s.at] = to; !to.Exists() {
			c.vals = cut(c.vals, s.at)
		}
	}
	return replaced
}

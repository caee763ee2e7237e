package past

import (
	"slices"

	"github.com/talewright/talewright/campaign/state"
)

// Turns appends to lists of turns. It appends in place if it returned the list last. So the held
// turns are not copied for every turn. A caller with an older list never sees the appended turns.
type Turns struct {
	list []state.Turn
	from int // index in list where the last returned list begins
}

// Put is like With, but if the list has an old version of the turn, Put replaces it.
func (l *Turns) Put(turns []state.Turn, t state.Turn) []state.Turn {
	if n := len(turns); n == 0 || state.Newer(t.ID, turns[n-1].ID) {
		return l.With(turns, t) // the counter of turns never decreases
	}
	i := slices.IndexFunc(turns, func(old state.Turn) bool { return old.ID == t.ID })
	if i < 0 {
		return turns // the turn is not held
	}
	l.list, l.from = slices.Clone(turns), 0 // other callers use the old list
	l.list[i] = t
	return slices.Clip(l.list)
}

// With returns the list with one more turn.
func (l *Turns) With(turns []state.Turn, t state.Turn) []state.Turn {
	n := len(turns)
	if n == 0 || l.from+n > len(l.list) || &l.list[l.from] != &turns[0] {
		l.list, l.from = slices.Clone(turns), 0
	}
	l.list = append(l.list[:l.from+n], t)
	return slices.Clip(l.list[l.from:])
}

// Last returns the newest n turns of the list, all if n is 0.
func (l *Turns) Last(turns []state.Turn, n int) []state.Turn {
	gone := len(turns) - n
	if n == 0 || gone <= 0 {
		return turns
	}
	if turns = turns[gone:]; l.from+gone <= len(l.list)-n && &l.list[l.from+gone] == &turns[0] {
		l.from += gone
	}
	if l.from > n+64 { // free the memory of dropped turns
		*l = Turns{list: slices.Clone(turns)}
		turns = slices.Clip(l.list)
	}
	return turns
}

package past

import (
	"slices"

	"github.com/talewright/talewright/campaign/state"
)

// Turns appends to lists of turns. It does so in place where the list is the one
// that it returned last, so that the held turns are not copied for every turn. Whoever
// holds an older list never sees what was appended.
type Turns struct {
	list []state.Turn
	from int // where the list that was returned last begins
}

// Put is With for a turn that may be a new version of one that is there: that is replaced.
func (l *Turns) Put(turns []state.Turn, t state.Turn) []state.Turn {
	if n := len(turns); n == 0 || state.Newer(t.ID, turns[n-1].ID) {
		return l.With(turns, t) // the counter of turns never goes back
	}
	i := slices.IndexFunc(turns, func(old state.Turn) bool { return old.ID == t.ID })
	if i < 0 {
		return turns // it is not held
	}
	l.list, l.from = slices.Clone(turns), 0 // others hold the old list
	l.list[i] = t
	return slices.Clip(l.list)
}

// With is the list with one more turn.
func (l *Turns) With(turns []state.Turn, t state.Turn) []state.Turn {
	n := len(turns)
	if n == 0 || l.from+n > len(l.list) || &l.list[l.from] != &turns[0] {
		l.list, l.from = slices.Clone(turns), 0
	}
	l.list = append(l.list[:l.from+n], t)
	return slices.Clip(l.list[l.from:])
}

// Last returns at most n of the turns that were returned last, the newest; all if n is 0.
func (l *Turns) Last(turns []state.Turn, n int) []state.Turn {
	gone := len(turns) - n
	if n == 0 || gone <= 0 {
		return turns
	}
	if turns = turns[gone:]; l.from+gone <= len(l.list)-n && &l.list[l.from+gone] == &turns[0] {
		l.from += gone
	}
	if l.from > n+64 { // what is gone leaves the memory too
		*l = Turns{list: slices.Clone(turns)}
		turns = slices.Clip(l.list)
	}
	return turns
}

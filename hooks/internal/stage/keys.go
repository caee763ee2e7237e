package stage

import (
	"maps"
	"strconv"
)

// Keys holds the default prompt keys that were given out in a turn, and how often
// each was asked for. One table serves a whole run: what a hook that is rolled back has
// taken is given back by undoing, so that no save point needs a copy of the table.
type Keys struct {
	before map[string]int // those of the state, shared with it and never written
	now    map[string]int // what differs
	log    []keyChange
}

// keyChange is the count that a key had before a change, 0 for none.
type keyChange struct {
	key string
	was int
}

// count returns how often a key was asked for.
func (t *Keys) count(key string) int {
	if n, ok := t.now[key]; ok {
		return n
	}
	return t.before[key]
}

func (t *Keys) set(key string, n int) {
	if t.now == nil {
		t.now = map[string]int{}
	}
	t.log = append(t.log, keyChange{key, t.count(key)})
	t.now[key] = n
}

// Mark returns a save point for undo.
func (t *Keys) Mark() int { return len(t.log) }

// Undo gives back what was taken since a save point.
func (t *Keys) Undo(mark int) {
	for i := len(t.log) - 1; i >= mark; i-- {
		t.now[t.log[i].key] = t.log[i].was
	}
	t.log = t.log[:mark]
}

// Result returns the counts for the state: the old map if nothing was taken.
func (t *Keys) Result() map[string]int {
	if len(t.log) == 0 {
		return t.before
	}
	out := maps.Clone(t.before)
	if out == nil {
		out = make(map[string]int, len(t.now))
	}
	for key, n := range t.now {
		if n > 0 {
			out[key] = n
		}
	}
	return out
}

// give gives out a key that was not given out in this turn: the base itself, then
// with the suffix _2, _3 and so on. The ids of one host's events often begin alike, and
// under one key the second text would silently replace the first.
func (t *Keys) give(base string) string {
	key := base
	n := t.count(base) + 1
	// A suffixed key may be taken by the base of another event, such as one whose id
	// ends in _2.
	for ; n > 1; n++ {
		key = base + "_" + strconv.Itoa(n)
		if t.count(key) == 0 {
			break
		}
	}
	t.set(key, max(t.count(key), 1))
	t.set(base, n)
	return key
}

// NewKeys begins with the counts of the state.
func NewKeys(before map[string]int) *Keys { return &Keys{before: before} }

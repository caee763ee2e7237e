package stage

import (
	"maps"
	"strconv"
)

// Keys counts, for each default prompt key of a turn, how often it was requested. One table is
// shared by a whole run. When a hook is rolled back, Undo removes its keys, so that no save point
// needs a copy of the table.
type Keys struct {
	before map[string]int // the counts of the state, shared with it and never written
	now    map[string]int // the changed counts
	log    []keyChange
}

// keyChange is the count of a key before a change, 0 if there was none.
type keyChange struct {
	key    string
	before int
}

// count returns how often a key was requested.
func (t *Keys) count(key string) int {
	if n, ok := t.now[key]; ok {
		return n
	}
	return t.before[key]
}

// setCount changes a count and records the old one for Undo.
func (t *Keys) setCount(key string, n int) {
	if t.now == nil {
		t.now = map[string]int{}
	}
	t.log = append(t.log, keyChange{key, t.count(key)})
	t.now[key] = n
}

// Mark returns a save point for Undo.
func (t *Keys) Mark() int { return len(t.log) }

// Undo removes all changes after a save point.
func (t *Keys) Undo(mark int) {
	for i := len(t.log) - 1; i >= mark; i-- {
		t.now[t.log[i].key] = t.log[i].before
	}
	t.log = t.log[:mark]
}

// Result returns the counts for the state: the old map if nothing changed.
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

// unusedKey returns a key that is unused in this turn: the base itself, then the base with the
// suffix _2, _3 and so on. The ids of one host's events often begin alike. Two texts under one key
// would be a problem: the second would silently replace the first.
func (t *Keys) unusedKey(base string) string {
	key := base
	n := t.count(base) + 1
	// The base of a different event may equal a suffixed key, for example if its id ends in _2.
	for ; n > 1; n++ {
		key = base + "_" + strconv.Itoa(n)
		if t.count(key) == 0 {
			break
		}
	}
	t.setCount(key, max(t.count(key), 1))
	t.setCount(base, n)
	return key
}

// NewKeys returns a Keys that starts with the counts of the state.
func NewKeys(before map[string]int) *Keys { return &Keys{before: before} }

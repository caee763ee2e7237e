package hooks

import (
	"cmp"
	"maps"
	"slices"

	"github.com/talewright/talewright"
	"github.com/talewright/talewright/hooks/act"
	"github.com/talewright/talewright/hooks/internal/condition"
	"github.com/talewright/talewright/internal/utf8text"
)

// Set is a compiled list of hooks. It is immutable and safe for concurrent use:
// With, Patch and Without return changed copies. A nil Set is empty.
type Set struct {
	actions *act.Table
	hooks   []*hook // in order of registration

	// The index. A rank is an index in byRank. Only enabled hooks are in exact and wildcard.
	byRank   []*hook          // in the order in which they run
	exact    map[string][]int // the ranks of the hooks that name an event type, by each of its spellings
	wildcard []int            // the ranks of the hooks with a wildcard pattern
}

// Len returns the number of hooks.
func (s *Set) Len() int {
	if s == nil {
		return 0
	}
	return len(s.hooks)
}

// Hooks returns the hooks as they were given, in the order of registration. Hooks without an id
// have the generated id.
func (s *Set) Hooks() []Hook {
	if s == nil {
		return nil
	}
	out := make([]Hook, len(s.hooks))
	for i, h := range s.hooks {
		out[i] = h.Hook.clone()
	}
	return out
}

// Hook returns the hook with the id.
func (s *Set) Hook(id string) (Hook, bool) {
	if i := s.find(id); i >= 0 {
		return s.hooks[i].Hook.clone(), true
	}
	return Hook{}, false
}

// find returns the index of a hook, or -1 if not found.
func (s *Set) find(id string) int {
	if s == nil {
		return -1
	}
	id = utf8text.Mend(id)
	return slices.IndexFunc(s.hooks, func(h *hook) bool { return h.ID == id })
}

// With returns the set with hooks added at the end. A hook with a known id replaces the known hook.
// A rejected hook changes nothing. Problems have the paths hooks[0], hooks[1] and so on, in the
// order of the arguments.
func (s *Set) With(hooks ...Hook) (*Set, talewright.Problems) {
	a := addition{set: s.fork(), added: make(map[string]bool, len(hooks)), ids: generatedIDs{}}
	a.places = make(map[string]int, len(a.set.hooks)+len(hooks))
	for i, h := range a.set.hooks {
		a.places[h.ID] = i
	}
	for i, h := range hooks {
		a.add(h, condition.Place("hooks").At(i))
	}
	a.set.index()
	return a.set, a.problems
}

// addition is one call of [Set.With].
type addition struct {
	set      *Set
	places   map[string]int  // the index in set.hooks of each id
	added    map[string]bool // the ids of the hooks that were added by this call
	ids      generatedIDs
	problems talewright.Problems
}

// add compiles a hook and adds it, unless it is rejected.
func (a *addition) add(h Hook, at condition.Place) {
	h.ID = utf8text.Mend(h.ID)
	if h.ID == "" {
		h.ID = a.ids.generate(h, a.places)
	}
	c := compiler{actions: a.set.actions, at: at}
	compiled := c.hook(h)
	if a.added[h.ID] {
		c.report(at.Key("id"), "%q is given twice; the later hook is taken", h.ID)
	}
	for i := range c.problems {
		c.problems[i].ID = h.ID
	}
	a.problems = append(a.problems, c.problems...)
	if slices.ContainsFunc(c.problems, rejected) {
		return // a known hook with this id stays unchanged
	}
	a.added[h.ID] = true
	if i, known := a.places[h.ID]; known {
		a.set.hooks[i] = compiled
		return
	}
	a.places[h.ID] = len(a.set.hooks)
	a.set.hooks = append(a.set.hooks, compiled)
}

// Without returns the set without the hooks with these ids, and whether the set had any of them.
// Call [State.Forget] for the removed ids too.
func (s *Set) Without(ids ...string) (*Set, bool) {
	next := s.fork()
	removed := make(map[string]bool, len(ids))
	for _, id := range ids {
		removed[utf8text.Mend(id)] = true
	}
	next.hooks = slices.DeleteFunc(next.hooks, func(h *hook) bool { return removed[h.ID] })
	if len(next.hooks) == s.Len() {
		return s, false
	}
	next.index()
	return next, true
}

// fork returns a copy without its index. The caller changes the copy and indexes it. The compiled
// hooks are shared, because they do not change after compilation.
func (s *Set) fork() *Set {
	if s == nil {
		return &Set{}
	}
	return &Set{actions: s.actions, hooks: slices.Clone(s.hooks)}
}

// clone copies everything that a caller could modify. The values inside actions and conditions are
// immutable and need no copy.
func (h Hook) clone() Hook {
	h.Event = slices.Clone(h.Event)
	h.Actions = slices.Clone(h.Actions)
	h.Extra = maps.Clone(h.Extra)
	h.Permissions.Channels = slices.Clone(h.Permissions.Channels)
	h.Permissions.DenyChannels = slices.Clone(h.Permissions.DenyChannels)
	h.Permissions.Actions = slices.Clone(h.Permissions.Actions)
	h.Permissions.Extra = maps.Clone(h.Permissions.Extra)
	if h.Enabled != nil {
		h.Enabled = new(*h.Enabled)
	}
	if h.Priority != nil {
		h.Priority = new(*h.Priority)
	}
	return h
}

// index sorts the hooks and prepares the search by event type. The cost of an event then depends on
// its own hooks and not on the size of the set. A hook with a wildcard pattern is checked for every
// event.
func (s *Set) index() {
	s.byRank = slices.Clone(s.hooks)
	slices.SortStableFunc(s.byRank, func(a, b *hook) int {
		return cmp.Compare(a.priority(), b.priority())
	})
	s.exact = map[string][]int{}
	for rank, h := range s.byRank {
		if !h.enabled() {
			continue
		}
		if slices.ContainsFunc(h.Event, func(p string) bool { return !act.IsExactType(p) }) {
			s.wildcard = append(s.wildcard, rank)
			continue
		}
		for _, p := range h.Event {
			if p == "" {
				continue // matches nothing, not even the empty type
			}
			var own [1]string
			for _, name := range act.TypeNamesOf(p, &own) {
				// Two patterns of one hook may have the same name.
				if ranks := s.exact[name]; len(ranks) == 0 || ranks[len(ranks)-1] != rank {
					s.exact[name] = append(ranks, rank)
				}
			}
		}
	}
}

// candidates returns the ranks of the enabled hooks whose patterns cover the event, in ascending
// order. The result must not be modified: if no wildcard matches, it is a part of the index and
// needs no allocation.
func (s *Set) candidates(event *act.Event, names act.TypeNames) []int {
	ranks := s.exact[event.Type]
	isCopy := false
	for _, rank := range s.wildcard {
		if !s.byRank[rank].covers(names) {
			continue
		}
		if !isCopy {
			ranks = append(make([]int, 0, len(ranks)+len(s.wildcard)), ranks...)
			isCopy = true
		}
		ranks = append(ranks, rank)
	}
	if isCopy {
		slices.Sort(ranks)
	}
	return ranks
}

// Wants reports whether an enabled hook has a pattern that covers the event type. A host can check
// it first and need not build events that no hook uses.
func (s *Set) Wants(eventType string) bool {
	if s == nil {
		return false
	}
	if len(s.exact[eventType]) > 0 {
		return true
	}
	var own [1]string
	names := act.TypeNamesOf(eventType, &own)
	return slices.ContainsFunc(s.wildcard, func(rank int) bool { return s.byRank[rank].covers(names) })
}

// covers reports whether a pattern of the hook covers one of the event's names.
func (h *hook) covers(names act.TypeNames) bool {
	return slices.ContainsFunc(h.Event, names.Match)
}

package hooks

import (
	"cmp"
	"slices"

	"github.com/talewright/talewright/hooks/act"
)

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
				s.exact[name] = appendOnce(s.exact[name], rank)
			}
		}
	}
}

// appendOnce appends a rank unless it is the last one already: two patterns of one hook may add it
// twice.
func appendOnce(ranks []int, rank int) []int {
	if n := len(ranks); n > 0 && ranks[n-1] == rank {
		return ranks
	}
	return append(ranks, rank)
}

// candidates returns the ranks of the enabled hooks whose patterns cover the event, in ascending
// order. The result must not be modified: if no wildcard matches, it is a part of the index and
// needs no allocation.
func (s *Set) candidates(event *act.Event, names act.TypeNames) []int {
	exact := s.exact[event.Type]
	ranks := exact
	for _, rank := range s.wildcard {
		if s.byRank[rank].covers(names) {
			if len(ranks) == len(exact) {
				ranks = append(make([]int, 0, len(exact)+len(s.wildcard)), exact...)
			}
			ranks = append(ranks, rank)
		}
	}
	if len(ranks) > len(exact) {
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
	for _, rank := range s.wildcard {
		if s.byRank[rank].covers(names) {
			return true
		}
	}
	return false
}

// covers reports whether a pattern of the hook covers one of the event's names.
func (h *hook) covers(names act.TypeNames) bool {
	return slices.ContainsFunc(h.Event, names.Match)
}

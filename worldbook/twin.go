package worldbook

import "slices"

// twin is the active entry of an id that several entries have.
type twin struct {
	at    int32 // its place among the active ones
	entry int32 // and in the entry list, negative for a forced copy
}

// replaces gives an activated candidate the place of an active entry with the same id,
// as SillyTavern does: one activation is left, in the place of the first and with
// everything else of the last. Both have paid. It reports false if there is none yet.
//
// Entries of one id meet here only if one loop activates them: later loops pass over
// those whose id is active.
func (s *scan) replaces(c *candidate, content string) bool {
	first := int32(s.placeIn(c))
	old, ok := s.twins[first]
	if !ok {
		old.at = int32(len(s.activated))
	}
	if s.twins == nil {
		s.twins = map[int32]twin{}
	}
	s.twins[first] = twin{old.at, c.at}
	if !ok {
		return false
	}
	if s.explain != nil && old.entry >= 0 {
		s.explain.list[old.entry].Gate = "an entry of the same id took its place"
		s.explain.list[old.entry].Active = false
	}
	s.activated[old.at] = c.entry
	s.show(c, content, &s.out.Activated[old.at])
	s.placing, s.replaced = false, true
	at, isSpecial := slices.BinarySearch(s.special, old.at)
	switch special := c.gated || c.at < 0; {
	case special && !isSpecial:
		s.special = slices.Insert(s.special, at, old.at)
	case !special && isSpecial:
		s.special = slices.Delete(s.special, at, at+1)
	}
	if s.explain != nil {
		s.explain.activated(c)
	}
	return true
}

// closeGroups closes the groups of the active entries anew.
func (s *scan) closeGroups() {
	clear(s.closed)
	for _, e := range s.activated {
		if e.grouped {
			s.closeGroup(e)
		}
	}
	s.replaced = false
}

// stands reports whether a forced copy is a candidate of this loop already, and notes
// that it is one from now on.
func (s *scan) stands(e *entry) bool {
	if s.forcedIn[e] == s.loops+1 {
		return true
	}
	if s.forcedIn == nil {
		s.forcedIn = map[*entry]int{}
	}
	s.forcedIn[e] = s.loops + 1
	return false
}

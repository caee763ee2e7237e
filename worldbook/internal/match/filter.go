package match

import (
	"math/bits"
	"slices"
)

// This file searches windows that have only some of the messages.

// filteredHits answers for windows with a filter. A mark has only the newest message that contains an atom. The
// filter may exclude this message, so filteredHits looks at the finds of every message.
type filteredHits struct {
	*hitSet
	passes func(w Window, depth int) bool
}

func (s *Search) filtered(h *hitSet) filteredHits { return filteredHits{h, s.passes} }

// passes reports whether a message, counted from the newest, is in a window.
func (s *Search) passes(w Window, depth int) bool {
	return s.texts.Passes(w.Only, s.texts.Chat.Len()-1-depth)
}

// lookUp is [hitSet.lookUp] for a window with a filter.
func (f filteredHits) lookUp(ref Ref, w Window, fuses *Fuses) certainty {
	a := f.by.atoms[ref]
	if a.kind == atomRegex && fuses.has(f.by.regexes[a.which].name) {
		return no
	}
	if f.marked.Has(int(ref)) && f.marks[ref].parts&w.Parts != 0 || f.newest(ref, w) >= 0 {
		return yes
	}
	if f.marked.Has(int(ref)) && f.marks[ref].maybeParts&w.Parts != 0 || f.maybeIn(ref, w) {
		return maybe
	}
	if a.kind == atomJoined || a.kind == atomRegex && f.by.regexes[a.which].unannounced() {
		return maybe
	}
	return no
}

// newest returns the newest message of a window that certainly contains an atom, or -1.
func (f filteredHits) newest(ref Ref, w Window) int {
	for depth := range min(w.Depth, len(f.messages)) {
		if slices.Contains(f.messages[depth].atoms, int32(ref)) && f.passes(w, depth) {
			return depth
		}
	}
	return -1
}

// maybeIn reports whether only the joined window decides about an atom. A message that a filter
// leaves out can begin or end a window too, so a regex that sees the ends is decided there.
func (f filteredHits) maybeIn(ref Ref, w Window) bool {
	for depth := range min(w.Depth, len(f.messages)) {
		if slices.Contains(f.messages[depth].maybe, int32(ref)) {
			return true
		}
	}
	return false
}

// place is [mark.place] for a window with a filter.
func (f filteredHits) place(ref Ref, w Window) Place {
	if depth := f.newest(ref, w); depth >= 0 {
		return Place(depth)
	}
	if f.marked.Has(int(ref)) {
		if in := f.marks[ref].parts & w.Parts; in != 0 {
			return inPart - Place(bits.TrailingZeros8(uint8(in)))
		}
	}
	return Spread
}

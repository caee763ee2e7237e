package lexicon

import (
	"cmp"
	"iter"
	"slices"
	"sort"
)

// Hits are the words found in a text, by class. Each list is sorted by start and has only the
// longest word for each start. All lists share one array.
type Hits struct {
	spans []shortSpan
	lists []list
	index []uint16 // by class: the index of its list, plus 1; nil: each class has its list
}

// A shortSpan is a span in half the memory.
type shortSpan struct{ start, end int32 }

func (s shortSpan) span() Span { return Span{int(s.start), int(s.end)} }

func shorten(s Span) shortSpan { return shortSpan{int32(s.Start), int32(s.End)} }

// A list is the part of the shared array with the words of one class.
type list struct{ start, size int32 }

// place gives each list its part of the shared array, by its size, empties the lists, and returns
// the size of the array.
func (h *Hits) place() (used int32) {
	for t := range h.lists {
		n := h.lists[t].size
		h.lists[t] = list{start: used}
		used += n
	}
	return used
}

// compact returns the words with lists only for the classes that have words. Most have none.
func (h *Hits) compact() *Hits {
	n := 0
	for _, l := range h.lists {
		n += int(min(l.size, 1))
	}
	out := &Hits{spans: h.spans, lists: make([]list, 0, n+1), index: make([]uint16, len(h.lists))}
	for t, l := range h.lists {
		if l.size > 0 {
			*out.at(Class(t)) = l
		}
	}
	return out
}

// at returns the list of a class. A class without a list gets one.
func (h *Hits) at(t Class) *list {
	if h.index == nil {
		return &h.lists[t]
	}
	if h.index[t] == 0 {
		h.lists = append(h.lists, list{})
		h.index[t] = uint16(len(h.lists))
	}
	return &h.lists[h.index[t]-1]
}

// of returns the list of a class, empty if it has none.
func (h *Hits) of(t Class) list {
	switch {
	case h.index == nil:
		return h.lists[t]
	case h.index[t] == 0:
		return list{}
	}
	return h.lists[h.index[t]-1]
}

// words returns the words of a class.
func (h *Hits) words(t Class) []shortSpan {
	l := h.of(t)
	return h.spans[l.start : l.start+l.size : l.start+l.size]
}

// All returns the words of a class.
func (h *Hits) All(t Class) []Span { return h.Append(nil, t) }

// Append appends the words of a class to a list.
func (h *Hits) Append(to []Span, t Class) []Span {
	for _, w := range h.words(t) {
		to = append(to, w.span())
	}
	return to
}

// Count returns the number of words of a class.
func (h *Hits) Count(t Class) int { return int(h.of(t).size) }

// After yields the words of a class that start at or after pos.
func (h *Hits) After(t Class, pos int) iter.Seq[Span] {
	return func(yield func(Span) bool) {
		for _, w := range h.words(t)[h.from(t, pos):] {
			if !yield(w.span()) {
				return
			}
		}
	}
}

// Sorted sorts spans by start and keeps the longest for each start.
func Sorted(all []Span) []Span {
	slices.SortFunc(all, func(a, b Span) int { return cmp.Or(a.Start-b.Start, b.End-a.End) })
	return slices.CompactFunc(all, func(a, b Span) bool { return a.Start == b.Start })
}

// Set replaces the words of a class. They must be sorted, see Sorted.
func (h *Hits) Set(t Class, words []Span) {
	*h.at(t) = list{int32(len(h.spans)), int32(len(words))}
	for _, w := range words {
		h.spans = append(h.spans, shorten(w))
	}
}

// Drop removes the words of a class for which f reports true.
func (h *Hits) Drop(t Class, f func(Span) bool) {
	if h.Count(t) > 0 {
		left := slices.DeleteFunc(h.words(t), func(w shortSpan) bool { return f(w.span()) })
		h.at(t).size = int32(len(left))
	}
}

// put appends a span to its class, or replaces a shorter one with the same start.
func (h *Hits) put(t Class, s Span) {
	l := &h.lists[t]
	if end := l.start + l.size; l.size > 0 && int(h.spans[end-1].start) == s.Start {
		h.spans[end-1] = shorten(s)
		return
	}
	h.spans[l.start+l.size] = shorten(s)
	l.size++
}

// Outside removes the words that begin inside one of the sorted spans, except those that f keeps.
// If 夏可 is a name, its 可 is not a modal word.
func (h *Hits) Outside(names []Span, f func(class Class, w, name Span) bool) {
	if len(names) == 0 {
		return
	}
	for t := range max(len(h.lists), len(h.index)) {
		k := 0
		h.Drop(Class(t), func(w Span) bool {
			for k < len(names) && names[k].End <= w.Start {
				k++
			}
			return k < len(names) && names[k].Start <= w.Start && !f(Class(t), w, names[k])
		})
	}
}

// unshielded removes the words inside a shield, in place.
func unshielded(list, shields []shortSpan) []shortSpan {
	out := list[:0]
	// Both lists are sorted by start. reach is the largest end of the shields that begin before a
	// word.
	k, reach := 0, int32(0)
	for _, w := range list {
		for ; k < len(shields) && shields[k].start <= w.start; k++ {
			reach = max(reach, shields[k].end)
		}
		if w.end > reach {
			out = append(out, w)
		}
	}
	return out
}

// Next returns the first word of a class that starts at or after pos.
func (h *Hits) Next(t Class, pos int) (Span, bool) {
	list := h.words(t)
	if i := h.from(t, pos); i < len(list) {
		return list[i].span(), true
	}
	return Span{}, false
}

// At returns the longest word of the class that starts at pos.
func (h *Hits) At(t Class, pos int) (Span, bool) {
	w, ok := h.Next(t, pos)
	return w, ok && w.Start == pos
}

// HasAt reports whether a word of the class starts at pos.
func (h *Hits) HasAt(t Class, pos int) bool {
	_, ok := h.At(t, pos)
	return ok
}

// from returns the index of the first word of the class that starts at or after pos.
func (h *Hits) from(t Class, pos int) int {
	l := h.of(t)
	return sort.Search(int(l.size), func(i int) bool { return int(h.spans[int(l.start)+i].start) >= pos })
}

// Within returns the first word of the class that is inside [start, end).
func (h *Hits) Within(t Class, start, end int) (Span, bool) {
	for w := range h.After(t, start) {
		if w.Start >= end {
			break
		}
		if w.End <= end {
			return w, true
		}
	}
	return Span{}, false
}

// Has reports whether a word of one of the classes is inside [start, end).
func (h *Hits) Has(start, end int, tags ...Class) bool {
	for _, t := range tags {
		if _, ok := h.Within(t, start, end); ok {
			return true
		}
	}
	return false
}

// EndsAt returns the longest word of the class that ends at pos and starts
// less than 40 characters before it.
func (h *Hits) EndsAt(t Class, pos int) (Span, bool) {
	for w := range h.After(t, pos-40) {
		if w.Start >= pos {
			break
		}
		if w.End == pos {
			return w, true
		}
	}
	return Span{}, false
}

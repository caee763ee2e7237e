package match

import (
	"math/bits"
	"slices"
)

// longText represents the sizes of texts that do not fit into a mark.
const longText = 1<<16 - 1

// noMessage is the depth of an atom that is in no message.
const noMessage = MaxMessages + 1

// mark records where an atom was found. With many keys most time goes into cache misses, so the
// mark also has the data of the atom that a search needs.
type mark struct {
	user       user   // the first user of the atom
	text       uint32 // offset of its text in Index.texts
	size       uint16 // size of that text
	depth      uint16 // newest message that contains it
	maybeDepth uint16 // newest message from which only the joined window decides
	parts      Parts
	maybeParts Parts
}

// isIn reports whether the atom is certainly in a window.
func (m *mark) isIn(w Window) bool { return int(m.depth) < w.Depth || m.parts&w.Parts != 0 }

// mayBeIn reports whether the joined window must be searched.
func (m *mark) mayBeIn(w Window) bool {
	return int(m.maybeDepth) < w.Depth || m.maybeParts&w.Parts != 0
}

// place returns the place of an atom that is in the window, by its mark.
func (m *mark) place(w Window) Place {
	if int(m.depth) < w.Depth {
		return Place(m.depth)
	}
	if in := m.parts & w.Parts; in != 0 {
		return inPart - Place(bits.TrailingZeros8(uint8(in)))
	}
	return Spread
}

// hitSet holds the marks of one index's atoms. It is reused between scans.
type hitSet struct {
	by          *Index
	marked      Set     // atoms that were found
	inMessage   Set     // atoms that are certainly in a message
	marks       []mark  // by atom; only the marks of the set marked are valid
	newlyMarked []int32 // atoms marked since Search.touchEntries emptied the list
	// records are the finds in the texts of this scan. markedRecords are the records from which the marks were
	// built. A turn that is generated again has the same records as the turn before, and its marks are reused.
	records, markedRecords []textFinds
	messages               []*finds // the finds in each message, newest first, if windows have filters
	addedLater             bool     // the marks contain more than markedRecords
}

// textFinds are the finds in one text: a message or, with parts, a different text.
type textFinds struct {
	*finds
	depth int32 // of a message, from the newest; joinedDecides means that only the joined window decides
	parts Parts
}

const joinedDecides = -1

// reset prepares the set for a scan. users, if not nil, is the first user of each atom. Then the
// index is the same every time, and marks keep the data of its atoms.
func (h *hitSet) reset(by *Index, users []user) {
	if by != h.by {
		h.by, h.addedLater = by, true
	}
	h.records, h.messages = h.records[:0], h.messages[:0]
	if cap(h.marks) < len(by.atoms) {
		h.marks = make([]mark, len(by.atoms))
		for i, u := range users {
			start := by.texts.start(int32(i))
			h.marks[i] = mark{user: u, text: start, size: uint16(min(by.texts.ends[i]-start, longText))}
		}
	}
	h.marks = h.marks[:len(by.atoms)]
}

// buildMarks builds the marks from the records. It reports whether they are the same as in the previous
// scan. Making them again costs 15 % of a scan of an unchanged chat (BenchmarkScan of package
// worldbook, 10,000 entries, mode unchanged).
func (h *hitSet) buildMarks() (same bool) {
	if !h.addedLater && slices.Equal(h.records, h.markedRecords) {
		return true
	}
	h.marked, h.inMessage = h.marked.Reset(len(h.by.atoms)), h.inMessage.Reset(len(h.by.atoms))
	h.newlyMarked = h.newlyMarked[:0]
	for _, n := range h.records {
		h.add(n)
	}
	h.markedRecords, h.addedLater = append(h.markedRecords[:0], h.records...), false
	return false
}

// markOf returns the mark of an atom. It clears a mark of an earlier scan.
func (h *hitSet) markOf(atom int32) *mark {
	m := &h.marks[atom]
	if !h.marked.Has(int(atom)) {
		h.marked.Put(int(atom))
		m.depth, m.maybeDepth = noMessage, noMessage
		m.parts, m.maybeParts = 0, 0
		h.newlyMarked = append(h.newlyMarked, atom)
	}
	return m
}

// add marks the atoms of a text. Messages come newest first.
func (h *hitSet) add(n textFinds) {
	h.addedLater = true
	switch {
	case n.parts != 0:
		h.addAtoms(n.atoms, n.parts)
		for _, a := range n.maybe {
			h.markOf(a).maybeParts |= n.parts
		}
	case n.depth == joinedDecides:
		for _, list := range [...][]int32{n.atoms, n.maybe} {
			for _, a := range list {
				h.markOf(a).maybeDepth = 0
			}
		}
	default:
		h.addMessage(n.finds, uint16(n.depth))
	}
}

func (h *hitSet) addMessage(f *finds, depth uint16) {
	for _, a := range f.atoms {
		if !h.inMessage.Has(int(a)) { // otherwise a newer message has it
			h.inMessage.Put(int(a))
			h.markOf(a).depth = depth
		}
	}
	for _, a := range f.maybe {
		m := h.markOf(a)
		m.maybeDepth = min(m.maybeDepth, depth)
	}
}

// addAtoms marks atoms of a part.
func (h *hitSet) addAtoms(list []int32, p Parts) {
	h.addedLater = true
	for _, a := range list {
		h.markOf(a).parts |= p
	}
}

// certainty is the result of marks for an atom and a window.
type certainty uint8

const (
	no certainty = iota
	yes
	maybe // only the text decides
)

// lookUp reports whether an atom is in a window, as far as the marks decide. A stopped regex is in no
// window. Only a regex can match the empty text, which is the window without parts.
func (h *hitSet) lookUp(ref Ref, w Window, fuses *Fuses) certainty {
	marked := h.marked.Has(int(ref))
	a := h.by.atoms[ref]
	isRegex := a.kind == atomRegex
	switch {
	case isRegex && fuses.has(h.by.regexes[a.which].name):
		return no
	case w == (Window{}) && isRegex:
		return maybe
	case w == (Window{}):
		return no
	case marked && h.marks[ref].isIn(w):
		return yes
	case marked && h.marks[ref].mayBeIn(w):
		return maybe
	case a.kind == atomJoined, isRegex && h.by.regexes[a.which].unannounced():
		return maybe
	}
	return no
}

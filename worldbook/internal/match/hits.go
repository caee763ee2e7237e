package match

import (
	"hash/maphash"
	"math/bits"
	"slices"
)

// user is an entry with an atom as a primary key, and the bit of that key: the entry's place in the
// list times eight, plus the bit.
type user uint32

const (
	// noUser means no user: atoms of secondary keys have no user.
	noUser = ^user(0)
	// severalUsers is set in the first of several users.
	severalUsers user = 1 << 31
)

func makeUser(entry, key int) user { return user(entry<<3 | min(key, lastKeyBit)) }

func (u user) entry() int   { return int(u &^ severalUsers >> 3) }
func (u user) bit() keyBits { return 1 << (u & 7) }

// keyBits marks the found primary keys of an entry: a bit for each of the first keys, and the last
// bit for all others together.
type keyBits uint8

const lastKeyBit = 7

// Users lists the entries that use atoms as primary keys. Most atoms have one user, and most others
// have no user. It is immutable after all users are added.
type Users struct {
	first []user
	more  map[int32][]user // the further users
}

// NewUsers returns the empty list for the atoms of an index.
func NewUsers(x *Index) *Users {
	u := &Users{first: make([]user, len(x.atoms)), more: map[int32][]user{}}
	for i := range u.first {
		u.first[i] = noUser
	}
	return u
}

// Add records that the key of an entry has a reference. Only atoms of the index are recorded.
func (t *Users) Add(ref Ref, entry, key int) {
	if ref < 0 || ref >= Dynamic {
		return
	}
	atom, u := int32(ref), makeUser(entry, key)
	switch first := t.first[atom]; {
	case first == noUser:
		t.first[atom] = u
	case first&^severalUsers != u: // not the last bit a second time
		t.first[atom] |= severalUsers
		t.more[atom] = append(t.more[atom], u)
	}
}

// Each calls f for each entry that uses an atom.
func (t *Users) Each(atom int32, f func(entry int)) {
	first := t.first[atom]
	if first == noUser {
		return
	}
	f(first.entry())
	if first&severalUsers != 0 {
		for _, u := range t.more[atom] {
			f(u.entry())
		}
	}
}

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

// Set is a set of numbers below a bound. The zero value has the capacity 0.
type Set []uint64

// New returns an empty set for the numbers below n.
func New(n int) Set { return make(Set, (n+63)/64) }

// Put adds a number.
func (s Set) Put(i int) { s[i>>6] |= 1 << (i & 63) }

// Drop removes i.
func (s Set) Drop(i int) { s[i>>6] &^= 1 << (i & 63) }

// Has reports whether a number is in the set.
func (s Set) Has(i int) bool { return s[i>>6]&(1<<(i&63)) != 0 }

// Reset returns the empty set for the numbers below n. It reuses the memory of s if that is large
// enough.
func (s Set) Reset(n int) Set { return Resized(s, (n+63)/64) }

// Union adds the numbers of a second set of the same size.
func (s Set) Union(other Set) {
	for i, word := range other {
		s[i] |= word
	}
}

// Next returns the least number of the set that is at least i, or -1 if not found.
func (s Set) Next(i int) int {
	for w := i >> 6; w < len(s); w++ {
		if rest := s[w] >> (i & 63); rest != 0 {
			return i + bits.TrailingZeros64(rest)
		}
		i = (w + 1) << 6
	}
	return -1
}

// Resized returns a cleared slice of n elements. It reuses the memory of b if that is large enough.
func Resized[T any](b []T, n int) []T {
	if cap(b) < n {
		return make([]T, n)
	}
	b = b[:n]
	clear(b)
	return b
}

// Table is a hash table from texts to numbers from 0. It does not store the texts: its user compares them by
// number. A map needs six times the memory. The zero value has no room, so [Table.Fits] is false.
type Table struct {
	seed   maphash.Seed
	places []int32 // with linear probing
}

// Free is the content of a free place.
const Free int32 = -1

// NewTable returns a table with room for n numbers.
func NewTable(n int) Table {
	t := Table{maphash.MakeSeed(), make([]int32, n+n/3+1)}
	for i := range t.places {
		t.places[i] = Free
	}
	return t
}

// Fits reports whether the table has room for n numbers: a quarter of the places stays free.
func (t *Table) Fits(n int) bool { return n+n/3 < len(t.places) }

// Find returns the place of the number with a text, or the free place for it. is reports whether a number in
// the table is the wanted one, because different texts may have the same hash.
func (t *Table) Find(text string, is func(n int32) bool) *int32 {
	for i, _ := bits.Mul64(maphash.String(t.seed, text), uint64(len(t.places))); ; i++ {
		if i == uint64(len(t.places)) {
			i = 0
		}
		if p := &t.places[i]; *p == Free || is(*p) {
			return p
		}
	}
}

package keyindex

import (
	"cmp"
	"encoding/binary"
	"math/bits"
	"slices"
	"strings"
	"sync"
)

// Edge is a condition on the byte next to an occurrence. A word byte is one of A-Z, a-z, 0-9 and _;
// both ends of the text count as non-word.
type Edge uint8

// The conditions.
const (
	AnyEdge     Edge = iota
	NonWordEdge      // the neighbour must not be a word byte
	WordEdge         // the neighbour must be a word byte
)

// Key is one key. Text must not be empty and must be valid UTF-8.
type Key struct {
	Text        string
	Left, Right Edge
	// Check passes each occurrence to the function of [Index.Scan], until it accepts one.
	Check bool
}

func (k Key) plain() bool { return k.Left == AnyEdge && k.Right == AnyEdge && !k.Check }

// Index finds keys in texts. It is immutable and safe for concurrent use.
type Index struct {
	keys    []Key   // by id
	entries []entry // sorted by group, hash of the prefix, and then bytewise
	groups  [groupCount]group
	shorts  shortTable
	filter  prefixFilter
	three   *prefixFilter // nil, or a separate filter for many three-byte keys

	scratch sync.Pool
}

// entry is one key. The fields that a lookup reads are together, in half a cache line, because with
// many keys most of the time is spent on cache misses.
type entry struct {
	hash uint64 // of the prefix of its group, see prefixHash
	tail uint64 // the head of the text after that prefix
	id   int32
	link int32 // the longest other entry of its group that is a prefix of this one, or -1
	size int32 // of the key, in bytes
	// tailShift is the number of bits of tail that the shortest entry on its chain of links does not have,
	// minus one. keepMatching shifts them away to compare only the bits that all these entries have.
	tailShift          uint8
	hasCondition       bool // the key has a condition
	linksHaveCondition bool // the key or an entry on its chain of links has a condition
}

// Length groups of keys: at least 8 bytes, 6 or 7, 4 or 5, 3. Shorter keys are stored separately.
const (
	group8 = iota
	group6
	group4
	group3
	groupCount
)

// group is a range of Index.entries with its lookup tables: prefixes reports whether there are any,
// directory says where they are.
type group struct {
	lo, hi     int32
	prefixBits bitmap
	directory  directory
}

func (g *group) size() int { return int(g.hi - g.lo) }

var groupMask = [groupCount]uint64{1<<64 - 1, mask6, mask4, mask3}

const (
	mask6 = 1<<48 - 1
	mask4 = 1<<32 - 1
	mask3 = 1<<24 - 1
)

// prefixSize is the number of bytes of a key that the tables use.
var prefixSize = [groupCount + 1]int{8, 6, 4, 3, 0}

// groupOf returns the group of the keys of a size.
func groupOf(size int) int {
	switch {
	case size >= 8:
		return group8
	case size >= 6:
		return group6
	case size >= 4:
		return group4
	case size == 3:
		return group3
	}
	return groupCount
}

// Build makes an index of fewer than 2^31 keys, which must not change afterwards. The id of a key is
// its index in keys. Equal keys have different ids.
func Build(keys []Key) *Index {
	x := &Index{keys: keys}
	x.sortEntries()
	x.linkPrefixes()
	x.buildTables()
	x.scratch.New = func() any { return newScratch(x) }
	return x
}

// Len returns the number of keys.
func (x *Index) Len() int { return len(x.entries) }

// text returns the text of an entry.
func (x *Index) text(u int32) string { return x.keys[x.entries[u].id].Text }

// sortEntries fills the entries, and the ranges and directories of the groups. The directory of a group
// says where each entry belongs, so that only entries with the same upper bits of the hash are compared.
func (x *Index) sortEntries() {
	for _, k := range x.keys {
		if g := groupOf(len(k.Text)); g < groupCount {
			x.groups[g].hi++
		}
	}
	end := int32(0)
	for g := range x.groups {
		r := &x.groups[g]
		r.lo, r.hi = end, end+r.hi
		r.directory, end = newDirectory(int(r.hi-r.lo)), r.hi
	}
	for _, k := range x.keys {
		if g := groupOf(len(k.Text)); g < groupCount {
			*x.groups[g].directory.at(prefixHash(k.Text, g))++
		}
	}
	for g := range x.groups {
		x.groups[g].directory.countsToEnds(x.groups[g].lo)
	}
	x.entries = make([]entry, len(x.keys))
	shorts := int32(len(x.keys))
	for i := len(x.keys) - 1; i >= 0; i-- {
		k := &x.keys[i]
		g := groupOf(len(k.Text))
		e := entry{
			hash: prefixHash(k.Text, g), tail: head(k.Text[prefixSize[g]:]), id: int32(i),
			size: int32(len(k.Text)), hasCondition: !k.plain(),
		}
		at := &shorts
		if g < groupCount {
			at = x.groups[g].directory.at(e.hash)
		}
		*at-- // see directory: the next entry with these bits is written before this one
		x.entries[*at] = e
	}
	for g := range x.groups {
		from := x.groups[g].lo
		for _, to := range x.groups[g].directory.starts {
			x.sort(from, to)
			from = to
		}
	}
	x.sort(end, int32(len(x.entries)))
}

// sort sorts a range of entries of a group by hash and then bytewise. Equal keys keep their order.
func (x *Index) sort(from, to int32) {
	if to-from < 2 {
		return
	}
	slices.SortFunc(x.entries[from:to], func(a, b entry) int {
		if a.hash != b.hash {
			return cmp.Compare(a.hash, b.hash)
		}
		if a.tail != b.tail {
			return cmp.Compare(a.tail, b.tail)
		}
		return cmp.Or(strings.Compare(x.keys[a.id].Text, x.keys[b.id].Text), int(a.id-b.id))
	})
}

// headSize is the number of bytes in a head.
const headSize = 8

// head returns the first eight bytes of s, padded with zeros, as a number that compares like the
// text.
func head(s string) uint64 {
	if len(s) >= headSize {
		return bits.ReverseBytes64(load8(s))
	}
	var b [headSize]byte
	copy(b[:], s)
	return binary.BigEndian.Uint64(b[:])
}

// linkPrefixes finds for each entry the longest other entry of its group that is a prefix of it;
// for equal entries, the one before it. In sorted order, that is the nearest entry before it on the
// stack of prefixes.
func (x *Index) linkPrefixes() {
	var stack []int32
	for u := range x.entries {
		e, text := &x.entries[u], x.text(int32(u))
		g := groupOf(len(text))
		for len(stack) > 0 {
			top := x.text(stack[len(stack)-1])
			if strings.HasPrefix(text, top) && g == groupOf(len(top)) {
				break
			}
			stack = stack[:len(stack)-1]
		}
		e.link, e.linksHaveCondition = -1, e.hasCondition
		e.tailShift = uint8(63 - 8*min(len(text)-prefixSize[g], headSize-1))
		if len(stack) > 0 {
			e.link = stack[len(stack)-1]
			e.tailShift = x.entries[e.link].tailShift
			e.linksHaveCondition = e.linksHaveCondition || x.entries[e.link].linksHaveCondition
		}
		stack = append(stack, int32(u))
	}
}

// buildTables fills the filters and the tables of the groups.
func (x *Index) buildTables() {
	long := 0
	for g := group8; g < group3; g++ {
		long += x.groups[g].size()
	}
	threes := x.groups[group3].size()
	inMain := threes <= maxThreesInMain
	pairMask := uint64(mask6)
	if inMain && x.hasSingle() {
		pairMask = mask3 // any character can follow a key of one character
	}
	x.filter = newPrefixFilter(long, mask4, pairMask)
	if !inMain {
		x.three = new(newPrefixFilter(threes, mask3, mask3))
	}
	for g := range x.groups {
		r := &x.groups[g]
		r.prefixBits = newBitmap(r.size())
		filter := &x.filter
		if g == group3 && !inMain {
			filter = x.three
		}
		for u := r.lo; u < r.hi; u++ {
			r.prefixBits.set(x.entries[u].hash)
			filter.add(x.text(u))
		}
	}
	x.buildShorts()
}

// hasSingle reports whether a key is a single three-byte character.
func (x *Index) hasSingle() bool {
	return slices.ContainsFunc(x.keys, func(k Key) bool { return len(k.Text) == 3 && hasThreeBytes(k.Text[0]) })
}

// mainGroups returns the end of the groups that use the main filter.
func (x *Index) mainGroups() int {
	if x.three != nil {
		return group3
	}
	return groupCount
}

// load reads up to eight bytes, the first one lowest.
func load(s string) uint64 {
	if len(s) >= 8 {
		return load8(s)
	}
	var w uint64
	for i := range len(s) {
		w |= uint64(s[i]) << (8 * i)
	}
	return w
}

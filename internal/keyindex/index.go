package keyindex

import (
	"cmp"
	"encoding/binary"
	"math/bits"
	"slices"
	"strings"
	"sync"
)

// Edge is a condition on the byte beside an occurrence. A word byte is one of
// A-Z, a-z, 0-9 and _; both ends of the text count as non-word.
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
	// Check hands each occurrence to the function given to [Index.Scan] until
	// that accepts one.
	Check bool
}

func (k Key) plain() bool { return k.Left == AnyEdge && k.Right == AnyEdge && !k.Check }

// Index finds keys in texts. It is immutable and safe for concurrent use.
type Index struct {
	count  int
	keys   []Key   // by id; nil if none has a condition
	texts  []text  // distinct, sorted by group and then bytewise
	ids    []int32 // by text, see idsOf
	groups [groupCount]group
	shorts shortTable
	filter prefixFilter
	three  *prefixFilter // own pass for many three-byte keys
	verify bitmap
	runs   runTable

	scratch sync.Pool
}

// text is one distinct key text. What a find reads stands together, in half a cache
// line: with many keys the time goes into cache misses.
type text struct {
	key   string
	tail  uint64 // the head of what follows the prefix of its group
	first uint32 // where its ids begin, and two flags
	link  int32  // longest proper prefix in the same group, or -1
}

// The flags in text.first.
const (
	edged  = 1 << 31 // some key of the text has a condition
	impure = 1 << 30 // the text or one of its prefixes is edged
)

func (t *text) ids() uint32  { return t.first &^ (edged | impure) }
func (t *text) edged() bool  { return t.first&edged != 0 }
func (t *text) impure() bool { return t.first&impure != 0 }

// idsOf lists the ids of a text.
func (x *Index) idsOf(u int32) []int32 {
	if int(u)+1 == len(x.texts) {
		return x.ids[x.texts[u].ids():]
	}
	return x.ids[x.texts[u].ids():x.texts[u+1].ids()]
}

// Length groups of keys: at least 8 bytes, 6 or 7, 4 or 5, 3. Shorter keys are
// kept apart.
const (
	group8 = iota
	group6
	group4
	group3
	groupCount
)

// group is a run of Index.texts.
type group struct {
	lo, hi int32
}

var groupMask = [groupCount]uint64{1<<64 - 1, mask6, mask4, mask3}

const (
	mask6 = 1<<48 - 1
	mask4 = 1<<32 - 1
	mask3 = 1<<24 - 1
)

// prefixSize is the number of bytes that the tables know of a key.
var prefixSize = [groupCount]int{8, 6, 4, 3}

func groupOf(text string) int {
	switch n := len(text); {
	case n >= 8:
		return group8
	case n >= 6:
		return group6
	case n >= 4:
		return group4
	case n == 3:
		return group3
	}
	return groupCount
}

// Build makes an index of less than 2^30 keys. The id of a key is its place in
// keys. Equal keys keep their own ids; give each text once where that matters.
func Build(keys []Key) *Index {
	x := &Index{count: len(keys), keys: keys}
	x.sortTexts()
	x.linkPrefixes()
	x.buildTables()
	edged := 0
	if slices.ContainsFunc(x.texts, func(t text) bool { return t.edged() }) {
		edged = len(keys)
	} else {
		x.keys = nil
	}
	x.scratch.New = func() any { return newScratch(len(x.texts), edged) }
	return x
}

// Len returns the number of keys.
func (x *Index) Len() int { return x.count }

// sortTexts fills texts, ids and groups.
func (x *Index) sortTexts() {
	type item struct {
		text  string
		head  uint64 // first eight bytes, big endian: compares like the text
		id    int32
		group int8
	}
	items := make([]item, len(x.keys))
	for i, k := range x.keys {
		items[i] = item{k.Text, head(k.Text), int32(i), int8(groupOf(k.Text))}
	}
	slices.SortFunc(items, func(a, b item) int {
		if a.group != b.group {
			return int(a.group) - int(b.group)
		}
		if a.head != b.head {
			return cmp.Compare(a.head, b.head)
		}
		if c := strings.Compare(a.text, b.text); c != 0 {
			return c
		}
		return int(a.id - b.id)
	})
	x.ids = make([]int32, len(items))
	for i, it := range items {
		if i == 0 || it.group != items[i-1].group || it.text != items[i-1].text {
			t := text{key: it.text, first: uint32(i)}
			if it.group < groupCount {
				t.tail = head(it.text[prefixSize[it.group]:])
			}
			x.texts = append(x.texts, t)
		}
		x.ids[i] = it.id
		if it.group < groupCount {
			g := &x.groups[it.group]
			if g.hi == 0 {
				g.lo = int32(len(x.texts)) - 1
			}
			g.hi = int32(len(x.texts))
		}
	}
	x.texts = slices.Clip(x.texts)
}

// tailSize is the number of bytes in a head.
const tailSize = 8

// head returns the first eight bytes of s, filled up with zeros, as a number
// that compares like the text.
func head(s string) uint64 {
	if len(s) >= tailSize {
		return bits.ReverseBytes64(load8(s))
	}
	var b [tailSize]byte
	copy(b[:], s)
	return binary.BigEndian.Uint64(b[:])
}

// linkPrefixes finds for each text the longest other text of its group that it
// begins with. Sorted, that is the nearest one before it on the stack of
// prefixes.
func (x *Index) linkPrefixes() {
	var stack []int32
	for u := range x.texts {
		t := &x.texts[u]
		for len(stack) > 0 {
			top := x.texts[stack[len(stack)-1]].key
			if strings.HasPrefix(t.key, top) && groupOf(t.key) == groupOf(top) {
				break
			}
			stack = stack[:len(stack)-1]
		}
		for _, id := range x.idsOf(int32(u)) {
			if !x.keys[id].plain() {
				t.first |= edged | impure
			}
		}
		t.link = -1
		if len(stack) > 0 {
			t.link = stack[len(stack)-1]
			t.first |= x.texts[t.link].first & impure
		}
		stack = append(stack, int32(u))
	}
}

// buildTables fills the filters, the verification bitmap and the run table.
func (x *Index) buildTables() {
	long := 0
	for g := group8; g < group3; g++ {
		long += int(x.groups[g].hi - x.groups[g].lo)
	}
	threes := x.groups[group3]
	ride := threes.hi-threes.lo <= maxRidingThrees
	x.filter = newPrefixFilter(long)
	if !ride {
		x.three = new(newPrefixFilter(int(threes.hi - threes.lo)))
	}
	x.verify = newBitmap(len(x.texts))
	x.runs = newRunTable(len(x.texts))
	for g := range groupCount {
		r := x.groups[g]
		for lo := r.lo; lo < r.hi; {
			prefix := load(x.texts[lo].key) & groupMask[g]
			hi := lo + 1
			for hi < r.hi && load(x.texts[hi].key)&groupMask[g] == prefix {
				hi++
			}
			x.runs.add(prefix|groupTag[g], verifyHash(prefix, g), lo, hi)
			x.verify.set(verifyHash(prefix, g))
			switch {
			case g < group3:
				x.filter.set(uint32(prefix))
			case ride:
				for c := range uint32(256) {
					x.filter.set(uint32(prefix) | c<<24)
				}
			default:
				x.three.set(uint32(prefix))
			}
			lo = hi
		}
	}
	x.buildShorts()
}

// mainGroups returns the end of the groups that the main filter serves.
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

package keyindex

// maxRidingThrees is the number of three-byte keys up to which all their 256
// continuations are entered in the main filter.
const maxRidingThrees = 250

const hashFactor = 0x9e3779b1

// Filter sizes in words of 32 bits. They are constants, so that the inner loops
// have neither bounds checks nor variable shifts.
const (
	smallWords  = 1 << 9  // 2 KB
	mediumWords = 1 << 12 // 16 KB
	largeWords  = 1 << 15 // 128 KB
)

// prefixFilter is a bitmap of hashed four-byte key prefixes, in one of three
// sizes. A position of the text whose bit is off starts no key.
type prefixFilter struct {
	small  *[smallWords]uint32
	medium *[mediumWords]uint32
	large  *[largeWords]uint32
	empty  bool
}

func newPrefixFilter(keys int) prefixFilter {
	switch {
	case keys <= 1200:
		return prefixFilter{small: new([smallWords]uint32), empty: true}
	case keys <= 12000:
		return prefixFilter{medium: new([mediumWords]uint32), empty: true}
	}
	return prefixFilter{large: new([largeWords]uint32), empty: true}
}

func (f *prefixFilter) set(prefix uint32) {
	f.empty = false
	h := prefix * hashFactor
	switch {
	case f.small != nil:
		f.small[h>>23] |= 1 << (h >> 18 & 31)
	case f.medium != nil:
		f.medium[h>>20] |= 1 << (h >> 15 & 31)
	default:
		f.large[h>>17] |= 1 << (h >> 12 & 31)
	}
}

// bitmap is a set of hashes whose size is a power of two.
type bitmap struct {
	words []uint64
	shift uint
}

func newBitmap(keys int) bitmap {
	shift := uint(64 - 10)
	for 1<<(64-shift) < 32*keys && shift > 40 {
		shift--
	}
	return bitmap{make([]uint64, 1<<(64-shift)/64), shift}
}

func (b *bitmap) set(h uint64) {
	h >>= b.shift & 63
	b.words[h>>6] |= 1 << (h & 63)
}

func (b *bitmap) has(h uint64) bool {
	h >>= b.shift & 63
	return b.words[h>>6]&(1<<(h&63)) != 0
}

// spread holds a multiplier per length group. The high bits of a product are
// the hash of a prefix.
var spread = [groupCount]uint64{spread8, spread6, spread4, spread3}

const (
	spread8 = 0x9e3779b97f4a7c15
	spread6 = 0xbf58476d1ce4e5b9
	spread4 = 0x94d049bb133111eb
	spread3 = 0xd6e8feb86659fd93
)

func verifyHash(prefix uint64, g int) uint64 { return prefix * spread[g] }

// groupTag tells the prefixes of the groups apart in their unused top byte. No
// UTF-8 has these bytes.
var groupTag = [groupCount]uint64{0, 0xfd << 56, 0xfe << 56, 0xff << 56}

// runTable maps a tagged prefix to the run of sorted texts that begin with it, by
// open addressing.
type runTable struct {
	slots []run
	mask  uint64
}

type run struct {
	prefix uint64
	lo, hi int32 // empty slot: hi is 0
}

func newRunTable(keys int) runTable {
	size := 8
	for size < keys+keys/4 { // rather full: misses are rare behind the bitmap
		size *= 2
	}
	return runTable{make([]run, size), uint64(size - 1)}
}

// add enters a run; h is the verifyHash of the untagged prefix.
func (t *runTable) add(prefix, h uint64, lo, hi int32) {
	i := t.home(h)
	for t.slots[i].hi != 0 {
		i = (i + 1) & t.mask
	}
	t.slots[i] = run{prefix, lo, hi}
}

// home is where the search for a hash begins.
func (t *runTable) home(h uint64) uint64 { return (h >> 20) & t.mask }

// find returns the run, an empty one if there is none.
func (t *runTable) find(prefix, h uint64) *run {
	for i := t.home(h); ; i = (i + 1) & t.mask {
		if r := &t.slots[i]; r.prefix == prefix || r.hi == 0 {
			return r
		}
	}
}

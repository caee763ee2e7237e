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
// sizes. A position of the text whose bit is off starts no key. In Chinese four
// bytes are one character and what most characters begin with: where two characters
// of three bytes follow each other, both are hashed, as a pair.
type prefixFilter struct {
	small  *[smallWords]uint32
	medium *[mediumWords]uint32
	large  *[largeWords]uint32
	empty  bool
	mask   uint32 // the bytes of a prefix that are hashed
	pair   uint64 // the bytes of a pair that are hashed
}

// newPrefixFilter makes a filter for so many keys of four bytes or more. If single
// characters of three bytes ride along, a pair is hashed by its first one only.
func newPrefixFilter(keys int, single bool) prefixFilter {
	f := prefixFilter{empty: true, mask: mask4, pair: mask6}
	if single {
		f.pair = mask3
	}
	f.allocate(keys)
	return f
}

// newThreeFilter makes a filter for so many keys of three bytes.
func newThreeFilter(keys int) prefixFilter {
	f := prefixFilter{empty: true, mask: mask3, pair: mask3}
	f.allocate(keys)
	return f
}

func (f *prefixFilter) allocate(keys int) {
	switch {
	case keys <= 1200:
		f.small = new([smallWords]uint32)
	case keys <= 12000:
		f.medium = new([mediumWords]uint32)
	default:
		f.large = new([largeWords]uint32)
	}
}

// add enters a key. One that begins with a character of three bytes is entered as a
// pair as well, also if something shorter follows: that costs one bit too many.
func (f *prefixFilter) add(key string) {
	f.empty = false
	w := load(key)
	if hasThreeBytes(key[0]) {
		f.set(pairHash(w & f.pair))
	}
	if len(key) == 3 && f.mask == mask4 {
		for c := range uint32(256) {
			f.set((uint32(w) | c<<24) * hashFactor)
		}
		return
	}
	f.set(uint32(w) & f.mask * hashFactor)
}

// hasThreeBytes tells the first bytes of characters of three bytes.
func hasThreeBytes(c byte) bool { return c&0xf0 == 0xe0 }

func pairHash(pair uint64) uint32 { return uint32(pair * spread6 >> 32) }

func (f *prefixFilter) set(h uint32) {
	switch {
	case f.small != nil:
		f.small[h>>23] |= 1 << (h >> 18 & 31)
	case f.medium != nil:
		f.medium[h>>20] |= 1 << (h >> 15 & 31)
	default:
		f.large[h>>17] |= 1 << (h >> 12 & 31)
	}
}

// bitmap is a set of hashes, known by so many of their upper bits that few others
// seem to be in it.
type bitmap struct {
	words []uint64
	shift uint
}

func newBitmap(keys int) bitmap {
	shift := uint(64 - 10)
	for 1<<(64-shift) < 32*keys {
		shift--
	}
	return bitmap{make([]uint64, 1<<(64-shift)/64), shift}
}

func (b *bitmap) set(h uint64) {
	h >>= b.shift & 63
	b.words[h>>6] |= 1 << (h & 63)
}

func (b *bitmap) clear(h uint64) {
	h >>= b.shift & 63
	b.words[h>>6] &^= 1 << (h & 63)
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

// prefixHash returns the hash of the prefix of a text of group g. The factors are
// odd: other prefixes of the group have other hashes. It is 0 for shorter texts.
func prefixHash(text string, g int) uint64 {
	if g == groupCount {
		return 0
	}
	return load(text) & groupMask[g] * spread[g]
}

// directory tells where in a group the entries begin whose hash begins with given
// bits, and thereby where those with the bits before end. Hashes are spread evenly,
// so that mostly there is one.
type directory struct {
	starts []int32
	shift  uint
}

func newDirectory(entries []entry, lo int32) directory {
	shift := uint(63)
	for 1<<(64-shift) < 2*(len(entries)-int(lo)) {
		shift--
	}
	d := directory{make([]int32, 1<<(64-shift)+1), shift}
	u := int(lo)
	for b := range d.starts {
		for u < len(entries) && entries[u].hash>>shift < uint64(b) {
			u++
		}
		d.starts[b] = int32(u)
	}
	return d
}

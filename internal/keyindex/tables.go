package keyindex

// maxRidingThrees is the greatest number of three-byte keys whose 256 continuations are all entered
// in the main filter.
const maxRidingThrees = 250

const hashFactor = 0x9e3779b1

// Filter sizes in words of 32 bits. They are constants, so that the inner loops
// have neither bounds checks nor variable shifts.
const (
	smallWords  = 1 << 9  // 2 KB
	mediumWords = 1 << 12 // 16 KB
	largeWords  = 1 << 15 // 128 KB
)

// prefixFilter is a bitmap of hashed four-byte key prefixes, in one of three sizes. If the bit of a
// text position is off, no key begins there. In Chinese, four bytes are one character and the first
// byte of the next, which is the same for most characters. So where two characters of three bytes
// follow each other, both are hashed as a pair.
type prefixFilter struct {
	small  *[smallWords]uint32
	medium *[mediumWords]uint32
	large  *[largeWords]uint32
	empty  bool
	mask   uint32 // the bytes of a prefix that are hashed
	pair   uint64 // the bytes of a pair that are hashed
}

// newPrefixFilter makes a filter for this number of keys of four bytes or more. If the filter also
// has single characters of three bytes, only the first character of a pair is hashed.
func newPrefixFilter(keys int, single bool) prefixFilter {
	f := prefixFilter{empty: true, mask: mask4, pair: mask6}
	if single {
		f.pair = mask3
	}
	f.allocate(keys)
	return f
}

// newThreeFilter makes a filter for this number of keys of three bytes.
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

// add enters a key. A key that begins with a three-byte character is also entered as a pair, even
// if a shorter character follows; that sets one unneeded bit.
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

// hasThreeBytes reports whether c is the first byte of a three-byte character.
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

// bitmap is a set of hashes. It stores enough of their upper bits that few other hashes appear to
// be in it.
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

// spread holds a multiplier for each length group. The high bits of a product are the hash of a
// prefix.
var spread = [groupCount]uint64{spread8, spread6, spread4, spread3}

const (
	spread8 = 0x9e3779b97f4a7c15
	spread6 = 0xbf58476d1ce4e5b9
	spread4 = 0x94d049bb133111eb
	spread3 = 0xd6e8feb86659fd93
)

// prefixHash returns the hash of the prefix of a text of group g. The factors are odd, so different
// prefixes of the group have different hashes. It is 0 for shorter texts.
func prefixHash(text string, g int) uint64 {
	if g == groupCount {
		return 0
	}
	return load(text) & groupMask[g] * spread[g]
}

// directory maps the upper bits of a hash to the first entry of the group with these bits. This is
// also the end of the entries with the previous bits. Hashes are spread evenly, so there is mostly
// one such entry.
type directory struct {
	starts []int32
	shift  uint
}

// newDirectory returns a directory for a number of entries, which counts nothing yet.
func newDirectory(entries int) directory {
	shift := uint(63)
	for 1<<(64-shift) < 2*entries {
		shift--
	}
	return directory{make([]int32, 1<<(64-shift)+1), shift}
}

// at returns the place for the upper bits of a hash.
func (d *directory) at(hash uint64) *int32 { return &d.starts[hash>>d.shift] }

// sum makes ends out of counts. The entries begin at lo. Each entry that is put in before the end of its
// bits, and moves it, leaves the start there.
func (d *directory) sum(lo int32) {
	for b, n := range d.starts {
		lo += n
		d.starts[b] = lo
	}
}

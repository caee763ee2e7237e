package keyindex

// maxThreesInMain is the greatest number of three-byte keys in the main filter. Each of them sets 256
// bits there, one for each fourth byte. More keys of this size get a filter of their own.
const maxThreesInMain = 250

// hashFactor is a large odd number. A product with it spreads the bits of a prefix over its high bits.
const hashFactor = 0x9e3779b1

// Filter sizes in words of 32 bits. They are constants, so that the inner loops
// have neither bounds checks nor variable shifts.
const (
	smallWords  = 1 << 9  // 2 KB
	mediumWords = 1 << 12 // 16 KB
	largeWords  = 1 << 15 // 128 KB
)

// prefixFilter is a bitmap of hashed four-byte key prefixes, in one of three sizes. If the bit of a
// text position is off, no key begins there. A Chinese character has three bytes, and most characters
// begin with the same byte, so four bytes of Chinese are hardly more than one character. Where two
// characters of three bytes follow each other, both are hashed, as a pair.
type prefixFilter struct {
	small    *[smallWords]uint32
	medium   *[mediumWords]uint32
	large    *[largeWords]uint32
	empty    bool
	keyMask  uint32 // the bytes of a prefix that are hashed
	pairMask uint64 // the bytes of a pair that are hashed
}

// newPrefixFilter makes an empty filter for this number of keys.
func newPrefixFilter(keys int, keyMask uint32, pairMask uint64) prefixFilter {
	f := prefixFilter{empty: true, keyMask: keyMask, pairMask: pairMask}
	switch {
	case keys <= 1200:
		f.small = new([smallWords]uint32)
	case keys <= 12000:
		f.medium = new([mediumWords]uint32)
	default:
		f.large = new([largeWords]uint32)
	}
	return f
}

// add sets the bits of a key. A key that begins with a three-byte character is also added as a pair.
// If a shorter character follows in it, this bit is not needed and does no harm.
func (f *prefixFilter) add(key string) {
	f.empty = false
	w := load(key)
	if hasThreeBytes(key[0]) {
		f.set(pairHash(w & f.pairMask))
	}
	if len(key) == 3 && f.keyMask == mask4 { // any byte may follow the key
		for c := range uint32(256) {
			f.set((uint32(w) | c<<24) * hashFactor)
		}
		return
	}
	f.set(uint32(w) & f.keyMask * hashFactor)
}

// hasThreeBytes reports whether c is the first byte of a three-byte character.
func hasThreeBytes(c byte) bool { return c&0xf0 == 0xe0 }

func pairHash(pair uint64) uint32 { return uint32(pair * spread6 >> 32) }

func (f *prefixFilter) set(h uint32) {
	switch {
	case f.small != nil:
		setFilterBit(f.small, h)
	case f.medium != nil:
		setFilterBit(f.medium, h)
	default:
		setFilterBit(f.large, h)
	}
}

// bitmap is a set of hashes of 64 bits. It has one bit for the upper bits of a hash, so a different
// hash may seem to be in it. With at least 32 bits for each key this is rare.
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

// spread has a multiplier for each group of key lengths (see groupOf). The high bits of a product are
// the hash of a prefix.
var spread = [groupCount]uint64{spread8, spread6, spread4, spread3}

const (
	spread8 = 0x9e3779b97f4a7c15
	spread6 = 0xbf58476d1ce4e5b9
	spread4 = 0x94d049bb133111eb
	spread3 = 0xd6e8feb86659fd93
)

// prefixHash returns the hash of the prefix of a key in group g, and 0 for keys that are too short
// for all groups. The multipliers are odd, so different prefixes of a group have different hashes.
func prefixHash(text string, g int) uint64 {
	if g == groupCount {
		return 0
	}
	return load(text) & groupMask[g] * spread[g]
}

// directory maps the upper bits of a hash to the first entry of a group with these bits. The entries
// are sorted by hash, so the entries with the next upper bits follow. Hashes are spread evenly: for
// most upper bits there is one entry at most.
//
// It is built as in a counting sort. [directory.at] counts the entries for each value of the upper
// bits. [directory.countsToEnds] turns the counts into ends. The caller then places the entries from the last
// to the first: it decrements the end and writes there. At the end every number is a start.
type directory struct {
	starts []int32
	shift  uint
}

// newDirectory returns a directory for a number of entries. All counts are 0.
func newDirectory(entries int) directory {
	shift := uint(63)
	for 1<<(64-shift) < 2*entries {
		shift--
	}
	return directory{make([]int32, 1<<(64-shift)+1), shift}
}

// at returns the number for the upper bits of a hash: a count, an end or a start.
func (d *directory) at(hash uint64) *int32 { return &d.starts[hash>>d.shift] }

// countsToEnds turns counts into ends. lo is the index of the first entry of the group.
func (d *directory) countsToEnds(lo int32) {
	for b, n := range d.starts {
		lo += n
		d.starts[b] = lo
	}
}

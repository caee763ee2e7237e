package keyindex

import "math/bits"

// positions is a buffer of positions in a text.
type positions [blockSize]int32

// put writes a position and returns the number of positions kept: one more if bit is set. It has no
// branch on the bit, because no processor could predict it. A block is shorter than the buffer, so
// the mask changes nothing; it saves the bounds check.
func (p *positions) put(n, at int, bit uint32) int {
	p[n&(blockSize-1)] = int32(at)
	return n + int(bit)
}

// block collects the positions in text[at:end] where a key may begin. It may also check some of the next eight
// positions; padding follows the text. It returns the first unchecked position and the number of candidates.
func (f *prefixFilter) block(text []byte, at, end int, cand *positions) (next, n int) {
	switch {
	case f.small != nil:
		return filterBlock(f.small, text, at, end, cand, f.keyMask, f.pairMask)
	case f.medium != nil:
		return filterBlock(f.medium, text, at, end, cand, f.keyMask, f.pairMask)
	}
	return filterBlock(f.large, text, at, end, cand, f.keyMask, f.pairMask)
}

const (
	highBits = 0x8080808080808080
	// leadMask selects the high halves of bytes 0 and 3. The result is hanLeads if a three-byte
	// character begins at each of them.
	leadMask = 0x00000000f00000f0
	hanLeads = 0x00000000e00000e0
)

// filterBits is the bitmap of a filter. The compiler makes the functions below once for each size, so
// that sizes and shifts are constants: variable ones double the time.
type filterBits interface {
	[smallWords]uint32 | [mediumWords]uint32 | [largeWords]uint32
}

// filterPlace returns the place of a hash in a filter of a number of words: the index of its word, and
// its bit there.
func filterPlace(words int, h uint32) (index, bit uint32) {
	shift := 32 - bits.Len32(uint32(words-1))
	return h >> (shift & 31), h >> ((shift - 5) & 31) & 31
}

func filterBit[B filterBits](words *B, h uint32) uint32 {
	index, bit := filterPlace(len(*words), h)
	return (*words)[index] >> bit & 1
}

func setFilterBit[B filterBits](words *B, h uint32) {
	index, bit := filterPlace(len(*words), h)
	(*words)[index] |= 1 << bit
}

// filterBlock is block for a filter of one size. Text outside ASCII is processed character by
// character, three at once if all have three bytes (most Chinese). Other text, also mixed text, is
// processed eight positions at a time. No key begins inside a character, but checking such a position
// costs less than the branch that would avoid it.
func filterBlock[B filterBits](words *B, text []byte, at, end int, cand *positions, mask uint32, pair uint64) (int, int) {
	n := 0
	for at < end {
		w, w2 := word(text, at), word(text, at+4)
		if w&highBits == highBits {
			if w6 := word(text, at+6); w&leadMask == hanLeads && w6&leadMask == hanLeads {
				w3 := word(text, at+3)
				n = cand.put(n, at, filterBit(words, pairHash(w&pair)))
				n = cand.put(n, at+3, filterBit(words, pairHash(w3&pair)))
				n = cand.put(n, at+6, filterBit(words, pairHash(w6&pair)))
				at += 9
				continue
			}
			n = cand.put(n, at, filterBit(words, uint32(w)&mask*hashFactor))
			at += step(byte(w))
			continue
		}
		for range 4 {
			n = cand.put(n, at, filterBit(words, uint32(w)&mask*hashFactor))
			n = cand.put(n, at+4, filterBit(words, uint32(w2)&mask*hashFactor))
			w, w2, at = w>>8, w2>>8, at+1
		}
		at += 4
	}
	return at, n
}

// step returns the distance to the next character by its first byte. Branches are better here: they
// are mostly predicted, and the next position need not wait for a load. Continuation bytes step by
// one, so that no position is lost in text that is not UTF-8.
func step(c byte) int {
	switch {
	case c >= 0xe0 && c < 0xf0:
		return 3
	case c < 0xc0:
		return 1
	case c < 0xe0:
		return 2
	}
	return 4
}

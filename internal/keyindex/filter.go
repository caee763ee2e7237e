package keyindex

import "encoding/binary"

// positions is a buffer of places in a text.
type positions [blockSize]int32

// put writes a place and returns the number of places kept: one more if bit is
// set. It has no branch on the bit, which no processor could predict. A block is
// shorter than the buffer: the mask wraps nothing, it spares the bounds check.
func (p *positions) put(n, at int, bit uint32) int {
	p[n&(blockSize-1)] = int32(at)
	return n + int(bit)
}

// block collects the candidate positions in text[at:end], which is followed by
// at least eight more bytes. It returns the first position not looked at.
func (f *prefixFilter) block(text []byte, at, end int, cand *positions, three bool) (next, n int) {
	mask := uint32(1<<32 - 1)
	if three {
		mask = 1<<24 - 1
	}
	switch {
	case f.small != nil:
		return blockSmall(f.small, text, at, end, cand, mask)
	case f.medium != nil:
		return blockMedium(f.medium, text, at, end, cand, mask)
	}
	return blockLarge(f.large, text, at, end, cand, mask)
}

const (
	highBits = 0x8080808080808080
	// threeLeads picks the high halves of the bytes 0, 3 and 6: hanLeads where
	// each begins a character of three bytes.
	threeLeads = 0x00f00000f00000f0
	hanLeads   = 0x00e00000e00000e0
)

// The three loops below differ in the size of the bitmap only: sizes and shifts
// are constants, and the loops written out, because variable ones double the
// time. Text outside ASCII is taken character by character, three at once where
// all have three bytes (most Chinese). Anything else is taken eight positions at
// a time, also where it is mixed: no key begins inside a character, so that such
// a position costs less than the branch that would avoid it.

func blockSmall(bits *[smallWords]uint32, text []byte, at, end int, cand *positions, mask uint32) (int, int) {
	n := 0
	for at < end {
		w, w2 := binary.LittleEndian.Uint64(text[at:]), binary.LittleEndian.Uint64(text[at+4:])
		if w&highBits == highBits {
			if w&threeLeads == threeLeads&hanLeads {
				n = cand.put(n, at, smallBit(bits, uint32(w)&mask))
				n = cand.put(n, at+3, smallBit(bits, uint32(w>>24)&mask))
				n = cand.put(n, at+6, smallBit(bits, uint32(w2>>16)&mask))
				at += 9
				continue
			}
			n = cand.put(n, at, smallBit(bits, uint32(w)&mask))
			at += step(byte(w))
			continue
		}
		n = cand.put(n, at, smallBit(bits, uint32(w)&mask))
		n = cand.put(n, at+1, smallBit(bits, uint32(w>>8)&mask))
		n = cand.put(n, at+2, smallBit(bits, uint32(w>>16)&mask))
		n = cand.put(n, at+3, smallBit(bits, uint32(w>>24)&mask))
		n = cand.put(n, at+4, smallBit(bits, uint32(w2)&mask))
		n = cand.put(n, at+5, smallBit(bits, uint32(w2>>8)&mask))
		n = cand.put(n, at+6, smallBit(bits, uint32(w2>>16)&mask))
		n = cand.put(n, at+7, smallBit(bits, uint32(w2>>24)&mask))
		at += 8
	}
	return at, n
}

// smallBit is the answer of the filter for a prefix.
func smallBit(bits *[smallWords]uint32, prefix uint32) uint32 {
	h := prefix * hashFactor
	return bits[h>>23] >> (h >> 18 & 31) & 1
}

func blockMedium(bits *[mediumWords]uint32, text []byte, at, end int, cand *positions, mask uint32) (int, int) {
	n := 0
	for at < end {
		w, w2 := binary.LittleEndian.Uint64(text[at:]), binary.LittleEndian.Uint64(text[at+4:])
		if w&highBits == highBits {
			if w&threeLeads == threeLeads&hanLeads {
				n = cand.put(n, at, mediumBit(bits, uint32(w)&mask))
				n = cand.put(n, at+3, mediumBit(bits, uint32(w>>24)&mask))
				n = cand.put(n, at+6, mediumBit(bits, uint32(w2>>16)&mask))
				at += 9
				continue
			}
			n = cand.put(n, at, mediumBit(bits, uint32(w)&mask))
			at += step(byte(w))
			continue
		}
		n = cand.put(n, at, mediumBit(bits, uint32(w)&mask))
		n = cand.put(n, at+1, mediumBit(bits, uint32(w>>8)&mask))
		n = cand.put(n, at+2, mediumBit(bits, uint32(w>>16)&mask))
		n = cand.put(n, at+3, mediumBit(bits, uint32(w>>24)&mask))
		n = cand.put(n, at+4, mediumBit(bits, uint32(w2)&mask))
		n = cand.put(n, at+5, mediumBit(bits, uint32(w2>>8)&mask))
		n = cand.put(n, at+6, mediumBit(bits, uint32(w2>>16)&mask))
		n = cand.put(n, at+7, mediumBit(bits, uint32(w2>>24)&mask))
		at += 8
	}
	return at, n
}

// mediumBit is the answer of the filter for a prefix.
func mediumBit(bits *[mediumWords]uint32, prefix uint32) uint32 {
	h := prefix * hashFactor
	return bits[h>>20] >> (h >> 15 & 31) & 1
}

func blockLarge(bits *[largeWords]uint32, text []byte, at, end int, cand *positions, mask uint32) (int, int) {
	n := 0
	for at < end {
		w, w2 := binary.LittleEndian.Uint64(text[at:]), binary.LittleEndian.Uint64(text[at+4:])
		if w&highBits == highBits {
			if w&threeLeads == threeLeads&hanLeads {
				n = cand.put(n, at, largeBit(bits, uint32(w)&mask))
				n = cand.put(n, at+3, largeBit(bits, uint32(w>>24)&mask))
				n = cand.put(n, at+6, largeBit(bits, uint32(w2>>16)&mask))
				at += 9
				continue
			}
			n = cand.put(n, at, largeBit(bits, uint32(w)&mask))
			at += step(byte(w))
			continue
		}
		n = cand.put(n, at, largeBit(bits, uint32(w)&mask))
		n = cand.put(n, at+1, largeBit(bits, uint32(w>>8)&mask))
		n = cand.put(n, at+2, largeBit(bits, uint32(w>>16)&mask))
		n = cand.put(n, at+3, largeBit(bits, uint32(w>>24)&mask))
		n = cand.put(n, at+4, largeBit(bits, uint32(w2)&mask))
		n = cand.put(n, at+5, largeBit(bits, uint32(w2>>8)&mask))
		n = cand.put(n, at+6, largeBit(bits, uint32(w2>>16)&mask))
		n = cand.put(n, at+7, largeBit(bits, uint32(w2>>24)&mask))
		at += 8
	}
	return at, n
}

// largeBit is the answer of the filter for a prefix.
func largeBit(bits *[largeWords]uint32, prefix uint32) uint32 {
	h := prefix * hashFactor
	return bits[h>>17] >> (h >> 12 & 31) & 1
}

// step is the way to the next character by its first byte. Branches are right
// here: they are mostly predicted, and the next position need not wait for a
// load. Continuation bytes step by one, so that no position is lost in text that
// is not UTF-8.
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

package prompt

import "math/bits"

// bitset is a set of small numbers that finds neighbours 64 at a time. Choosing needs the
// neighbours of every candidate, in any order. Walking from item to item would be slow for ten
// thousand items.
type bitset []uint64

// newBitset returns an empty set for numbers below n.
func newBitset(n int) bitset { return make(bitset, n/64+1) }

// add adds i to the set.
func (b bitset) add(i int) { b[i/64] |= 1 << (i % 64) }

// before returns the largest member below i, or -1 if not found.
func (b bitset) before(i int) int {
	w := i / 64
	word := b[w] & (1<<(i%64) - 1)
	for word == 0 {
		if w--; w < 0 {
			return -1
		}
		word = b[w]
	}
	return w*64 + 63 - bits.LeadingZeros64(word)
}

// after returns the smallest member above i, or -1 if not found.
func (b bitset) after(i int) int {
	w := i / 64
	word := b[w] &^ (1<<(i%64+1) - 1)
	for word == 0 {
		if w++; w == len(b) {
			return -1
		}
		word = b[w]
	}
	return w*64 + bits.TrailingZeros64(word)
}

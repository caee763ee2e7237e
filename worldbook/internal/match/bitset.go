package match

import "math/bits"

// This file has sets of small whole numbers.

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

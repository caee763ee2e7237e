package match

import (
	"hash/maphash"
	"math/bits"
)

// Table is a hash table from texts to numbers from 0. It does not store the texts: its user compares them by
// number. A map needs six times the memory. The zero value has no room, so [Table.Fits] is false.
type Table struct {
	seed   maphash.Seed
	places []int32 // with linear probing
}

// Free is the content of a free place.
const Free int32 = -1

// NewTable returns a table with room for n numbers.
func NewTable(n int) Table {
	t := Table{maphash.MakeSeed(), make([]int32, n+n/3+1)}
	for i := range t.places {
		t.places[i] = Free
	}
	return t
}

// Fits reports whether the table has room for n numbers: a quarter of the places stays free.
func (t *Table) Fits(n int) bool { return n+n/3 < len(t.places) }

// Find returns the place of the number with a text, or the free place for it. is reports whether a number in
// the table is the wanted one, because different texts may have the same hash.
func (t *Table) Find(text string, is func(n int32) bool) *int32 {
	for i, _ := bits.Mul64(maphash.String(t.seed, text), uint64(len(t.places))); ; i++ {
		if i == uint64(len(t.places)) {
			i = 0
		}
		if p := &t.places[i]; *p == Free || is(*p) {
			return p
		}
	}
}

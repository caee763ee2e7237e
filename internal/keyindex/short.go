package keyindex

import (
	"bytes"
	"encoding/binary"
	"unicode/utf8"
)

// Up to maxSearchedShorts keys of one or two bytes are searched one by one.
const maxSearchedShorts = 8

// shortTable holds the one- and two-byte keys: the entries from lo on, and a bit for every pair of
// bytes that begins with one of them.
type shortTable struct {
	lo, hi      int32
	pairs       *[1 << 10]uint64 // nil if there are few keys
	hasNonASCII bool             // a key is outside ASCII
	// A key of two bytes is a little-endian number here.
	lastOfByte map[byte]int32
	lastOfPair map[uint16]int32
}

func (x *Index) buildShorts() {
	t := &x.shorts
	t.lo, t.hi = x.groups[group3].hi, int32(len(x.entries))
	if t.hi-t.lo <= maxSearchedShorts {
		return
	}
	t.pairs = new([1 << 10]uint64)
	t.lastOfByte, t.lastOfPair = map[byte]int32{}, map[uint16]int32{}
	for u := t.lo; u < t.hi; u++ {
		text := x.text(u)
		if len(text) == 2 {
			p := uint16(text[0]) | uint16(text[1])<<8
			t.lastOfPair[p] = u
			t.hasNonASCII = t.hasNonASCII || text[0] >= utf8.RuneSelf
			t.set(p)
			continue
		}
		t.lastOfByte[text[0]] = u
		for c := range uint16(256) {
			t.set(uint16(text[0]) | c<<8)
		}
	}
}

// set records that a key begins with this pair of bytes.
func (t *shortTable) set(pair uint16) { t.pairs[pair>>6] |= 1 << (pair & 63) }

// scanShorts finds the one- and two-byte keys.
func (x *Index) scanShorts(s *scan) {
	t := &x.shorts
	if t.pairs == nil {
		for u := t.lo; u < t.hi; u++ {
			x.searchShort(s, u)
		}
		return
	}
	// Bits of found keys are cleared in a copy: there is one find per key, not per occurrence, and
	// seven pairs of eight bytes share one branch.
	s.pairs = *t.pairs
	i := 0
	for ; i+8 <= len(s.text); i += 7 {
		w := binary.LittleEndian.Uint64(s.text[i:])
		if w&highBits == highBits && !t.hasNonASCII {
			continue // for example Chinese: no key begins here
		}
		if s.isSearched(w)|s.isSearched(w>>8)|s.isSearched(w>>16)|s.isSearched(w>>24)|
			s.isSearched(w>>32)|s.isSearched(w>>40)|s.isSearched(w>>48) != 0 {
			x.reportShorts(s, i, i+7)
		}
	}
	x.reportShorts(s, i, len(s.text))
}

// isSearched returns 1 if the lowest two bytes of w are a pair that is still searched.
func (s *scan) isSearched(w uint64) uint64 {
	p := uint16(w)
	return s.pairs[p>>6] >> (p & 63) & 1
}

// reportShorts reports the keys that begin in text[i:end].
func (x *Index) reportShorts(s *scan, i, end int) {
	for ; i < end; i++ {
		pair := uint16(s.text[i])
		if i+1 < len(s.text) {
			pair |= uint16(s.text[i+1]) << 8
		}
		if s.isSearched(uint64(pair)) != 0 {
			x.reportPair(s, pair, i)
		}
	}
}

// searchShort reports occurrences of one key until it is found.
func (x *Index) searchShort(s *scan, u int32) {
	key := x.text(u)
	for at := 0; ; {
		i := bytes.Index(s.text[at:], unsafeBytes(key))
		if i < 0 {
			return
		}
		x.report(s, u, at+i)
		if s.found(u) {
			return
		}
		at += i + 1
	}
}

// reportPair reports the keys at i and clears the bit after all of them are found.
func (x *Index) reportPair(s *scan, pair uint16, i int) {
	u, ok := x.shorts.lastOfPair[pair]
	if !ok || i+1 == len(s.text) {
		// One byte of a longer character is not a key: keys of one byte are ASCII.
		if u, ok = x.shorts.lastOfByte[byte(pair)]; !ok {
			return
		}
	}
	done := true
	for ; u >= 0; u = x.entries[u].link {
		x.report(s, u, i)
		done = done && s.found(u)
	}
	if done && i+1 < len(s.text) {
		s.pairs[pair>>6] &^= 1 << (pair & 63)
	}
}

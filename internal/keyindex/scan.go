package keyindex

import (
	"encoding/binary"
	"math/bits"
	"unsafe"
)

// blockSize is the number of text bytes that are filtered before the candidates are checked.
const blockSize = 4096

// padding is the number of bytes that loads may read after a position. The filter reads eight bytes
// after the next six. A lookup reads eight bytes after a prefix of eight.
const padding = 16

// tailSize is the number of bytes at the end of a text that are processed in a padded copy. One
// step of the filter may go eight positions past the end.
const tailSize = padding + 8

// scan is the working memory of one scan.
type scan struct {
	text       []byte
	check      func(id, start, end int) bool
	hits       []int32
	generation uint8   // the number of this scan; marks of other scans do not count
	marks      []uint8 // by entry: see found and settled
	groups     [groupCount]scanGroup
	cand       positions // positions that pass the filter
	verified   positions // positions that begin with the prefix of a key of the group
	candidates [batchSize]candidateKey
	tail       [tailSize + 8 + padding]byte // the padded copy of the end of the text
	pairs      [1 << 10]uint64              // the pairs of shortTable that are still searched
}

// scanGroup is the scan's own bitmap of the prefixes of a group. Common keys occur many times. When
// the only key of a prefix is found, the prefix is removed from the bitmap, and restored after the
// scan. No other prefix uses its bit, because the bitmap has many bits for each part of the
// directory.
type scanGroup struct {
	prefixes bitmap
	removed  []uint64 // the hashes of the removed prefixes
}

// maxRemoved is the greatest number of prefixes that are removed: enough for the repeated keys of a
// long text.
const maxRemoved = 512

// newScratch returns the memory for scans of an index, with copies of the bitmaps of its groups.
func newScratch(x *Index) *scan {
	s := &scan{marks: make([]uint8, len(x.entries))}
	size := 0
	for g := range x.groups {
		size += len(x.groups[g].prefixBits.words)
	}
	words := make([]uint64, 0, size)
	for g := range x.groups {
		all, from := &x.groups[g].prefixBits, len(words)
		words = append(words, all.words...)
		s.groups[g].prefixes = bitmap{words[from:], all.shift}
	}
	return s
}

// removePrefix removes a prefix from the bitmap until restorePrefixes, unless maxRemoved are removed already.
func (g *scanGroup) removePrefix(hash uint64) {
	if len(g.removed) < maxRemoved {
		g.prefixes.clear(hash)
		g.removed = append(g.removed, hash)
	}
}

func (g *scanGroup) restorePrefixes() {
	for _, hash := range g.removed {
		g.prefixes.set(hash)
	}
	g.removed = g.removed[:0]
}

// maxGeneration is the value at which the count of scans restarts, because marks also need a bit.
const maxGeneration = 1 << 7

// found reports whether a key was found.
func (s *scan) found(u int32) bool { return s.marks[u]>>1 == s.generation }

// allFound reports whether a key and all its links were found.
func (s *scan) allFound(u int32) bool { return s.marks[u] == s.generation<<1|1 }

// mark records that a key was found, and also all its links if it is pure.
func (s *scan) mark(u int32, pure bool) {
	s.marks[u] = s.generation << 1
	if pure {
		s.marks[u]++
	}
}

// Scan appends the ids of all keys that occur in text to hits, each once. The order is unspecified
// but reproducible. Text must be valid UTF-8: after an invalid character, occurrences may be
// missed. The function check decides occurrences of keys with Check set; without such keys it may
// be nil.
func (x *Index) Scan(hits []int32, text []byte, check func(id, start, end int) bool) []int32 {
	if len(x.entries) == 0 || len(text) == 0 {
		return hits
	}
	s := x.scratch.Get().(*scan)
	s.text, s.check, s.hits = text, check, hits
	if s.generation++; s.generation == maxGeneration {
		clear(s.marks)
		s.generation = 1
	}
	if !x.filter.empty {
		x.scanFiltered(s, &x.filter, group8, x.mainGroups())
	}
	if x.three != nil {
		x.scanFiltered(s, x.three, group3, groupCount)
	}
	if x.shorts.lo < x.shorts.hi {
		x.scanShorts(s)
	}
	for g := range s.groups {
		s.groups[g].restorePrefixes()
	}
	hits = s.hits
	s.text, s.check, s.hits = nil, nil, nil
	x.scratch.Put(s)
	return hits
}

// scanFiltered runs one prefix filter over the text and checks the candidates. Loads are safe in the
// body; the last bytes are processed in a padded copy.
func (x *Index) scanFiltered(s *scan, f *prefixFilter, gLo, gHi int) {
	body := len(s.text) - tailSize
	at := 0
	for at < body {
		next, n := f.block(s.text, at, min(at+blockSize-8, body), &s.cand)
		x.lookUp(s, s.text, 0, n, gLo, gHi)
		at = next
	}
	s.tail = [len(s.tail)]byte{}
	n := copy(s.tail[:], s.text[at:])
	_, n = f.block(s.tail[:], 0, n, &s.cand)
	x.lookUp(s, s.tail[:], at, n, gLo, gHi)
}

// batchSize is the number of positions that are looked up together.
const batchSize = 128

// candidateKey is a position where a key may begin.
type candidateKey struct {
	hash, tail uint64 // of the text there, as in an entry
	at         int32
	entry      int32 // the entry that may begin there
	lo, n      int32 // the range of possible entries
}

// lookUp looks up the keys of some groups at the first n candidates in src, which begins at base in
// the text. Each step is a loop without a branch on its result, because no processor could predict
// that branch. So the loop waits for many loads at the same time.
func (x *Index) lookUp(s *scan, src []byte, base, n, gLo, gHi int) {
	for g := gLo; g < gHi; g++ {
		if x.groups[g].size() == 0 {
			continue
		}
		kept := s.verify(src, n, g)
		for from := 0; from < kept; from += batchSize {
			n := x.locate(s, src, s.verified[from:min(from+batchSize, kept)], g)
			x.narrow(s, n)
			n = x.keepMatching(s, n, g)
			for i := range s.candidates[:n] {
				x.reportMatches(s, &s.candidates[i], base, g)
			}
		}
	}
}

// verify keeps the candidates, of the first n, that begin with the prefix of a key of the group,
// and returns their number.
func (s *scan) verify(src []byte, n, g int) int {
	mask, factor := groupMask[g], spread[g]
	prefixes := &s.groups[g].prefixes
	words, shift := prefixes.words, prefixes.shift&63
	kept := 0
	for _, at := range s.cand[:n] {
		h := word(src, int(at)) & mask * factor >> shift
		kept = s.verified.put(kept, int(at), uint32(words[h>>6]>>(h&63)&1))
	}
	return kept
}

// locate records for each position the entries whose hash begins with the same bits, and returns
// the number of positions that have such entries.
func (x *Index) locate(s *scan, src []byte, places []int32, g int) int {
	mask, factor, size := groupMask[g], spread[g], prefixSize[g]
	starts, shift := x.groups[g].directory.starts, x.groups[g].directory.shift&63
	n := 0
	for _, at := range places {
		hash := word(src, int(at)) & mask * factor
		lo, hi := starts[hash>>shift], starts[hash>>shift+1]
		f := &s.candidates[n&(batchSize-1)]
		f.hash, f.tail = hash, bits.ReverseBytes64(word(src, int(at)+size))
		f.at, f.lo, f.n = at, lo, hi-lo
		n += bitOf(lo < hi)
	}
	return n
}

// narrow finds, by hash and tail, the greatest entry that is not above the text at each position.
func (x *Index) narrow(s *scan, n int) {
	for i := range s.candidates[:n] {
		f := &s.candidates[i]
		u, hash, tail := f.lo, f.hash, f.tail
		for n := f.n; n > 1; {
			half := n / 2
			e := &x.entries[u+half]
			_, above := bits.Sub64(tail, e.tail, 0)
			_, above = bits.Sub64(hash, e.hash, above)
			u += half & (int32(above) - 1)
			n -= half
		}
		f.entry = u
	}
}

// keepMatching keeps the positions that, by hash and tail, begin with their entry or one of its links,
// unless all of these are found. It returns the number of positions. The entry of a long key may be
// wrong, see walk: it is kept.
func (x *Index) keepMatching(s *scan, n, g int) int {
	known := int32(prefixSize[g] + headSize)
	settled := s.generation<<1 | 1
	kept := 0
	for i := range s.candidates[:n] {
		f, to := &s.candidates[i], &s.candidates[kept&(batchSize-1)]
		u, hash, tail := f.entry, f.hash, f.tail
		to.entry, to.hash, to.tail, to.at, to.lo, to.n = u, hash, tail, f.at, f.lo, f.n
		e := &x.entries[u]
		begins := bitOf(e.hash^hash|(e.tail^tail)>>(e.tailShift&63)>>1 == 0)
		kept += begins & (bitOf(s.marks[u] != settled) | bitOf(e.size > known))
	}
	return kept
}

// word loads eight bytes. The full slice expression tells the compiler that the slice does not end
// up empty.
func word(src []byte, at int) uint64 {
	return binary.LittleEndian.Uint64(src[at : at+8 : at+8])
}

// bitOf returns 1 if a condition is true, else 0, without a branch.
func bitOf(condition bool) int {
	if condition {
		return 1
	}
	return 0
}

// reportMatches reports the keys that the text of a find begins with: its entry and the entry's links. If
// several long entries have the same tail, find has the last one. Then walk searches for the
// greatest entry that is not above the text.
func (x *Index) reportMatches(s *scan, f *candidateKey, base, g int) {
	at, size := base+int(f.at), prefixSize[g]
	if at+size > len(s.text) {
		return // the prefix extends into the padding
	}
	rest := unsafeString(s.text[at+size:])
	u := f.entry
	if x.entries[u].tail == f.tail && x.text(u)[size:] > rest {
		u = x.search(f, rest, size)
	}
	for u >= 0 && !s.allFound(u) {
		if x.matchesRest(u, rest, f.tail, size) {
			x.report(s, u, at)
		}
		u = x.entries[u].link
	}
	if f.n == 1 && s.allFound(f.lo) {
		s.groups[g].removePrefix(f.hash)
	}
}

// search returns the last entry that is before the entry of f and not above the text. The text
// continues with rest after the prefix. It returns -1 if no entry has this prefix.
func (x *Index) search(f *candidateKey, rest string, size int) int32 {
	lo, hi := f.lo, f.entry
	for lo < hi {
		mid := int32(uint32(lo+hi) / 2)
		if e := &x.entries[mid]; e.hash == f.hash && e.tail == f.tail && x.text(mid)[size:] > rest {
			hi = mid
		} else {
			lo = mid + 1
		}
	}
	if lo == f.lo || x.entries[lo-1].hash != f.hash {
		return -1
	}
	return lo - 1
}

// matchesRest reports whether the key continues after its prefix of n bytes like rest, whose head is
// tail. Nearly always the key ends in the tail; then its own bytes, far away in memory, are not
// read.
func (x *Index) matchesRest(u int32, rest string, tail uint64, n int) bool {
	e := &x.entries[u]
	n = int(e.size) - n
	if n < headSize {
		return n <= len(rest) && (e.tail^tail)>>(64-8*uint(n)) == 0
	}
	return e.tail == tail && n <= len(rest) && rest[:n] == x.text(u)[int(e.size)-n:]
}

// report records that the key of an entry occurs at i.
func (x *Index) report(s *scan, u int32, i int) {
	if s.found(u) {
		return
	}
	e := &x.entries[u]
	if e.hasCondition && !x.keys[e.id].accepts(int(e.id), s, i, i+int(e.size)) {
		return
	}
	s.hits = append(s.hits, e.id)
	s.mark(u, !e.linksHaveCondition)
}

// accepts reports whether an occurrence at text[start:end] meets the conditions of the key.
func (k *Key) accepts(id int, s *scan, start, end int) bool {
	if k.Left != AnyEdge {
		word := start > 0 && isWord[s.text[start-1]]
		if word != (k.Left == WordEdge) {
			return false
		}
	}
	if k.Right != AnyEdge {
		word := end < len(s.text) && isWord[s.text[end]]
		if word != (k.Right == WordEdge) {
			return false
		}
	}
	return !k.Check || s.check(id, start, end)
}

// isWord is a table of the word bytes A-Z, a-z, 0-9 and _.
var isWord = func() (t [256]bool) {
	for c := range t {
		t[c] = c == '_' || '0' <= c && c <= '9' || c < 0x80 && 'a' <= c|0x20 && c|0x20 <= 'z'
	}
	return t
}()

// IsWordByte reports whether c is one of A-Z, a-z, 0-9 and _.
func IsWordByte(c byte) bool { return isWord[c] }

func unsafeString(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }
func unsafeBytes(s string) []byte  { return unsafe.Slice(unsafe.StringData(s), len(s)) }

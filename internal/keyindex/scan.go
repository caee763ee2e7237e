package keyindex

import (
	"encoding/binary"
	"unsafe"
)

// blockSize is the number of text bytes filtered before candidates are looked
// at.
const blockSize = 4096

// padding is the number of bytes that loads may read beyond a position.
const padding = 8

// positions is a buffer of places in a text. Writing one more than fits is safe.
type positions [blockSize + 8]int32

// scan is the working memory of one scan.
type scan struct {
	text  []byte
	check func(id, start, end int) bool
	hits  []int32
	gen   uint32
	marks []uint32 // by text: gen if all its keys are found
	done  []uint32 // by id, for texts with edge conditions
	cand  positions
	kept  positions
	tail  [2*padding + padding]byte
	pairs [1 << 10]uint64
}

func newScratch(texts, edged int) *scan {
	return &scan{marks: make([]uint32, texts), done: make([]uint32, edged)}
}

// Scan appends the ids of all keys that occur in text to hits, each once, in no
// particular but reproducible order. Text must be valid UTF-8: behind a broken
// character occurrences may be missed. check decides occurrences of keys with
// Check set; it may be nil if there are none.
func (x *Index) Scan(hits []int32, text []byte, check func(id, start, end int) bool) []int32 {
	if len(x.texts) == 0 || len(text) == 0 {
		return hits
	}
	s := x.scratch.Get().(*scan)
	s.text, s.check, s.hits = text, check, hits
	if s.gen++; s.gen == 0 {
		clear(s.marks)
		clear(s.done)
		s.gen = 1
	}
	if !x.filter.empty {
		x.filtered(s, &x.filter, group8, x.mainGroups())
	}
	if x.three != nil {
		x.filtered(s, x.three, group3, groupCount)
	}
	if x.shorts.lo < x.shorts.hi {
		x.scanShorts(s)
	}
	hits = s.hits
	s.text, s.check, s.hits = nil, nil, nil
	x.scratch.Put(s)
	return hits
}

// filtered runs one prefix filter over the text and looks at what it lets
// through. Loads of eight bytes are safe in the body; the last bytes are looked
// at in a padded copy.
func (x *Index) filtered(s *scan, f *prefixFilter, gLo, gHi int) {
	threeOnly := gLo == group3
	body := len(s.text) - 2*padding
	at := 0
	for at < body {
		end := min(at+blockSize-padding, body)
		next, n := f.block(s.text, at, end, &s.cand, threeOnly)
		for g := gLo; g < gHi; g++ {
			if x.groups[g].hi > 0 {
				x.verified(s, n, g)
			}
		}
		at = next
	}
	rest := s.text[at:]
	s.tail = [len(s.tail)]byte{}
	copy(s.tail[:], rest)
	for i := range rest {
		x.candidate(s, binary.LittleEndian.Uint64(s.tail[i:]), at+i, gLo, gHi)
	}
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

const highBits = 0x8080808080808080

// The three loops below differ in the size of the bitmap only. ASCII is taken
// eight positions at a time, other text character by character. There is no
// branch on the filter's answer: the position is always written and the buffer
// advanced by the bit.

func blockSmall(bits *[smallWords]uint32, text []byte, at, end int, cand *positions, mask uint32) (int, int) {
	n := 0
	for at < end {
		w := binary.LittleEndian.Uint64(text[at:])
		if w&highBits != 0 {
			h := (uint32(w) & mask) * hashFactor
			cand[n&(blockSize-1)] = int32(at)
			n += int(bits[h>>23] >> (h >> 18 & 31) & 1)
			at += step(byte(w))
			continue
		}
		w2 := binary.LittleEndian.Uint64(text[at+4:])
		for i := range 4 {
			h := (uint32(w>>(8*i)) & mask) * hashFactor
			cand[n&(blockSize-1)] = int32(at + i)
			n += int(bits[h>>23] >> (h >> 18 & 31) & 1)
		}
		for i := range 4 {
			h := (uint32(w2>>(8*i)) & mask) * hashFactor
			cand[n&(blockSize-1)] = int32(at + 4 + i)
			n += int(bits[h>>23] >> (h >> 18 & 31) & 1)
		}
		at += 8
	}
	return at, n
}

func blockMedium(bits *[mediumWords]uint32, text []byte, at, end int, cand *positions, mask uint32) (int, int) {
	n := 0
	for at < end {
		w := binary.LittleEndian.Uint64(text[at:])
		if w&highBits != 0 {
			h := (uint32(w) & mask) * hashFactor
			cand[n&(blockSize-1)] = int32(at)
			n += int(bits[h>>20] >> (h >> 15 & 31) & 1)
			at += step(byte(w))
			continue
		}
		w2 := binary.LittleEndian.Uint64(text[at+4:])
		for i := range 4 {
			h := (uint32(w>>(8*i)) & mask) * hashFactor
			cand[n&(blockSize-1)] = int32(at + i)
			n += int(bits[h>>20] >> (h >> 15 & 31) & 1)
		}
		for i := range 4 {
			h := (uint32(w2>>(8*i)) & mask) * hashFactor
			cand[n&(blockSize-1)] = int32(at + 4 + i)
			n += int(bits[h>>20] >> (h >> 15 & 31) & 1)
		}
		at += 8
	}
	return at, n
}

func blockLarge(bits *[largeWords]uint32, text []byte, at, end int, cand *positions, mask uint32) (int, int) {
	n := 0
	for at < end {
		w := binary.LittleEndian.Uint64(text[at:])
		if w&highBits != 0 {
			h := (uint32(w) & mask) * hashFactor
			cand[n&(blockSize-1)] = int32(at)
			n += int(bits[h>>17] >> (h >> 12 & 31) & 1)
			at += step(byte(w))
			continue
		}
		w2 := binary.LittleEndian.Uint64(text[at+4:])
		for i := range 4 {
			h := (uint32(w>>(8*i)) & mask) * hashFactor
			cand[n&(blockSize-1)] = int32(at + i)
			n += int(bits[h>>17] >> (h >> 12 & 31) & 1)
		}
		for i := range 4 {
			h := (uint32(w2>>(8*i)) & mask) * hashFactor
			cand[n&(blockSize-1)] = int32(at + 4 + i)
			n += int(bits[h>>17] >> (h >> 12 & 31) & 1)
		}
		at += 8
	}
	return at, n
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

// candidate looks up the keys that begin with the bytes of w, which stand at i.
func (x *Index) candidate(s *scan, w uint64, i, gLo, gHi int) {
	for g := gLo; g < gHi; g++ {
		if x.groups[g].hi == 0 {
			continue
		}
		prefix := w & groupMask[g]
		h := verifyHash(prefix, g)
		if !x.verify.has(h) {
			continue
		}
		if lo, hi := x.runs.find(prefix, g, h); lo < hi {
			x.walk(s, i, lo, hi)
		}
	}
}

// verified looks at the first n candidates that begin with the prefix of a key
// of one group. Like the filter it collects them without a branch on the answer.
func (x *Index) verified(s *scan, n, g int) {
	mask, factor, shift := groupMask[g], spread[g], x.verify.shift&63
	words := x.verify.words
	kept := 0
	for _, i := range s.cand[:n] {
		h := binary.LittleEndian.Uint64(s.text[i:]) & mask * factor >> shift
		s.kept[kept&(blockSize-1)] = i
		kept += int(words[h>>6] >> (h & 63) & 1)
	}
	for _, i := range s.kept[:kept] {
		prefix := binary.LittleEndian.Uint64(s.text[i:]) & mask
		if lo, hi := x.runs.find(prefix, g, prefix*factor); lo < hi {
			x.walk(s, int(i), lo, hi)
		}
	}
}

// walk reports the keys of texts[lo:hi] that the text at i begins with: the
// greatest key that is not above the text, and what it links to.
func (x *Index) walk(s *scan, i int, lo, hi int32) {
	rest := unsafeString(s.text[i:])
	for hi-lo > 1 {
		mid := int32(uint32(lo+hi) / 2)
		if x.texts[mid] <= rest {
			lo = mid
		} else {
			hi = mid
		}
	}
	for u := lo; u >= 0; u = x.link[u] {
		if s.marks[u] == s.gen && x.pure[u] {
			return
		}
		if key := x.texts[u]; len(key) <= len(rest) && rest[:len(key)] == key {
			x.report(s, u, i)
		}
	}
}

// report records the keys of one text that occurs at i.
func (x *Index) report(s *scan, u int32, i int) {
	if s.marks[u] == s.gen {
		return
	}
	ids := x.ids[x.first[u]:x.first[u+1]]
	if !x.edged[u] {
		s.hits = append(s.hits, ids...)
		s.marks[u] = s.gen
		return
	}
	all := true
	for _, id := range ids {
		switch {
		case s.done[id] == s.gen:
		case x.keys[id].accepts(int(id), s, i, i+len(x.texts[u])):
			s.hits = append(s.hits, id)
			s.done[id] = s.gen
		default:
			all = false
		}
	}
	if all {
		s.marks[u] = s.gen
	}
}

// accepts decides an occurrence at text[start:end].
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

// isWord tells the word bytes A-Z, a-z, 0-9 and _.
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

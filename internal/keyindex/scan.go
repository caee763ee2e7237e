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

// scan is the working memory of one scan.
type scan struct {
	text  []byte
	check func(id, start, end int) bool
	hits  []int32
	gen   uint32
	marks []uint32 // by text: see found and settled
	done  []uint32 // by id, for texts with edge conditions
	cand  positions
	kept  [groupCount]positions
	tail  [2*padding + padding]byte
	pairs [1 << 10]uint64
}

func newScratch(texts, edged int) *scan {
	return &scan{marks: make([]uint32, texts), done: make([]uint32, edged)}
}

// maxGeneration is where the count of scans begins anew: marks need a bit for
// themselves.
const maxGeneration = 1 << 31

// found reports whether all keys of a text are found.
func (s *scan) found(u int32) bool { return s.marks[u]>>1 == s.gen }

// settled reports whether all keys of a text and of its prefixes are found. The
// text itself, far away in memory, need not be looked at then.
func (s *scan) settled(u int32) bool { return s.marks[u] == s.gen<<1|1 }

// mark notes that all keys of a text are found, and that those of its prefixes
// are if it is pure.
func (s *scan) mark(u int32, pure bool) {
	s.marks[u] = s.gen << 1
	if pure {
		s.marks[u]++
	}
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
	if s.gen++; s.gen == maxGeneration {
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
		if gLo == group8 {
			x.verifyLong(s, n)
		}
		if gHi > group3 && x.groups[group3].hi > 0 {
			x.verify3(s, n)
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
		if r := x.runs.find(prefix|groupTag[g], h); r.hi > 0 {
			x.walk(s, i, r.lo, r.hi, g)
		}
	}
}

// verifyLong looks at the first n candidates that begin with the prefix of a key of
// four bytes or more. Like the filter it collects them without a branch on the
// answer, for all three groups in one pass.
func (x *Index) verifyLong(s *scan, n int) {
	shift, words := x.verify.shift&63, x.verify.words
	n8, n6, n4 := 0, 0, 0
	for _, i := range s.cand[:n] {
		w := binary.LittleEndian.Uint64(s.text[i:])
		h8 := w * spread8 >> shift
		h6 := w & mask6 * spread6 >> shift
		h4 := w & mask4 * spread4 >> shift
		s.kept[group8][n8&(blockSize-1)] = i
		n8 += int(words[h8>>6] >> (h8 & 63) & 1)
		s.kept[group6][n6&(blockSize-1)] = i
		n6 += int(words[h6>>6] >> (h6 & 63) & 1)
		s.kept[group4][n4&(blockSize-1)] = i
		n4 += int(words[h4>>6] >> (h4 & 63) & 1)
	}
	x.walkKept(s, n8, group8)
	x.walkKept(s, n6, group6)
	x.walkKept(s, n4, group4)
}

// verify3 does the same for keys of three bytes.
func (x *Index) verify3(s *scan, n int) {
	shift, words := x.verify.shift&63, x.verify.words
	n3 := 0
	for _, i := range s.cand[:n] {
		h := binary.LittleEndian.Uint64(s.text[i:]) & mask3 * spread3 >> shift
		s.kept[group3][n3&(blockSize-1)] = i
		n3 += int(words[h>>6] >> (h & 63) & 1)
	}
	x.walkKept(s, n3, group3)
}

// walkKept looks the first n kept candidates of a group up.
func (x *Index) walkKept(s *scan, n, g int) {
	mask, factor := groupMask[g], spread[g]
	for _, i := range s.kept[g][:n] {
		prefix := binary.LittleEndian.Uint64(s.text[i:]) & mask
		if r := x.runs.find(prefix|groupTag[g], prefix*factor); r.hi > 0 {
			x.walk(s, int(i), r.lo, r.hi, g)
		}
	}
}

// walk reports the keys of texts[lo:hi] that the text at i begins with: the
// greatest key that is not above the text, and what it links to. All of them
// share the prefix of their group, which the text at i has.
func (x *Index) walk(s *scan, i int, lo, hi int32, g int) {
	if i+prefixSize[g] > len(s.text) {
		return // the prefix goes on in the padding
	}
	if hi-lo == 1 && s.settled(lo) {
		return
	}
	rest := unsafeString(s.text[i+prefixSize[g]:])
	tail := head(rest)
	for hi-lo > 1 {
		mid := int32(uint32(lo+hi) / 2)
		if t := &x.texts[mid]; t.tail < tail || t.tail == tail && t.key[prefixSize[g]:] <= rest {
			lo = mid
		} else {
			hi = mid
		}
	}
	for u := lo; u >= 0 && !s.settled(u); {
		t := &x.texts[u]
		if t.begins(rest, tail, prefixSize[g]) {
			x.report(s, u, i)
		}
		u = t.link
	}
}

// begins reports whether the key continues behind its prefix of n bytes like
// rest, whose head is tail. Nearly always the tails say no, or the key ends in
// them: its own bytes, far away in memory, are not read then.
func (t *text) begins(rest string, tail uint64, n int) bool {
	n = len(t.key) - n
	if n < tailSize {
		return n <= len(rest) && (t.tail^tail)>>(64-8*uint(n)) == 0
	}
	return t.tail == tail && n <= len(rest) && rest[:n] == t.key[len(t.key)-n:]
}

// report records the keys of one text that occurs at i.
func (x *Index) report(s *scan, u int32, i int) {
	if s.found(u) {
		return
	}
	ids := x.idsOf(u)
	t := &x.texts[u]
	if !t.edged() {
		s.hits = append(s.hits, ids...)
		s.mark(u, !t.impure())
		return
	}
	all := true
	for _, id := range ids {
		switch {
		case s.done[id] == s.gen:
		case x.keys[id].accepts(int(id), s, i, i+len(t.key)):
			s.hits = append(s.hits, id)
			s.done[id] = s.gen
		default:
			all = false
		}
	}
	if all {
		s.mark(u, false)
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

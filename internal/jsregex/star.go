package jsregex

import (
	"math"
	"unicode/utf8"
)

// A repeat of single characters is one instruction: it matches as many characters as possible, or
// as few, and its frame stores how far it went. If it has no upper bound, all its positions are one
// row of the memo, because the number of earlier characters does not matter then.

// matchStar matches a repeat at a position.
func (m *machine) matchStar(in *inst, at, pc int32) (int32, int32, bool) {
	for range in.min {
		var ok bool
		if at, ok = m.matchOne(in, at); !ok {
			return at, pc, false
		}
		m.steps++
		if m.steps > m.limit {
			return at, pc, false
		}
	}
	if in.n >= 0 && m.memo.ready(m) {
		switch m.memo.lookUp(m, &m.points[in.n], at) {
		case knownFail:
			return at, pc, false
		case knownSuccess:
			return m.endLookEarly()
		}
	}
	left := in.max - in.min
	if in.max == math.MaxInt32 {
		left = math.MaxInt32
	}
	if in.lazy {
		if left > 0 {
			m.push(frame{frameLazy, pc - 1, at, at, left})
		}
		return at, pc, true
	}
	end, settled := m.matchMany(in, at, left)
	if settled {
		return m.endLookEarly()
	}
	if end != at || in.n >= 0 {
		m.push(frame{frameStar, pc - 1, at, end, end})
	}
	if !in.back && !m.canContinue(in.first, end) {
		return at, pc, false // back finds the last position where it can continue
	}
	return end, pc, true
}

// chunkSize is the number of bytes that are matched between two queries of the memo.
const chunkSize = 256

// matchMany returns the end of the characters that a repeat matches. It ends before a position that is known
// to fail. It also ends at a position from which the look-around is known to succeed.
func (m *machine) matchMany(in *inst, at, left int32) (end int32, settled bool) {
	end = at
	memo := in.n >= 0 && m.memo.enabled
	for {
		from := end
		end, left = m.matchChunk(in, end, left)
		m.steps += int(abs(end-from))>>2 + 1
		if memo && end != from {
			if stop, known := m.memo.firstKnown(m, &m.points[in.n], from, end); known != unknown {
				return stop, known == knownSuccess
			}
		}
		if abs(end-from) < chunkSize || m.steps > m.limit {
			return end, false
		}
	}
}

// matchChunk matches characters until about 256 bytes are matched, or until no more are allowed.
func (m *machine) matchChunk(in *inst, at, left int32) (int32, int32) {
	text, set := m.text, in.set
	if in.back {
		for stop := at - chunkSize; left > 0 && at > 0 && at > stop; left-- {
			next, ok := m.matchOne(in, at)
			if !ok {
				break
			}
			at = next
		}
		return at, left
	}
	stop := min(int(at)+chunkSize, len(text))
	i := int(at)
	for ; left > 0 && i < stop; left-- {
		if c := text[i]; c < utf8.RuneSelf {
			if set.ascii[c>>6]&(1<<(c&63)) == 0 {
				break
			}
			i++
			continue
		}
		r, w := utf8.DecodeRuneInString(text[i:])
		m.steps += set.weight
		if !set.has(r) {
			break
		}
		i += w
	}
	return int32(i), left
}

// giveBack shortens a greedy repeat by one character, or by more if the next instruction cannot match there.
func (m *machine) giveBack(f *frame) bool {
	in := &m.insts[f.at]
	for f.b != f.a {
		m.steps++
		if in.back {
			_, w := utf8.DecodeRuneInString(m.text[f.b:])
			f.b += int32(w)
			return true
		}
		f.b--
		for f.b > f.a && !utf8.RuneStart(m.text[f.b]) {
			f.b--
		}
		if in.first == nil || in.first.has(m.text[f.b]) {
			return m.steps <= m.limit
		}
	}
	return false
}

// matchOneMore matches one more character of a lazy repeat.
func (m *machine) matchOneMore(f *frame) bool {
	in := &m.insts[f.at]
	for f.c > 0 {
		m.steps++
		next, ok := m.matchOne(in, f.b)
		if !ok || m.steps > m.limit {
			return false
		}
		if in.n >= 0 && m.memo.enabled && m.memo.lookUp(m, &m.points[in.n], next) == knownFail {
			return false
		}
		f.b = next
		if in.max != math.MaxInt32 {
			f.c--
		}
		if in.back || m.canContinue(in.first, next) {
			return true
		}
	}
	return false
}

// recordStarFailure records that a repeat failed at every position where it could have ended.
func (m *machine) recordStarFailure(f *frame, last int32) {
	if n := m.insts[f.at].n; n >= 0 && m.memo.enabled && m.steps <= m.limit {
		m.memo.recordRange(m, &m.points[n], f.a, last, 0)
	}
}

func abs(n int32) int32 { return max(n, -n) }

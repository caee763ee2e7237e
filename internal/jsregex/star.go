package jsregex

import (
	"math"
	"unicode/utf8"
)

// A repeat of single characters is one instruction: it matches as many characters as possible, or
// as few, and its frame stores how far it went. If it has no upper bound, all its positions are one
// row of the memo, because the number of earlier characters does not matter then.

// star matches a repeat at a position.
func (m *machine) star(in *inst, at, pc int32) (int32, int32, bool) {
	for range in.min {
		var ok bool
		if at, ok = m.take(in, at); !ok {
			return at, pc, false
		}
		m.steps++
		if m.steps > m.limit {
			return at, pc, false
		}
	}
	if in.n >= 0 && m.memo.ready(m) {
		switch m.memo.known(m, &m.points[in.n], at) {
		case fails:
			return at, pc, false
		case settles:
			return m.settled()
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
	end, settled := m.scan(in, at, left)
	if settled {
		return m.settled()
	}
	if end != at || in.n >= 0 {
		m.push(frame{frameStar, pc - 1, at, end, end})
	}
	if !in.back && !m.goesOn(in.first, end) {
		return at, pc, false // back finds the last position where it can continue
	}
	return end, pc, true
}

// scanned is the number of bytes that are matched between two queries of the memo.
const scanned = 256

// scan returns how far a repeat goes. It ends before a position that is known to fail. It also ends
// at a position that is known to settle the look-around.
func (m *machine) scan(in *inst, at, left int32) (end int32, settled bool) {
	end = at
	memo := in.n >= 0 && m.memo.on
	for {
		from := end
		end, left = m.run256(in, end, left)
		m.steps += int(abs(end-from))>>2 + 1
		if memo && end != from {
			if stop, known := m.memo.between(m, &m.points[in.n], from, end); known != unknown {
				return stop, known == settles
			}
		}
		if abs(end-from) < scanned || m.steps > m.limit {
			return end, false
		}
	}
}

// run256 matches characters until about 256 bytes are matched, or until no more are allowed.
func (m *machine) run256(in *inst, at, left int32) (int32, int32) {
	text, set := m.text, in.set
	if in.back {
		for stop := at - scanned; left > 0 && at > 0 && at > stop; left-- {
			next, ok := m.take(in, at)
			if !ok {
				break
			}
			at = next
		}
		return at, left
	}
	stop := min(int(at)+scanned, len(text))
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

// less gives one character back, or more characters if the text cannot continue there.
func (m *machine) less(f *frame) bool {
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

// more matches one more character of a lazy repeat.
func (m *machine) more(f *frame) bool {
	in := &m.insts[f.at]
	for f.c > 0 {
		m.steps++
		next, ok := m.take(in, f.b)
		if !ok || m.steps > m.limit {
			return false
		}
		if in.n >= 0 && m.memo.on && m.memo.known(m, &m.points[in.n], next) == fails {
			return false
		}
		f.b = next
		if in.max != math.MaxInt32 {
			f.c--
		}
		if in.back || m.goesOn(in.first, next) {
			return true
		}
	}
	return false
}

// forgo records that a repeat failed at every position where it could have ended.
func (m *machine) forgo(f *frame, last int32) {
	if n := m.insts[f.at].n; n >= 0 && m.memo.on && m.steps <= m.limit {
		m.memo.mark(m, &m.points[n], f.a, last, 0)
	}
}

func abs(n int32) int32 { return max(n, -n) }

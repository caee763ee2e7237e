package jsregex

import (
	"math/bits"
	"slices"
)

// memo remembers the positions of the text at which points of the code fail, so that no pair is
// tried twice. So a regex without back references takes time proportional to the text, also with
// nested loops. A fact about a point and a position is true for the whole text. It does not depend
// on the start of the match.
//
// Inside look-arounds it also remembers from which positions their bodies succeed.
//
// The memo is made only after some steps, because most matches end before it is useful.
type memo struct {
	enabled     bool // bits is in use
	disabled    bool // the memo would be too large for this text
	enableAfter int  // number of steps after which it is enabled
	width       int  // number of positions: one more than the text has bytes
	rows        int
	bits        []uint64 // bits of failures, then bits of look-arounds that succeed
}

// outcome is the memo's knowledge about a point at a position.
type outcome uint8

const (
	unknown outcome = iota
	knownFail
	knownSuccess
)

// maxMemo is the greatest number of bits of a memo.
const maxMemo = 1 << 26

// reset prepares the memo for a new text.
func (o *memo) reset(size int) {
	o.enabled, o.disabled, o.width, o.enableAfter = false, false, size+1, 2048+4*size
}

// ready reports whether the memo is on, and turns it on after the wait.
func (o *memo) ready(m *machine) bool {
	if o.enabled || o.disabled || m.steps < o.enableAfter {
		return o.enabled
	}
	size := 2 * m.slots * o.width
	words := (size + 63) / 64
	cost := words / 8
	if size > maxMemo || m.steps+cost > m.limit {
		o.disabled = true
		return false
	}
	m.steps += cost
	o.enabled, o.rows = true, m.slots
	o.bits = slices.Grow(o.bits[:0], words)[:words]
	clear(o.bits)
	return true
}

// row returns the row of a point at a position.
func (m *machine) row(p *point, at int32) int32 {
	row := p.row
	for i, r := range p.turns {
		if m.regs[r] != at {
			row += 1 << i
		}
	}
	return row
}

// lastRow returns the row of a point for the case that all loops around it have advanced.
func (p *point) lastRow() int32 { return p.row + 1<<len(p.turns) - 1 }

func (o *memo) has(bit int) bool { return o.bits[bit>>6]&(1<<(bit&63)) != 0 }

// lookUp returns the known outcome for a point at a position.
func (o *memo) lookUp(m *machine, p *point, at int32) outcome {
	bit := int(m.row(p, at))*o.width + int(at)
	switch {
	case o.has(bit):
		return knownFail
	case p.recordsSuccess && o.has(bit+o.rows*o.width):
		return knownSuccess
	}
	return unknown
}

// recordFailure records that a row fails at a position.
func (o *memo) recordFailure(row, at int32) {
	bit := int(row)*o.width + int(at)
	o.bits[bit>>6] |= 1 << (bit & 63)
}

// recordRange records that all positions of a range, both ends included, fail. With shift, the number of rows,
// it records that the look-around succeeds from them. Positions inside characters are never queried.
func (o *memo) recordRange(m *machine, p *point, from, to int32, shift int) {
	o.recordFailure(m.row(p, from)+int32(shift), from)
	if from == to {
		return
	}
	lo, hi := from+1, to
	if to < from {
		lo, hi = to, from-1
	}
	first := (int(p.lastRow()) + shift) * o.width
	o.setBits(first+int(lo), first+int(hi))
	m.steps += int(hi-lo) >> 6
}

// setBits sets the bits from lo to hi, both included.
func (o *memo) setBits(lo, hi int) {
	for lo <= hi && lo&63 != 0 {
		o.bits[lo>>6] |= 1 << (lo & 63)
		lo++
	}
	for ; lo+63 <= hi; lo += 64 {
		o.bits[lo>>6] = ^uint64(0)
	}
	for ; lo <= hi; lo++ {
		o.bits[lo>>6] |= 1 << (lo & 63)
	}
}

// firstKnown finds the first position after from, up to to, with a known outcome. For a failure it
// returns the position before it.
func (o *memo) firstKnown(m *machine, p *point, from, to int32) (int32, outcome) {
	row := int(p.lastRow()) * o.width
	step := int32(1)
	if to < from {
		step = -1
	}
	failed, ok := o.firstSet(row, from+step, to)
	if p.recordsSuccess {
		if at, found := o.firstSet(row+o.rows*o.width, from+step, to); found && (!ok || (at-failed)*step < 0) && isEdge(m.text, at) {
			return at, knownSuccess
		}
	}
	if !ok {
		return to, unknown
	}
	for failed -= step; failed != from && !isEdge(m.text, failed); {
		failed -= step
	}
	return failed, knownFail
}

// firstSet returns the first position of a range whose bit is set.
func (o *memo) firstSet(row int, from, to int32) (int32, bool) {
	if from <= to {
		for bit := row + int(from); bit <= row+int(to); {
			if w := o.bits[bit>>6] >> (bit & 63); w != 0 {
				at := bit + bits.TrailingZeros64(w) - row
				return int32(at), at <= int(to)
			}
			bit = (bit>>6 + 1) << 6
		}
		return 0, false
	}
	for bit := row + int(from); bit >= row+int(to); {
		if w := o.bits[bit>>6] << (63 - bit&63); w != 0 {
			at := bit - bits.LeadingZeros64(w) - row
			return int32(at), at >= int(to)
		}
		bit = bit>>6<<6 - 1
	}
	return 0, false
}

// recordSuccess records that the body of a look-around succeeds from every point on the path in its
// frames.
func (o *memo) recordSuccess(m *machine, way []frame) {
	if !o.enabled {
		return
	}
	for i := range way {
		switch f := &way[i]; f.kind {
		case frameMemo:
			o.recordFailure(f.at+int32(o.rows), f.a)
		case frameStar, frameLazy:
			// The loops around it may have advanced since then.
			if n := m.insts[f.at].n; n >= 0 && m.points[n].recordsSuccess && len(m.points[n].turns) == 0 {
				o.recordRange(m, &m.points[n], f.a, f.b, o.rows)
			}
		}
	}
}

// queryMemo queries the memo at a point, and lets it record a failure if the path fails.
func (m *machine) queryMemo(in *inst, at, pc int32) (int32, int32, bool) {
	if !m.memo.ready(m) {
		return at, pc, true
	}
	p := &m.points[in.n]
	switch m.memo.lookUp(m, p, at) {
	case knownFail:
		return at, pc, false
	case knownSuccess:
		return m.endLookEarly()
	}
	m.push(frame{kind: frameMemo, at: m.row(p, at), a: at})
	return at, pc, true
}

// endLookEarly ends the body of a look-around that is known to succeed.
func (m *machine) endLookEarly() (int32, int32, bool) {
	m.steps += len(m.stack) - int(m.look)
	return m.endLook()
}

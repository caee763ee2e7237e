package jsregex

import "math/bits"

// memo remembers from which places of a text which points of the code fail, so that
// none is tried twice. A regex without back references then takes time proportional to
// the text, whatever its loops: a fact about a point and a place holds for the whole
// text, wherever the match began.
//
// In look-arounds it remembers too from where their bodies come to an end.
//
// Most matches are over before it is worth having one: it is made after a while.
type memo struct {
	on    bool
	never bool
	wait  int // steps until it is made
	width int // places: one more than the text has bytes
	rows  int
	bits  []uint64 // of failures, and behind them of look-arounds that go well
}

// verdict is what a memo knows.
type verdict uint8

const (
	unknown verdict = iota
	fails
	settles
)

// maxMemo bounds the bits of a memo.
const maxMemo = 1 << 26

// reset prepares the memo for another text.
func (o *memo) reset(size int) {
	o.on, o.never, o.width, o.wait = false, false, size+1, 2048+4*size
}

// ready reports whether the memo is on, and turns it on when it is time.
func (o *memo) ready(m *machine) bool {
	if o.on || o.never || m.steps < o.wait {
		return o.on
	}
	size := 2 * m.slots * o.width
	words := (size + 63) / 64
	cost := words / 8
	if size > maxMemo || m.steps+cost > m.limit {
		o.never = true
		return false
	}
	m.steps += cost
	o.on, o.rows = true, m.slots
	if cap(o.bits) < words {
		o.bits = make([]uint64, words)
		return true
	}
	o.bits = o.bits[:words]
	clear(o.bits)
	return true
}

// row is the row of a point at a place.
func (m *machine) row(p *point, at int32) int32 {
	row := p.row
	for i, r := range p.turns {
		if m.regs[r] != at {
			row += 1 << i
		}
	}
	return row
}

// lastRow is the row of a point where all loops around it have moved.
func (p *point) lastRow() int32 { return p.row + 1<<len(p.turns) - 1 }

func (o *memo) has(bit int) bool { return o.bits[bit>>6]&(1<<(bit&63)) != 0 }

// known is what is known about a point at a place.
func (o *memo) known(m *machine, p *point, at int32) verdict {
	bit := int(m.row(p, at))*o.width + int(at)
	switch {
	case o.has(bit):
		return fails
	case p.settles && o.has(bit+o.rows*o.width):
		return settles
	}
	return unknown
}

// fail notes that a row fails at a place.
func (o *memo) fail(row, at int32) {
	bit := int(row)*o.width + int(at)
	o.bits[bit>>6] |= 1 << (bit & 63)
}

// mark notes all places between two, both included: that they fail, or with shift
// that they settle. Places inside characters are never asked for.
func (o *memo) mark(m *machine, p *point, from, to int32, shift int) {
	row := int(m.row(p, from)) + shift
	bit := row*o.width + int(from)
	o.bits[bit>>6] |= 1 << (bit & 63)
	if from == to {
		return
	}
	lo, hi := from+1, to
	if to < from {
		lo, hi = to, from-1
	}
	first := (int(p.lastRow()) + shift) * o.width
	o.fill(first+int(lo), first+int(hi))
	m.steps += int(hi-lo) >> 6
}

// fill sets the bits from one to another, both included.
func (o *memo) fill(lo, hi int) {
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

// between looks for the first place behind from, up to to, about which something is
// known. For a failure it returns the place before.
func (o *memo) between(m *machine, p *point, from, to int32) (int32, verdict) {
	row := int(p.lastRow()) * o.width
	step := int32(1)
	if to < from {
		step = -1
	}
	failed, ok := o.first(row, from+step, to)
	if p.settles {
		if at, found := o.first(row+o.rows*o.width, from+step, to); found && (!ok || (at-failed)*step < 0) && isEdge(m.text, at) {
			return at, settles
		}
	}
	if !ok {
		return to, unknown
	}
	for failed -= step; failed != from && !isEdge(m.text, failed); {
		failed -= step
	}
	return failed, fails
}

// first returns the first place from one to another whose bit is set.
func (o *memo) first(row int, from, to int32) (int32, bool) {
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

// settle notes that the body of a look-around comes to its end from every point on
// the way that is left in its frames.
func (o *memo) settle(m *machine, way []frame) {
	if !o.on {
		return
	}
	for i := range way {
		switch f := &way[i]; f.kind {
		case frameMemo:
			o.fail(f.at+int32(o.rows), f.a)
		case frameStar, frameLazy:
			// The loops around it may have moved since.
			if n := m.insts[f.at].n; n >= 0 && m.points[n].settles && len(m.points[n].turns) == 0 {
				o.mark(m, &m.points[n], f.a, f.b, o.rows)
			}
		}
	}
}

// recall asks the memo at a point, and has it note should the way fail.
func (m *machine) recall(in *inst, at, pc int32) (int32, int32, bool) {
	if !m.memo.ready(m) {
		return at, pc, true
	}
	p := &m.points[in.n]
	switch m.memo.known(m, p, at) {
	case fails:
		return at, pc, false
	case settles:
		return m.settled()
	}
	m.push(frame{kind: frameMemo, at: m.row(p, at), a: at})
	return at, pc, true
}

// settled ends the body of a look-around that is known to come to its end.
func (m *machine) settled() (int32, int32, bool) {
	m.steps += len(m.stack) - int(m.look)
	return m.seen()
}
